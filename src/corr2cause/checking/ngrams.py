"""Which runs of words go along with which label: pointwise mutual information, from exact counts.

The measure is that of the Corr2Cause paper (Jin et al. 2024, appendix E): for an n-gram g of up to four tokens and a
label l, PMI(g, l) = log2 of p(g, l) / (p(g) p(l)), where p counts rows, each row once however often it holds g. The
difference between the two labels, log2 of p(g | 1) / p(g | 0), tells how far g gives the label away. Nothing is
smoothed: what never stands in a row of a label has PMI -infinity there. N-grams that stand in exactly the same texts,
such as "a direct" and "a direct one", are one finding.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from corr2cause.checking.labelled_texts import TextColumn
from corr2cause.checking.tokens import tokenise

LONGEST = 4
"""Most tokens of an n-gram."""

Ngram = tuple[str, ...]


def ngrams(text: str) -> set[Ngram]:
    """Return every distinct run of one to `LONGEST` tokens.

    >>> sorted(" ".join(one) for one in ngrams("A causes B"))
    ['A', 'A causes', 'A causes B', 'B', 'causes', 'causes B']
    """
    tokens = tokenise(text)
    return {run for n in range(1, LONGEST + 1) for run in zip(*(tokens[start:] for start in range(n)), strict=False)}


@dataclass(frozen=True, slots=True)
class Association:
    """How an n-gram goes along with the label.

    Attributes:
        ngrams: all that stand in exactly the same texts, the shortest first.
        rows: how many rows hold it.
        positives: how many of these have label 1.
        all_rows: how many rows there are.
        all_positives: how many of all have label 1; neither none nor all.
    """

    ngrams: tuple[Ngram, ...]
    rows: int
    positives: int
    all_rows: int
    all_positives: int

    @property
    def pmi_positive(self) -> float:
        """PMI with label 1, in bits; -infinity if no row with the n-gram has it."""
        return _log2_ratio(self.positives * self.all_rows, self.rows * self.all_positives)

    @property
    def pmi_negative(self) -> float:
        """PMI with label 0, in bits; -infinity if no row with the n-gram has it."""
        negatives, all_negatives = self.rows - self.positives, self.all_rows - self.all_positives
        return _log2_ratio(negatives * self.all_rows, self.rows * all_negatives)

    @property
    def difference(self) -> float:
        """PMI with label 1 minus PMI with label 0, in bits."""
        return self.pmi_positive - self.pmi_negative

    def to_json(self) -> dict[str, Any]:
        """Return the counts and the figures; null stands for an infinite one, which the counts explain."""
        figures = {name: getattr(self, name) for name in ("pmi_positive", "pmi_negative", "difference")}
        return {
            "ngrams": [" ".join(one) for one in self.ngrams],
            "rows": self.rows,
            "positives": self.positives,
            **{name: value if math.isfinite(value) else None for name, value in figures.items()},
        }


def associations(
    column: TextColumn,
    labels: npt.NDArray[np.int64],
    min_rows: int,
    progress: Callable[[int], object] = lambda texts: None,
) -> list[Association]:
    """Measure every n-gram that enough rows hold, the strongest association first.

    They are in order of the absolute difference; those with equal ones in order of their rows, most first, and then of
    their tokens.

    Args:
        column: the texts of R rows.
        labels: int64[R]; 0 or 1, and both occur.
        min_rows: least number of rows that hold an n-gram.
        progress: called with the number of distinct texts just read.

    Returns:
        The associations.  Each distinct text is read once: about a second for the 2,000 premises of six variables.
    """
    uses = np.bincount(column.codes, minlength=len(column.texts))
    positive_uses = np.bincount(column.codes[labels == 1], minlength=len(column.texts))
    all_rows, all_positives = len(labels), int(labels.sum())
    found = []
    for places, same in _by_texts(column.texts, progress).items():
        texts = np.frombuffer(places, dtype=np.intc)
        if (rows := int(uses[texts].sum())) >= max(1, min_rows):
            alike = tuple(sorted(same, key=lambda one: (len(one), one)))
            found.append(Association(alike, rows, int(positive_uses[texts].sum()), all_rows, all_positives))
    return sorted(found, key=lambda one: (-abs(one.difference), -one.rows, one.ngrams))


def _by_texts(texts: Iterable[str], progress: Callable[[int], object]) -> dict[bytes, list[Ngram]]:
    """Gather the n-grams that stand in the same texts, under the places of these texts as C integers."""
    places: defaultdict[Ngram, array[int]] = defaultdict(lambda: array("i"))
    for place, text in enumerate(texts):
        for ngram in ngrams(text):
            places[ngram].append(place)
        progress(1)
    found: defaultdict[bytes, list[Ngram]] = defaultdict(list)
    for ngram, where in places.items():
        found[where.tobytes()].append(ngram)
    return found


def _log2_ratio(part: int, whole: int) -> float:
    return math.log2(part / whole) if part else -math.inf
