"""What is in dispute, against the definitions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.spans.annotating.annotators import Doubled
from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.rows import Pair, Row
from tests.spans.annotating.annotations import DOUBLED, compared


def f1(one: str, other: str) -> float:
    a, b = set(one.lower().split()), set(other.lower().split())
    return 2 * len(a & b) / (len(a) + len(b))


def s(one: Pair, other: Pair) -> float:
    return (f1(one.cause, other.cause) + f1(one.effect, other.effect)) / 2


def agree_by_definition(ours: tuple[Pair, ...], theirs: tuple[Pair, ...]) -> bool:
    """Whether some order of the pairs makes all S equal to 1, and whether the labels are then the same for one such."""
    return len(ours) == len(theirs) and any(
        all(
            s(a, b) == 1 and (a.causality, a.sententiality) == (b.causality, b.sententiality)
            for a, b in zip(ours, order, strict=True)
        )
        for order in permutations(theirs)
    )


def test_the_six_rows():
    found = compared()
    assert [row.disputes for row in found] == [
        ("cause", "causality", "unmatched"), ("sententiality",), (), ("verdict", "unmatched"), (), ("verdict",),
    ]  # fmt: skip
    assert [[item.disputes for item in row.items] for row in found[:2]] == [
        [("cause",), ("causality",), ("unmatched",)], [("sententiality",)],
    ]  # fmt: skip
    assert round(found[0].items[0].score, 4) == 0.9
    assert found[5].items[0].is_verdict
    assert found[4].items[0].first.cause == "Frost"  # another case is no dispute


def test_one_token_of_many_is_a_dispute():
    words = "a b c d e f g h i j k l m n o p q r s t"
    ours, theirs = (Row("1", "text", (Pair("x", span, "Explicit", "Intra"),)) for span in (words, words[2:]))
    assert compare_rows([Doubled("ann", "bob", ours, theirs)])[0].disputes == ("effect",)
    assert compare_rows([Doubled("ann", "bob", swapped(ours), swapped(theirs))])[0].disputes == ("cause",)


def swapped(row: Row) -> Row:
    return replace(row, pairs=tuple(replace(pair, cause=pair.effect, effect=pair.cause) for pair in row.pairs))


@given(DOUBLED, st.sampled_from([0.0, 0.5, 0.8]))
@settings(max_examples=100, deadline=None)
def test_nothing_is_lost_and_each_item_says_what_differs(rows, least):
    for row, found in zip(rows, compare_rows(rows, least), strict=True):
        items = found.items
        assert Counter(item.first for item in items if item.first) == Counter(row.ours.pairs)
        assert Counter(item.second for item in items if item.second) == Counter(row.theirs.pairs)
        for item in items:
            if item.first and item.second:
                assert s(item.first, item.second) >= least
                assert set(item.disputes) == {
                    name
                    for name, differs in (
                        ("cause", f1(item.first.cause, item.second.cause) < 1),
                        ("effect", f1(item.first.effect, item.second.effect) < 1),
                        ("causality", item.first.causality != item.second.causality),
                        ("sententiality", item.first.sententiality != item.second.sententiality),
                    )
                    if differs
                }
            else:
                assert item.disputes == (("verdict",) if item.is_verdict else ("unmatched",))


@given(DOUBLED)
@settings(max_examples=100, deadline=None)
def test_a_row_is_in_dispute_just_if_its_verdicts_or_pairs_differ(rows):
    for row, found in zip(rows, compare_rows(rows), strict=True):
        same = row.ours.is_causal == row.theirs.is_causal
        agreed = same and agree_by_definition(row.ours.pairs, row.theirs.pairs)
        if agreed and found.disputes:  # among equal S the labels do not steer the assignment
            assert set(found.disputes) <= {"causality", "sententiality"}
            spans = [(pair.cause.lower().split(), pair.effect.lower().split()) for pair in row.ours.pairs]
            assert any(
                (set(a[0]), set(a[1])) == (set(b[0]), set(b[1])) for place, a in enumerate(spans) for b in spans[:place]
            )
        else:
            assert agreed == (not found.disputes)
        assert bool(found.disputes) == (not same or any(item.disputes for item in found.items))
