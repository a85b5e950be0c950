"""The one place where errors become a line for people and an exit code: 1 for a finding or a fault, 2 for usage."""

from __future__ import annotations

from typing import Any

import click

from corr2cause.errors import Corr2CauseError


class ErrorBorder(click.Group):
    """A group whose commands may raise our errors and the system's; the user sees one line, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, turning errors into `click.ClickException`."""
        try:
            return super().invoke(ctx)
        except Corr2CauseError as error:
            raise click.ClickException(str(error)) from error
        except BrokenPipeError:
            raise  # click ends quietly when the reader of our output has gone
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror or error}") from error
        except MemoryError as error:
            raise click.ClickException("out of memory; use a smaller --n or fewer --workers") from error
