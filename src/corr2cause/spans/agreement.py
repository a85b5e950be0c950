"""How far two annotators agree: on whether a text is causal, on spans, and on labels (the paper's section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corr2cause.bootstrap import Interval, Resampling, interval, resample
from corr2cause.errors import FileError
from corr2cause.spans.kappa import Kappa, agreement_on
from corr2cause.spans.label_scores import class_of
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.matching import Floats, Places, assignment, candidates
from corr2cause.spans.normalising import NORMALISERS, Normaliser
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Pair, Row


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Mean token F1 over matched pairs, with its interval; None of nothing."""

    mean: float | None
    interval: Interval | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the figures."""
        return {"f1": self.mean, "interval": self.interval and self.interval.to_json()}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything that two annotations of the same rows agree on.

    Attributes:
        n_rows: rows that both annotated.
        only: rows that only one of them has, in the first and in the second file.
        n_matched: pairs that were matched.
        unmatched: pairs that were not, in the first and in the second file.
        detection: whether a row is causal.
        cause: of the cause spans of matched pairs.
        effect: of the effect spans.
        labels: label task -> agreement on matched pairs.
    """

    n_rows: int
    only: tuple[int, int]
    n_matched: int
    unmatched: tuple[int, int]
    detection: Kappa
    cause: SpanAgreement
    effect: SpanAgreement
    labels: dict[str, Kappa]

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        return {
            "rows": self.n_rows,
            "rows_of_one_file": list(self.only),
            "matched_pairs": self.n_matched,
            "unmatched_pairs": list(self.unmatched),
            "detection": self.detection.to_json(),
            "cause": self.cause.to_json(),
            "effect": self.effect.to_json(),
            **{task: one.to_json() for task, one in self.labels.items()},
        }


@dataclass(frozen=True, slots=True)
class Match:
    """Two pairs of one row that were matched, with token F1 of each side."""

    row: int
    first: Pair
    second: Pair
    cause: float
    effect: float


def token_set_f1(one: str, other: str) -> float:
    """Return 2 |A and B| / (|A| + |B|) of two sets of tokens, split at white space in lower case.

    1 if both are empty, 0 if one is.

    >>> token_set_f1("lung cancer", "lung cancer risk")
    0.8
    """
    a, b = set(one.lower().split()), set(other.lower().split())
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def match_pairs(
    first: Sequence[Row], second: Sequence[Row], normaliser: Normaliser = str, least: float = 0.0
) -> list[Match]:
    """Match the pairs of each row one to one, at the least cost 1 - S, where S is the mean of both token F1.

    Args:
        first: rows.
        second: the same rows, in the same order.
        normaliser: of spans, before they are split; nothing by default.
        least: pairs with a smaller S stay unmatched.

    Returns:
        The matched pairs.  Rows that have pairs on one side only have none.
    """
    ours = [pair for row in first for pair in row.pairs]
    theirs = [pair for row in second for pair in row.pairs]
    rows = np.arange(len(first))
    row_of_ours, row_of_theirs = (np.repeat(rows, [len(row.pairs) for row in side]) for side in (first, second))
    of = candidates(row_of_ours, row_of_theirs, len(rows))
    met = list(zip(of.predicted.tolist(), of.gold.tolist(), strict=True))
    cause, effect = (
        np.array([token_set_f1(normaliser(one), normaliser(other)) for one, other in spans], dtype=np.float64)
        for spans in (
            [(ours[a].cause, theirs[b].cause) for a, b in met],
            [(ours[a].effect, theirs[b].effect) for a, b in met],
        )
    )
    score = (cause + effect) / 2
    chosen = [place for place in assignment(of, score).tolist() if score[place] >= least]
    return [
        Match(int(of.row[place]), ours[a], theirs[b], float(cause[place]), float(effect[place]))
        for place, (a, b) in ((place, met[place]) for place in chosen)
    ]


def agree(
    first: Sequence[Row],
    second: Sequence[Row],
    normaliser: str | None = None,
    least: float = 0.0,
    resampling: Resampling | None = None,
) -> Agreement:
    """Compare two annotations of the same rows, which are found by id.

    Args:
        first: rows of one annotator.
        second: rows of the other.
        normaliser: a named one, before spans are split; by default only lower case.
        least: the smallest S at which two pairs may be matched.
        resampling: for intervals over rows.

    Raises:
        FileError: no row is in both.
    """
    places = {row.id: place for place, row in enumerate(second)}
    shared = [(place, places[row.id]) for place, row in enumerate(first) if row.id in places]
    if not shared:
        raise FileError("agreement", "the two files have no row in common; were both given the same texts?")
    ours, theirs = [first[a] for a, _ in shared], [second[b] for _, b in shared]
    verdicts = [(one.is_causal, other.is_causal) for one, other in zip(ours, theirs, strict=True)]
    matches = match_pairs(ours, theirs, NORMALISERS[normaliser] if normaliser else str, least)
    rows = np.array([match.row for match in matches], dtype=np.int64)
    n = len(shared)
    labels = {}
    for task in VOCABULARIES:
        both = [(_label(match.first, task), _label(match.second, task)) for match in matches]
        labels[task] = agreement_on(both, rows, n, resampling)
    return Agreement(
        n_rows=n,
        only=(len(first) - n, len(second) - n),
        n_matched=len(matches),
        unmatched=(
            sum(len(row.pairs) for row in ours) - len(matches),
            sum(len(row.pairs) for row in theirs) - len(matches),
        ),
        detection=agreement_on(verdicts, np.arange(n), n, resampling),
        cause=_mean([match.cause for match in matches], rows, n, resampling),
        effect=_mean([match.effect for match in matches], rows, n, resampling),
        labels=labels,
    )


def _label(pair: Pair, task: str) -> str:
    return class_of(getattr(pair, task), PROFILES["described"])


def _mean(values: Sequence[float], rows: Places, n: int, resampling: Resampling | None) -> SpanAgreement:
    if not values:
        return SpanAgreement(None)
    mean = sum(values) / len(values)
    if not resampling or not resampling.replicates:
        return SpanAgreement(mean)
    sums = np.column_stack([np.bincount(rows, weights=values, minlength=n), np.bincount(rows, minlength=n)])
    totals = resample(sums.astype(np.float64), resampling)
    return SpanAgreement(mean, _interval_of(totals[:, 0], totals[:, 1]))


def _interval_of(parts: Floats, wholes: Floats) -> Interval | None:
    return interval(parts / wholes) if (wholes != 0).all() else None
