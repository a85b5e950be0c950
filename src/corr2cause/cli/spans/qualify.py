"""`corr2cause spans qualify`: which applicants annotate well enough."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.numbers import Finite
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import GOLD, JSON
from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.spans.annotating.qualification import Qualification


@click.command()
@click.argument("answers", nargs=-1, required=True, type=NAMED_PATH, metavar="ANSWERS...")
@GOLD
@click.option(
    "--mark", type=Finite(0, 1), default=0.7, show_default=True,
    help="What each of the three scores must reach.",
)  # fmt: skip
@JSON
def qualify(answers: tuple[Path, ...], gold: Path, mark: float, as_json: bool) -> None:
    """Judge the answers of applicants to a test whose pairs are known, and rank them.

    Each of ANSWERS is a file, or a folder of files, that is called like its applicant. Three scores: F1 of the rows
    that state a cause; token F1 of pairs, matched one to one in each row, as `score extraction` has it; the share of
    right labels in pairs that match a gold pair (S of at least 0.5). Who reaches the mark in each has passed. Rows that
    were not annotated count as rows without a cause.

    \b
    Example:
      corr2cause spans qualify ann.jsonl bob.jsonl --gold test.jsonl
      corr2cause spans qualify ann.jsonl bob.jsonl --gold test.jsonl --mark 0.8 --json
    """
    from corr2cause.spans.annotating.annotators import read_annotators
    from corr2cause.spans.annotating.qualification import qualify as judge
    from corr2cause.spans.annotating.qualification import ranked
    from corr2cause.spans.gold import read_gold

    test = read_gold(gold).rows
    found = ranked([judge(test, one, mark) for one in read_annotators(answers)])
    for one in found:
        if one.n_missing:
            click.echo(f"{one.name}: {one.n_missing:,} of {one.n_rows:,} rows are not annotated", err=True)
    if as_json:
        click.echo(json.dumps({"mark": mark, "applicants": [one.to_json() for one in found]}, ensure_ascii=False))
    else:
        header = ("annotator", "detection F1", "span F1", "labels", "mean", "passed")
        click.echo(as_text(header, [_line(one) for one in found]))


def _line(one: Qualification) -> tuple[Cell, ...]:
    return one.name, one.detection_score, one.spans, one.label_score, one.mean, one.has_passed
