"""Spans in their texts: status, places, and the best fuzzy place by brute force."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.spans.aligning import LEAST_SCORE, Alignment, Status, align
from corr2cause.spans.words import STOP_WORDS, words
from tests.spans.strategies import PASSAGES, SPANS

TEXT = "Long frost causes cracks in the road. Frost is common on the roads"


@pytest.mark.parametrize(
    ("span", "status", "found"),
    [
        ("Long frost", "exact", ["Long frost"]),
        ("  cracks in the road ", "exact", ["cracks in the road"]),
        ("frost", "exact", ["frost"]),
        ("the road", "exact", ["the road"]),  # whole words are preferred to a part of "the roads"
        ("oad", "exact", ["oad", "oad"]),  # parts of words, if there is nothing better
        ("long  FROST", "casefold", ["Long frost"]),
        ("cracks in the roads", "fuzzy", ["cracks in the road"]),
        ("severe cracks in the road", "fuzzy", ["cracks in the road"]),
        ("frost of long", "fuzzy", ["Long frost"]),
        ("salt on the bridge", "none", []),
        ("in the", "exact", ["in the"]),
        ("of the", "none", []),  # shared words that are about nothing are no place
        ("", "none", []),
        ("...", "none", []),
    ],
)
def test_where_a_span_stands(span, status, found):
    alignment = align(span, TEXT)
    assert alignment.status == status
    assert [TEXT[slice(*place)] for place in alignment.places] == found


def test_a_span_that_is_not_verbatim_still_gets_offsets():
    """Flaw 16: an aligner with a status exact, casefold, fuzzy or none."""
    alignment = align("decreased road safety", "Ice decreased the safety of the road")
    assert alignment == Alignment(Status.FUZZY, ((4, 24),), 2 * 2 / (3 + 3))


@given(PASSAGES, st.data())
def test_every_part_of_a_text_is_found_there(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = text[start:end]
    alignment = align(span, text)
    if span.strip():
        assert alignment.status == "exact"
        assert all(text[slice(*place)] == span.strip() for place in alignment.places)
    other = align(span.swapcase(), text)
    assert other.is_verbatim or not span.strip()


def best_score(span: str, text: str) -> float:
    """Score every stretch of words by definition; 0 if the best reaches no threshold."""
    wanted, forms, best = Counter(w.form for w in words(span)), [w.form for w in words(text)], 0.0
    for start in range(len(forms)):
        for end in range(start + 1, len(forms) + 1):
            common = wanted & Counter(forms[start:end])
            if set(common) - STOP_WORDS:
                best = max(best, 2 * common.total() / (wanted.total() + end - start))
    return best if best >= LEAST_SCORE else 0.0


@given(SPANS, PASSAGES)
def test_the_fuzzy_place_is_the_best_of_all(span, text):
    alignment = align(span, text)
    if not alignment.is_verbatim:
        assert alignment.score == best_score(span, text)
        assert (alignment.status == "none") == (alignment.score == 0) == (alignment.places == ())
        for start, end in alignment.places:
            found = Counter(w.form for w in words(text[start:end]))
            wanted = Counter(w.form for w in words(span))
            assert 2 * (found & wanted).total() / (found.total() + wanted.total()) == alignment.score
