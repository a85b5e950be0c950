"""Can published figures be true? Accuracy, precision, recall and F1 of N rows come from whole numbers.

Of N rows of which P are positive, a classifier finds some (TP) and raises some false alarms (FP). Two whole numbers
decide all four figures, so a row of a table is possible only if some TP <= P and FP <= N - P round to all that it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from corr2cause.errors import OptionError

METRICS = ("accuracy", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Reported:
    """Figures as they were published, as exact decimals; None where one was not given."""

    accuracy: Fraction | None = None
    precision: Fraction | None = None
    recall: Fraction | None = None
    f1: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What the figures were measured on.

    Attributes:
        n_rows: N, positive and negative rows.
        n_positives: P.
        decimals: to how many places the figures were rounded.
    """

    n_rows: int
    n_positives: int
    decimals: int = 4

    def __post_init__(self) -> None:
        if not 0 <= self.n_positives <= self.n_rows:
            raise OptionError("--positives", f"{self.n_positives} of {self.n_rows} rows; give a number from 0 to that")

    @property
    def half(self) -> Fraction:
        """How far a rounded figure may be from the true one; a tie may have gone either way."""
        return Fraction(1, 2 * 10**self.decimals)


def solutions(reported: Reported, setting: Setting) -> Iterator[tuple[int, int]]:
    """Yield every (TP, FP) that rounds to all the figures, ascending. A ratio of nothing is 0.

    Recall and F1 bound TP, then the other figures bound FP, so that few candidates are tried.

    >>> of = Reported(Fraction("0.9284"), Fraction("0.7249"), Fraction("0.7344"), Fraction("0.7296"))
    >>> list(solutions(of, Setting(15_000, 1_973)))
    [(1449, 550)]
    """
    negatives = setting.n_rows - setting.n_positives
    for hits in _hits(reported, setting):
        for false_alarms in _false_alarms(hits, reported, setting, negatives):
            if _fits(hits, false_alarms, reported, setting):
                yield hits, false_alarms


def possible_positives(reported: Mapping[str, Reported], n_rows: int, decimals: int) -> dict[int, int]:
    """Find the numbers of positives that allow the most of the reported rows.

    Returns:
        P -> rows with a solution, for the best P; all of them allow the same number.  O(N x rows) at worst; a number
        is given up as soon as it cannot be among the best.
    """
    fewest_failures = len(reported)
    best: list[int] = []
    for positives in range(n_rows + 1):
        setting, failures = Setting(n_rows, positives, decimals), 0
        for one in reported.values():
            failures += not has_solution(one, setting)
            if failures > fewest_failures:
                break
        if failures < fewest_failures:
            fewest_failures, best = failures, []
        if failures == fewest_failures:
            best.append(positives)
    return dict.fromkeys(best, len(reported) - fewest_failures)


def has_solution(reported: Reported, setting: Setting) -> bool:
    """Whether the figures can be true."""
    return next(solutions(reported, setting), None) is not None


def _hits(reported: Reported, setting: Setting) -> range:
    """Return the hits that recall and F1 allow: F1 is 2 TP / (TP + FP + P), and FP lies between 0 and N - P."""
    found = _between(reported.recall, setting.half, setting.n_positives, setting.n_positives)
    if reported.f1 is None:
        return found
    low, high = reported.f1 - setting.half, reported.f1 + setting.half
    fewest, most = low * setting.n_positives / (2 - low), high * setting.n_rows / (2 - high)
    return _common(found, range(ceil(fewest), floor(most) + 1))


def _between(figure: Fraction | None, half: Fraction, scale: int, most: int) -> range:
    """Return the whole numbers whose share of `scale` rounds to a figure; all of them if there is none."""
    if figure is None or not scale:
        return range(most + 1)
    low, high = ceil((figure - half) * scale), floor((figure + half) * scale)
    return range(max(0, low), min(most, high) + 1)


def _false_alarms(hits: int, reported: Reported, setting: Setting, negatives: int) -> range:
    """Return the false alarms that accuracy, precision and F1 allow."""
    found = range(negatives + 1)
    if reported.accuracy is not None:
        right = _between(reported.accuracy, setting.half, setting.n_rows, setting.n_rows)
        # right answers are hits and the negatives without a false alarm
        found = _common(found, range(hits + negatives - right.stop + 1, hits + negatives - right.start + 1))
    # precision is hits, F1 twice the hits, over a sum with the false alarms in it
    for figure, part, rest in (
        (reported.precision, hits, hits),
        (reported.f1, 2 * hits, hits + setting.n_positives),
    ):
        if figure is not None and hits:
            low, high = figure - setting.half, figure + setting.half
            most = floor(part / low) - rest if low > 0 else negatives
            found = _common(found, range(ceil(part / high) - rest, most + 1))
    return found


def _common(one: range, other: range) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _fits(hits: int, false_alarms: int, reported: Reported, setting: Setting) -> bool:
    positives, n = setting.n_positives, setting.n_rows
    exact = {
        "accuracy": _share(hits + n - positives - false_alarms, n),
        "precision": _share(hits, hits + false_alarms),
        "recall": _share(hits, positives),
        "f1": _share(2 * hits, hits + false_alarms + positives),
    }
    figures = ((getattr(reported, name), value) for name, value in exact.items())
    return all(figure is None or abs(value - figure) <= setting.half for figure, value in figures)


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)
