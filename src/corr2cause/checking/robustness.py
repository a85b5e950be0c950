"""The same items in other words: how much worse are the answers, and how many of them stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from corr2cause.bootstrap import Integers, Interval, Resampling, interval
from corr2cause.checking.answers import Answer
from corr2cause.checking.evaluation import (
    METRICS,
    Intervals,
    Score,
    counts_per_class,
    intervals_of,
    kinds_of,
    metrics_of,
    resampled,
    score_of,
)
from corr2cause.checking.items import Items
from corr2cause.checking.predictions import Answers
from corr2cause.counts import share


@dataclass(frozen=True, slots=True)
class Comparison:
    """A group of rows, answered as they stand and perturbed.

    Attributes:
        name: of the group.
        original: the score of the answers to the rows as they stand.
        perturbed: the score of the answers to the perturbed rows, whose labels are the same.
        differences: intervals of perturbed minus original, both over the same resampled classes.
        n_same: pairs of answers that are the same yes or the same no; an unreadable answer is never the same.
        consistency_interval: of the share of these pairs.
    """

    name: str
    original: Score
    perturbed: Score
    differences: Intervals | None
    n_same: int
    consistency_interval: Interval | None

    @property
    def consistency(self) -> float:
        """Share of the pairs of answers that are the same."""
        return share(self.n_same, self.original.counts.total)

    def difference(self, metric: str) -> float:
        """Return perturbed minus original."""
        return float(getattr(self.perturbed.counts, metric) - getattr(self.original.counts, metric))

    def to_json(self) -> dict[str, Any]:
        """Return both scores, their differences and the consistency, as fractions of 1."""
        return {
            "n": self.original.counts.total,
            "original": self.original.to_json(),
            "perturbed": self.perturbed.to_json(),
            "difference": {
                **{metric: self.difference(metric) for metric in METRICS},
                "intervals": self.differences and self.differences.to_json(),
            },
            "consistency": self.consistency,
            "consistency_interval": self.consistency_interval and self.consistency_interval.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Robustness:
    """The comparison over all rows, and for each relation that has some."""

    overall: Comparison
    by_relation: tuple[Comparison, ...]

    def to_json(self) -> dict[str, Any]:
        """Return one object: `overall`, and `by_relation` by the name of the relation."""
        return {
            "overall": self.overall.to_json(),
            "by_relation": {one.name: one.to_json() for one in self.by_relation},
        }


def compare(items: Items, original: Answers, perturbed: Answers, resampling: Resampling) -> Robustness:
    """Compare the answers to rows with those to the same rows, perturbed.

    Args:
        items: R rows.
        original: int8[R]; values of `Answer`.
        perturbed: int8[R]; the answers to the perturbed rows of the same ids.
        resampling: for the intervals.
    """
    kinds = kinds_of(items.labels, original), kinds_of(items.labels, perturbed)
    same = (original == perturbed) & (original != Answer.UNREADABLE)

    def comparison(name: str, chosen: npt.NDArray[np.bool_] | slice) -> Comparison:
        classes = items.classes[chosen]
        before, after = (counts_per_class(classes, one[chosen]) for one in kinds)
        return _compared(name, before, after, _sum_per_class(classes, same[chosen]), resampling)

    (relations,) = (one for one in items.groupings if one.name == "by_relation")
    return Robustness(
        overall=comparison("all", slice(None)),
        by_relation=tuple(comparison(name, chosen) for name, chosen in relations.groups()),
    )


def _sum_per_class(classes: Integers, values: npt.NDArray[np.bool_]) -> Integers:
    _, places = np.unique(classes, return_inverse=True)
    return np.bincount(places, weights=values).astype(np.int64)


def _compared(name: str, before: Integers, after: Integers, same: Integers, resampling: Resampling) -> Comparison:
    """Resample the classes once for both sides, so that their difference is that of pairs."""
    replicates = resampled(np.column_stack([before, after, same]), resampling)
    width = before.shape[1]
    if replicates is None:
        return Comparison(name, score_of(name, before, None), score_of(name, after, None), None, int(same.sum()), None)
    earlier, later = replicates[:, :width], replicates[:, width : 2 * width]
    return Comparison(
        name,
        score_of(name, before, earlier),
        score_of(name, after, later),
        intervals_of(metrics_of(later) - metrics_of(earlier)),
        int(same.sum()),
        interval(replicates[:, -1] / earlier.sum(axis=1)),
    )
