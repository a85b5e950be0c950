"""Scores, against the definitions, scikit-learn, and what must be true of a guesser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from corr2cause.bootstrap import Resampling
from corr2cause.checking.answers import Answer
from corr2cause.checking.evaluation import METRICS, Evaluation, Score, evaluate
from corr2cause.checking.items import BINS, Items, read_items
from corr2cause.checking.robustness import compare
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.schema import RELATIONS
from corr2cause.streams import words
from tests.checking.small_data import write_lines
from tests.dataset.rows import Row, rows_of

ROWS = rows_of(GenerationOptions(n=4))
FEW = Resampling(25, 3)
NONE = Resampling(0)
KEYS = [
    "precision",
    "recall",
    "f1",
    "accuracy",
    "n",
    "n_unreadable",
    "n_positives",
    "n_classes",
    "confusion",
    "intervals",
]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Items:
    return read_items(write_lines(tmp_path_factory.mktemp("items") / "rows", list(ROWS)))


def guesses(seed: int, kinds: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, kinds, len(ROWS)).astype(np.int8)


def metrics_by_definition(pairs: list[tuple[int, int]]) -> list[float]:
    hits = sum(pair == (1, 1) for pair in pairs)
    said_yes = sum(answer == 1 for _, answer in pairs)
    positives = sum(label == 1 for label, _ in pairs)
    right = sum(label == answer for label, answer in pairs)
    precision = hits / said_yes if said_yes else 0.0
    recall = hits / positives if positives else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return [precision, recall, f1, right / len(pairs)]


def draws(rows: list[Row], resampling: Resampling) -> Iterator[list[Row]]:
    """Draw the classes of some rows with replacement, each with all its rows."""
    classes = sorted({row["class_id"] for row in rows})
    for replicate in range(resampling.replicates):
        (line,) = words(
            resampling.seed, "bootstrap", rows=range(replicate, replicate + 1), columns=len(classes)
        ).tolist()
        drawn = [classes[word % len(classes)] for word in line]
        yield [row for name in drawn for row in rows if row["class_id"] == name]


def percentile(values: list[float], per_cent: float) -> float:
    place = per_cent / 100 * (len(values) - 1)
    low = sorted(values)[int(place)]
    high = sorted(values)[min(int(place) + 1, len(values) - 1)]
    return low + (high - low) * (place - int(place))


def intervals_by_definition(columns: list[list[float]]) -> list[list[float]]:
    return [[percentile(column, 2.5), percentile(column, 97.5)] for column in columns]


def score_by_definition(rows: list[Row], answer: dict[str, int], resampling: Resampling) -> tuple[list, list | None]:
    def metrics(some: list[Row]) -> list[float]:
        return metrics_by_definition([(row["label"], answer[row["id"]]) for row in some])

    if len({row["class_id"] for row in rows}) < 2:
        return metrics(rows), None
    replicates = [metrics(some) for some in draws(rows, resampling)]
    return metrics(rows), intervals_by_definition(list(map(list, zip(*replicates, strict=True))))


GROUPS: list[tuple[str, str, Callable[[Row], bool]]] = [
    *(("by_relation", name, lambda row, name=name: row["relation"] == name) for name in RELATIONS),
    *(("by_n", str(n), lambda row, n=n: row["num_variables"] == n) for n in (2, 3, 4)),
    ("by_reading_agreement", "disagree", lambda row: not row["readings_agree"]),
    ("by_reading_agreement", "agree", lambda row: row["readings_agree"]),
    ("by_difficulty", "class_size 1", lambda row: row["class_size"] == 1),
    ("by_difficulty", "class_size 2", lambda row: row["class_size"] == 2),
    ("by_difficulty", "class_size 3-6", lambda row: 3 <= row["class_size"] <= 6),
    ("by_difficulty", "class_size 7-24", lambda row: 7 <= row["class_size"] <= 24),
    ("by_difficulty", "n_statements 0-9", lambda row: row["n_statements"] < 10),
    ("by_difficulty", "n_statements 10-19", lambda row: 10 <= row["n_statements"] < 20),
    ("by_difficulty", "n_statements 20-39", lambda row: 20 <= row["n_statements"] < 40),
    ("by_difficulty", "n_edges 0-4", lambda row: row["n_edges"] < 5),
    ("by_difficulty", "n_edges 5-7", lambda row: 5 <= row["n_edges"] < 8),
]


def test_every_group_is_scored_as_the_definitions_say(items: Items) -> None:
    answers = guesses(1)
    found = evaluate(items, answers, FEW).to_json()
    answer = dict(zip(items.ids, answers.tolist(), strict=True))
    expected = [("overall", "all", list(ROWS))]
    expected += [(grouping, name, [row for row in ROWS if is_in(row)]) for grouping, name, is_in in GROUPS]
    expected = [(grouping, name, rows) for grouping, name, rows in expected if rows]
    assert sum(len(found[grouping]) for grouping in found if grouping != "overall") == len(expected) - 1
    for grouping, name, rows in expected:
        score = found["overall"] if grouping == "overall" else found[grouping][name]
        metrics, intervals = score_by_definition(rows, answer, FEW)
        assert list(score) == KEYS
        assert [score[metric] for metric in METRICS] == pytest.approx(metrics, abs=1e-12)
        assert score["n"] == len(rows) == sum(score["confusion"].values())
        assert score["n_unreadable"] == sum(answer[row["id"]] == Answer.UNREADABLE for row in rows)
        assert score["n_positives"] == sum(row["label"] for row in rows)
        assert score["n_classes"] == len({row["class_id"] for row in rows})
        if intervals is None:
            assert score["intervals"] is None
        else:
            assert list(score["intervals"]) == list(METRICS)
            for ours, theirs in zip(score["intervals"].values(), intervals, strict=True):
                assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_scikit_learn_agrees_on_random_answers(items: Items, seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn comes with the extra `test`")
    answers = guesses(seed, kinds=2 + seed % 2)
    evaluation = evaluate(items, answers, NONE)
    checked = [(evaluation.overall, np.ones(len(ROWS), dtype=bool))]
    for grouping, part in zip(items.groupings, evaluation.breakdowns, strict=True):
        checked += [(score, chosen) for score, (_, chosen) in zip(part.scores, grouping.groups(), strict=True)]
    for score, chosen in checked:
        truth, said = items.labels[chosen], answers[chosen]
        theirs = metrics.precision_recall_fscore_support(truth, said, labels=[1], zero_division=0)
        ours = [score.counts.precision, score.counts.recall, score.counts.f1, score.counts.positives]
        assert ours == pytest.approx([value[0] for value in theirs], abs=1e-12)
        assert score.counts.accuracy == pytest.approx(metrics.accuracy_score(truth, said), abs=1e-12)


def everywhere(evaluation: Evaluation) -> list[Score]:
    return [evaluation.overall, *(score for part in evaluation.breakdowns for score in part.scores)]


def test_always_no_has_no_f1_and_the_accuracy_of_the_majority(items: Items) -> None:
    for score in everywhere(evaluate(items, np.zeros(len(ROWS), np.int8), FEW)):
        positives = score.counts.positives / score.counts.total
        assert (score.counts.precision, score.counts.recall, score.counts.f1) == (0, 0, 0)
        assert score.counts.accuracy == pytest.approx(1 - positives, abs=1e-12)
        assert score.intervals is None or (score.intervals.f1.low, score.intervals.f1.high) == (0, 0)


def test_always_yes_has_the_precision_of_the_share(items: Items) -> None:
    for score in everywhere(evaluate(items, np.ones(len(ROWS), np.int8), NONE)):
        share = score.counts.positives / score.counts.total
        assert (score.counts.precision, score.counts.accuracy) == pytest.approx((share, share), abs=1e-12)
        assert score.counts.recall == (1 if share else 0)


def test_uniform_guesses_find_half_of_the_positives(items: Items) -> None:
    recalls = [evaluate(items, guesses(seed, kinds=2), NONE).overall.counts.recall for seed in range(200)]
    assert np.mean(recalls) == pytest.approx(0.5, abs=4 * np.std(recalls) / np.sqrt(200))
    assert 0.4 < np.mean(recalls) < 0.6


def test_the_truth_is_perfect_and_silence_is_wrong(items: Items) -> None:
    perfect = evaluate(items, items.labels.astype(np.int8), FEW).overall
    assert [getattr(perfect.counts, metric) for metric in METRICS] == [1.0] * 4
    assert perfect.intervals is not None
    assert perfect.intervals.to_json()["accuracy"] == [1.0, 1.0]
    silent = evaluate(items, np.full(len(ROWS), 2, np.int8), NONE).overall
    assert [getattr(silent.counts, metric) for metric in METRICS] == [0.0] * 4
    assert silent.counts.unreadable == len(ROWS)


def test_a_group_is_scored_as_if_the_data_held_nothing_else(items: Items) -> None:
    answers = guesses(5)
    whole = evaluate(items, answers, FEW)
    for grouping, part in zip(items.groupings, whole.breakdowns, strict=True):
        for (name, chosen), score in zip(grouping.groups(), part.scores, strict=True):
            alone = evaluate(items.take(np.flatnonzero(chosen)), answers[chosen], FEW).overall
            assert (score.name, score.counts, score.intervals) == (name, alone.counts, alone.intervals)


def test_the_order_of_the_rows_changes_nothing(items: Items) -> None:
    answers, order = guesses(6), np.random.default_rng(0).permutation(len(ROWS))
    assert evaluate(items.take(order), answers[order], FEW) == evaluate(items, answers, FEW)


def test_no_rows_make_a_score_of_zeros(tmp_path: Path) -> None:
    items = read_items(write_lines(tmp_path / "rows", []))
    found = evaluate(items, np.zeros(0, np.int8), FEW)
    assert (found.overall.counts.total, found.overall.n_classes, found.overall.intervals) == (0, 0, None)
    assert compare(items, np.zeros(0, np.int8), np.zeros(0, np.int8), FEW).overall.consistency == 0.0


def test_the_bins_are_the_documented_ones() -> None:
    page = (Path(__file__).parents[2] / "docs/evaluation.md").read_text(encoding="utf-8")
    for column, least in BINS.items():
        (line,) = (line for line in page.splitlines() if line.startswith(f"| `{column}`"))
        told = [cell.strip() for cell in line.split("|")[-2].split(",")]
        assert [int(bounds.partition("-")[0].rstrip("+")) for bounds in told] == list(least)


def test_robustness_is_that_of_pairs(items: Items) -> None:
    original, perturbed = guesses(7), guesses(8)
    perturbed[::2] = original[::2]
    answer = [dict(zip(items.ids, one.tolist(), strict=True)) for one in (original, perturbed)]
    found = compare(items, original, perturbed, FEW).to_json()
    assert list(found["by_relation"]) == list(RELATIONS)
    groups = [(found["overall"], list(ROWS))]
    groups += [(found["by_relation"][name], [row for row in ROWS if row["relation"] == name]) for name in RELATIONS]
    for comparison, rows in groups:

        def metrics(some: list[Row], side: int) -> list[float]:
            return metrics_by_definition([(row["label"], answer[side][row["id"]]) for row in some])

        def same(some: list[Row]) -> float:
            pairs = [(answer[0][row["id"]], answer[1][row["id"]]) for row in some]
            return sum(one == other != Answer.UNREADABLE for one, other in pairs) / len(pairs)

        replicates = [
            [*(after - before for before, after in zip(metrics(some, 0), metrics(some, 1), strict=True)), same(some)]
            for some in draws(rows, FEW)
        ]
        *differences, consistency = intervals_by_definition(list(map(list, zip(*replicates, strict=True))))
        shown = comparison["difference"]
        for metric, before, after, bounds in zip(METRICS, metrics(rows, 0), metrics(rows, 1), differences, strict=True):
            assert shown[metric] == pytest.approx(after - before, abs=1e-12)
            assert shown["intervals"][metric] == pytest.approx(bounds, abs=1e-12)
            assert comparison["original"][metric] == pytest.approx(before, abs=1e-12)
            assert comparison["perturbed"][metric] == pytest.approx(after, abs=1e-12)
        assert comparison["n"] == len(rows)
        assert comparison["consistency"] == pytest.approx(same(rows), abs=1e-12)
        assert comparison["consistency_interval"] == pytest.approx(consistency, abs=1e-12)


def test_both_sides_are_scored_as_they_are_alone(items: Items) -> None:
    original, perturbed = guesses(9), guesses(10)
    found = compare(items, original, perturbed, FEW)
    for side, answers in ((0, original), (1, perturbed)):
        alone = evaluate(items, answers, FEW)
        scores = [(one.original, one.perturbed)[side] for one in (found.overall, *found.by_relation)]
        assert scores == [alone.overall, *alone.breakdowns[0].scores]


def test_the_same_answers_are_consistent_unless_unreadable(items: Items) -> None:
    answers = guesses(11)
    readable = float((answers != Answer.UNREADABLE).mean())
    found = compare(items, answers, answers, FEW).overall
    assert found.consistency == pytest.approx(readable)
    assert [found.difference(metric) for metric in METRICS] == [0.0] * 4
    assert compare(items, answers, answers, NONE).overall.consistency_interval is None
