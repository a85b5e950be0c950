"""Counts add up, and their ratios are what scikit-learn and the definitions say."""

from __future__ import annotations

from dataclasses import astuple, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.counts import Counts

COUNTS = st.builds(Counts, *[st.integers(0, 50)] * 6)
RATIOS = ("precision", "recall", "f1", "accuracy")


@given(COUNTS, COUNTS)
def test_counts_add_up_field_by_field(one: Counts, other: Counts) -> None:
    total = one + other
    assert astuple(total) == tuple(a + b for a, b in zip(astuple(one), astuple(other), strict=True))
    assert total.total == one.total + other.total == sum(astuple(total))
    assert total.unreadable == one.unreadable + other.unreadable
    assert (total.positives + total.negatives, Counts() + one) == (total.total, one)


@given(COUNTS)
def test_ratios_are_their_definitions(counts: Counts) -> None:
    said_yes = counts.hits + counts.false_alarms
    assert counts.precision == (counts.hits / said_yes if said_yes else 0)
    assert counts.recall == (counts.hits / counts.positives if counts.positives else 0)
    harmonic = 2 * counts.precision * counts.recall
    assert counts.f1 == pytest.approx(harmonic / (counts.precision + counts.recall) if harmonic else 0)
    assert counts.accuracy == ((counts.hits + counts.correct_rejections) / counts.total if counts.total else 0)


def test_nothing_of_nothing_is_zero() -> None:
    assert [getattr(Counts(), ratio) for ratio in RATIOS] == [0.0] * 4
    assert (Counts(correct_rejections=3).f1, Counts(correct_rejections=3).accuracy) == (0.0, 1.0)
    assert Counts(unreadable_negatives=4).accuracy == 0.0


@pytest.fixture(scope="module")
def metrics():
    return pytest.importorskip("sklearn.metrics", reason="scikit-learn comes with the extra `test`")


@given(counts=COUNTS)
@settings(deadline=None)
def test_as_scikit_learn_sees_a_third_predicted_label(metrics, counts: Counts) -> None:
    pairs = [(1, 1), (0, 1), (1, 0), (0, 0), (1, 2), (0, 2)]
    assert len(pairs) == len(fields(Counts))
    rows = [pair for pair, times in zip(pairs, astuple(counts), strict=True) for _ in range(times)]
    if not rows:
        return
    truth, said = zip(*rows, strict=True)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(truth, said, labels=[1], zero_division=0)
    assert counts.precision == pytest.approx(precision[0], abs=1e-12)
    assert counts.recall == pytest.approx(recall[0], abs=1e-12)
    assert counts.f1 == pytest.approx(f1[0], abs=1e-12)
    assert counts.positives == support[0]
    assert counts.accuracy == pytest.approx(metrics.accuracy_score(truth, said), abs=1e-12)
