"""Shell completion."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    Put the line of the example into ~/.bashrc, or with zsh into ~/.zshrc. For fish, write the script to
    ~/.config/fish/completions/corr2cause.fish.

    \b
    Example:
      eval "$(corr2cause completion bash)"
    """
    from click.shell_completion import get_completion_class

    root = ctx.find_root()
    completer = get_completion_class(shell)
    assert completer is not None, "the choices are click's own"
    click.echo(completer(root.command, {}, "corr2cause", "_CORR2CAUSE_COMPLETE").source().rstrip())
