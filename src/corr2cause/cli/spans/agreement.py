"""`corr2cause spans agreement`: how far two annotators agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.numbers import Finite
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import JSON, REPLICATES, SEED, as_range, tell_unannotated
from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.spans.agreement import Agreement
    from corr2cause.spans.kappa import Kappa


@click.command()
@click.argument("first", type=NAMED_PATH)
@click.argument("second", type=NAMED_PATH)
@click.option(
    "--normaliser",
    type=click.Choice(["plain", "table", "brackets", "collapsed", "stable"]),
    help="Of spans before they are split into tokens.  [default: lower case only]",
)
@click.option("--least", type=Finite(0, 1), default=0.0, show_default=True, help="Smallest S of two matched pairs.")
@REPLICATES
@SEED
@JSON
def agreement(
    first: Path, second: Path, normaliser: str | None, least: float, replicates: int, seed: int, as_json: bool
) -> None:
    """Compare two annotations of the same rows: is it causal, which spans, which labels.

    Pairs of a row are matched one to one at the largest sum of S, the mean of the token F1 (of sets) of cause and
    effect. Cause and effect agreement is the mean token F1 of matched pairs; labels are compared by Cohen's kappa,
    which is undefined where both gave one and the same label throughout. Intervals (95 %) come from resampling rows.

    \b
    Example:
      corr2cause spans agreement first.json second.json
      corr2cause spans agreement first.json second.json --least 0.5 --json
    """
    from corr2cause.bootstrap import Resampling
    from corr2cause.spans.agreement import agree
    from corr2cause.spans.gold import read_gold

    ours, theirs = read_gold(first), read_gold(second)
    for path, file in ((first, ours), (second, theirs)):
        tell_unannotated(path, file.rows)
    found = agree(ours.rows, theirs.rows, normaliser, least, Resampling(replicates, seed))
    for path, number in zip((first, second), found.only, strict=True):
        if number:
            click.echo(f"{path}: {number:,} rows are not in the other file and are left out", err=True)
    click.echo(json.dumps(found.to_json()) if as_json else _to_tables(found))


def _to_tables(found: Agreement) -> str:
    head = (
        f"{found.n_rows:,} rows of both; {found.n_matched:,} pairs matched, "
        f"{found.unmatched[0]:,} and {found.unmatched[1]:,} not."
    )
    rows: list[list[Cell]] = [["causal row", *_kappa(found.detection)]]
    for side, one in (("cause span", found.cause), ("effect span", found.effect)):
        rows.append([side, "token F1", found.n_matched, one.mean, as_range(one.interval, scale=1), None])
    rows += [[task, *_kappa(one)] for task, one in found.labels.items()]
    header = ["of what", "measure", "compared", "value", "95 %", "raw agreement"]
    return f"{head}\n\n{as_text(header, rows)}"


def _kappa(one: Kappa) -> list[Cell]:
    undefined = "undefined: one label throughout" if one.n else "undefined: nothing to compare"
    value = undefined if one.kappa is None else f"{one.kappa:.2f}"
    return ["kappa", one.n, value, as_range(one.interval, scale=1), one.raw]
