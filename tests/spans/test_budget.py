"""Prompts that do not fit are refused: nothing is ever cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import OptionError
from corr2cause.spans.names import EXTRACTION
from corr2cause.spans.prompting.budget import ESTIMATE, TokenCounter, check_lengths, estimated_tokens
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Row

KIND = PromptKind(EXTRACTION, "few-shot")
WORDS = TokenCounter("words", lambda text: len(text.split()))
FRAME = len(KIND.text("").split())


def rows(*lengths: int) -> list[Row]:
    return [Row(str(number), " ".join(["frost"] * length)) for number, length in enumerate(lengths, start=1)]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_estimate_by_definition(text):
    """A third of the ASCII characters, rounded up, and every byte of the others."""
    ascii_ = [one for one in text if ord(one) < 128]
    others = sum(len(one.encode()) for one in text if ord(one) >= 128)
    assert estimated_tokens(text) == (len(ascii_) + 2) // 3 + others


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one, other):
    joined = (one + other).encode(errors="replace").decode()
    assert estimated_tokens(joined) >= estimated_tokens(one.encode(errors="replace").decode())


def test_what_fits_to_the_last_token_passes():
    found = check_lengths(rows(3, 20, 5), KIND, WORDS, FRAME + 20)
    assert (found.longest, found.row, found.frame) == (FRAME + 20, "2", FRAME)
    assert check_lengths(rows(3, 20), KIND, WORDS, None).longest == FRAME + 20


def test_one_token_more_is_refused_and_the_row_named():
    with pytest.raises(OptionError) as error:
        check_lengths(rows(3, 21, 20, 22), KIND, WORDS, FRAME + 20)
    assert f"2 of 4 prompts are longer, that of row 4 has {FRAME + 22}" in str(error.value)
    assert "--tokenizer" not in str(error.value)


def test_a_strategy_that_leaves_no_room_for_any_text_is_named():
    with pytest.raises(OptionError, match=rf"a prompt \(extraction, few-shot, described\) has {FRAME:,} tokens before"):
        check_lengths(rows(1), KIND, WORDS, FRAME - 1)
    with pytest.raises(OptionError, match="--tokenizer counts exactly"):
        check_lengths(rows(1), KIND, ESTIMATE, 10)


def test_every_row_is_counted_once():
    seen = []
    check_lengths(rows(1, 2, 3), KIND, WORDS, None, seen.append)
    assert seen == [1, 1, 1]
