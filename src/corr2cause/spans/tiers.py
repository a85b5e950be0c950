"""The three tiers of extraction scores: exact, token and cosine, each for pairs, causes and effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corr2cause.bootstrap import Interval, Resampling, interval, resample
from corr2cause.spans.matching import Credits, Flags, Floats, Places, assignment, total
from corr2cause.spans.overlap import harmonic
from corr2cause.spans.profiles import SIDE_LINE, Profile
from corr2cause.spans.similarity import LEVELS, SIDES, Comparison

TIERS = ("exact", "token", "cosine")
METRICS = ("precision", "recall", "f1")

Earned = Mapping[tuple[str, str], Credits]
"""The credits of each (tier, level)."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and F1 as credits over pairs.

    Attributes:
        predicted_credit: what the predicted pairs earned.
        gold_credit: what the gold pairs earned.
        n_predicted: predicted pairs.
        n_gold: gold pairs.

    >>> Rates(10.0, 10.0, 10, 1).f1  # one right pair, given ten times, under the released scheme
    1.8181818181818181
    """

    predicted_credit: float
    gold_credit: float
    n_predicted: int
    n_gold: int

    @property
    def precision(self) -> float:
        """Credit for each predicted pair."""
        return self.predicted_credit / self.n_predicted if self.n_predicted else 0.0

    @property
    def recall(self) -> float:
        """Credit for each gold pair."""
        return self.gold_credit / self.n_gold if self.n_gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return harmonic(self.precision, self.recall)

    def to_json(self) -> dict[str, Any]:
        """Return the three metrics, as fractions of 1."""
        return {name: getattr(self, name) for name in METRICS}


@dataclass(frozen=True, slots=True)
class LevelScore:
    """The score of a tier on pairs, causes or effects.

    Attributes:
        rates: over all pairs (micro).
        macro: the mean of the three metrics over rows that have any pair.
        intervals: of the three metrics, from resampled rows; None if not asked for.
    """

    rates: Rates
    macro: tuple[float, float, float]
    intervals: tuple[Interval, Interval, Interval] | None

    def to_json(self) -> dict[str, Any]:
        """Return the metrics, their row means, and the intervals."""
        found = self.rates.to_json() | {"macro": dict(zip(METRICS, self.macro, strict=True))}
        if self.intervals:
            found["intervals"] = {name: one.to_json() for name, one in zip(METRICS, self.intervals, strict=True)}
        return found


def earned(
    comparison: Comparison, profile: Profile, chosen: Flags | None = None, levels: Sequence[str] = LEVELS
) -> dict[tuple[str, str], Credits]:
    """Turn similarities into credits, for every tier that was compared and every level.

    Args:
        comparison: of predicted and gold pairs.
        profile: with the scheme.
        chosen: bool[C]; the candidates that may meet, all by default.
        levels: of what.
    """
    of = comparison.candidates if chosen is None else comparison.candidates.take(chosen)
    kept = slice(None) if chosen is None else chosen
    found = {}
    for level in levels:
        found["exact", level] = profile.hits(of, comparison.equal[level][kept])
        found["token", level] = profile.scheme(of, comparison.token[level][kept])
        if comparison.cosine:
            credits = profile.scheme(of, comparison.cosine[level][kept])
            found["cosine", level] = credits if profile.cosine_line is None else _over(credits, profile.cosine_line)
    return found


def _over(credits: Credits, line: float) -> Credits:
    return Credits((credits.predicted >= line).astype(np.float64), (credits.gold >= line).astype(np.float64))


def pair_rates(comparison: Comparison, profile: Profile) -> dict[str, dict[str, Rates]]:
    """Return tier -> level -> rates, and nothing else."""
    found: dict[str, dict[str, Rates]] = {}
    for (tier, level), credits in earned(comparison, profile).items():
        found.setdefault(tier, {})[level] = rates_of(credits)
    return found


def both_sides_found(comparison: Comparison) -> Rates:
    """Count matched pairs of which each side reaches the line by itself, a stricter reading of the cosine tier."""
    of = comparison.candidates
    chosen = assignment(of, comparison.cosine["pair"])
    n = float(sum((np.minimum(*(comparison.cosine[side] for side in SIDES))[chosen] >= SIDE_LINE).tolist()))
    return Rates(n, n, of.n_predicted, of.n_gold)


def share_over_line(comparison: Comparison) -> float:
    """Return the share of predicted pairs whose best mean cosine reaches the line: a side statistic of the code."""
    of = comparison.candidates
    found = np.unique(of.predicted[comparison.cosine["pair"] >= SIDE_LINE])
    return len(found) / of.n_predicted if of.n_predicted else 0.0


def rates_of(credits: Credits, predicted: Flags | None = None, gold: Flags | None = None) -> Rates:
    """Add up credits, of some pairs or of all, in their order."""
    ours = credits.predicted if predicted is None else credits.predicted[predicted]
    theirs = credits.gold if gold is None else credits.gold[gold]
    return Rates(total(ours), total(theirs), len(ours), len(theirs))


@dataclass(frozen=True)
class RowSums:
    """What the pairs of each row earned and how many they are.

    Attributes:
        names: the (tier, level) of each pair of columns.
        sums: float64[R, 2 + 2 K]; predicted pairs, gold pairs, then the credits of both sides for each name.
    """

    names: tuple[tuple[str, str], ...]
    sums: Floats

    def metrics(self, sums: Floats) -> Iterator[tuple[tuple[str, str], Floats]]:
        """Yield for each name the metrics of every line of such sums: float64[., 3]."""
        n_predicted, n_gold = sums[:, 0], sums[:, 1]
        for place, name in enumerate(self.names):
            precision = _divided(sums[:, 2 + 2 * place], n_predicted)
            recall = _divided(sums[:, 3 + 2 * place], n_gold)
            f1 = _divided(2 * precision * recall, precision + recall)
            yield name, np.column_stack([precision, recall, f1])


def row_sums(credits: Earned, predicted_row: Places, gold_row: Places, n_rows: int) -> RowSums:
    """Add up the credits of each row."""

    def added(rows: Places, weights: Floats | None = None) -> Floats:
        return np.bincount(rows, weights=weights, minlength=n_rows).astype(np.float64)

    columns = [added(predicted_row), added(gold_row)]
    for one in credits.values():
        columns += [added(predicted_row, one.predicted), added(gold_row, one.gold)]
    return RowSums(tuple(credits), np.column_stack(columns))


def level_scores(credits: Earned, sums: RowSums, resampling: Resampling | None) -> dict[str, dict[str, LevelScore]]:
    """Score every tier and level.

    Returns:
        tier -> level -> score.  O(pairs + replicates x rows).
    """
    has_pairs = (sums.sums[:, 0] + sums.sums[:, 1]) > 0
    of_rows = sums.metrics(sums.sums[has_pairs]) if has_pairs.any() else ()
    macro = {name: metrics.mean(axis=0) for name, metrics in of_rows}
    intervals: dict[tuple[str, str], tuple[Interval, Interval, Interval]] = {}
    if resampling and resampling.replicates and len(sums.sums) > 1:
        for name, metrics in sums.metrics(resample(sums.sums, resampling)):
            low, middle, high = map(interval, metrics.T)
            intervals[name] = (low, middle, high)
    found: dict[str, dict[str, LevelScore]] = {}
    for (tier, level), one in credits.items():
        precision, recall, f1 = macro.get((tier, level), np.zeros(3)).tolist()
        score = LevelScore(rates_of(one), (precision, recall, f1), intervals.get((tier, level)))
        found.setdefault(tier, {})[level] = score
    return found


def _divided(parts: Floats, wholes: Floats) -> Floats:
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes != 0)
