"""How well types and sententiality are told, by two readings that the paper's Table 7 runs together.

*Conditional* label F1 asks only about pairs whose spans are right already: that is what Table 7 holds. *Typed*
extraction F1 asks for the spans and the label at once: both sides are filtered to a class and scored anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from corr2cause.counts import Counts, share
from corr2cause.spans.buckets import Bucketed
from corr2cause.spans.labels import VOCABULARIES, repaired_label
from corr2cause.spans.matching import Candidates, Flags
from corr2cause.spans.names import DESCRIBED
from corr2cause.spans.profiles import Profile
from corr2cause.spans.rows import Pair
from corr2cause.spans.similarity import SIDES, Comparison
from corr2cause.spans.tiers import METRICS, Rates, earned, rates_of


@dataclass(frozen=True, slots=True)
class LabelScore:
    """How gold and predicted labels of the same pairs compare.

    Attributes:
        task: `causality` or `sententiality`.
        labels: how many pairs there are of each (gold, predicted).
    """

    task: str
    labels: Mapping[tuple[str, str], int]

    @property
    def n_pairs(self) -> int:
        """All pairs."""
        return sum(self.labels.values())

    @property
    def n_correct(self) -> int:
        """Pairs with the right label."""
        return sum(times for (gold, predicted), times in self.labels.items() if gold == predicted)

    def of(self, name: str) -> Counts:
        """Count hits, false alarms and misses of a class."""
        found = Counts()
        for (gold, predicted), times in self.labels.items():
            if gold == predicted == name:
                found += Counts(hits=times)
            elif predicted == name:
                found += Counts(false_alarms=times)
            elif gold == name:
                found += Counts(misses=times)
        return found

    @property
    def accuracy(self) -> float:
        """Share of the pairs with the right label."""
        return share(self.n_correct, self.n_pairs)

    def classes(self) -> dict[str, Counts]:
        """Return the counts of each sound class of the task."""
        return {name: self.of(name) for name in VOCABULARIES[self.task]}

    def macro_f1(self) -> float:
        """Return the mean F1 of the classes that occur, each counting the same."""
        found = [self.of(name).f1 for name in self._names()]
        return sum(found) / len(found) if found else 0.0

    def weighted_f1(self) -> float:
        """Return the mean F1 of the classes that occur, each counting as often as it is the gold label."""
        counts = [self.of(name) for name in self._names()]
        n = sum(one.positives for one in counts)
        return sum(one.f1 * one.positives for one in counts) / n if n else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the scores of the task and of its classes."""
        return {
            "pairs": self.n_pairs,
            "correct": self.n_correct,
            "incorrect": self.n_pairs - self.n_correct,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1(),
            "weighted_f1": self.weighted_f1(),
            "classes": {
                name: {**{metric: getattr(one, metric) for metric in METRICS}, "n_gold": one.positives}
                for name, one in self.classes().items()
            },
        }

    def _names(self) -> Sequence[str]:
        return sorted({label for pair in self.labels for label in pair})


def class_of(label: str, profile: Profile) -> str:
    """Return the class that a label means: `described` repairs case and ending, `released` only case."""
    return _repaired(label) if profile.name == DESCRIBED else _in_one_case(label)


@lru_cache(maxsize=1000)
def _repaired(label: str) -> str:
    found = (repaired_label(label, vocabulary) for vocabulary in VOCABULARIES.values())
    return next(filter(None, found), "")


@lru_cache(maxsize=1000)
def _in_one_case(label: str) -> str:
    return label.strip().capitalize()


def conditional(comparison: Comparison, profile: Profile) -> dict[str, LabelScore]:
    """Compare the labels of pairs whose spans are exactly alike, for each task.

    Under `released` a predicted pair takes the first gold pair that it equals, under `described` every gold pair is
    taken once.
    """
    joined, of = comparison.joined, comparison.candidates
    met = list(_met(of, comparison.equal_pairs(profile.labelled), is_one_to_one=profile.name == DESCRIBED))
    pairs = [(joined.gold[gold], joined.predicted[predicted]) for predicted, gold in met]
    return {task: compare_labels(task, pairs, profile) for task in VOCABULARIES}


