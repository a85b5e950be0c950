"""Verify a data folder of ours: files against the manifest, rows against their own text and against the options.

Nothing that a row says about itself is believed: everything is derived again from premise and hypothesis.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from corr2cause import streams
from corr2cause.checking.judging import Judge, Refusal
from corr2cause.checking.verifying.files import check_listing, read_split
from corr2cause.checking.verifying.options import check_options
from corr2cause.checking.verifying.parts import Finding, Notes, Part, Progress, SplitRows
from corr2cause.checking.verifying.row_check import RowChecker
from corr2cause.checking.verifying.splits import (
    Classes,
    Splits,
    check_counts,
    check_left_out,
    check_repeats,
    check_shared_classes,
)
from corr2cause.checking.verifying.variants import check_variant_options
from corr2cause.dataset.manifest import read_manifest, row_options
from corr2cause.dataset.options import SplitUnit
from corr2cause.dataset.variant_folders import perturbed_folders
from corr2cause.errors import FileError, quoted
from corr2cause.graphs.bitdags import Integers

_ROWS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at and what was found."""

    files: int
    rows: int
    rows_derived: int
    findings: tuple[Finding, ...]


def verify(folder: str | Path, sample: int | None = None, progress: Progress = lambda rows: None) -> Verification:
    """Verify a data folder, and the perturbations and stories in it.

    Checksums and sizes; that there are all files and no others; schema, types and ranges; that ids and texts are
    unique; that JSONL and Parquet hold equal rows; that no class, renamed or not, is shared by train, dev and test;
    that data made with `--balance` are balanced and data made with `--only-agreeing` agree; that every column of every
    row is what its text gives; and that the rows are those that the recorded options make.

    Args:
        folder: written by `generate` or `sample`.
        sample: derive only so many rows of each split, a seeded choice, and make none anew; all by default.
        progress: called with the number of rows just derived.

    Raises:
        FileError: there is no manifest to verify against, or it is that of a perturbation or of stories.
    """
    notes = Notes(sample, progress)
    folder = Path(folder)
    manifest = read_manifest(folder)
    if manifest.is_perturbed:
        raise FileError(str(folder), "this is made from another data set; name the folder of the original")
    options = row_options(folder, manifest)
    part = Part(folder, "", manifest, options)
    originals = _verify_part(part, notes)
    check_options(part, originals, notes)
    for path in perturbed_folders(folder):
        try:
            perturbation = read_manifest(path)
        except FileError as error:
            notes.add(path.name, None, error.problem)
            continue
        part = Part(folder, path.name, perturbation, options)
        perturbed = _verify_part(part, notes)
        check_variant_options(part, perturbed, manifest, originals, notes)
        _compare_with_originals(part, perturbed, originals, notes)
    return Verification(notes.files, notes.rows, notes.derived, tuple(notes.findings))


def _verify_part(part: Part, notes: Notes) -> Splits:
    """Verify one manifest, its files and their rows; return the splits that could be read."""
    check_listing(part, notes)
    read = {split: read_split(part, split, notes) for split in part.manifest.splits}
    splits = {split: rows for split, rows in read.items() if rows is not None}
    check_repeats(part, splits, notes)
    check_counts(part, splits, notes)
    check_left_out(part, splits, notes)
    classes = {split: _verify_rows(part, split, rows, notes) for split, rows in splits.items()}
    if part.options.split.split_by is SplitUnit.CLASS:
        check_shared_classes(part, classes, notes)
    return splits


def _verify_rows(part: Part, split: str, rows: SplitRows, notes: Notes) -> Classes:
    """Derive rows from their text and compare; return the derived classes."""
    chosen = _sampled(part.options.seed, f"{part.name}/{split}", rows.table.num_rows, notes.sample)
    judge, checker = Judge(), RowChecker(part.options, is_perturbed=bool(part.name))
    classes: Classes = defaultdict(set)
    for start in range(0, len(chosen), _ROWS_AT_ONCE):
        places = chosen[start : start + _ROWS_AT_ONCE]
        said = rows.table.take(places).to_pylist()
        items = judge.understand([(row["premise"], row["hypothesis"]) for row in said])
        for place, row, item in zip(places.tolist(), said, items, strict=True):
            if isinstance(item, Refusal):
                notes.add(*rows.locate(place), f"{item.reason}: {quoted(item.sentence)}")
                continue
            classes[item.derivation.discovery.n].add(item.derivation.discovery.as_digraph())
            for problem in checker.problems(row, item):
                notes.add(*rows.locate(place), problem)
        notes.derived += len(said)
        notes.progress(len(said))
    return classes


def _sampled(seed: int, purpose: str, rows: int, sample: int | None) -> Integers:
    if sample is None or sample >= rows:
        return np.arange(rows)
    return np.sort(streams.permutations(seed, "verify", purpose, rows=range(1), length=rows)[0][:sample])


_KEPT = ("id", "label", "nli_label", "relation", "template", "class_id", "class_size", "holds_in", "readings_agree")


def _compare_with_originals(part: Part, perturbed: Splits, originals: Splits, notes: Notes) -> None:
    """See that each split has the rows of its original, and that each says of itself the same, names aside."""
    for split, rows in perturbed.items():
        if split not in originals:
            notes.add(part.name, None, f"the data set has no rows in the split {split}")
            continue
        known = {said[0]: said for said in _kept(originals[split].table)}
        found = set()
        for place, said in enumerate(_kept(rows.table)):
            found.add(said[0])
            if said[0] not in known:
                notes.add(*rows.locate(place), f"the id {said[0]} is not in the split {split} of the data set")
            elif known[said[0]] != said:
                notes.add(*rows.locate(place), f"the row {said[0]} says something else than its original")
        if rows.whole and not part.leaves_out and (missing := len(known.keys() - found)):
            notes.add(part.name, None, f"the split {split} lacks {missing} rows of its original")


def _kept(table: pa.Table) -> zip[tuple[object, ...]]:
    return zip(*(table[column].to_pylist() for column in _KEPT), strict=True)
