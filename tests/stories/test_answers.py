"""What a model wrote, cut into parts and bound to variables; what is refused, and why."""

from __future__ import annotations

import pytest

from corr2cause.text.facts import Hypothesis
from corr2cause.text.stories.answers import Fault, StoryError, parse_written_story
from corr2cause.text.wording import Claim

NAMES = ("A", "B", "C")
CLAIM = Hypothesis(Claim.DIRECT, "A", "B")

PREMISE = "Consider three things: eating sweets (A), tooth decay (B) and watching films (C)."
HYPOTHESIS = "Eating sweets directly affects tooth decay."
RELATION = "Nothing else explains it."


def answer(premise: str = PREMISE, hypothesis: str = HYPOTHESIS, relation: str = RELATION) -> str:
    return f"Premise: {premise}\nHypothesis: {hypothesis}\nRelation between the promise and hypothesis: {relation}\n"


def phrases(premise: str, hypothesis: str = "A causes B, that is sweets (A) and decay (B).") -> dict[str, str]:
    return dict(parse_written_story(answer(premise, hypothesis), NAMES, CLAIM).phrases)


def test_an_answer_is_cut_into_its_parts():
    story = parse_written_story(answer(), NAMES, CLAIM)
    assert (story.premise, story.hypothesis, story.explanation) == (PREMISE, HYPOTHESIS, RELATION)
    assert story.phrases == {"A": "eating sweets", "B": "tooth decay", "C": "watching films"}


@pytest.mark.parametrize(
    "text",
    [
        f"**Premise:** {PREMISE}\n\n**Hypothesis:** {HYPOTHESIS}\n\n"
        f"**Relation between the premise and hypothesis:** {RELATION}",
        f"Sure!\n\n# Premise:\n{PREMISE}\n## Hypothesis:\n{HYPOTHESIS}\n"
        f"### Relation between the Premise and the Hypothesis:\n{RELATION}",
        f'1. "Premise": {PREMISE}\n2. "Hypothesis": {HYPOTHESIS}\n'
        f'3. "Relation between the promise and hypothesis": {RELATION}',
    ],
)
def test_headings_may_be_dressed_up(text):
    story = parse_written_story(text, NAMES, CLAIM)
    assert (story.premise, story.hypothesis, story.explanation) == (PREMISE, HYPOTHESIS, RELATION)


@pytest.mark.parametrize(
    "premise",
    [
        "There is a link between sweets (A) and decay (B), and none between sweets (A) and films (C).",
        "A (sweets), B (decay) and C (the films).",
        "A: sweets\nB: decay\nC: films\nSweets go along with decay.",
        "- **A** = sweets\n- **B** = decay\n- **C** = films",
        "Let A be the sweets, B denote decay and C stand for films.",
        "Variable A represents sweets, variable B represents decay and variable C represents films.",
        'The "sweets" (A) influence the decay (B). More films (variable C) do not.',
    ],
)
def test_every_way_to_bind_a_variable(premise):
    assert phrases(premise) == {"A": "sweets", "B": "decay", "C": "films"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.PARTS),
        (answer().replace("Hypothesis:", "Guess:"), Fault.PARTS),
        (answer() + answer(), Fault.PARTS),
        (answer(relation=" "), Fault.PARTS),
        (answer(premise="** **"), Fault.PARTS),
        (f"Hypothesis: {HYPOTHESIS}\nPremise: {PREMISE}\nRelation between the premise and hypothesis: x", Fault.PARTS),
        (answer("Sweets go along with decay, films do not."), Fault.UNBOUND),
        (answer(PREMISE.replace(" (C)", "")), Fault.UNBOUND),
        (answer(f"{PREMISE} The sugar (A) is sweet."), Fault.SEVERAL),
        (answer(hypothesis="Eating fruit (A) affects tooth decay."), Fault.SEVERAL),
        (answer("There are sweets (A), sweets (B) and films (C)."), Fault.SHARED),
        (answer(hypothesis="Watching films directly affects tooth decay."), Fault.SILENT),
        (answer(hypothesis="It does."), Fault.SILENT),
    ],
)
def test_what_is_refused(text, fault):
    with pytest.raises(StoryError) as caught:
        parse_written_story(text, NAMES, CLAIM)
    assert caught.value.fault is fault


def test_names_of_several_letters():
    text = answer("Rain (X1) goes along with floods (X2).", "Rain causes floods.")
    story = parse_written_story(text, ("X1", "X2"), Hypothesis(Claim.DIRECT, "X2", "X1"))
    assert story.phrases == {"X1": "rain", "X2": "floods"}


def test_no_text_takes_long():
    for junk in ("(" * 20_000, "A (" * 5_000, "\n" * 50_000, "a " * 50_000, " (A" * 9_000, "(A) " * 5_000):
        with pytest.raises(StoryError):
            parse_written_story(answer(junk), NAMES, CLAIM)
