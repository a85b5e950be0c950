"""The bootstrap over classes, against one that goes by the definition."""

from __future__ import annotations

import random
import statistics

import numpy as np
import pytest

from corr2cause import bootstrap
from corr2cause.bootstrap import Interval, Resampling, interval, resample
from corr2cause.streams import words


def counts(classes: int, kinds: int = 3, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 20, (classes, kinds))


def by_definition(per_class: list[list[int]], resampling: Resampling) -> list[list[int]]:
    """Draw class after class and add up its counts."""
    found = []
    for replicate in range(resampling.replicates):
        (row,) = words(
            resampling.seed, "bootstrap", rows=range(replicate, replicate + 1), columns=len(per_class)
        ).tolist()
        drawn = [per_class[word % len(per_class)] for word in row]
        found.append([sum(column) for column in zip(*drawn, strict=True)])
    return found


@pytest.mark.parametrize("classes", [1, 2, 7, 50])
@pytest.mark.parametrize("resampling", [Resampling(40, 0), Resampling(40, 1), Resampling(1, -5)])
def test_every_replicate_is_a_draw_with_replacement(classes: int, resampling: Resampling) -> None:
    per_class = counts(classes)
    assert resample(per_class, resampling).tolist() == by_definition(per_class.tolist(), resampling)


def test_blocks_of_replicates_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    per_class, resampling = counts(9), Resampling(23, 3)
    whole = resample(per_class, resampling)
    for cells in (1, 9, 20, 50):
        monkeypatch.setattr(bootstrap, "_CELLS_AT_ONCE", cells)
        assert np.array_equal(resample(per_class, resampling), whole)


def test_counts_resampled_apart_stay_paired() -> None:
    per_class, resampling = counts(12, 4), Resampling(30, 8)
    apart = [resample(per_class[:, [kind]], resampling) for kind in range(4)]
    assert np.array_equal(np.hstack(apart), resample(per_class, resampling))


def test_another_seed_draws_other_classes() -> None:
    assert not np.array_equal(resample(counts(9), Resampling(5, 0)), resample(counts(9), Resampling(5, 1)))


def test_more_replicates_begin_with_the_fewer() -> None:
    assert np.array_equal(resample(counts(9), Resampling(50))[:20], resample(counts(9), Resampling(20)))


def test_large_counts_stay_exact() -> None:
    per_class = np.array([[2**45 + 1], [2**45 + 1]])
    assert resample(per_class, Resampling(3)).tolist() == [[2**46 + 2]] * 3


def test_the_interval_is_that_of_sorted_replicates() -> None:
    generator = random.Random(4)
    values = [generator.random() for _ in range(1000)]
    cuts = statistics.quantiles(values, n=40, method="inclusive")  # every 2.5 per cent
    found = interval(np.array(values))
    assert (found.low, found.high) == pytest.approx((cuts[0], cuts[-1]), abs=1e-12)
    assert found.to_json() == [found.low, found.high]
    assert interval(np.full(7, 0.25)) == Interval(0.25, 0.25)


def test_intervals_are_as_wide_as_those_of_another_generator_and_wider_than_over_rows() -> None:
    sizes = [20] * 40
    right = [20 if place % 2 else 0 for place in range(40)]  # who errs in one row of a class errs in all of them
    totals = resample(np.array([right, sizes]).T, Resampling(4000))
    ours = interval(totals[:, 0] / totals[:, 1])
    generator = np.random.default_rng(0)
    theirs = np.percentile(generator.choice(right, (4000, 40)).sum(axis=1) / 800, [2.5, 97.5])
    assert [ours.low, ours.high] == pytest.approx(theirs.tolist(), abs=0.03)
    over_rows = np.percentile(generator.binomial(800, 0.5, 4000) / 800, [2.5, 97.5])
    assert ours.high - ours.low > 4 * (over_rows[1] - over_rows[0])
