"""Shared texts: exact, normalised, near; the index finds just what comparing everything with everything does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import OptionError
from corr2cause.spans.leakage import Twin, _shingles, shared_ids, twins
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.splitting import detection_split, extraction_split
from corr2cause.spans.words import normalised
from tests.spans.strategies import PASSAGES

LONG = "Long frost causes deep cracks in the roads of every town and so the towns repair them"


def rows(*texts: str) -> list[Row]:
    return [Row(str(k), text) for k, text in enumerate(texts)]


def test_each_kind():
    found = list(twins([rows(LONG, "Salt melts ice"), rows(f"{LONG.upper()}.", LONG, f"{LONG} soon", "Birds sing")]))
    assert found[0] == Twin((0, 0), (1, 0), "normalised", 1.0)
    assert found[1] == Twin((0, 0), (1, 1), "exact", 1.0)
    assert [(one.first, one.second, one.kind) for one in found[2:]] == [
        ((1, 0), (1, 1), "normalised"),
        ((0, 0), (1, 2), "near"),
        ((1, 0), (1, 2), "near"),
    ]
    assert found[3].similarity == 15 / 16  # 15 shingles of 17 words, and one more


def test_the_very_same_copy_is_told_rather_than_another():
    found = list(twins([rows("Frost came.", "frost came", "FROST CAME"), rows("frost came")]))
    assert [(one.first, one.kind) for one in found if one.second == (1, 0)] == [((0, 1), "exact")]


def similarity(one: str, other: str) -> float:
    a, b = _shingles(one), _shingles(other)
    return len(a & b) / len(a | b)


@given(st.lists(PASSAGES, max_size=8), st.lists(PASSAGES, max_size=8), st.sampled_from([0.2, 0.5, 0.6, 0.8, 1.0]))
def test_the_index_misses_nothing(one, other, threshold):
    """Against comparing everything with everything; copies in one file stand for each other."""
    texts = {(file, k): text for file, group in enumerate((one, other)) for k, text in enumerate(group)}
    found = {(twin.first, twin.second): twin for twin in twins([rows(*one), rows(*other)], threshold)}
    firsts: dict[tuple[int, str], tuple[int, int]] = {}
    for place, text in texts.items():
        firsts.setdefault((place[0], normalised(text)), place)
    is_first = set(firsts.values())
    expected = {
        (first, second)
        for first in is_first
        for second in is_first
        if first < second
        and normalised(texts[first]) != normalised(texts[second])
        and similarity(texts[first], texts[second]) >= threshold
    }
    assert {places for places, twin in found.items() if twin.kind == "near"} == expected
    for places, twin in found.items():
        first, second = (texts[place] for place in places)
        assert (twin.kind == "exact") == (first == second)
        assert (twin.kind == "normalised") == (first != second and normalised(first) == normalised(second))
        assert twin.similarity == pytest.approx(1 if twin.kind != "near" else similarity(first, second))
    for place, text in texts.items():  # every later copy is told, with the very same text if there is one
        before = [other for other in texts if other < place and normalised(texts[other]) == normalised(text)]
        told = [twin for twin in found.values() if twin.second == place and twin.kind != "near"]
        assert len(told) == len({other[0] for other in before})
        assert any(twin.kind == "exact" for twin in told) == any(texts[other] == text for other in before)


def test_many_copies_do_not_give_a_pair_for_each_two():
    assert len(list(twins([rows(*["The same text"] * 3000)]))) == 2999


def test_extraction_mixes_the_detection_split_anew():
    """Flaw 19: rows that a detector was trained on are in the test part of extraction; the report shows them."""
    corpus = [
        Row(str(k), f"Frost number {k} causes cracks of kind {k * 7}", (Pair("Frost", "cracks"),) * (1 + k % 2))
        for k in range(40)
    ]
    trained = detection_split(corpus)["train"]
    tested = extraction_split(corpus, "released")["combined_test"]
    leaked = {twin.second[1] for twin in twins([trained, tested], 1.0) if twin.first[0] == 0 and twin.second[0] == 1}
    assert {tested[place].id for place in leaked} == shared_ids(trained, tested) != set()


@pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(OptionError, match="--threshold"):
        list(twins([rows("a")], threshold))
