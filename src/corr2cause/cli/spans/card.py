"""`corr2cause spans card`: the data card of a release folder."""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH


@click.command()
@click.argument("folder", type=NAMED_PATH)
@click.option("--name", required=True, help="What the data set is called.")
def card(folder: Path, name: str) -> None:
    """Write the data card of a folder, so that `datasets.load_dataset` reads it.

    FOLDER holds train.jsonl, validation.jsonl and test.jsonl, or some of them, or corpus.jsonl, in the release format.

    \b
    Example:
      corr2cause spans card data/release --name "My causal corpus"
    """
    from corr2cause.spans.card import CARD, write_card

    write_card(folder, name)
    click.echo(f"{folder / CARD}: written")
