"""How far one gets without reasoning: the leak score of a data set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from corr2cause.bootstrap import Interval, Resampling
from corr2cause.checking.baselines import SHORTCUTS, BaselineScore, Material, run_baseline
from corr2cause.checking.robustness import compare

CONSTANTS = ("majority", "always-yes")
"""The answers that are always the same. The more frequent label is usually no, and then its F1 is 0; always yes has
the best F1 that an answer can have without reading anything."""


@dataclass(frozen=True, slots=True)
class Leak:
    """How far the F1 of a shortcut lies above that of an answer that is always the same.

    Attributes:
        above: which of `CONSTANTS`.
        f1: the difference, as a fraction of 1.
        interval: of the difference, over classes; None if there is one class only.
    """

    above: str
    f1: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class LeakReport:
    """What the shortcuts reach.

    Attributes:
        scores: of the constant answers and of all shortcuts.
        best: the shortcut with the best F1 on dev; chosen there, so that chance on the scored rows does not add to it.
        leaks: of the best one, above each of `CONSTANTS`.
    """

    scores: tuple[BaselineScore, ...]
    best: BaselineScore
    leaks: tuple[Leak, ...]

    def to_json(self) -> dict[str, Any]:
        """Return one object, with fractions of 1."""
        return {
            "best": self.best.name,
            **{
                f"above_{leak.above.replace('-', '_')}": {
                    "f1": leak.f1,
                    "interval": leak.interval and leak.interval.to_json(),
                }
                for leak in self.leaks
            },
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
    best = max((scores[name] for name in SHORTCUTS), key=_f1_on_dev)
    leaks = tuple(_leak(material, scores[name], best) for name in CONSTANTS)
    return LeakReport(tuple(scores.values()), best, leaks)


def _f1_on_dev(one: BaselineScore) -> float:
    return one.threshold.counts.f1 if one.threshold else 0.0


def _leak(material: Material, constant: BaselineScore, best: BaselineScore) -> Leak:
    overall = compare(material.items, constant.answers, best.answers, Resampling()).overall
    interval = overall.differences.f1 if overall.differences else None
    return Leak(constant.name, overall.difference("f1"), interval)
