"""Sentences of abstracts: what ends one and what does not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.spans.sentences import sentence_stretches, sentences


@pytest.mark.parametrize(
    "expected",
    [
        ["One.", "Two."],
        ["Is it so?", "It is!", "Then go on."],
        ["It fell by 3.5 points (95% CI 1.2 to 4.4).", "We stopped."],
        ["Frost, e.g. of the ground, i.e. ice, vs. thaw, cf. Fig. 2 and ref. 5, harms."],
        ["P. gingivalis and E. coli grew in S. Typhimurium broth.", "They died."],
        ["As shown by Smith et al. (in print) it holds.", "So did Jones et al.", "The rest is known."],
        ["We gave vitamin D.", "The bones grew."],
        ["Patients had hepatitis B.", "We treated them with drug A. Smith disagreed."],
        ["The level rose.", "mRNA did not.", "p53 did.", "miR-21 fell.", "pH was low."],
        ["The level rose (see below.)", "It fell."],
        ['He said "stop."', "She went on."],
        ["Risk of stroke.", "However, it fell"],
        ["U.S. adults and patients of Dr. Who came at 5 p.m. daily."],
        ["We waited ... and waited."],
        ["It grew.", "(This was new.)"],
        ["No. 5 came vs. no. 6, approx. twice as often."],
        ["A text without an end"],
        ["It led to CA.", "Cancer grew."],
        ["The answer was no.", "Then No. 5 came."],
        ["The U.S. Navy and U.K. Sailors left the U.S.", "They returned."],
        ["35 were treated.", "12 were not."],
        ["α-Synuclein rose.", "β-Amyloid did not."],
    ],
    ids=lambda expected: expected[0][:20],
)
def test_sentences_of_a_text(expected):
    glue = {"Risk of stroke.": ""}.get(expected[0], " ")
    assert sentences(glue.join(expected)) == expected


def test_a_line_break_always_ends_a_sentence():
    assert sentences("BACKGROUND of it\n  and more.\n\nEnd") == ["BACKGROUND of it", "and more.", "End"]


@pytest.mark.parametrize("text", ["", " ", "\n", " \n\t "])
def test_nothing_has_no_sentences(text):
    assert sentences(text) == []


@pytest.mark.parametrize("unit", [".", "?!", ".'", ".)", "\n", " ", ". ", "a.", "aaa.A", ".\n", '"', "x "])
def test_no_text_takes_more_than_linear_time(unit):
    """Quadratic time would be minutes here."""
    text = unit * 200_000
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.text(st.sampled_from("aB .!?\n\"')(1é\u2003"), max_size=40))
def test_sentences_hold_all_that_is_not_white_space_once_and_in_order(text):
    stretches = sentence_stretches(text)
    assert "".join("".join(text[start:end].split()) for start, end in stretches) == "".join(text.split())
    for start, end in stretches:
        assert text[start:end] == text[start:end].strip() != ""
    assert all(one[1] <= other[0] for one, other in pairwise(stretches))
