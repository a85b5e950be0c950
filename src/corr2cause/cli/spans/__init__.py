"""`corr2cause spans …`: the commands of the second system, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from corr2cause.cli.groups import Group

_COMMANDS = (
    *("convert", "validate", "align", "fetch", "build", "stats", "split", "leakage", "card"),
    *("batches", "label-studio", "qualify", "quality", "queue", "adjudicate", "decide", "outcome"),
    *("prompts", "predictions", "models"),
    *("score", "agreement", "runs", "stability", "coverage", "consistency", "transfer"),
)
"""Each is a function in a module of that name in `corr2cause.cli.spans`, with `_` for `-`."""


class LazyGroup(Group):
    """A group that knows the names of its commands and imports a module only when its command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the work."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or return None if there is none of that name."""
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"{__name__}.{name}"), name)
        return command


@click.group(cls=LazyGroup)
def spans() -> None:
    """Build, check and judge corpora in which causes and effects are marked as spans.

    \b
    Example:
      corr2cause spans validate corpus.json
      corr2cause spans convert corpus.json corpus.jsonl --to release
    """
