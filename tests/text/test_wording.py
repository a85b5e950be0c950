"""The tables are such that a sentence can be cut in one place only."""

import re
from itertools import product

import pytest

from corr2cause.text.wording import (
    HYPOTHESES,
    LISTINGS,
    RESERVED_CHARACTERS,
    RESERVED_WORDS,
    Claim,
    Notation,
    Wording,
)
from tests.text.strategies import HYPOTHESIS_TEMPLATES, STATEMENT_TEMPLATES, TEMPLATE_WORDS

GAPS = [
    (template, gap)
    for template in (*STATEMENT_TEMPLATES, *HYPOTHESIS_TEMPLATES)
    for gap in re.split(r"\{\w+\}", template)[1:-1]
]


@pytest.mark.parametrize(("template", "gap"), GAPS)
def test_every_gap_between_two_names_holds_something_that_no_name_can_hold(template, gap):
    words = re.sub(r"\{\w+\}", " ", template).split()
    reserved = [word for word in gap.split() if word in RESERVED_WORDS and words.count(word) == 1]
    characters = [character for character in gap if character in RESERVED_CHARACTERS]
    assert reserved or characters
    assert gap.startswith(" ")
    assert gap.endswith(" ")


def test_every_reserved_word_is_needed():
    """A name with the word lets one sentence mean two things."""
    ambiguous = set()
    for template, gap in GAPS:
        if "{given}" not in template and template.format(first=f"x{gap}y", second="z") == template.format(
            first="x", second=f"y{gap}z"
        ):
            ambiguous |= RESERVED_WORDS.intersection(gap.split())
    said = HYPOTHESES[Wording.PARAPHRASE]
    collider = said[Claim.COLLIDER].format(first="Some variable(s) cause(s) both x", second="y")
    confounder = said[Claim.CONFOUNDER].format(first="x", second="y together cause some other variable(s)")
    assert collider == confounder
    assert ambiguous | {"variable(s)"} == RESERVED_WORDS


def test_no_sentence_stands_twice_in_the_tables():
    templates = [*STATEMENT_TEMPLATES, *HYPOTHESIS_TEMPLATES, *LISTINGS.values()]
    assert len(set(templates)) == len(templates)


def test_plain_and_paraphrase_say_every_claim():
    for wording, claim in product((Wording.PLAIN, Wording.PARAPHRASE), Claim):
        assert claim in HYPOTHESES[wording]


def test_values_are_words_for_options_and_columns():
    assert [*Claim] == ["direct", "indirect", "collider", "confounder"]
    assert [*Wording] == ["plain", "alternative", "paraphrase"]
    assert [*Notation] == ["prose", "symbols"]


def test_reserved_words_come_from_the_templates():
    assert set(TEMPLATE_WORDS) >= RESERVED_WORDS
