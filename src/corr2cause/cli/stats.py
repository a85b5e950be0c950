"""placeholder until the branch merges."""

import click


@click.command()
def stats() -> None:
    """Statistics."""