def compare_labels(task: str, pairs: Iterable[tuple[Pair, Pair]], profile: Profile) -> LabelScore:
    """Compare the labels of (gold, predicted) pairs; `described` leaves out pairs whose gold label means nothing."""
    labels = [(class_of(getattr(gold, task), profile), class_of(getattr(one, task), profile)) for gold, one in pairs]
    if profile.name == DESCRIBED:
        labels = [(gold, predicted) for gold, predicted in labels if gold]
    return LabelScore(task, Counter(labels))


def typed(comparison: Comparison, profile: Profile) -> dict[str, dict[str, Rates]]:
    """Score the pairs of each class by themselves: those predicted with the label against those that have it.

    Returns:
        class -> tier -> rates of pairs.
    """
    joined, of, found = comparison.joined, comparison.candidates, {}
    for task, names in VOCABULARIES.items():
        predicted, gold = (masks(pairs, task, profile) for pairs in (joined.predicted, joined.gold))
        for name in names:
            chosen = predicted[name][of.predicted] & gold[name][of.gold]
            credits = earned(comparison, profile, chosen, ("pair",))
            found[name] = {tier: rates_of(one, predicted[name], gold[name]) for (tier, _), one in credits.items()}
    return found


def masks(pairs: Sequence[Pair], task: str, profile: Profile) -> dict[str, Flags]:
    """Say of each pair whether it has a label: bool for each pair, under the name of each label of a task."""
    labels = [getattr(pair, task) for pair in pairs]
    meant = {label: class_of(label, profile) for label in set(labels)}
    return {name: np.array([meant[label] == name for label in labels], dtype=bool) for name in VOCABULARIES[task]}


def ablation(comparison: Comparison, found: Bucketed, profile: Profile) -> dict[str, dict[str, LabelScore]]:
    """Compare labels on pairs that match exactly, that only share tokens, and on both kinds together.

    A predicted pair is laid beside the gold pair of the largest token score.

    Returns:
        subset -> task -> score, for the subsets `exact`, `partial` and `both`.
    """
    subsets: dict[str, list[tuple[Pair, Pair]]] = {"exact": [], "partial": [], "both": []}
    for pair, partner, score, is_equal in zip(
        comparison.joined.predicted, found.partner.tolist(), found.score.tolist(), found.is_equal.tolist(), strict=True
    ):
        if partner >= 0 and score > 0:
            met = (comparison.joined.gold[partner], pair)
            subsets["exact" if is_equal else "partial"].append(met)
            subsets["both"].append(met)
    return {
        subset: {task: compare_labels(task, pairs, profile) for task in VOCABULARIES}
        for subset, pairs in subsets.items()
    }


@dataclass(frozen=True, slots=True)
class Switching:
    """Predictions whose reverse is a gold pair of their row.

    Attributes:
        n_switched: how many.
        n_of: of how many: all predictions; under `released` the different pairs of the whole file.
    """

    n_switched: int
    n_of: int

    @property
    def rate(self) -> float:
        """Switched pairs as a share."""
        return share(self.n_switched, self.n_of)

    def to_json(self) -> dict[str, Any]:
        """Return the count and the rate."""
        return {"switched": self.n_switched, "of": self.n_of, "rate": self.rate}


def switching(comparison: Comparison, profile: Profile) -> Switching:
    """Count exact reversals; under `described` not those that are gold as they stand, in a row that states both."""
    joined = comparison.joined
    causes, effects = (comparison.spans.under(profile.labelled, side) for side in SIDES)
    names = list(zip(causes.predicted.tolist(), effects.predicted.tolist(), strict=True))
    gold = set(zip(joined.gold_row.tolist(), causes.gold.tolist(), effects.gold.tolist(), strict=True))
    is_described = profile.name == DESCRIBED
    n = sum(
        (row, effect, cause) in gold and not (is_described and (row, cause, effect) in gold)
        for row, (cause, effect) in zip(joined.predicted_row.tolist(), names, strict=True)
    )
    return Switching(n, len(names) if is_described else len(set(names)))


def _met(of: Candidates, is_equal: Flags, is_one_to_one: bool) -> Iterable[tuple[int, int]]:
    taken_predicted: set[int] = set()
    taken_gold: set[int] = set()
    for predicted, gold in zip(of.predicted[is_equal].tolist(), of.gold[is_equal].tolist(), strict=True):
        if predicted not in taken_predicted and not (is_one_to_one and gold in taken_gold):
            taken_predicted.add(predicted)
            taken_gold.add(gold)
            yield predicted, gold
