"""`corr2cause spans batches`: who annotates what."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.reading import FILE, FORCE, distinct_rows
from corr2cause.cli.tables import as_text

if TYPE_CHECKING:
    from corr2cause.spans.annotating.batches import Batch


@click.command()
@FILE
@click.option("--annotators", required=True, metavar="NAME,NAME,…", help="Who annotates; each batch has two of them.")
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for the batches; made if absent.")
@click.option("--size", type=click.IntRange(1), default=100, show_default=True, help="Rows of a batch.")
@click.option("--seed", default=0, show_default=True, help="Of the order of rows and of who gets which batch.")
@FORCE
def batches(file: Path, annotators: str, out: Path, size: int, seed: int, force: bool) -> None:
    """Cut the rows of a corpus into batches, and give each to two annotators who work independently.

    Writes OUT/NAME/batch-001.jsonl and so on, in the release format and without pairs: whoever annotates a row adds
    pairs, or the label 0 if it states no cause. OUT/manifest.json says who got what. Nobody gets two batches more
    than anybody else.

    \b
    Example:
      corr2cause spans batches corpus.jsonl --annotators ann,bob,cid --out batches
    """
    from corr2cause.spans.annotating.batches import deal, write_batches

    names = [name.strip() for name in annotators.split(",")]
    dealt = deal(distinct_rows([file]), names, size, seed)
    write_batches(out, file, dealt, {"annotators": names, "size": size, "seed": seed}, force)
    click.echo(as_text(("annotator", "batches", "rows", "with"), [_line(name, dealt) for name in names]))


def _line(name: str, dealt: list[Batch]) -> tuple[str, int, int, str]:
    mine = [batch for batch in dealt if name in batch.annotators]
    partners = Counter(other for batch in mine for other in batch.annotators if other != name)
    met = ", ".join(f"{other} ({times})" for other, times in sorted(partners.items()))
    return name, len(mine), sum(len(batch.rows) for batch in mine), met or "nobody"
