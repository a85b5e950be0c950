"""Where predicted pairs go wrong: one bucket for each of them, and for gold pairs that nobody found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from corr2cause.spans.matching import Flags, Floats, Places, assignment, first_best
from corr2cause.spans.names import DESCRIBED
from corr2cause.spans.profiles import SIDE_LINE, Profile
from corr2cause.spans.rows import Pair
from corr2cause.spans.similarity import SIDES, Comparison, token_scores, token_scores_swapped


class Bucket(StrEnum):
    """What became of a pair, in the order of priority; the first that fits is taken."""

    EXACT = "exact"
    SWITCHED = "switched"
    EFFECT_ONLY = "effect correct, cause wrong"
    CAUSE_ONLY = "cause correct, effect wrong"
    PARTIAL = "partial"
    SPURIOUS = "spurious"
    OTHER = "other"
    NO_PAIR = "no C-E pair"
    MISSED = "missed gold"


BUCKETS = tuple(Bucket)


@dataclass(frozen=True, slots=True)
class Case:
    """One pair in its bucket.

    Attributes:
        row: the id of its row.
        sentence: the text.
        bucket: what became of it.
        predicted: None if nothing was predicted.
        gold: the gold pair that it was compared with; None if the row has none.
    """

    row: str
    sentence: str
    bucket: Bucket
    predicted: Pair | None
    gold: Pair | None

    def to_json(self) -> dict[str, Any]:
        """Return the case with its spans."""
        return {
            "s/n": self.row,
            "sentence": self.sentence,
            "predicted": self.predicted and [self.predicted.cause, self.predicted.effect],
            "gold": self.gold and [self.gold.cause, self.gold.effect],
        }


@dataclass(frozen=True)
class Bucketed:
    """The bucket of every predicted pair, and of the gold pairs that have one.

    Attributes:
        predicted: the bucket of each predicted pair.
        partner: int64[P]; the gold pair that each was compared with; -1 without one.
        score: float64[P]; their token score.
        is_equal: bool[P]; whether the two are exactly alike.
        gold: gold pair -> bucket, for those that nothing answers.
    """

    predicted: tuple[Bucket, ...]
    partner: Places
    score: Floats
    is_equal: Flags
    gold: dict[int, Bucket]

    def counts(self) -> dict[str, int]:
        """Count every bucket, empty ones too."""
        found = dict.fromkeys(map(str, BUCKETS), 0)
        for bucket in (*self.predicted, *self.gold.values()):
            found[bucket] += 1
        return found


def bucketed(comparison: Comparison, profile: Profile) -> Bucketed:
    """Put every predicted pair into the first bucket that fits, beside the gold pair of the largest token score.

    Exact: equal to any gold pair of the row. Switched: token F1 of cause with effect and of effect with cause reach
    0.75; under `released` against that one gold pair, under `described` against any of the row, unless the pair fits
    one in its own direction too. Then sides that are equal or reach 0.75, then any token in common or a mean cosine of
    0.75, then spurious. Gold pairs of rows without predictions are "no C-E pair". The code never looks at other gold
    pairs that no prediction was paired with; under `described` they are "missed gold".

    Returns:
        The buckets.  O(C) beside the token scores.
    """
    of = comparison.candidates
    is_described = profile.name == DESCRIBED
    equal = [comparison.spans.under(profile.bucketed, side).equal(of) for side in SIDES]
    token = token_scores(comparison.spans, of, profile.bucketed_tokens, profile.overlap)
    swapped = token_scores_swapped(comparison.spans, of, profile.bucketed_tokens, profile.overlap) >= SIDE_LINE
    closest = first_best(of.predicted, token["pair"], of.n_predicted)
    near = _any(of.predicted, comparison.cosine["pair"] >= SIDE_LINE, of.n_predicted) if comparison.cosine else None

    def beside(flags: Flags) -> Flags:
        """Say of each predicted pair whether it holds beside its closest gold pair."""
        return np.append(flags, False)[closest]

    in_order = _any(of.predicted, np.minimum(token["cause"], token["effect"]) >= SIDE_LINE, of.n_predicted)
    tests = {
        Bucket.EXACT: _any(of.predicted, equal[0] & equal[1], of.n_predicted),
        Bucket.SWITCHED: _any(of.predicted, swapped, of.n_predicted) & ~in_order if is_described else beside(swapped),
    }
    cause_ok, effect_ok = (beside(one | (token[side] >= SIDE_LINE)) for one, side in zip(equal, SIDES, strict=True))
    tests[Bucket.EFFECT_ONLY] = effect_ok & ~cause_ok
    tests[Bucket.CAUSE_ONLY] = cause_ok & ~effect_ok
    overlaps = beside(token["pair"] > 0)
    tests[Bucket.PARTIAL] = overlaps if near is None else overlaps | near
    said = [comparison.spans.under(profile.bucketed, side).is_said() for side in SIDES]
    tests[Bucket.SPURIOUS] = said[0] & said[1]
    tests[Bucket.OTHER] = np.ones(of.n_predicted, dtype=bool)
    places = np.argmax(np.array(list(tests.values())), axis=0).tolist() if of.n_predicted else []
    buckets = tuple(list(tests)[place] for place in places)
    partner = np.append(of.gold, -1)[closest] if len(of.gold) else np.full(of.n_predicted, -1)
    score = np.append(token["pair"], 0.0)[closest]
    reversed_ = np.array([bucket is Bucket.SWITCHED for bucket in buckets], dtype=bool)
    told = np.unique(of.gold[swapped & reversed_[of.predicted]])
    left_over = _left_over(comparison, token["pair"], told if is_described else None)
    return Bucketed(buckets, partner, score, beside(equal[0] & equal[1]), left_over)


def cases(comparison: Comparison, found: Bucketed, most: int) -> dict[Bucket, list[Case]]:
    """List the first cases of every bucket, in the order of the rows; predicted pairs before gold ones."""
    joined = comparison.joined
    listed: dict[Bucket, list[Case]] = {bucket: [] for bucket in BUCKETS}
    for place, (bucket, partner) in enumerate(zip(found.predicted, found.partner.tolist(), strict=True)):
        if len(listed[bucket]) < most:
            row = joined.rows[joined.predicted_row[place]]
            gold = joined.gold[partner] if partner >= 0 else None
            listed[bucket].append(Case(row.id, row.sentence, bucket, joined.predicted[place], gold))
    for place, bucket in found.gold.items():
        if len(listed[bucket]) < most:
            row = joined.rows[joined.gold_row[place]]
            listed[bucket].append(Case(row.id, row.sentence, bucket, None, joined.gold[place]))
    return listed


def _left_over(comparison: Comparison, scores: Floats, told: Places | None) -> dict[int, Bucket]:
    """Find the gold pairs that nothing answers; `told` are those that are answered the wrong way round."""
    joined, of = comparison.joined, comparison.candidates
    answered = np.isin(joined.gold_row, joined.predicted_row)
    found = {int(place): Bucket.NO_PAIR for place in np.flatnonzero(~answered)}
    if told is not None:
        chosen = assignment(of, scores)
        matched = of.gold[chosen[scores[chosen] > 0]]
        missed = np.setdiff1d(np.flatnonzero(answered), np.concatenate([matched, told]))
        found |= {int(place): Bucket.MISSED for place in missed}
    return found


def _any(owners: Places, flags: Flags, n_owners: int) -> Flags:
    found = np.zeros(n_owners, dtype=bool)
    found[owners[flags]] = True
    return found
