"""Groups of commands: each is summed up in a whole sentence, and a slip of the pen is told what was nearly typed."""

from __future__ import annotations

from typing import Any

import click

_ANY_LENGTH = 1000


class Group(click.Group):
    """A group whose help cuts no sentence short, and that knows which command a mistyped one is like."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its first sentence, on as many lines as it takes."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(_ANY_LENGTH)) for name, command in commands.items() if command]
            )

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or fail with the name that is most like it; click itself suggests loaded commands only."""
        name = args[0]
        if name[:1].isalnum() and self.get_command(ctx, name) is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}.{f' Did you mean {near[0]!r}?' if near else ''}")
        return super().resolve_command(ctx, args)
