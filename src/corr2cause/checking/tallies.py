"""What an audit counts while rows pass by.

Counts are kept by what was given and what was derived; every table of the summary is a sum over them.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from corr2cause.dataset.foreign.labels import Label
from corr2cause.deriving.derivation import Derivation
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.graphs.fitting import Verdict

Digraph = tuple[int, ...]
"""A CPDAG as in-neighbour masks; a line points both ways."""


class Cell(NamedTuple):
    """What rows that are counted together have in common.

    Attributes:
        n: number of variables.
        template: as the file or the sentence has it.
        given: the label of the file; None if it has none.
        derived: the label under each reading that was asked for.
        is_alphabetical: whether a cause comes before its effect in the alphabet; None if the claim is about no cause.
    """

    n: int
    template: str
    given: Label | None
    derived: tuple[Label, ...]
    is_alphabetical: bool | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the labels of a file compare with those derived under one reading.

    Attributes:
        cells: counts of rows.
        reading: place of the reading in `Cell.derived`.
    """

    cells: Counter[Cell]
    reading: int

    @property
    def agree(self) -> int:
        """Rows whose label is the derived one."""
        return sum(rows for cell, rows in self.cells.items() if cell.given == cell.derived[self.reading])

    @property
    def disagree(self) -> int:
        """Rows whose label is another."""
        return sum(self.directions().values())

    def by(self, attribute: str) -> dict[object, tuple[int, int]]:
        """Sum up (rows, disagreeing rows) by `n` or `template`, sorted."""
        total: Counter[object] = Counter()
        wrong: Counter[object] = Counter()
        for cell, rows in self._labelled():
            total[getattr(cell, attribute)] += rows
            wrong[getattr(cell, attribute)] += rows * (cell.given != cell.derived[self.reading])
        return {key: (total[key], wrong[key]) for key in sorted(total, key=str)}

    def directions(self) -> dict[tuple[Label, Label], int]:
        """Count the rows by (given, derived) where the two differ."""
        found: Counter[tuple[Label, Label]] = Counter()
        for cell, rows in self._labelled():
            derived = cell.derived[self.reading]
            if cell.given is not None and cell.given != derived:
                found[cell.given, derived] += rows
        return dict(sorted(found.items(), key=str))

    def templates(self) -> dict[tuple[str, Label | None], int]:
        """Count the rows by template and given label."""
        found: Counter[tuple[str, Label | None]] = Counter()
        for cell, rows in self.cells.items():
            found[cell.template, cell.given] += rows
        return found

    def entailed_by_order(self) -> dict[bool, tuple[int, int]]:
        """Count (rows, entailed rows) about causes, by whether the cause comes before its effect in the alphabet."""
        total: Counter[bool] = Counter()
        entailed: Counter[bool] = Counter()
        for cell, rows in self.cells.items():
            if cell.is_alphabetical is not None:
                total[cell.is_alphabetical] += rows
                entailed[cell.is_alphabetical] += rows * (cell.derived[self.reading] in (1, "entailment"))
        return {order: (total[order], entailed[order]) for order in sorted(total, reverse=True)}

    def derived(self) -> dict[Label, int]:
        """Count the rows by derived label, given labels or not."""
        found: Counter[Label] = Counter()
        for cell, rows in self.cells.items():
            found[cell.derived[self.reading]] += rows
        return dict(sorted(found.items(), key=str))

    def _labelled(self) -> list[tuple[Cell, int]]:
        return [(cell, rows) for cell, rows in self.cells.items() if cell.given is not None]


@lru_cache(maxsize=20_000)
def digest(text: str) -> int:
    """Return 128 bits that stand for a text; those of the latest texts are remembered."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "little")


class Repeats:
    """Rows with equal texts, and whether their labels are equal: 17 bytes a row."""

    def __init__(self) -> None:
        self._digests, self._labels = bytearray(), bytearray()
        self._codes: dict[Label | None, int] = {}

    def add(self, premise: str, hypothesis: str, label: Label | None) -> None:
        """Note one row."""
        self._digests += (digest(premise) ^ digest(hypothesis)).to_bytes(16, "little")
        self._labels.append(self._codes.setdefault(label, len(self._codes)))

    def count(self) -> tuple[int, int]:
        """Return how many rows repeat an earlier one, and how many texts have different labels."""
        digests = np.frombuffer(self._digests, dtype="V16")
        labels = np.frombuffer(self._labels, dtype=np.uint8)
        distinct, text = np.unique(digests, return_inverse=True)
        labelled = np.unique(text.astype(np.int64) * len(self._codes) + labels)
        _, kinds = np.unique(labelled // max(1, len(self._codes)), return_counts=True)
        return len(digests) - len(distinct), int((kinds > 1).sum())


class Premises:
    """The distinct premises of a file: as they stand, and up to renaming of the variables.

    Attributes:
        texts: digests of all that can be read.
    """

    def __init__(self) -> None:
        self.texts: set[int] = set()
        self._graphs: defaultdict[int, set[Digraph]] = defaultdict(set)

    def add(self, text: str, derivation: Derivation) -> None:
        """Note the premise of a row."""
        seen = len(self.texts)
        self.texts.add(digest(text))
        if len(self.texts) == seen:
            return
        if derivation.verdict is Verdict.DETERMINED:
            self._graphs[derivation.n].add(derivation.discovery.as_digraph())

    def classes(self) -> set[Digraph]:
        """Return a key for each class that is determined, equal for premises that differ in the names only."""
        return {key for graphs in self._graphs.values() for key in canonical_keys(graphs)}


def canonical_keys(digraphs: Iterable[Digraph]) -> set[Digraph]:
    """Return canonical forms of digraphs of one size."""
    return set(map(tuple, canonical_forms(np.array(sorted(digraphs), dtype=np.uint16)).tolist()))
