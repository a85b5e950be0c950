"""Right and wrong answers of each kind, kept as counts that add up; a ratio is formed only when it is read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """How decisions compare with the truth.

    The positive class is what is sought: an entailed hypothesis, a marked span. What neither says yes nor no is
    counted apart and is wrong: it finds no positive (lower recall), raises no false alarm (the same precision), and
    is never right (lower accuracy). That is how a third predicted label counts in multi-class evaluation.

    A ratio of nothing is 0.0, never NaN, as in the tables of the Corr2Cause paper: who never says yes has
    precision, recall and F1 0.

    Attributes:
        hits: positives found (true positives).
        false_alarms: negatives called positive (false positives).
        misses: positives called negative (false negatives).
        correct_rejections: negatives called negative (true negatives); 0 where negatives cannot be counted.
        unreadable_positives: positives with an answer that says neither.
        unreadable_negatives: negatives with such an answer.

    >>> (Counts(hits=2, false_alarms=1, misses=1) + Counts(hits=1, correct_rejections=3)).f1
    0.75
    """

    hits: int = 0
    false_alarms: int = 0
    misses: int = 0
    correct_rejections: int = 0
    unreadable_positives: int = 0
    unreadable_negatives: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.hits + other.hits,
            self.false_alarms + other.false_alarms,
            self.misses + other.misses,
            self.correct_rejections + other.correct_rejections,
            self.unreadable_positives + other.unreadable_positives,
            self.unreadable_negatives + other.unreadable_negatives,
        )

    @property
    def positives(self) -> int:
        """What should have been found."""
        return self.hits + self.misses + self.unreadable_positives

    @property
    def negatives(self) -> int:
        """What should have been passed over."""
        return self.false_alarms + self.correct_rejections + self.unreadable_negatives

    @property
    def unreadable(self) -> int:
        """Answers that say neither yes nor no."""
        return self.unreadable_positives + self.unreadable_negatives

    @property
    def total(self) -> int:
        """All decisions, unreadable ones included."""
        return self.positives + self.negatives

    @property
    def precision(self) -> float:
        """Share of what was called positive that is positive."""
        return share(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> float:
        """Share of the positives that was found."""
        return share(self.hits, self.positives)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return share(2 * self.hits, self.hits + self.false_alarms + self.positives)

    @property
    def accuracy(self) -> float:
        """Share of all decisions that is right."""
        return share(self.hits + self.correct_rejections, self.total)


def share(part: int, whole: int) -> float:
    """Return part / whole, and 0.0 of nothing."""
    return part / whole if whole else 0.0
