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

    A row uses as many as its shorter side has, pairings of score 0 among them (Kuhn 1955; the algorithm of Crouse 2016
    in SciPy). Where the shorter side's own first choices do not collide, they are the best assignment; only the other
    rows need the algorithm.
    """
    if not len(of.row):
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.diff(of.row, prepend=-1))
    sizes = np.diff(np.append(starts, len(of.row)))
    of_first = of.predicted == np.repeat(of.predicted[starts], sizes)
    n_gold = np.add.reduceat(of_first.astype(np.int64), starts)
    choices, is_free = _first_choices(of, scores, starts, is_predicted_shorter=sizes // n_gold <= n_gold)
    rows = ((starts[place], sizes[place], n_gold[place]) for place in np.flatnonzero(~is_free).tolist())
    others = [_hungarian(scores[start : start + size], n) + start for start, size, n in rows]
    return np.sort(np.concatenate([choices, *others]))


def first_best(owners: Places, scores: Floats, n_owners: int) -> Places:
    """Return the place of the first largest score of each owner; -1 for owners without any."""
    found = np.full(n_owners, -1, dtype=np.int64)
    order = np.lexsort((np.arange(len(scores)), -scores, owners))
    firsts = order[np.flatnonzero(np.diff(owners[order], prepend=-1))]
    found[owners[firsts]] = firsts
    return found


def _first_choices(of: Candidates, scores: Floats, starts: Places, is_predicted_shorter: Flags) -> tuple[Places, Flags]:
    """Return the first choices of the shorter sides where no two choose the same partner, and which rows those are."""
    row_place = np.cumsum(np.isin(np.arange(len(of.row)), starts)) - 1
    by_predicted = first_best(of.predicted, scores, of.n_predicted)
    by_gold = first_best(of.gold, scores, of.n_gold)
    is_free = np.zeros(len(starts), dtype=bool)
    choices = []
    for choice, partner, applies in (
        (by_predicted[by_predicted >= 0], of.gold, is_predicted_shorter),
        (by_gold[by_gold >= 0], of.predicted, ~is_predicted_shorter),
    ):
        ours = choice[applies[row_place[choice]]]
        _, place, times = np.unique(partner[ours], return_inverse=True, return_counts=True)
        collides = np.zeros(len(starts), dtype=bool)
        collides[row_place[ours[times[place] > 1]]] = True
        is_free |= applies & ~collides
        choices.append(ours[~collides[row_place[ours]]])
    return np.concatenate(choices), is_free


def _hungarian(scores: Floats, n_gold: int) -> Places:
    from scipy.optimize import linear_sum_assignment

    lines, columns = linear_sum_assignment(scores.reshape(-1, n_gold), maximize=True)
    return np.asarray(lines * n_gold + columns, dtype=np.int64)


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
