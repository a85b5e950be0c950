"""Which predicted pair answers which gold pair, and how much credit each gets.

A comparison lists every (predicted, gold) pair of the same row once, in the order of the rows, and its scores; then a
scheme turns scores into credits: `best` lets everyone take its best partner, as the released code does, `assigned`
pairs them off one to one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Candidates:
    """All C pairings of a predicted and a gold pair of the same row, ordered by row, predicted pair, gold pair.

    Attributes:
        predicted: int64[C]; places among the predicted pairs.
        gold: int64[C]; places among the gold pairs.
        row: int64[C]; the row of both.
        n_predicted: P.
        n_gold: G.
    """

    predicted: Places
    gold: Places
    row: Places
    n_predicted: int
    n_gold: int

    def take(self, chosen: Flags) -> Candidates:
        """Keep some pairings; which is a full table again if they are those of some predicted and gold pairs."""
        return Candidates(self.predicted[chosen], self.gold[chosen], self.row[chosen], self.n_predicted, self.n_gold)


@dataclass(frozen=True)
class Credits:
    """What each pair earned: float64[P] for the predicted ones, float64[G] for the gold ones."""

    predicted: Floats
    gold: Floats


Scheme = Callable[[Candidates, Floats], Credits]


def candidates(predicted_row: Places, gold_row: Places, n_rows: int) -> Candidates:
    """List the pairings of all rows.

    Args:
        predicted_row: int64[P]; ascending.
        gold_row: int64[G]; ascending.
        n_rows: R.

    Returns:
        The pairings.  O(R + C).
    """
    gold_counts = np.bincount(gold_row, minlength=n_rows)
    gold_starts = np.concatenate([[0], np.cumsum(gold_counts)])
    partners = gold_counts[predicted_row]
    predicted = np.repeat(np.arange(len(predicted_row)), partners)
    first = np.repeat(np.cumsum(partners) - partners, partners)
    row = predicted_row[predicted]
    gold = gold_starts[row] + np.arange(len(predicted)) - first
    return Candidates(predicted, gold, row, len(predicted_row), len(gold_row))


def best(of: Candidates, scores: Floats) -> Credits:
    """Give every pair the score of its best partner, which may serve many; 0 without one, or if all are below 0.

    >>> one = candidates(np.array([0, 0]), np.array([0]), 1)
    >>> best(one, np.array([1.0, 1.0])).predicted
    array([1., 1.])
    """
    predicted, gold = np.zeros(of.n_predicted), np.zeros(of.n_gold)
    np.maximum.at(predicted, of.predicted, scores)
    np.maximum.at(gold, of.gold, scores)
    return Credits(predicted, gold)


def assigned(of: Candidates, scores: Floats) -> Credits:
    """Pair off within each row so that the sum of scores is largest (the Hungarian algorithm), and credit both sides.

    Returns:
        The credits.  O(k^3) for a row of k pairs on each side.
    """
    chosen = assignment(of, scores)
    predicted, gold = np.zeros(of.n_predicted), np.zeros(of.n_gold)
    predicted[of.predicted[chosen]] = scores[chosen]
    gold[of.gold[chosen]] = scores[chosen]
    return Credits(predicted, gold)


def assignment(of: Candidates, scores: Floats) -> Places:
    """Return the places of the pairings that the best one-to-one assignment of each row uses.

    A full row uses as many as its shorter side has, pairings of score 0 among them (Kuhn 1955; the algorithm of
    Crouse 2016 in SciPy).
    """
    from scipy.optimize import linear_sum_assignment

    if not len(of.row):
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.diff(of.row, prepend=-1))
    ends = np.append(starts[1:], len(of.row))
    chosen: list[int] = []
    firsts = of.predicted[starts].tolist()
    lasts = of.predicted[ends - 1].tolist()
    listed = scores.tolist()
    for start, end, first, last in zip(starts.tolist(), ends.tolist(), firsts, lasts, strict=True):
        if end - start == 1:
            chosen.append(start)
        elif first == last or of.gold[start] == of.gold[end - 1]:  # one pair on a side: the best of the other
            row = listed[start:end]
            chosen.append(start + row.index(max(row)))
        else:
            n_gold = int(np.searchsorted(of.predicted[start:end], first, side="right"))
            lines, columns = linear_sum_assignment(scores[start:end].reshape(-1, n_gold), maximize=True)
            chosen.extend((start + lines * n_gold + columns).tolist())
    return np.array(chosen, dtype=np.int64)


def hits_of_any(of: Candidates, is_equal: Flags) -> Credits:
    """Credit every predicted pair that equals a gold pair, however often; the first such gold pair gets it too.

    So ten times the same right pair is ten hits on both sides, and recall can be 10, as in the released code.
    """
    predicted, gold = np.zeros(of.n_predicted), np.zeros(of.n_gold)
    hit, first = np.unique(of.predicted[is_equal], return_index=True)
    predicted[hit] = 1
    np.add.at(gold, of.gold[is_equal][first], 1)
    return Credits(predicted, gold)


def hits_one_to_one(of: Candidates, is_equal: Flags) -> Credits:
    """Intersect the multisets of each row: every gold pair is hit at most once, every prediction hits at most one."""
    predicted, gold = np.zeros(of.n_predicted), np.zeros(of.n_gold)
    for one, other in zip(of.predicted[is_equal].tolist(), of.gold[is_equal].tolist(), strict=True):
        if not predicted[one] and not gold[other]:
            predicted[one] = gold[other] = 1
    return Credits(predicted, gold)


def total(values: Floats) -> float:
    """Add up one after the other, as a plain loop does; NumPy's own sum and Python's round otherwise."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
