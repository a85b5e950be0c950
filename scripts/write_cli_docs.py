"""Write docs/cli.md from the help of the commands; a test sees that the page is up to date."""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli import main

TARGET = Path(__file__).parents[1] / "docs" / "cli.md"
_WIDTH = 100


def cli_docs() -> str:
    """Return the page: the help of the program and of each command."""
    pages = [_page(main, "corr2cause"), *(_page(main.commands[name], f"corr2cause {name}") for name in main.commands)]
    return "# Commands\n\nWritten by `scripts/write_cli_docs.py`; what `--help` says.\n\n" + "\n".join(pages)


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
