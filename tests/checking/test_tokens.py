"""Tokens against a tokeniser that goes character by character, and weighted counts against expanded rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.tokens import count_tokens, tokenise
from tests.checking import by_definition

TEXTS = st.text(alphabet="AB1_ .,()-⊥|>é\t\n'") | st.text(max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A directly causes B.", ["A", "directly", "causes", "B", "."]),
        ("colliders (i.e., X1_a)", ["colliders", "(", "i", ".", "e", ".", ",", "X1_a", ")"]),
        ("A ⊥ B | C, D", ["A", "⊥", "B", "|", "C", ",", "D"]),
        ("Über naïve\u00a0été", ["Über", "naïve", "été"]),
        (" \n\t", []),
        ("", []),
    ],
)
def test_tokens_are_words_and_single_marks(text: str, expected: list[str]) -> None:
    assert tokenise(text) == expected


@settings(deadline=None)
@given(TEXTS)
def test_tokenise_agrees_with_a_walk_over_characters(text: str) -> None:
    assert tokenise(text) == by_definition.tokens(text)


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 4)), max_size=6))
def test_weighted_counts_agree_with_texts_written_out(texts_and_uses: list[tuple[str, int]]) -> None:
    counted = count_tokens(text for text, _ in texts_and_uses)
    uses = np.array([n for _, n in texts_and_uses], dtype=np.int64)
    written_out = [token for text, n in texts_and_uses for _ in range(n) for token in by_definition.tokens(text)]
    assert len(counted) == len(texts_and_uses)
    assert counted.total(uses) == len(written_out)
    assert counted.vocabulary(uses) == set(written_out)
