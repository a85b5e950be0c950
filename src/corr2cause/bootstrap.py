"""How far a figure would move with other data of the same kind: the cluster bootstrap.

The rows of one premise are not independent: whoever misreads it errs in many of them at once. So whole classes are
drawn with replacement, each with all that it holds (Davison & Hinkley 1997, section 3.8), and the percentiles of the
figure over the replicates bound its interval (Efron 1979). A class is a Markov equivalence class, or a row with its
pairs of spans: whatever is independent of its like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from corr2cause.streams import words

Integers = npt.NDArray[np.int64]
Sums = TypeVar("Sums", np.int64, np.float64)

LEVEL = 95
"""Per cent of the replicates that lie in an interval; as many lie below it as above."""

_CELLS_AT_ONCE = 1 << 22  # of replicates x classes; 32 MB


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to resample: the number of replicates and the seed. With the same seed, the same classes are drawn."""

    replicates: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """The range that holds `LEVEL` per cent of the replicates."""

    low: float
    high: float

    def to_json(self) -> list[float]:
        """Return [low, high]."""
        return [self.low, self.high]


def resample(per_class: npt.NDArray[Sums], resampling: Resampling) -> npt.NDArray[Sums]:
    """Draw as many classes as there are, with replacement, again and again, and add up their counts.

    A replicate depends on the seed, its number and the number of classes alone, so that counts of the same classes
    that are resampled apart stay paired.

    Args:
        per_class: int64[C, K] or float64[C, K]; K counts or sums for each class.
        resampling: how many replicates R, and the seed.

    Returns:
        The same type, [R, K]; the sums of each replicate.  O(R C K), some 10 ns for each of R C; memory O(R K).
    """
    classes, kinds = per_class.shape
    totals = np.zeros((resampling.replicates, kinds), dtype=per_class.dtype)
    step = max(1, _CELLS_AT_ONCE // max(1, classes))
    for start in range(0, resampling.replicates, step):
        block = range(start, min(start + step, resampling.replicates))
        # a word modulo C is uniform but for C / 2^64
        drawn = (words(resampling.seed, "bootstrap", rows=block, columns=classes) % np.uint64(classes)).astype(np.int64)
        drawn += classes * np.arange(len(block))[:, None]
        times = np.bincount(drawn.ravel(), minlength=len(block) * classes).reshape(len(block), classes)
        # in floating point, because only that product is fast; exact for counts below 2^53
        totals[block.start : block.stop] = times.astype(np.float64) @ per_class.astype(np.float64)
    return totals


def interval(values: npt.NDArray[np.float64]) -> Interval:
    """Return the percentiles of the replicates, interpolated linearly.

    >>> interval(np.arange(201.0))
    Interval(low=5.0, high=195.0)
    """
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return Interval(float(low), float(high))
