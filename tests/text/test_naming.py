"""Names: letters, mirrored letters, draws, nouns, and what is refused."""

import string
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause import streams
from corr2cause.errors import NamingError, SizeError
from corr2cause.text.naming import check_names, letters, nouns, random_letters, random_words, reversed_alphabet
from tests.text.strategies import TEMPLATE_WORDS


def drawn(seed: int = 0, columns: int = 26) -> streams.Words:
    return streams.words(seed, "test", rows=range(1), columns=columns)[0]


def test_letters_follow_the_alphabet_and_then_are_numbered():
    assert letters(4) == ("A", "B", "C", "D")
    assert "".join(letters(26)) == string.ascii_uppercase
    assert letters(27)[:2] == ("X1", "X2")
    assert letters(27)[-1] == "X27"
    assert letters(0) == ()


def test_reversed_alphabet_mirrors_each_letter():
    assert reversed_alphabet(("A", "C", "B", "Z")) == ("Z", "X", "Y", "A")


@given(st.permutations(letters(26)))
def test_reversed_alphabet_is_its_own_inverse(names):
    assert reversed_alphabet(reversed_alphabet(tuple(names))) == tuple(names)


@pytest.mark.parametrize("name", ["a", "X1", "AB", "", "Ä", "fox"])
def test_reversed_alphabet_refuses_what_is_no_capital_letter(name):
    with pytest.raises(NamingError, match=repr(name)):
        reversed_alphabet(("A", name))


@pytest.mark.parametrize(("draw", "pool"), [(random_letters, letters(26)), (random_words, nouns())])
class TestDraws:
    """What holds for draws of letters and of nouns alike."""

    @given(seed=st.integers(), n=st.integers(0, 26))
    def test_names_are_distinct_and_usable(self, draw, pool, seed, n):
        names = draw(drawn(seed), n)
        assert len(names) == len(set(names)) == n
        assert set(names) <= set(pool)
        if n:
            check_names(names)

    def test_the_same_words_give_the_same_names_and_others_do_not(self, draw, pool):
        assert draw(drawn(0), 8) == draw(drawn(0), 8)
        assert draw(drawn(0), 8) != draw(drawn(1), 8)

    def test_more_variables_begin_with_the_same_names(self, draw, pool):
        assert draw(drawn(), 9)[:4] == draw(drawn(), 4)

    def test_refuses_more_than_there_are(self, draw, pool):
        with pytest.raises(SizeError) as caught:
            draw(drawn(columns=len(pool) + 1), len(pool) + 1)
        assert caught.value.most == len(pool)

    def test_exhausts_the_pool(self, draw, pool):
        assert sorted(draw(drawn(columns=len(pool)), len(pool))) == sorted(pool)


def test_draws_use_the_high_words_too():
    assert random_letters(np.full(2, 2**64 - 1, dtype=np.uint64), 2) != random_letters(np.zeros(2, np.uint64), 2)


def test_random_letters_are_uniform_in_every_place():
    """13,000 draws of 3: each letter 500 times in each place, standard deviation 22."""
    rows = streams.words(0, "uniform", rows=range(13_000), columns=3)
    for place in zip(*(random_letters(row, 3) for row in rows), strict=True):
        counts = Counter(place)
        assert len(counts) == 26
        assert all(380 < count < 620 for count in counts.values())


def test_nouns_are_many_plain_and_sorted():
    words = nouns()
    assert len(words) >= 400
    assert list(words) == sorted(set(words))
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 12 for word in words)


def test_no_noun_occurs_in_a_sentence_or_begins_another_noun():
    words = nouns()
    assert not set(words) & {word.lower() for word in TEMPLATE_WORDS}
    assert not [(a, b) for a, b in pairwise(words) if b.startswith(a)]


def test_no_noun_is_a_term_of_the_field():
    terms = (
        "arrow bias chain child class collider confounder edge effect factor fork graph instrument mediator model node"
    )
    terms += " parent path sample sibling spouse tree treatment trial variable"
    assert not set(nouns()) & set(terms.split())


GOOD = [
    *("A", "X1", "1", "_", "NA", "null", "None", "nan", "True", "Is", "AND", "However", "direct", "androgen", "island"),
    *("hours of sleep", "cause of death", "time for tea", "something else", "blood pressure (mmHg)", "without  one"),
    *("x/y", "a-b", "O'Neil", '"q"', "a: b", "x?", "{0}", "{first}", "%s", "\\1"),
    *("血圧", "ضغط الدم", "می\u200cخواهم", "naïve", "e\u0301", "💤"),
]


@pytest.mark.parametrize("name", GOOD)
def test_unambiguous_names_are_fine(name):
    check_names((name, "B"))


BAD = {
    "": "is empty",
    " A": "white space",
    "A ": "white space",
    "\u00a0A": "white space",
    "A,B": "','",
    "A, B": "','",
    "A.": r"'\.'",
    "X.1": r"'\.'",
    "A|B": r"'\|'",
    "A ⊥ B": "'⊥'",
    "A\nB": "a control character",
    "A\rB": "a control character",
    "A\tB": "a control character",
    "A\x00B": "a control character",
    "A\u2028B": "a line break",
    "A\u2029B": "a line break",
    "A\ud800": "half a character",
    "salt and pepper": "'and'",
    "and": "'and'",
    "rock and": "'and'",
    "A correlates with B": "'correlates'",
    "A is independent of B": "'is'",
    "independent": "'independent'",
    "A directly causes B": "'directly'",
    "a thing which causes": "'which'",
    "is": "'is'",
    "A influences B": "'influences'",
    "Some variable(s)": r"'variable\(s\)'",
}


@pytest.mark.parametrize(("name", "reason"), BAD.items())
def test_refused_names_are_named_with_the_reason(name, reason):
    with pytest.raises(NamingError, match=reason) as caught:
        check_names(("B", name))
    assert repr(name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_must_be_distinct_and_there():
    with pytest.raises(NamingError, match="'B' is given twice"):
        check_names(("A", "B", "C", "B"))
    with pytest.raises(NamingError, match="no variable names"):
        check_names(())
