"""`corr2cause audit`: what is right and wrong in anybody's Corr2Cause file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import Cell, as_text
from corr2cause.graphs.terms import Reading

if TYPE_CHECKING:
    from corr2cause.checking.audit import Audit, Disagreement, Undecided

_EXAMPLES = 5  # of each kind on the terminal; --report and --json give all


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    type=click.Choice([reading.value for reading in Reading]),
    default=tuple(reading.value for reading in Reading),
    help="Derive labels under this reading; may be given more than once.  [default: all three]",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write a corrected copy (a folder if there are more files).")
@click.option("--report", type=click.Path(path_type=Path), help="Write every disagreement as a JSON line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each file, for programs.")
@click.option("--strict", is_flag=True, help="Exit with code 1 unless every row has a label and the label is right.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def audit(
    ctx: click.Context,
    files: tuple[Path, ...],
    readings: tuple[str, ...],
    out: Path | None,
    report: Path | None,
    as_json: bool,
    strict: bool,
    quiet: bool,
) -> None:
    """Derive every label of Corr2Cause files from their text, and show what disagrees.

    Any layout of the published data, of this package, or of Corr2Cause++, as CSV, JSON, JSON lines or Parquet. Each
    wrong label is refuted by a graph that the premise allows. Give the files of several splits together to see which
    premises they share, renamed or not.

    \b
    Example:
      corr2cause audit data/corr2cause/test.jsonl
      corr2cause audit train.csv dev.csv test.csv --reading path --report wrong.jsonl --out corrected
    """
    if out and len(readings) > 1:
        raise click.UsageError("--out corrects under one reading; name it with --reading")
    audits, notes = [], []
    with _report(report) as write:
        for file in files:
            found, noted = _audit_one(file, readings, _copy_of(file, files, out), write, keep_all=as_json, quiet=quiet)
            audits.append(found)
            notes.append(noted)
            click.echo(json.dumps(_as_json(found, noted), ensure_ascii=False) if as_json else _as_text(found, noted))
    if not as_json and len(audits) > 1:
        click.echo(_shared(audits))
    ctx.exit(1 if strict and not all(found.is_clean for found in audits) else 0)


class _Notes:
    """Disagreements and undecided rows of one file: all of them, or the first few of each reading."""

    def __init__(self, file: Path, keep_all: bool, write: Callable[[dict[str, Any]], object]) -> None:
        self._file, self._keep_all, self._write = file, keep_all, write
        self.disagreements: dict[Reading, list[Disagreement]] = {reading: [] for reading in Reading}
        self.undecided: list[Undecided] = []

    def disagreement(self, found: Disagreement) -> None:
        kept = self.disagreements[found.reading]
        if self._keep_all or len(kept) < _EXAMPLES:
            kept.append(found)
        self._write({"file": str(self._file), **asdict(found)})

    def leave_undecided(self, found: Undecided) -> None:
        if self._keep_all or len(self.undecided) < _EXAMPLES:
            self.undecided.append(found)
        self._write({"file": str(self._file), **asdict(found)})


def _audit_one(
    file: Path,
    readings: Sequence[str],
    corrected: Path | None,
    write: Callable[[dict[str, Any]], object],
    *,
    keep_all: bool,
    quiet: bool,
) -> tuple[Audit, _Notes]:
    from corr2cause.checking.audit import Target
    from corr2cause.checking.audit import audit as run

    notes = _Notes(file, keep_all, write)
    with progress_bar(None, " rows", quiet) as progress:
        target = Target(corrected, notes.disagreement, notes.leave_undecided, progress)
        return run(file, [reading for reading in Reading if reading in readings], target), notes


def _copy_of(file: Path, files: Sequence[Path], out: Path | None) -> Path | None:
    """Name the corrected copy of a file: `out` itself, or inside it if it is a folder or there are more files."""
    if out is None or (len(files) == 1 and not out.is_dir()):
        return out
    if len({name.name for name in files}) < len(files):
        raise click.UsageError("--out cannot hold two files of one name; correct them one by one")
    out.mkdir(parents=True, exist_ok=True)
    return out / file.name


@contextmanager
def _report(path: Path | None) -> Iterator[Callable[[dict[str, Any]], object]]:
    """Open the report, if one is wanted, and yield what writes a line of it."""
    if path is None:
        yield lambda line: None
        return
    from corr2cause.files import whole_file

    with whole_file(path) as out:
        yield lambda line: out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _as_json(found: Audit, notes: _Notes) -> dict[str, Any]:
    repeated, contradictory = found.repeats.count()
    readings = {
        reading.value: {
            "agree": agreement.agree,
            "disagree": agreement.disagree,
            "disagreements": [
                {name: value for name, value in asdict(one).items() if name != "reading"}
                for one in notes.disagreements[reading]
            ],
        }
        for reading, agreement in found.agreements.items()
    }
    return {
        "file": str(found.path),
        "layout": found.layout,
        "labels": found.label_kind.value,
        "rows": found.rows,
        "parsed": found.parsed,
        "refused": found.refused,
        "undecided": [asdict(one) for one in notes.undecided],
        "premises": len(found.premises.texts),
        "premises_up_to_renaming": len(found.premises.classes()),
        "repeated_rows": repeated,
        "same_text_other_label": contradictory,
        "best_readings": [reading.value for reading in found.best_readings],
        "alphabet": {reading.value: alphabet.shares() for reading, alphabet in found.alphabet.items()},
        "readings": readings,
    }


def _as_text(found: Audit, notes: _Notes) -> str:
    best = found.best_readings[0]
    sections = [
        _overview(found),
        *_readings(found),
        *_breakdowns(found, best),
        *_examples(notes, best),
    ]
    return "\n\n".join(sections) + "\n"


def _overview(found: Audit) -> str:
    repeated, contradictory = found.repeats.count()
    facts: list[list[Cell]] = [
        ["rows", found.rows],
        ["unreadable", found.refused],
        ["incomplete premise", found.undecided["incomplete"]],
        ["unsatisfiable premise", found.undecided["unsatisfiable"]],
        ["distinct premises", len(found.premises.texts)],
        ["up to renaming", len(found.premises.classes())],
        ["rows that repeat an earlier one", repeated],
        ["texts with different labels", contradictory],
    ]
    return f"{found.path}: {found.layout}; labels {found.label_kind}\n\n{as_text(['', 'number'], facts)}"


def _readings(found: Audit) -> list[str]:
    if not any(agreement.cells for agreement in found.agreements.values()):
        return []
    rows: list[list[Cell]] = [
        [reading.value, one.agree, one.disagree, 100 * one.disagree / max(1, one.agree + one.disagree)]
        for reading, one in found.agreements.items()
    ]
    best = " and ".join(reading.value for reading in found.best_readings)
    table = as_text(["reading", "agree", "disagree", "% disagree"], rows)
    return [f"{table}\n\nThe reading that fits best: {best}."]


def _breakdowns(found: Audit, reading: Reading) -> list[str]:
    agreement, alphabet = found.agreements[reading], found.alphabet[reading]
    tables: list[tuple[list[str], list[list[Cell]]]] = [
        (
            [title, "rows", "disagree"],
            [[str(key), rows, wrong] for key, (rows, wrong) in agreement.by(attribute).items()],
        )
        for title, attribute in (("variables", "n"), ("template", "template"))
    ]
    tables.append((["given", "derived", "rows"], [[str(g), str(d), k] for (g, d), k in agreement.directions().items()]))
    tables.append((["template", "given", "rows"], [[t, str(g), k] for (t, g), k in sorted(found.templates.items(), key=str)]))
    tables.append((["a cause, by the alphabet", "% entailed"], [[order, 100 * share] for order, share in alphabet.shares().items()]))
    shown = [as_text(header, rows) for header, rows in tables if rows]
    return [f"Under the reading {reading}:", *shown] if shown else []


def _examples(notes: _Notes, reading: Reading) -> list[str]:
    wrong: list[list[Cell]] = [
        [one.row, str(one.given), str(one.derived), f"{one.holds_in} of {one.class_size}", one.counterexample]
        for one in notes.disagreements[reading][:_EXAMPLES]
    ]
    undecided: list[list[Cell]] = [[one.row, one.why, one.reason, one.sentence[:60]] for one in notes.undecided[:_EXAMPLES]]
    tables = (
        ("The first that disagree (rows from 0)", ["row", "given", "derived", "holds in", "counterexample"], wrong),
        ("The first without a label (rows from 0)", ["row", "why", "reason", "text"], undecided),
    )
    return [f"{title}:\n\n{as_text(header, rows)}" for title, header, rows in tables if rows]


def _shared(audits: Sequence[Audit]) -> str:
    rows: list[list[Cell]] = [
        [
            str(one.path),
            str(other.path),
            len(one.premises.texts & other.premises.texts),
            len(one.premises.classes() & other.premises.classes()),
        ]
        for one, other in combinations(audits, 2)
    ]
    return f"Premises that files share:\n\n{as_text(['file', 'file', 'as they stand', 'up to renaming'], rows)}"
