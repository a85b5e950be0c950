"""The one place where errors become a line for people and an exit code: 1 for a finding or a fault, 2 for usage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from corr2cause.cli.groups import Group
from corr2cause.errors import Corr2CauseError, OptionError


class BorderedCommand(click.Command):
    """A command that may raise our errors and the system's; the user sees one line, never a traceback."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments; --help and --version print here, to an output that may be full."""
        with _one_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, turning errors into `click.ClickException`."""
        with _one_line():
            return super().invoke(ctx)


class ErrorBorder(BorderedCommand, Group):
    """A group of such commands."""


class _UsageLine(click.ClickException):
    """One line without click's three lines of usage: the option and its range are in it already."""

    exit_code = click.UsageError.exit_code


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except OptionError as error:
        raise _UsageLine(str(error)) from error
    except Corr2CauseError as error:
        raise click.ClickException(str(error)) from error
    except BrokenPipeError:
        raise  # click ends quietly when the reader of our output has gone
    except OSError as error:
        from corr2cause.files import in_plain_words  # not at the top: --help needs none of it

        place = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{place}{in_plain_words(error)}") from error
    except UnicodeEncodeError as error:
        text = error.object[max(0, error.start - 40) : error.end + 40]
        problem = f"{text!r} holds what is no character, as names of files and options may; choose another name"
        raise click.ClickException(problem) from error
    except MemoryError as error:
        raise click.ClickException("out of memory; use a smaller --n or fewer --workers") from error
