"""Qualification and quality, by hand-made cases and against the definitions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from corr2cause.errors import FileError
from corr2cause.spans.agreement import agree
from corr2cause.spans.annotating.annotators import Annotator, pair_up
from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.annotating.qualification import qualify, ranked
from corr2cause.spans.annotating.quality import quality_of
from corr2cause.spans.annotating.timing import Times
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.validation import findings
from tests.spans.annotating.annotations import ANN, BOB, DOUBLED
from tests.spans.judging_by_definition import stable

GOLD = [row for row in ANN if row.id != "6"]


def annotator(name: str, rows, **fields) -> Annotator:
    return Annotator(name, {row.id: row for row in rows}, **fields)


def f1(one: str, other: str) -> float:
    """Token F1 of multisets, as `described` has it."""
    a, b = Counter(stable(one).split()), Counter(stable(other).split())
    return 2 * (a & b).total() / (a.total() + b.total())


def test_who_answers_as_the_gold_does_has_full_marks():
    found = qualify(GOLD, annotator("ann", GOLD), mark=1)
    assert (found.detection_score, found.spans, found.label_score, found.mean) == (1, 1, 1, 1)
    assert found.has_passed
    assert found.labels == {"causality": (5, 5), "sententiality": (5, 5)}


def test_the_answers_of_bob():
    found = qualify(GOLD, annotator("bob", BOB), mark=0.75)
    assert (found.verdicts.hits, found.verdicts.misses, found.verdicts.correct_rejections) == (3, 1, 1)
    assert found.detection_score == pytest.approx(6 / 7)
    matched = (f1("Chronic sleep loss", "sleep loss") + 1) / 2 + 3  # sleep, immune response, rain, frost
    assert found.spans == pytest.approx(2 * matched / (5 + 5))
    assert found.labels == {"causality": (3, 4), "sententiality": (3, 4)}
    assert found.label_score == 0.75
    assert found.has_passed
    assert not qualify(GOLD, annotator("bob", BOB), mark=0.76).has_passed


def test_rows_without_an_answer_count_as_rows_without_a_cause():
    found = qualify(GOLD, annotator("cid", GOLD[:1]), mark=0.5)
    assert (found.n_missing, found.verdicts.hits, found.verdicts.misses) == (4, 1, 3)
    assert found.verdicts.correct_rejections == 1
    assert found.spans == pytest.approx(2 * 2 / (5 + 2))


def test_no_pair_right_is_no_label_right():
    answers = [Row(row.id, row.sentence, (Pair("x", "y", "Explicit", "Intra"),)) for row in GOLD]
    found = qualify(GOLD, annotator("dora", answers), mark=0)
    assert (found.spans, found.label_score, found.labels["causality"]) == (0, 0, (0, 0))


def test_answers_to_another_test():
    with pytest.raises(FileError, match="answer to another test"):
        qualify(GOLD, annotator("eve", [Row("99", "x", label=False)]), mark=0.5)


def test_the_best_come_first_and_whoever_failed_last():
    answers = {"bob": BOB, "ann": ANN, "cid": GOLD[:1]}
    found = ranked([qualify(GOLD, annotator(name, rows), mark=0.7) for name, rows in answers.items()])
    assert [(one.name, one.has_passed) for one in found] == [("ann", True), ("bob", True), ("cid", False)]


def test_quality_counts_what_is_in_dispute_from_either_side():
    pairing = pair_up([annotator("ann", ANN), annotator("bob", BOB)])
    ann, bob = (quality_of(annotator(name, rows), pairing) for name, rows in (("ann", ANN), ("bob", BOB)))
    assert ann.disputes == {
        "verdict": 2, "cause": 1, "effect": 0, "causality": 1, "sententiality": 1, "only here": 1, "only there": 1,
    }  # fmt: skip
    assert bob.disputes == ann.disputes
    assert (ann.n_rows, ann.n_causal, ann.n_pairs, ann.partners) == (6, 5, 5, {"bob": 6})
    assert ann.agreement.to_json() == agree(ANN, BOB).to_json()
    assert ann.rules["hedged"] == 1
    assert (bob.rules.get("hedged"), bob.rules["intra-across-sentences"]) == (None, 1)


def test_quality_of_somebody_with_two_partners():
    everybody = [annotator("ann", ANN), annotator("bob", BOB[:2]), annotator("cid", BOB[2:4])]
    found = quality_of(everybody[0], pair_up(everybody))
    assert found.partners == {"bob": 2, "cid": 2}
    assert found.agreement.n_rows == 4


def test_quality_of_somebody_alone():
    one = annotator("ann", ANN[:2], unannotated=("9",), times=Times((3.0, 5.0, 100.0)))
    found = quality_of(one, pair_up([one]), assigned=("1", "7", "9"))
    assert (found.agreement, found.n_missing, found.seconds) == (None, 2, 5.0)
    assert set(found.disputes.values()) == {0}


@given(DOUBLED)
@settings(max_examples=50, deadline=None)
def test_quality_adds_up(rows):
    everybody = [annotator("ann", [one.ours for one in rows]), annotator("bob", [one.theirs for one in rows])]
    found, other = (quality_of(one, pair_up(everybody)) for one in everybody)
    assert [found.disputes[name] for name in ("only here", "only there")] == [
        other.disputes[name] for name in ("only there", "only here")
    ]
    assert {name for one in (found, other) for name in one.partners} <= {"ann", "bob"}
    assert not {"ann", "bob"} & {name for one in (found, other) for name in one.partners if name == one.name}
    items = [item for row in compare_rows(rows) for item in row.items]
    assert found.disputes["only here"] == sum(item.first is not None and item.second is None for item in items)
    assert found.disputes["only there"] == sum(item.second is not None and item.first is None for item in items)
    breaches = list(findings([one.ours for one in rows], range(len(rows))))
    assert found.errors + found.warnings == len(breaches) == sum(found.rules.values())
