"""The threshold with the best F1 or accuracy, against trying all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.checking.thresholds import Measure, Threshold, best_threshold, measure_for
from corr2cause.counts import Counts

SCORED = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), st.integers(0, 1)), min_size=1, max_size=12)


def f1(answers: list[bool], labels: list[int]) -> float:
    hits = sum(1 for answer, label in zip(answers, labels, strict=True) if answer and label)
    return 2 * hits / (sum(answers) + sum(labels)) if hits else 0.0


def accuracy(answers: list[bool], labels: list[int]) -> float:
    return sum(answer == label for answer, label in zip(answers, labels, strict=True)) / len(labels)


@pytest.mark.parametrize("measure", ["f1", "accuracy"])
@given(rows=SCORED)
def test_no_other_threshold_is_better_and_no_higher_one_as_good(
    measure: Measure, rows: list[tuple[float, int]]
) -> None:
    scores, labels = [score for score, _ in rows], [label for _, label in rows]
    quality = f1 if measure == "f1" else accuracy
    found = best_threshold(np.array(scores), np.array(labels), measure)
    tried = {least: quality([score >= least for score in scores], labels) for least in (*sorted(scores), math.inf)}
    assert found.value == max(tried.values())
    answers = found.answers(np.array(scores)).tolist()
    assert answers == [int(score >= max(least for least in tried if tried[least] == found.value)) for score in scores]
    assert found.counts.total == len(rows)
    assert found.counts.positives == sum(labels)
    assert found.counts.hits + found.counts.false_alarms == sum(answers)


@pytest.mark.parametrize(
    ("positives", "rows", "measure"),
    [(44, 100, "f1"), (45, 100, "accuracy"), (55, 100, "accuracy"), (56, 100, "f1"), (0, 0, "f1")],
)
def test_accuracy_counts_where_labels_are_balanced(positives: int, rows: int, measure: Measure) -> None:
    assert measure_for((np.arange(rows) < positives).astype(np.int64)) == measure


def test_without_positives_the_answer_is_always_no() -> None:
    found = best_threshold(np.array([0.3, 0.9]), np.array([0, 0]))
    assert found.least == math.inf
    assert found.answers(np.array([1.0])).tolist() == [0]


def test_a_threshold_for_all_takes_lower_scores_too() -> None:
    found = best_threshold(np.array([0.3, 0.9]), np.array([1, 0]))
    assert found.least == -math.inf
    assert found.counts.f1 == pytest.approx(2 / 3)
    assert found.answers(np.array([0.01])).tolist() == [1]


def test_without_rows_the_answer_is_always_no() -> None:
    assert best_threshold(np.zeros(0), np.zeros(0, dtype=np.int64)).least == math.inf


def test_the_threshold_itself_is_a_yes() -> None:
    assert Threshold(0.5, Counts()).answers(np.array([0.4, 0.5, 0.6])).tolist() == [0, 1, 1]
