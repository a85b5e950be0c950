"""How far one gets without reasoning: the leak score of a data set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from corr2cause.bootstrap import Interval, Resampling
from corr2cause.checking.baselines import SHORTCUTS, BaselineScore, Material, run_baseline
from corr2cause.checking.robustness import Comparison, compare
from corr2cause.checking.thresholds import Measure, measure_for

CONSTANTS = ("majority", "always-yes")
"""The answers that are always the same. The more frequent label is usually no, and then its F1 is 0; always yes has
the best F1 that an answer can have without reading anything. In balanced data each is right about half of the rows."""


@dataclass(frozen=True, slots=True)
class Leak:
    """How far a shortcut lies above an answer that is always the same.

    Attributes:
        above: which of `CONSTANTS`.
        comparison: of its answers with those of the shortcut.
    """

    above: str
    comparison: Comparison

    def difference(self, measure: Measure) -> float:
        """Return the shortcut's F1 or accuracy less that of the constant answer, as a fraction of 1."""
        return self.comparison.difference(measure)

    def interval(self, measure: Measure) -> Interval | None:
        """Return the interval of the difference, over classes; None if there is one class only."""
        intervals = self.comparison.differences
        return getattr(intervals, measure) if intervals else None

    def to_json(self) -> dict[str, Any]:
        """Return the differences of F1 and accuracy, with their intervals or null."""
        f1, accuracy = self.interval("f1"), self.interval("accuracy")
        return {
            "f1": self.difference("f1"),
            "interval": f1 and f1.to_json(),
            "accuracy": self.difference("accuracy"),
            "accuracy_interval": accuracy and accuracy.to_json(),
        }


@dataclass(frozen=True, slots=True)
class LeakReport:
    """What the shortcuts reach.

    Attributes:
        scores: of the constant answers and of all shortcuts.
        measure: what the leak is measured by: F1, or accuracy if dev is balanced.
        best: the shortcut that is best on dev by it; chosen there, so that chance on the scored rows adds nothing.
        leaks: of the best one, above each of `CONSTANTS`.
    """

    scores: tuple[BaselineScore, ...]
    measure: Measure
    best: BaselineScore
    leaks: tuple[Leak, ...]

    def to_json(self) -> dict[str, Any]:
        """Return one object, with fractions of 1."""
        return {
            "measure": self.measure,
            "best": self.best.name,
            **{f"above_{leak.above.replace('-', '_')}": leak.to_json() for leak in self.leaks},
            "baselines": {one.name: one.to_json() for one in self.scores},
        }


def measure_leak(material: Material, progress: Callable[[int], object] = lambda baselines: None) -> LeakReport:
    """Train every shortcut and compare the best with answers that are always the same.

    Args:
        material: what shortcuts learn from and answer.
        progress: called with 1 for each of `CONSTANTS` and `SHORTCUTS` that was run.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    scores = {}
    for name in (*CONSTANTS, *SHORTCUTS):
        scores[name] = run_baseline(name, material)
        progress(1)
    best = max((scores[name] for name in SHORTCUTS), key=_value_on_dev)
    leaks = tuple(_leak(material, scores[name], best) for name in CONSTANTS)
    return LeakReport(tuple(scores.values()), measure_for(material.dev.labels), best, leaks)


def _value_on_dev(one: BaselineScore) -> float:
    return one.threshold.value if one.threshold else 0.0


def _leak(material: Material, constant: BaselineScore, best: BaselineScore) -> Leak:
    return Leak(constant.name, compare(material.items, constant.answers, best.answers, Resampling()).overall)
