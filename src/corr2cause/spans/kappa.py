"""Cohen's kappa: how far two labellings agree beyond what their frequencies would give by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corr2cause.bootstrap import Interval, Resampling, interval, resample
from corr2cause.spans.matching import Places


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement on a label.

    Attributes:
        n: what both labelled.
        raw: the share on which they agree; None of nothing.
        kappa: Cohen's kappa (1960); None where it is undefined, because both always gave one and the same label.
        interval: of kappa, from resampled rows; None if not asked for, or undefined in some replicate.
    """

    n: int
    raw: float | None
    kappa: float | None
    interval: Interval | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the figures; null where undefined."""
        return {
            "n": self.n,
            "raw": self.raw,
            "kappa": self.kappa,
            "undefined": self.kappa is None,
            "interval": self.interval and self.interval.to_json(),
        }


def agreement_on(both: Sequence[tuple[Any, Any]], rows: Places, n: int, resampling: Resampling | None) -> Kappa:
    """Compare two labellings.

    Args:
        both: what each of the two said, for each thing that was labelled.
        rows: int64; the row of each, from 0 to n - 1.
        n: rows to resample.
        resampling: for the interval of kappa.
    """
    raw, kappa = cohen_kappa(both)
    if kappa is None or not resampling or not resampling.replicates:
        return Kappa(len(both), raw, kappa)
    kinds = list(dict.fromkeys(both))
    cells = np.zeros((n, len(kinds)), dtype=np.int64)
    np.add.at(cells, (rows, np.array([kinds.index(one) for one in both])), 1)
    totals = resample(cells, resampling).tolist()
    replicates = [_kappa_of_counts(Counter(dict(zip(kinds, line, strict=True))))[1] for line in totals]
    known = [one for one in replicates if one is not None]
    return Kappa(len(both), raw, kappa, interval(np.array(known)) if len(known) == len(replicates) else None)


def cohen_kappa(both: Sequence[tuple[Any, Any]]) -> tuple[float | None, float | None]:
    """Return raw agreement and Cohen's kappa of two labellings; None where one is undefined.

    >>> cohen_kappa([(1, 1), (0, 0), (1, 0), (0, 0)])
    (0.75, 0.5)
    """
    raw, kappa = _kappa_of_counts(Counter(both))
    return raw, kappa


def _kappa_of_counts(counts: Counter[tuple[Any, Any]]) -> tuple[float | None, float | None]:
    n = sum(counts.values())
    if not n:
        return None, None
    ours: Counter[Any] = Counter()
    theirs: Counter[Any] = Counter()
    for (one, other), times in counts.items():
        ours[one] += times
        theirs[other] += times
    n_agreed = sum(times for (one, other), times in counts.items() if one == other)
    by_chance = sum(ours[label] * theirs[label] for label in ours)  # times n^2, so that "undefined" is exact
    if by_chance == n * n:
        return n_agreed / n, None
    return n_agreed / n, (n_agreed * n - by_chance) / (n * n - by_chance)
