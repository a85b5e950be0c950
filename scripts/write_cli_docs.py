"""Write docs/cli.md from the help of the commands; a test sees that the page is up to date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from corr2cause.cli import main

TARGET = Path(__file__).parents[1] / "docs" / "cli.md"
_WIDTH = 100


def cli_docs() -> str:
    """Return the page: the help of the program and of each command, those of groups after their group."""
    pages = "\n".join(_page(command, " ".join(words)) for words, command in commands(main, "corr2cause"))
    return f"# Commands\n\nWritten by `scripts/write_cli_docs.py`; what `--help` says.\n\n{pages}"


def commands(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield a command and all below it, each with the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        names = command.commands or command.list_commands(context)  # a lazy group knows names alone
        for name in names:
            if found := command.get_command(context, name):
                yield from commands(found, *words, name)


def _page(command: click.Command, name: str) -> str:
    context = click.Context(
        command,
        info_name=name,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=main.context_settings["help_option_names"],
    )
    return f"## {name}\n\n```text\n{command.get_help(context)}\n```\n"


if __name__ == "__main__":
    TARGET.write_text(cli_docs(), encoding="utf-8")
