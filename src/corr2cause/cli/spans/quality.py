"""`corr2cause spans quality`: how each annotator works."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import JSON, REPLICATES, SEED
from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.spans.annotating.quality import Quality
    from corr2cause.spans.kappa import Kappa


@click.command()
@click.argument("annotators", nargs=-1, required=True, type=NAMED_PATH, metavar="ANNOTATOR...")
@click.option("--manifest", type=NAMED_PATH, metavar="FILE", help="Of the batches: rows that are missing are counted.")
@REPLICATES
@SEED
@JSON
def quality(annotators: tuple[Path, ...], manifest: Path | None, replicates: int, seed: int, as_json: bool) -> None:
    """Report on annotators: agreement with whoever had the same rows, breaches of the guideline, speed.

    Each ANNOTATOR is a file, or a folder of files, that is called like its annotator. Intervals of the agreement (in
    the JSON) come from resampling rows. Speed is the median of the field `seconds` of the rows, else of the time
    between one `annotated_at` and the next, pauses of over ten minutes left out.

    \b
    Example:
      corr2cause spans quality batches/ann batches/bob batches/cid --manifest batches/manifest.json
      corr2cause spans quality ann.jsonl bob.jsonl --json
    """
    from corr2cause.bootstrap import Resampling
    from corr2cause.spans.annotating.annotators import pair_up, read_annotators
    from corr2cause.spans.annotating.batches import read_assignment
    from corr2cause.spans.annotating.quality import quality_of

    everybody = read_annotators(annotators)
    pairing, given = pair_up(everybody), read_assignment(manifest) if manifest else {}
    resampling = Resampling(replicates, seed) if as_json else None
    found = [quality_of(one, pairing, given.get(one.name, ()), resampling) for one in everybody]
    if as_json:
        head = {"rows_of_two": len(pairing.doubled), "rows_of_one": len(pairing.single)}
        click.echo(json.dumps(head | {"annotators": [one.to_json() for one in found]}, ensure_ascii=False))
    else:
        click.echo("\n\n".join((_work(found), _agreement(found), _disputes(found), _breaches(found))))


def _work(found: list[Quality]) -> str:
    header = ("annotator", "rows", "missing", "causal", "pairs", "errors", "warnings", "seconds a row")
    return as_text(
        header,
        [
            (one.name, one.n_rows, one.n_missing, one.n_causal, one.n_pairs, one.errors, one.warnings, one.seconds)
            for one in found
        ],
    )


def _agreement(found: list[Quality]) -> str:
    header = (
        "agreement",
        "rows of two",
        "verdict",
        "kappa",
        "cause F1",
        "effect F1",
        "type",
        "kappa",
        "scope",
        "kappa",
    )
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        if agreed := one.agreement:
            labels = (_raw_and_kappa(agreed.labels[task]) for task in ("causality", "sententiality"))
            spans = (agreed.cause.mean, agreed.effect.mean)
            verdict = _raw_and_kappa(agreed.detection)
            rows.append((one.name, agreed.n_rows, *verdict, *spans, *(cell for pair in labels for cell in pair)))
        else:
            rows.append((one.name, 0, *[None] * 8))
    return as_text(header, rows)


def _raw_and_kappa(one: Kappa) -> tuple[Cell, Cell]:
    return one.raw, one.kappa


def _disputes(found: list[Quality]) -> str:
    header = ("in dispute", *next(iter(found)).disputes)
    return as_text(header, [(one.name, *one.disputes.values()) for one in found])


def _breaches(found: list[Quality]) -> str:
    names = sorted({rule for one in found for rule in one.rules})
    if not names:
        return "No rule is broken."
    return as_text(
        ("rule", *(one.name for one in found)), [(rule, *(one.rules.get(rule, 0) for one in found)) for rule in names]
    )
