"""The prompts, against the published wording."""

from __future__ import annotations

import re

import pytest

from corr2cause.checking.answers import read_answer
from corr2cause.text.prompting import ANSWERS, Example, Style, method, reasoned, turns, zero_shot
from corr2cause.text.reasoning_wording import ENDING


def test_zero_shot_is_the_published_prompt() -> None:
    prompt = zero_shot("Suppose X. A correlates with B.", "A directly causes B.")
    assert prompt == (
        "Question: Suppose X. A correlates with B.\n"
        'Can we deduct the following: A directly causes B? Just answer "Yes" or "No."\n\nAnswer:'
    )


def test_braces_in_names_stay() -> None:
    assert "{A} directly causes B?" in zero_shot("{A} correlates with B.", "{A} directly causes B.")


def test_the_answer_of_a_label_stands_at_its_place() -> None:
    assert (ANSWERS[0], ANSWERS[1]) == ("No", "Yes")


def test_the_wording_of_reasons_asks_for_an_answer_that_is_read() -> None:
    prompt = reasoned("A correlates with B.", "A directly causes B.")
    assert prompt.startswith(zero_shot("A correlates with B.", "A directly causes B.").partition(" Just")[0])
    mark, yes, no = re.findall(r'"(\w+[:.])"', prompt)
    assert (f"{mark} {yes}", f"{mark} {no}") == (ENDING[1], ENDING[0]), "as worked steps end"
    assert [read_answer(f"1. So it is.\n{ending}").name for ending in (ENDING[1], ENDING[0])] == ["YES", "NO"]


@pytest.mark.parametrize("reading", ["direct", "path", "ancestral"])
def test_the_method_defines_all_four_claims(reading: str) -> None:
    lines = [line for line in method(reading).splitlines() if line.startswith('- "')]
    assert [line.partition('": ')[0][3:] for line in lines] == [
        "X directly causes Y",
        "X causes something else which causes Y",
        "There exists at least one collider (i.e., common effect) of X and Y",
        "There exists at least one confounder (i.e., common cause) of X and Y",
    ]


def test_examples_are_turns_before_the_question_and_the_method_stands_once_before_all() -> None:
    examples = [Example("P1.", "H1.", "1. Because.\nTherefore: Yes."), Example("P2.", "H2.", "Therefore: No.")]
    said = turns(Style.PC_STEPS, "P.", "H.", examples, "path")
    assert [role for role, _ in said] == ["user", "assistant", "user", "assistant", "user"]
    assert said[0][1] == f"{method('path')}\n\n{reasoned('P1.', 'H1.')}"
    assert [content for _, content in said[1:]] == [
        "1. Because.\nTherefore: Yes.",
        reasoned("P2.", "H2."),
        "Therefore: No.",
        reasoned("P.", "H."),
    ]
    assert turns(Style.CHAIN_OF_THOUGHT, "P.", "H.") == [("user", reasoned("P.", "H."))]
