"""`corr2cause spans convert`: the same corpus in another format."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.spans.reading import COLUMNS, FILE, FORCE, corpus_of

if TYPE_CHECKING:
    from corr2cause.spans.labels import Repair


@click.command()
@FILE
@click.argument("out", type=NAMED_PATH)
@click.option(
    "--to",
    "form",
    required=True,
    type=click.Choice(["raw", "detection", "extraction", "release"]),
    help="The format: 16 slots, text and label, text and whole pairs, or JSON lines with everything.",
)
@click.option("--repair", is_flag=True, help="Repair labels (letter case, typing errors) and show each on stderr.")
@COLUMNS
@FORCE
@click.option("--json", "as_json", is_flag=True, help="Print what was done as one JSON object, for programs.")
def convert(file: Path, out: Path, form: str, repair: bool, columns: str | None, force: bool, as_json: bool) -> None:
    """Write a corpus in another format.

    FILE is in any format that is known; its content tells which: raw (16 slots), detection, extraction, release,
    UniCausal (AltLex, CTB), numbered columns (BioCause, FinCausal), SemEval-2010 task 8, CauseNet, as CSV, JSON or
    JSON lines. What the new format has no place for is counted on stderr. If OUT ends in .csv, raw and detection are
    written as CSV, for spreadsheets; else as JSON.

    \b
    Example:
      corr2cause spans convert train.json release.jsonl --to release --repair
      corr2cause spans convert release.jsonl table.csv --to raw
      corr2cause spans convert altlex.csv detection.json --to detection
      corr2cause spans convert pairs.csv pairs.jsonl --to release --columns text=Sentence,cause=Gene,effect=Disease
    """
    from corr2cause.spans.formats.writing import converted, write_corpus
    from corr2cause.spans.labels import repair_labels

    refuse_to_replace(out, force, file)
    corpus = corpus_of(file, columns, is_converted=True)
    rows, repairs = repair_labels(corpus.rows) if repair else (list(corpus.rows), [])
    conversion = converted(rows, form)
    write_corpus(out, conversion.rows, form)
    _tell(repairs)
    for what, number in conversion.left_out.items():
        click.echo(f"Left out: {what}: {number:,}", err=True)
    if as_json:
        report = {
            "from": corpus.format,
            "to": form,
            "read": len(corpus.rows),
            "written": len(conversion.rows),
            "not_read": corpus.left_out,
            "left_out": conversion.left_out,
            "repairs": [_as_json(one) for one in repairs],
        }
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        click.echo(f"{out}: {len(conversion.rows):,} of {len(corpus.rows):,} rows, from {corpus.format} to {form}")


def _tell(repairs: list[Repair]) -> None:
    for one in repairs:
        done = f"is now {one.repaired}" if one.repaired else "is left as it is: nobody can say what was meant"
        click.echo(f"Row {one.row}, pair {one.pair}: {one.field} {one.found!r} {done}", err=True)
    if repairs:
        kinds = Counter("repaired" if one.repaired else "left" for one in repairs)
        click.echo(f"Labels: {kinds['repaired']} repaired, {kinds['left']} left", err=True)


def _as_json(repair: Repair) -> dict[str, object]:
    return {key: getattr(repair, key) for key in ("row", "pair", "field", "found", "repaired")}
