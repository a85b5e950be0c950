"""From scores to answers: the threshold with the best F1, or accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from corr2cause.checking.predictions import Answers
from corr2cause.counts import Counts

Floats = npt.NDArray[np.float64]

Measure = Literal["f1", "accuracy"]
"""What a threshold maximises."""

_BALANCED = 0.45, 0.55


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where yes begins.

    Attributes:
        least: the least score of a yes; infinite if all answers are alike.
        counts: how the rows on which it was chosen are answered.
        measure: what is greatest there.
    """

    least: float
    counts: Counts
    measure: Measure = "f1"

    @property
    def value(self) -> float:
        """The measure on the rows on which the threshold was chosen, as a fraction of 1."""
        return self.counts.accuracy if self.measure == "accuracy" else self.counts.f1

    def answers(self, scores: Floats) -> Answers:
        """Say yes to the rows of high scores: int8[R]."""
        return (scores >= self.least).astype(np.int8)


def measure_for(labels: npt.NDArray[np.int64]) -> Measure:
    """Return what to maximise: accuracy if 45 to 55 % of the labels are 1, otherwise F1.

    Always saying no is right about most rows where 1 is rare, and always saying yes has an F1 of 2/3 where it is half
    of them: each measure is blind where the other one sees.
    """
    least, most = _BALANCED
    return "accuracy" if len(labels) and least <= labels.mean() <= most else "f1"


def best_threshold(scores: Floats, labels: npt.NDArray[np.int64], measure: Measure = "f1") -> Threshold:
    """Find the threshold with the highest F1 or accuracy; of several, the highest threshold.

    The measure itself is maximised, which weighs the labels by their effect on it; so no weights are needed. The
    threshold lies halfway between two scores that occur, or at an infinity if all answers are to be no, or yes.

    Args:
        scores: float64[R]; the higher, the more is a row believed to be positive.
        labels: int64[R]; 0 or 1.
        measure: what to maximise.

    Returns:
        The threshold.  O(R log R).

    >>> best_threshold(np.array([0.9, 0.7, 0.4, 0.1]), np.array([1, 0, 1, 0])).least
    0.25
    """
    values, places = np.unique(-scores, return_inverse=True)  # the highest score first
    rows = np.bincount(places, minlength=len(values))
    hits = np.bincount(places[labels == 1], minlength=len(values))
    n_yes, n_hits = (np.concatenate([[0], np.cumsum(counts)]) for counts in (rows, hits))
    n_positives = int(n_hits[-1])
    right = 2 * n_hits - n_yes  # hits less false alarms: the right answers, but for a constant
    quality = right if measure == "accuracy" else 2 * n_hits / np.maximum(1, n_yes + n_positives)
    best = int(np.argmax(quality))  # the first of equals
    bounds = [math.inf, *((values[:-1] + values[1:]) / -2).tolist(), -math.inf]
    yes, found = int(n_yes[best]), int(n_hits[best])
    counts = Counts(found, yes - found, n_positives - found, len(labels) - yes - (n_positives - found))
    return Threshold(bounds[best] if len(values) else math.inf, counts, measure)
