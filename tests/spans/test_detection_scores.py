"""Verdicts on texts: scores, what is missed, and whether published figures can be true."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.bootstrap import Resampling
from corr2cause.errors import FileError, OptionError, RowError
from corr2cause.spans.consistency import Reported, Setting, has_solution, possible_positives, solutions
from corr2cause.spans.detection import DetectionScore, join_verdicts, score_verdicts, with_pairs
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.published_figures import read_reported
from corr2cause.spans.rows import Pair, Row

PUBLISHED = read_reported(Path(__file__).with_name("published_detection.csv"))
IMPLIED = {
    "13 BERT": (1449, 550),
    "13 SciBERT": (1468, 586),
    "13 PubMedBERT": (1479, 550),
    "13 BioBERT": (1476, 551),
    "14 Meta-Llama-3.3-70B Zero-Shot": (1260, 2935),
    "15 Qwen-7B-FT CoT": (629, 724),
}


def rows(n: int) -> list[Row]:
    return [Row(str(number), f"text {number}") for number in range(n)]


def judge(truth: list[bool], entries: list[Any], profile: str = "described", **options: Any) -> DetectionScore:
    verdicts = join_verdicts(rows(len(truth)), truth, entries, PROFILES[profile])
    return score_verdicts(verdicts, rows(len(truth)), PROFILES[profile], **options)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["Yes", "No", "Unknown"])), min_size=1, max_size=30))
@settings(deadline=None)
def test_scores_are_those_of_the_definition(both: list[tuple[bool, str]]) -> None:
    truth = [one for one, _ in both]
    found = judge(truth, [answer for _, answer in both]).to_json()
    tp = sum(one and answer == "Yes" for one, answer in both)
    fp = sum(not one and answer == "Yes" for one, answer in both)
    fn, tn = sum(truth) - tp, len(both) - sum(truth) - fp
    precision, recall = (tp / (tp + fp) if tp + fp else 0), (tp / (tp + fn) if tp + fn else 0)
    assert found["confusion"] == {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    assert (found["precision"], found["recall"]) == (precision, recall)
    assert found["f1"] == pytest.approx(2 * precision * recall / (precision + recall) if tp else 0)
    assert found["accuracy"] == (tp + tn) / len(both)
    assert found["unreadable"] == sum(answer == "Unknown" for _, answer in both)
    other_precision, other_recall = (tn / (tn + fn) if tn + fn else 0), (tn / (tn + fp) if tn + fp else 0)
    assert found["macro"]["precision"] == pytest.approx((precision + other_precision) / 2)
    assert found["macro"]["recall"] == pytest.approx((recall + other_recall) / 2)


def test_answers_with_ids_are_found_in_any_order_and_others_are_told() -> None:
    entries = [{"s/n": "1", "prediction": "no"}, {"s/n": 0, "answer": "It is so: yes"}, {"s/n": 9, "label": 1}]
    found = judge([True, False, True], entries)
    assert (found.counts.hits, found.counts.correct_rejections, found.counts.misses) == (1, 1, 1)
    assert found.unreadable_causal == 1
    assert (found.ids.gold_only, found.ids.predicted_only) == (("2",), ("9",))


def test_too_few_answers_without_ids_leave_the_last_rows_unanswered() -> None:
    found = judge([True, True], ["Yes"])
    assert (found.counts.hits, found.unreadable_causal, found.ids.gold_only) == (1, 1, ("1",))


def test_the_profiles_read_answers_differently() -> None:
    entries = ["Unknown", "Eyesight", "1"]
    assert judge([True] * 3, entries, "released").counts.hits == 1
    assert judge([True] * 3, entries, "described").counts.hits == 1
    assert judge([True] * 3, entries, "released").unreadable_causal == 0
    assert judge([True] * 3, entries, "described").unreadable_causal == 2


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.lists(st.none())
ENTRIES = VALUES | st.dictionaries(st.sampled_from(["s/n", "id", "prediction"]), VALUES)


@given(st.lists(ENTRIES, max_size=6))
@settings(deadline=None)
def test_no_entry_breaks_the_scores(entries: list[Any]) -> None:
    for profile in PROFILES:
        assert judge([True, False, True], entries, profile).counts.total == 3


def test_intervals_hold_the_score() -> None:
    truth = [number % 3 == 0 for number in range(90)]
    found = judge(truth, ["Yes" if number % 4 else "No" for number in range(90)], resampling=Resampling(100))
    assert found.intervals["accuracy"].low < found.counts.accuracy < found.intervals["accuracy"].high


def test_what_is_missed_is_compared_with_all_causal_rows() -> None:
    implicit, explicit = Pair("p", "q", "implicit", "Intra"), Pair("p", "q", "Explcit", "Inter")
    known = [
        Row("0", "text", (implicit,)),
        Row("1", "text", (implicit, explicit)),
        Row("2", "word " * 86, (implicit,)),
        Row("3", "text", (Pair("p", "q"),)),
        Row("4", "text"),
        Row("5", "text"),
    ]
    truth = [True, True, True, True, False, True]
    verdicts = join_verdicts(rows(6), truth, ["No", "Yes", "No", "Yes", "Yes", "No"], PROFILES["described"])
    found = score_verdicts(verdicts, with_pairs(rows(6), known), PROFILES["described"]).to_json()["errors"]
    assert found["all pairs implicit"] == {
        "rows": 2, "found": 0, "recall": 0, "share_of_causal": 0.5, "share_of_missed": 1,
    }  # fmt: skip
    assert found["an explicit pair"]["recall"] == found["an inter-sentential pair"]["recall"] == 1
    assert found["several pairs"]["share_of_causal"] == 0.25
    assert found["over 85 words"]["rows"] == 0  # the texts are those of the detection rows, which are short


def test_every_published_row_is_possible_with_1973_positives() -> None:
    setting = Setting(15_000, 1_973)
    assert len(PUBLISHED) == 82
    assert all(has_solution(one, setting) for one in PUBLISHED.values())
    assert {name: list(solutions(PUBLISHED[name], setting)) for name in IMPLIED} == {
        name: [counts] for name, counts in IMPLIED.items()
    }


@pytest.mark.parametrize("positives", [1_968, 1_970, 1_971, 1_972, 1_974, 1_975, 1_978])
def test_other_numbers_of_positives_fail_most_rows(positives: int) -> None:
    n_failed = sum(not has_solution(one, Setting(15_000, positives)) for one in PUBLISHED.values())
    assert 66 <= n_failed <= 81


def test_the_number_of_positives_is_found() -> None:
    n, positives = 400, 61
    counts = [(50, 20), (13, 7), (33, 119), (60, 301), (0, 5)]
    table = {
        str(tp): Reported(
            *(
                round(Fraction(part, whole), 4)
                for part, whole in (
                    (tp + n - positives - fp, n),
                    (tp, tp + fp),
                    (tp, positives),
                    (2 * tp, tp + fp + positives),
                )
            )
        )
        for tp, fp in counts
    }
    assert possible_positives(table, n, 4) == {positives: 5}
    impossible = {**table, "wrong": Reported(f1=Fraction("0.9999"))}
    assert possible_positives(impossible, n, 4) == {positives: 5}


@given(st.integers(1, 12), st.data())
@settings(deadline=None)
def test_solutions_are_all_that_round_to_the_figures(n: int, data: st.DataObject) -> None:
    positives = data.draw(st.integers(0, n))
    tp, fp = data.draw(st.integers(0, positives)), data.draw(st.integers(0, n - positives))

    def figures(hits: int, alarms: int) -> tuple[Fraction, ...]:
        parts = (
            (hits + n - positives - alarms, n),
            (hits, hits + alarms),
            (hits, positives),
            (2 * hits, hits + alarms + positives),
        )
        return tuple(Fraction(part, whole) if whole else Fraction(0) for part, whole in parts)

    given_ = [round(one, 2) if data.draw(st.booleans()) else None for one in figures(tp, fp)]
    expected = [
        (hits, alarms)
        for hits in range(positives + 1)
        for alarms in range(n - positives + 1)
        if all(
            one is None or abs(one - exact) <= Fraction(1, 200)
            for one, exact in zip(given_, figures(hits, alarms), strict=True)
        )
    ]
    assert list(solutions(Reported(*given_), Setting(n, positives, 2))) == expected
    assert (tp, fp) in expected


def test_more_positives_than_rows_are_refused() -> None:
    with pytest.raises(OptionError, match="--positives"):
        Setting(10, 11)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("model,f1\nA,1.5\n", RowError),
        ("model,f1\nA,high\n", RowError),
        ("model,f1\nA,1/2\n", RowError),
        ("model\nA\n", FileError),
        ("", FileError),
    ],
)
def test_damaged_tables_are_refused(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(error, match=str(path)):
        read_reported(path)


def test_every_answer_without_an_id_is_counted():
    entries = [{"s/n": 1, "label": 1}, "Yes", {"label": 0}, {"s/n": 2, "label": 0}]
    found = join_verdicts(rows(2), [True, False], entries, PROFILES["described"]).ids
    assert found.predicted_only == ("none, place 2", "none, place 3", "2")
    assert found.repeated == ()
