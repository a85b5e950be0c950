"""Baselines: what a guesser must score, and what shortcuts learn, by definition and from data that leak."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from corr2cause.checking.baselines import (
    BASELINES,
    SHORTCUTS,
    BaselineScore,
    Material,
    read_material,
    run_baseline,
    write_predictions,
)
from corr2cause.checking.labelled_texts import LabelledTexts, TextColumn
from corr2cause.checking.leaks import measure_leak
from corr2cause.checking.predictions import align, read_predictions
from corr2cause.checking.share_tables import alphabetical_shares, length_shares, pair_shares, template_shares
from corr2cause.dataset.options import GenerationOptions
from corr2cause.errors import FileError, MissingExtraError
from tests.checking.by_definition import tokens
from tests.checking.small_data import row, write_folder
from tests.dataset.folders import data_folder
from tests.dataset.rows import split_rows_of

ORDERED = GenerationOptions(n=5, names="ordered")
SHUFFLED = GenerationOptions(n=5)
NEEDS_SKLEARN = ("hypothesis-only", "bag-of-words")


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> Material:
    return read_material(data_folder(tmp_path_factory.mktemp("data") / "o", ORDERED, ("parquet",)), "reserve")


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> Material:
    return read_material(data_folder(tmp_path_factory.mktemp("data") / "s", SHUFFLED, ("parquet",)), "reserve")


def texts_of(rows: list[tuple[str, str, int]]) -> LabelledTexts:
    """Lay out (premise, hypothesis, label) with each distinct text once."""

    def column(texts: list[str]) -> TextColumn:
        distinct = list(dict.fromkeys(texts))
        return TextColumn(tuple(distinct), np.array([distinct.index(text) for text in texts]))

    return LabelledTexts(
        column([premise for premise, _, _ in rows]),
        column([hypothesis for _, hypothesis, _ in rows]),
        np.array([label for _, _, label in rows], dtype=np.int64),
    )


def test_the_majority_has_no_f1_and_is_right_on_all_but_the_positives(shuffled: Material) -> None:
    counts = run_baseline("majority", shuffled).score.counts
    assert (counts.precision, counts.recall, counts.f1) == (0, 0, 0)
    assert counts.accuracy == 1 - counts.positives / counts.total


def test_the_majority_is_that_of_train() -> None:
    mostly_yes = texts_of([("", "A directly causes B.", 1)] * 3 + [("", "A directly causes B.", 0)] * 2)
    half = texts_of([("", "A directly causes B.", 1), ("", "A directly causes B.", 0)])
    for train, expected in ((mostly_yes, 1), (half, 0)):
        material = Material(train, half, half, None, 0)
        assert BASELINES["majority"].answer(material).tolist() == [expected] * 2


def test_always_yes_has_the_share_as_precision_and_finds_all(shuffled: Material) -> None:
    counts = run_baseline("always-yes", shuffled).score.counts
    share = counts.positives / counts.total
    assert (counts.precision, counts.recall, counts.accuracy) == (share, 1, share)
    assert counts.f1 == pytest.approx(2 * share / (1 + share), abs=1e-12)


def runs(name: str, material: Material) -> list[BaselineScore]:
    return [run_baseline(name, replace(material, seed=seed)) for seed in range(40)]


def mean_is(values: list[float], expected: float) -> bool:
    return abs(np.mean(values) - expected) < 4 * np.std(values) / np.sqrt(len(values))


def test_guessers_meet_their_expectations(shuffled: Material) -> None:
    """Uniform finds half of the positives; whatever is drawn blindly is right as often as positives are frequent."""
    share = shuffled.asked.labels.mean()
    dev_share = shuffled.dev.labels.mean()
    for name, recall in (("uniform", 0.5), ("proportional", dev_share)):
        counts = [one.score.counts for one in runs(name, shuffled)]
        assert mean_is([one.recall for one in counts], recall)
        assert mean_is([one.precision for one in counts], share)
        yes = [(one.hits + one.false_alarms) / one.total for one in counts]
        assert mean_is(yes, recall)


def test_drawn_answers_hang_on_the_seed_alone(shuffled: Material) -> None:
    first, again, other = (run_baseline("uniform", replace(shuffled, seed=seed)).answers for seed in (0, 0, 1))
    assert first.tolist() == again.tolist()
    assert 0.4 < (first != other).mean() < 0.6
    proportional = run_baseline("proportional", shuffled).answers
    assert not np.array_equal(proportional <= first, np.ones(len(first)))  # streams of their own


def test_the_share_is_that_of_dev_be_it_nothing_or_all() -> None:
    for label in (0, 1):
        rows, others = (texts_of([("", "A directly causes B.", one)] * 50) for one in (label, 1 - label))
        answers = BASELINES["proportional"].answer(Material(others, rows, others, None, 0))
        assert answers.tolist() == [label] * 50


def test_the_alphabetical_rule_looks_up_claim_and_order() -> None:
    train = texts_of(
        [
            ("", "A directly causes B.", 1),
            ("", "C directly causes D.", 0),
            ("", "B directly causes A.", 0),
            ("", "There exists at least one confounder (i.e., common cause) of B and A.", 1),
            ("", "A causes something else which causes B.", 0),
        ]
    )
    asked = texts_of(
        [
            ("", "X directly causes Y.", 0),
            ("", "Y directly causes X.", 0),
            ("", "There exists at least one confounder (i.e., common cause) of Q and P.", 0),
            ("", "P is a cause for Q, but not a direct one.", 0),
            ("", "There exists at least one collider (i.e., common effect) of P and Q.", 0),
        ]
    )
    assert alphabetical_shares(train)(asked).tolist() == [0.5, 0.0, 1.0, 0.0, 0.4]
    assert template_shares(train)(asked).tolist() == [1 / 3, 1 / 3, 1.0, 0.0, 0.4]


def test_tables_hold_the_shares_of_train(ordered: Material) -> None:
    rows = split_rows_of(ORDERED)["train"]
    asked = split_rows_of(ORDERED)["reserve"]

    def cell(one: dict) -> tuple:
        indirect = one["template"].startswith("non-")
        kind = "indirect" if indirect else "direct" if one["template"] in ("parent", "child") else one["template"]
        names = [word for word in tokens(one["hypothesis"]) if len(word) == 1 and word.isupper()]
        return kind, names[0] < names[-1]

    all_rows = Counter(map(cell, rows))
    positives = Counter(cell(one) for one in rows if one["label"])
    expected = [positives[cell(one)] / all_rows[cell(one)] for one in asked]
    assert alphabetical_shares(ordered.train)(ordered.asked).tolist() == pytest.approx(expected, abs=1e-12)
    assert len(all_rows) == 8


def premise(*sentences: str) -> str:
    return (
        "Suppose there is a closed system of 3 variables, A, B and C. All the statistical relations among these 3 "
        f"variables are as follows: A correlates with B. However, {' '.join(sentences)}"
    )


def test_the_pair_rule_looks_up_claim_and_what_is_said_of_the_pair() -> None:
    first = premise("A is independent of C.", "B and C are independent given A.", "A and C are independent given B.")
    train = texts_of(
        [
            (first, "A directly causes B.", 1),
            (first, "C directly causes A.", 0),
            (first, "B directly causes C.", 0),
            (first, "C directly causes B.", 1),
        ]
    )
    second = premise("B is independent of C.", "A and B are independent given C.")
    asked = [f"{cause} directly causes {effect}." for cause, effect in ("BC", "CB", "BA", "AC")]
    scores = pair_shares(train)(
        texts_of([(second, claim, 0) for claim in (*asked, "B causes something else which causes C.")])
    )
    assert scores.tolist() == [0, 0, 0.5, 1, 0.5]


def test_pairs_are_told_apart_by_their_sentence(shuffled: Material) -> None:
    """By definition: search the premise for the sentences about the two."""

    def cell(one: dict) -> tuple:
        text, x, y = one["premise"], one["x"], one["y"]
        either = ((x, y), (y, x))
        if any(f"{first} is independent of {second}." in text for first, second in either):
            return one["relation"].replace("child", "parent").replace("descendant", "ancestor"), "always"
        said = any(f"{first} and {second} are independent given" in text for first, second in either)
        return one["relation"].replace("child", "parent").replace("descendant", "ancestor"), said

    rows, asked = (split_rows_of(SHUFFLED)[split] for split in ("train", "reserve"))
    all_rows, positives = Counter(map(cell, rows)), Counter(cell(one) for one in rows if one["label"])
    expected = [positives[cell(one)] / all_rows[cell(one)] for one in asked]
    assert pair_shares(shuffled.train)(shuffled.asked).tolist() == pytest.approx(expected, abs=1e-12)
    assert len(all_rows) == 12


def test_lengths_fall_into_bins_of_train() -> None:
    train = texts_of([("A " * length, "A directly causes B.", int(length > 10)) for length in range(1, 21)])
    asked = texts_of([("B " * length, "A directly causes B.", 0) for length in (1, 10, 11, 20, 400)])
    assert length_shares(train)(asked).tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("name", NEEDS_SKLEARN)
def test_models_of_words_find_what_only_words_tell(name: str) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    rows = texts_of(
        [("p", f"{x} directly causes {y}.", int(x == "B")) for x in "ABCD" for y in "ABCD" if x != y for _ in range(9)]
    )
    model = BASELINES[name].learn(rows)
    scores = model(rows)
    if name == "hypothesis-only":  # order matters: "B directly" against "causes B"
        assert scores[rows.labels == 1].min() > scores[rows.labels == 0].max()
    else:
        told = np.array(["B" in rows.hypothesis.texts[code] for code in rows.hypothesis.codes])
        assert scores[told].min() > scores[~told].max()
    assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.parametrize("name", NEEDS_SKLEARN)
def test_models_of_words_take_labels_that_are_all_alike(name: str) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    rows = texts_of([("p", "A directly causes B.", 0), ("q", "B directly causes A.", 0)])
    assert BASELINES[name].learn(rows)(rows).tolist() == [0, 0]


def test_repeated_rows_weigh_as_often_as_they_occur() -> None:
    """The hypothesis model trains on distinct rows with weights; the plain way is to repeat them."""
    linear_model = pytest.importorskip("sklearn.linear_model", reason="the extra `baselines` is not installed")
    rows = texts_of([("", "A", 1)] * 5 + [("", "A", 0)] * 2 + [("", "B", 0)] * 4 + [("", "A B", 1)])
    table = np.array([[w in rows.hypothesis.texts[code] for w in ("A", "B", "A B")] for code in rows.hypothesis.codes])
    plain = linear_model.LogisticRegression(max_iter=1000, tol=1e-8).fit(table, rows.labels)
    ours = BASELINES["hypothesis-only"].learn(rows)(rows)
    assert ours == pytest.approx(plain.predict_proba(table)[:, 1], abs=1e-3)


def test_words_weigh_by_the_logarithm_of_their_number_in_each_text() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model", reason="the extra `baselines` is not installed")
    asked = [("A A A B", "A B", 1), ("A B B", "B", 0), ("B", "A A", 1), ("A", "A", 0), ("A A A A A A", "B A", 1)]
    table = np.array([[math.log1p(text.split().count(w)) for text in row[:2] for w in "AB"] for row in asked])
    plain = linear_model.LogisticRegression(max_iter=1000).fit(table, [label for *_, label in asked])
    rows = texts_of(asked)
    ours = BASELINES["bag-of-words"].learn(rows)(rows)
    assert ours == pytest.approx(plain.predict_proba(table)[:, 1], abs=1e-3)


def test_of_too_many_rows_every_second_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    rows = texts_of([("p", f"{name} directly causes Z.", int(name in "ACE")) for name in "ABCDEF"])
    assert len(set(BASELINES["bag-of-words"].learn(rows)(rows).tolist())) == 2
    monkeypatch.setattr("corr2cause.checking.linear_models._MOST_ROWS", 3)
    assert BASELINES["bag-of-words"].learn(rows)(rows).tolist() == [1] * 6  # the others, all 0, were not seen


@pytest.mark.parametrize("name", NEEDS_SKLEARN)
def test_a_missing_library_names_the_extra(name: str, monkeypatch: pytest.MonkeyPatch, shuffled: Material) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(MissingExtraError, match=r'scikit-learn .* pip install "corr2cause\[baselines\]"'):
        run_baseline(name, shuffled)


def test_the_threshold_comes_from_dev_and_the_answers_from_the_threshold(ordered: Material) -> None:
    found = run_baseline("alphabetical", ordered)
    scorer = alphabetical_shares(ordered.train)
    dev, asked = scorer(ordered.dev), scorer(ordered.asked)

    def f1(least: float) -> float:
        yes = dev >= least
        return 2 * (yes & (ordered.dev.labels == 1)).sum() / (yes.sum() + ordered.dev.labels.sum())

    assert found.threshold.counts.f1 == max(f1(least) for least in np.unique(dev))
    assert found.answers.tolist() == (asked >= found.threshold.least).astype(int).tolist()


def test_ordered_names_leak_and_shuffled_ones_do_not(ordered: Material, shuffled: Material) -> None:
    """What the alphabet adds to knowing the claim: much where it follows the causes, nothing where it is drawn."""
    added = [
        run_baseline("alphabetical", material).score.counts.f1 - run_baseline("template", material).score.counts.f1
        for material in (ordered, shuffled)
    ]
    assert added[0] > 0.1
    assert abs(added[1]) < 0.03
    assert run_baseline("alphabetical", ordered).score.counts.f1 > 0.45
    assert run_baseline("majority", ordered).score.counts.f1 == 0


def test_the_leak_is_that_of_the_shortcut_that_is_best_on_dev(ordered: Material) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    seen: list[int] = []
    report = measure_leak(ordered, seen.append)
    scores = {one.name: one for one in report.scores}
    assert set(scores) == {"majority", "always-yes", *SHORTCUTS}
    assert sum(seen) == len(scores)
    on_dev = {name: scores[name].threshold.counts.f1 for name in SHORTCUTS}
    assert on_dev[report.best.name] == max(on_dev.values())
    assert [leak.above for leak in report.leaks] == ["majority", "always-yes"]
    for leak in report.leaks:
        for measure in ("f1", "accuracy"):
            best, constant = (getattr(one.score.counts, measure) for one in (report.best, scores[leak.above]))
            assert leak.difference(measure) == best - constant
            assert leak.interval(measure).low < leak.difference(measure) < leak.interval(measure).high
    assert report.to_json()["measure"] == report.measure == "f1"
    assert report.to_json()["above_always_yes"]["f1"] == report.leaks[1].difference("f1")


def test_in_balanced_data_accuracy_tells_shortcuts_from_always_yes(tmp_path: Path) -> None:
    """Where half of the rows follow, the best F1 of a weak score is often that of always yes, which shows nothing."""
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    options = GenerationOptions(n=5, names="ordered", balance=True)
    material = read_material(data_folder(tmp_path / "balanced", options, ("parquet",)), "reserve")
    report = measure_leak(material)
    scores = {one.name: one for one in report.scores}
    assert report.measure == "accuracy"
    assert report.best.threshold.value == max(scores[name].threshold.counts.accuracy for name in SHORTCUTS)
    assert scores["always-yes"].score.counts.accuracy == pytest.approx(0.5, abs=0.05)
    assert 0.2 < scores["pair-lookup"].answers.mean() < 0.8
    for leak in report.leaks:
        assert leak.interval("accuracy").low > 0


def test_answers_are_read_as_they_were_given(shuffled: Material, tmp_path: Path) -> None:
    answers = run_baseline("uniform", shuffled).answers
    write_predictions(tmp_path / "uniform.jsonl", shuffled.items, answers)
    read = align([read_predictions(tmp_path / "uniform.jsonl")], shuffled.items.ids)
    assert read.answers[0].tolist() == answers.tolist()


def test_without_rows_to_learn_from_there_are_no_baselines(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", {"test": [row()], "dev": [row(id="d")]})
    with pytest.raises(FileError, match="no rows in the split 'train'"):
        read_material(folder, "test")
