"""`corr2cause audit`: what is right and wrong in anybody's Corr2Cause file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.audit_report import Notes, as_json_object, as_report, shared_premises
from corr2cause.cli.paths import NAMED_PATH, is_same, refuse_to_replace
from corr2cause.cli.progress import progress_bar
from corr2cause.files import plain_errors, whole_file
from corr2cause.graphs.terms import Reading

if TYPE_CHECKING:
    from corr2cause.checking.audit import Audit


@click.command()
@click.argument("files", nargs=-1, required=True, type=NAMED_PATH, metavar="FILE...")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    type=click.Choice([reading.value for reading in Reading]),
    default=tuple(reading.value for reading in Reading),
    help="Derive labels under this reading; may be given more than once.  [default: all three]",
)
@click.option("--out", type=NAMED_PATH, help="Write a corrected copy (a folder if there are more files).")
@click.option("--report", type=NAMED_PATH, help="Write every disagreement as a JSON line.")
@click.option("--force", is_flag=True, help="Replace what stands at --out or --report.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each file, for programs.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with code 1 unless every row has a label, and one of the readings makes all of them right.",
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def audit(
    ctx: click.Context,
    files: tuple[Path, ...],
    readings: tuple[str, ...],
    out: Path | None,
    report: Path | None,
    force: bool,
    as_json: bool,
    strict: bool,
    quiet: bool,
) -> None:
    """Derive every label of Corr2Cause files from their text, and show what disagrees.

    Any layout of the published data, of this package, or of Corr2Cause++, as CSV, JSON, JSON lines or Parquet. Each
    wrong label is refuted by a graph that the premise allows. Give the files of several splits together to see which
    premises they share, renamed or not. With --strict all files together are right if there is one reading under which
    all their labels are; name the reading with --reading if you know it.

    \b
    Example:
      corr2cause audit data/corr2cause/test.jsonl
      corr2cause audit train.csv dev.csv test.csv --reading path --report wrong.jsonl --out corrected
    """
    if out and len(set(readings)) > 1:
        raise click.UsageError("--out corrects under one reading; name it with --reading")
    copies = _copies(files, out)
    if report and any(is_same(report, other) for other in (*files, *filter(None, copies))):
        raise click.UsageError("--report would replace another file of this command; give it a place of its own")
    for path in (*copies, report):
        if path:
            refuse_to_replace(path, force, *files)
    if out and len(files) > 1:
        with plain_errors(out):
            out.mkdir(parents=True, exist_ok=True)
    audits, notes = [], []
    with _report(report) as write:
        for file, copy in zip(files, copies, strict=True):
            found, noted = _audit_one(file, readings, copy, write, keep_all=as_json, quiet=quiet)
            audits.append(found)
            notes.append(noted)
            click.echo(
                json.dumps(as_json_object(found, noted), ensure_ascii=False) if as_json else as_report(found, noted)
            )
            if copy:
                (agreement,) = found.agreements.values()
                click.echo(f"{copy}: written; labels corrected: {agreement.disagree:,}.", err=True)
    if report:
        click.echo(f"{report}: written.", err=True)
    if not as_json and len(audits) > 1:
        click.echo(shared_premises(audits))
    agreeing = set.intersection(*(set(found.agreeing_readings) for found in audits))
    ctx.exit(1 if strict and not agreeing else 0)


def _audit_one(
    file: Path,
    readings: Sequence[str],
    corrected: Path | None,
    write: Callable[[dict[str, Any]], object],
    *,
    keep_all: bool,
    quiet: bool,
) -> tuple[Audit, Notes]:
    from corr2cause.checking.audit import Target
    from corr2cause.checking.audit import audit as run

    notes = Notes(file, keep_all, write)
    with progress_bar(None, " rows", quiet) as progress:
        target = Target(corrected, notes.disagreement, notes.leave_undecided, progress)
        return run(file, [reading for reading in Reading if reading in readings], target), notes


def _copies(files: Sequence[Path], out: Path | None) -> list[Path | None]:
    """Name the corrected copy of each file: `out` itself, or inside it if it is a folder or there are more files."""
    if out is None or (len(files) == 1 and not out.is_dir()):
        return [out] * len(files)
    if len({file.name for file in files}) < len(files):
        raise click.UsageError("--out cannot hold two files of one name; correct them one by one")
    return [out / file.name for file in files]


@contextmanager
def _report(path: Path | None) -> Iterator[Callable[[dict[str, Any]], object]]:
    """Open the report, if one is wanted, and yield what writes a line of it."""
    if path is None:
        yield lambda line: None
        return
    with whole_file(path) as out:
        yield lambda line: out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
