"""Verify a data folder of ours: files against the manifest, rows against their own text.

Nothing that a row says about itself is believed: everything is derived again from premise and hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from corr2cause import streams
from corr2cause.checking.derivation import Derivation
from corr2cause.checking.judging import Judge, Refusal
from corr2cause.checking.row_check import check_row
from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.exporting.hub_card import PERTURBATION_FOLDER
from corr2cause.dataset.manifest import Manifest, read_manifest
from corr2cause.dataset.reading import read_rows
from corr2cause.errors import Corr2CauseError, FileError
from corr2cause.files import plain_errors, sha256_of
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.graphs.terms import Reading

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


def verify(folder: Path, sample: int | None = None, progress: Progress = lambda rows: None) -> Verification:
    """Verify a data folder and the perturbations in it.

    Checksums and sizes; schema, types and ranges; that ids are unique; that JSONL and Parquet hold equal rows; that no
    class, renamed or not, is shared by train, dev and test; and that every column of every row is what its text gives.

    Args:
        folder: written by `generate`.
        sample: derive only so many rows of each file, a seeded choice; all by default.
        progress: called with the number of rows just derived.

    Raises:
        FileError: there is no manifest to verify against.
    """
    notes = _Notes(progress)
    manifest = read_manifest(folder)
    originals = _verify_part(folder, Path(), manifest, notes, sample)
    for path in sorted(folder.glob(f"{PERTURBATION_FOLDER}*")):
        try:
            perturbation = read_manifest(path)
        except FileError as error:
            notes.add(path.name, None, error.problem)
            continue
        if perturbation.options.get("source") != manifest.fingerprint:
            notes.add(path.name, None, "it was made from other data; perturb again with --force")
        rows = _verify_part(folder, Path(path.name), perturbation, notes, sample)
        _compare_with_originals(Path(path.name), rows, originals, notes)
    return Verification(notes.files, notes.rows, notes.derived, tuple(notes.findings))
