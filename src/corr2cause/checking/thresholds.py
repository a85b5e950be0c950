"""From scores to answers: the threshold with the best F1."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corr2cause.checking.predictions import Answers
from corr2cause.counts import Counts

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where yes begins.

    Attributes:
        least: the least score of a yes; infinite if all answers are alike.
        counts: how the rows on which it was chosen are answered.
    """

    least: float
    counts: Counts

    def answers(self, scores: Floats) -> Answers:
        """Say yes to the rows of high scores: int8[R]."""
        return (scores >= self.least).astype(np.int8)


def best_threshold(scores: Floats, labels: npt.NDArray[np.int64]) -> Threshold:
    """Find the threshold with the highest F1; of several, the highest threshold.

    F1 itself is maximised, which weighs the classes by their effect on it; so no class weights are needed. The
    threshold lies halfway between two scores that occur, or at an infinity if all answers are to be no, or yes.

    Args:
        scores: float64[R]; the higher, the more is a row believed to be positive.
        labels: int64[R]; 0 or 1.

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
    best = int(np.argmax(2 * n_hits / np.maximum(1, n_yes + n_positives)))  # the first of equals
    bounds = [math.inf, *((values[:-1] + values[1:]) / -2).tolist(), -math.inf]
    yes, found = int(n_yes[best]), int(n_hits[best])
    counts = Counts(found, yes - found, n_positives - found, len(labels) - yes - (n_positives - found))
    return Threshold(bounds[best] if len(values) else math.inf, counts)
