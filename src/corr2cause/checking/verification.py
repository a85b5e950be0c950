"""Verify a data folder of ours: files against the manifest, rows against their own text.

Nothing that a row says about itself is believed: everything is derived again from premise and hypothesis.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate, combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corr2cause import streams
from corr2cause.checking.judging import Judge, Refusal
from corr2cause.checking.row_check import check_row
from corr2cause.checking.tallies import canonical_keys
from corr2cause.dataset.balancing import out_of_bounds, uneven_cells
from corr2cause.dataset.counting import Tally
from corr2cause.dataset.exporting.hub_card import perturbed_folders
from corr2cause.dataset.manifest import FileEntry, Manifest, read_manifest, row_options
from corr2cause.dataset.options import RowOptions, SplitUnit
from corr2cause.dataset.reading import read_rows
from corr2cause.dataset.schema import ENCODED_SCHEMA
from corr2cause.errors import FileError, RowError
from corr2cause.files import plain_errors, sha256_of

_ROWS_AT_ONCE = 4096

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be.

    Attributes:
        place: the file, below the folder, or `.` for the folder itself.
        row: number of the row from 1, or None if it is not about one row.
        problem: what is wrong.
    """

    place: str
    row: int | None
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at and what was found."""

    files: int
    rows: int
    rows_derived: int
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Notes:
    """What is gathered while looking."""

    progress: Progress
    files: int = 0
    rows: int = 0
    derived: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, place: Path | str, row: int | None, problem: str) -> None:
        self.findings.append(Finding(str(place), row, problem))


def verify(folder: str | Path, sample: int | None = None, progress: Progress = lambda rows: None) -> Verification:
    """Verify a data folder, and the perturbations and stories in it.

    Checksums and sizes; schema, types and ranges; that ids are unique; that JSONL and Parquet hold equal rows; that no
    class, renamed or not, is shared by train, dev and test; that data made with `--balance` are balanced and data made
    with `--only-agreeing` agree; and that every column of every row is what its text gives.

    Args:
        folder: written by `generate` or `sample`.
        sample: derive only so many rows of each file, a seeded choice; all by default.
        progress: called with the number of rows just derived.

    Raises:
        FileError: there is no manifest to verify against.
    """
    notes = _Notes(progress)
    folder = Path(folder)
    manifest = read_manifest(folder)
    options = row_options(folder, manifest)
    originals = _verify_part(_Part(folder, "", manifest, options), sample, notes)
    for path in perturbed_folders(folder):
        try:
            perturbation = read_manifest(path)
        except FileError as error:
            notes.add(path.name, None, error.problem)
            continue
        if perturbation.options.get("source") != manifest.fingerprint:
            notes.add(path.name, None, "this was made from other data; make it again with --force")
        perturbed = _verify_part(_Part(folder, path.name, perturbation, options), sample, notes)
        _compare_with_originals(path.name, perturbed, originals, notes)
    return Verification(notes.files, notes.rows, notes.derived, tuple(notes.findings))


@dataclass(frozen=True, slots=True)
class _Part:
    """The data set itself, or one perturbation of it.

    Attributes:
        folder: that of the data set.
        name: of the perturbation's folder, or empty.
        manifest: of this part.
        options: what the originals were made with.
    """

    folder: Path
    name: str
    manifest: Manifest
    options: RowOptions

    @property
    def leaves_out(self) -> bool:
        """Whether classes and statements may be missing that the originals have: some stories cannot be told."""
        return self.manifest.kind == "stories"

    def place(self, file: str) -> str:
        return f"{self.name}/{file}" if self.name else file


def _verify_part(part: _Part, sample: int | None, notes: _Notes) -> pa.Table:
    """Verify one manifest, its files and their rows; return the rows that could be read."""
    tables = {split: _read_split(part, split, notes) for split in part.manifest.splits}
    tables = {split: table for split, table in tables.items() if table is not None}
    together = pa.concat_tables([ENCODED_SCHEMA.empty_table(), *tables.values()])
    _find_repeated_ids(part, together["id"], notes)
    _compare_counts(part, tables, notes)
    _find_rows_to_leave_out(part, tables, notes)
    classes = {split: _verify_rows(part, split, table, sample, notes) for split, table in tables.items()}
    if part.options.split.split_by is SplitUnit.CLASS:
        _find_shared_classes(part, classes, notes)
    return together


def _read_split(part: _Part, split: str, notes: _Notes) -> pa.Table | None:
    """Read every file of a split, and see that each format holds the same rows."""
    readable: dict[str, pa.Table] = {}
    for form in part.manifest.formats:
        tables = [_read_file(part, entry, notes) for entry in part.manifest.files_of(split, form)]
        whole = [table for table in tables if table is not None]
        if whole and len(whole) == len(tables):
            readable[form] = pa.concat_tables(whole).unify_dictionaries().combine_chunks()
    if not readable:
        return None
    (first, table), *others = readable.items()
    notes.rows += table.num_rows
    for form, other in others:
        if not table.equals(other):
            names = f"{split}.{form}", f"{split}.{first}"
            notes.add(part.place(names[0]), None, f"its rows are not those of {names[1]}")
    return table


def _read_file(part: _Part, entry: FileEntry, notes: _Notes) -> pa.Table | None:
    notes.files += 1
    path, place = part.folder / part.name / entry.name, part.place(entry.name)
    try:
        with plain_errors(path):
            if sha256_of(path) != entry.sha256:
                notes.add(place, None, "its sha256 is not that of the manifest: it was changed or damaged")
        table = read_rows(path)
    except FileError as error:
        notes.add(place, None, error.problem)
        return None
    except RowError as error:
        notes.add(place, error.row, error.problem)
        return None
    if table.num_rows != entry.rows:
        notes.add(place, None, f"it has {table.num_rows} rows, its manifest says {entry.rows}")
    return table


def _compare_counts(part: _Part, tables: dict[str, pa.Table], notes: _Notes) -> None:
    """See that each split holds as many classes, rows and positives of each size as the manifest says."""
    tally = Tally()
    for split, table in tables.items():
        tally.add(split, table)
    told = {(count.split, count.n): count for count in part.manifest.counts if count.split in tables}
    found = {(count.split, count.n): count for count in tally.counts}
    for split, n in sorted({*told, *found}):
        if told.get((split, n)) != found.get((split, n)):
            problem = (
                f"the split {split} holds other classes, rows or positives of {n} variables than the manifest says"
            )
            notes.add(part.name or ".", None, problem)


def _find_rows_to_leave_out(part: _Part, tables: dict[str, pa.Table], notes: _Notes) -> None:
    """See that the splits hold only rows that the options leave in, as far as one split can tell."""
    for split, table in tables.items():
        if part.options.only_agreeing and not pc.all(table["readings_agree"]).as_py():
            notes.add(part.name or ".", None, f"the split {split} has rows on which the readings disagree")
        for n, template in uneven_cells(table) if part.options.balance and not part.leaves_out else ():
            problem = f"the split {split} is not balanced: rows of {n} variables with the template {template}"
            notes.add(part.name or ".", None, problem)
        for name in () if part.leaves_out else out_of_bounds(part.options, table):
            notes.add(part.name or ".", None, f"the split {split} has rows that are out of the bounds of {name}")


def _find_repeated_ids(part: _Part, ids: pa.ChunkedArray, notes: _Notes) -> None:
    counts = pc.value_counts(ids.cast(pa.string()))
    for count in counts.filter(pc.greater(counts.field("counts"), 1)).to_pylist():
        notes.add(part.name or ".", None, f"the id {count['values']} is given to {count['counts']} rows")


Classes = defaultdict[int, set[tuple[int, ...]]]


def _verify_rows(part: _Part, split: str, table: pa.Table, sample: int | None, notes: _Notes) -> Classes:
    """Derive rows from their text and compare; return the derived classes, by size, as digraph masks."""
    chosen = _sampled(part.options.seed, part.place(split), table.num_rows, sample)
    judge = Judge()
    classes: Classes = defaultdict(set)
    locate = _locator(part, split)
    for start in range(0, len(chosen), _ROWS_AT_ONCE):
        numbers = chosen[start : start + _ROWS_AT_ONCE]
        rows = table.take(numbers).to_pylist()
        items = judge.understand([(row["premise"], row["hypothesis"]) for row in rows])
        for number, row, item in zip(numbers.tolist(), rows, items, strict=True):
            if isinstance(item, Refusal):
                notes.add(*locate(number), f"{item.reason}: {item.sentence!r}")
                continue
            classes[item.derivation.discovery.n].add(item.derivation.discovery.as_digraph())
            for problem in check_row(row, item, part.options.reading, perturbed=bool(part.name)):
                notes.add(*locate(number), problem)
        notes.derived += len(rows)
        notes.progress(len(rows))
    return classes


def _locator(part: _Part, split: str) -> Callable[[int], tuple[str, int]]:
    """Return what turns the place of a row in its split, from 0, into a file and a row of it, from 1."""
    entries = part.manifest.files_of(split, part.manifest.formats[0])
    starts = [0, *accumulate(entry.rows for entry in entries)]

    def locate(place: int) -> tuple[str, int]:
        file = min(bisect_right(starts, place), len(entries)) - 1  # a file may have more rows than the manifest says
        return part.place(entries[file].name), place - starts[file] + 1

    return locate


def _sampled(seed: int, purpose: str, rows: int, sample: int | None) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    if sample is None or sample >= rows:
        return np.arange(rows)
    return np.sort(streams.permutations(seed, "verify", purpose, rows=range(1), length=rows)[0][:sample])


def _find_shared_classes(part: _Part, classes: dict[str, Classes], notes: _Notes) -> None:
    """Report premises that two of train, dev and test share, renamed or not."""
    canonical = {
        split: {form for n, graphs in by_size.items() for form in canonical_keys(graphs)}
        for split, by_size in classes.items()
        if split != "reserve"
    }
    for one, other in combinations(canonical, 2):
        if shared := len(canonical[one] & canonical[other]):
            notes.add(part.name or ".", None, f"{one} and {other} share {shared} premises, renamed or not")


_KEPT = ("id", "label", "nli_label", "relation", "template", "class_id", "class_size", "holds_in", "readings_agree")


def _compare_with_originals(name: str, perturbed: pa.Table, originals: pa.Table, notes: _Notes) -> None:
    """See that every perturbed row says of itself what its original says, names aside."""
    known = {said[0]: said for said in _rows(originals)}
    for said in _rows(perturbed):
        if said[0] not in known:
            notes.add(name, None, f"the id {said[0]} is not in the data set")
        elif known[said[0]] != said:
            notes.add(name, None, f"the row {said[0]} says something else than its original")


def _rows(table: pa.Table) -> Iterable[tuple[object, ...]]:
    return zip(*(table[column].to_pylist() for column in _KEPT), strict=True)
