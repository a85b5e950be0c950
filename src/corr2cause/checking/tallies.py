"""What an audit counts while rows pass by, in memory that does not grow with them, but for 17 bytes a row.

Counts are kept by what was given and what was derived; every table of the summary is a sum over them.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from corr2cause.dataset.foreign.labels import Label
from corr2cause.derivation import Derivation
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.text.facts import Hypothesis
from corr2cause.text.wording import Claim


@dataclass(frozen=True, slots=True)
class Cell:
    """What rows that are counted together have in common."""

    n: int
    template: str
    given: Label
    derived: Label


@dataclass(slots=True)
class Agreement:
    """How the labels of a file compare with those derived under one reading."""

    cells: Counter[Cell] = field(default_factory=Counter)

    @property
    def agree(self) -> int:
        """Rows whose label is the derived one."""
        return sum(rows for cell, rows in self.cells.items() if cell.given == cell.derived)

    @property
    def disagree(self) -> int:
        """Rows whose label is another."""
        return self.cells.total() - self.agree

    def by(self, attribute: str) -> dict[object, tuple[int, int]]:
        """Sum up (rows, disagreeing rows) by an attribute of `Cell`, sorted."""
        sums: defaultdict[object, list[int]] = defaultdict(lambda: [0, 0])
        for cell, rows in self.cells.items():
            both = sums[getattr(cell, attribute)]
            both[0] += rows
            both[1] += rows * (cell.given != cell.derived)
        return {key: (rows, wrong) for key, (rows, wrong) in sorted(sums.items(), key=lambda item: str(item[0]))}

    def directions(self) -> dict[tuple[Label, Label], int]:
        """Count the rows by (given, derived) where the two differ."""
        found: Counter[tuple[Label, Label]] = Counter()
        for cell, rows in self.cells.items():
            if cell.given != cell.derived:
                found[cell.given, cell.derived] += rows
        return dict(sorted(found.items(), key=str))


@dataclass(slots=True)
class Alphabet:
    """How often a cause is entailed, by whether its name comes before or after that of its effect."""

    rows: Counter[str] = field(default_factory=Counter)
    entailed: Counter[str] = field(default_factory=Counter)

    def add(self, hypothesis: Hypothesis, is_entailed: bool) -> None:
        """Count one hypothesis, if it is about a cause."""
        if hypothesis.claim in (Claim.DIRECT, Claim.INDIRECT):
            order = "earlier causes later" if hypothesis.first < hypothesis.second else "later causes earlier"
            self.rows[order] += 1
            self.entailed[order] += is_entailed

    def shares(self) -> dict[str, float]:
        """Return the entailed share of each direction that occurs."""
        return {order: self.entailed[order] / rows for order, rows in sorted(self.rows.items())}


class Repeats:
    """Rows with equal texts, and whether their labels are equal: 17 bytes a row."""

    def __init__(self) -> None:
        self._digests, self._labels = bytearray(), bytearray()
        self._codes: dict[Label | None, int] = {}
        self._premises: dict[str, bytes] = {}

    def add(self, premise: str, hypothesis: str, label: Label | None) -> None:
        """Note one row."""
        if premise not in self._premises:
            if len(self._premises) > 10_000:
                self._premises.clear()
            self._premises[premise] = hashlib.blake2b(premise.encode(), digest_size=16).digest()
        text = self._premises[premise] + hypothesis.encode()
        self._digests += hashlib.blake2b(text, digest_size=16).digest()
        self._labels.append(self._codes.setdefault(label, len(self._codes)))

    def count(self) -> tuple[int, int]:
        """Return how many rows repeat an earlier one, and how many texts have different labels."""
        digests = np.frombuffer(self._digests, dtype="V16")
        labels = np.frombuffer(self._labels, dtype=np.uint8)
        distinct, text = np.unique(digests, return_inverse=True)
        labelled = np.unique(text.astype(np.int64) * 256 + labels)
        _, kinds = np.unique(labelled // 256, return_counts=True)
        return len(digests) - len(distinct), int((kinds > 1).sum())


class Premises:
    """The distinct premises of a file: as they stand, and up to renaming of the variables."""

    def __init__(self) -> None:
        self.texts: set[bytes] = set()
        self._graphs: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
        self._last: Derivation | None = None

    def add(self, text: str, derivation: Derivation) -> None:
        """Note the premise of a row."""
        if derivation is self._last:
            return
        self._last = derivation
        self.texts.add(hashlib.blake2b(text.encode(), digest_size=16).digest())
        self._graphs[derivation.discovery.n].add(derivation.discovery.as_digraph())

    def classes(self) -> set[tuple[int, ...]]:
        """Return a key for each class that occurs, equal for premises that differ in the names only."""
        return {key for graphs in self._graphs.values() for key in canonical_keys(graphs)}


def canonical_keys(digraphs: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return canonical forms of digraphs of one size, given as in-neighbour masks."""
    return set(map(tuple, canonical_forms(np.array(sorted(digraphs), dtype=np.uint16)).tolist()))
