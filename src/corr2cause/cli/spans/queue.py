"""`corr2cause spans queue`: what two annotators disagree about, and the file in which that is decided."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.tables import as_text
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.spans.annotating.annotators import Pairing
    from corr2cause.spans.annotating.comparing import Compared

_SHOWN = 5


@click.command()
@click.argument("annotators", nargs=-1, required=True, type=NAMED_PATH, metavar="ANNOTATOR ANNOTATOR...")
@click.option("--db", type=NAMED_PATH, metavar="FILE", help="Write a file of adjudication, with all rows of two.")
@click.option(
    "--least", type=click.FloatRange(0, 1), default=0.5, show_default=True,
    help="Smallest S of two pairs that are taken for versions of one; others may both be kept.",
)  # fmt: skip
@JSON
def queue(annotators: tuple[Path, ...], db: Path | None, least: float, as_json: bool) -> None:
    """Find what is in dispute between the two annotators of each row.

    In dispute are matched pairs whose token sets (S < 1) or labels differ, pairs that one annotator alone has, and
    whether the row states a cause. Each ANNOTATOR is a file, or a folder of files, called like its annotator; there
    may be more than two, if every row has two of them. With --db, go on with `spans adjudicate` or `spans decide`.

    \b
    Example:
      corr2cause spans queue ann.jsonl bob.jsonl --db disputes.db
      corr2cause spans queue batches/ann batches/bob batches/cid --json
    """
    from corr2cause.spans.annotating.annotators import pair_up, read_annotators
    from corr2cause.spans.annotating.comparing import compare_rows
    from corr2cause.spans.annotating.store import create

    if len(annotators) < 2:
        raise click.UsageError("ANNOTATOR: one alone disputes nothing; name at least two files or folders")
    everybody = read_annotators(annotators)
    pairing = pair_up(everybody)
    for one in everybody:
        if one.unannotated:
            click.echo(f"{one.name}: {len(one.unannotated):,} rows are not annotated yet", err=True)
    if pairing.single:
        shown = ", ".join(pairing.single[:_SHOWN]) + (", …" if len(pairing.single) > _SHOWN else "")
        click.echo(f"{len(pairing.single):,} rows have one annotator only and are left out (ids {shown})", err=True)
    if not pairing.doubled:
        raise OptionError("ANNOTATOR", "no row was annotated by two of them; annotate the rows of both first")
    compared = compare_rows(pairing.doubled, least)
    if db:
        create(db, compared)
    click.echo(_as_json(pairing, compared) if as_json else _as_text(compared))


def _counts(compared: list[Compared]) -> Counter[str]:
    return Counter(dispute for row in compared for dispute in row.disputes)


def _as_text(compared: list[Compared]) -> str:
    disputed = [row for row in compared if row.disputes]
    n_open = sum(bool(item.disputes) for row in compared for item in row.items)
    head = f"{len(disputed):,} of {len(compared):,} rows are in dispute, with {n_open:,} pairs or verdicts to decide."
    table = as_text(("in dispute", "rows"), _counts(compared).most_common()) if disputed else ""
    return f"{head}\n\n{table}".strip()


def _as_json(pairing: Pairing, compared: list[Compared]) -> str:
    return json.dumps(
        {
            "rows": len(compared),
            "rows_of_one": list(pairing.single),
            "disputes": dict(_counts(compared).most_common()),
            "queue": [row.to_json() for row in compared if row.disputes],
        },
        ensure_ascii=False,
    )
