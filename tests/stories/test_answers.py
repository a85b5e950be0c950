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
        f"Premise: {PREMISE} Hypothesis: {HYPOTHESIS} Relation between the promise and hypothesis: {RELATION}",
        f"Of course. **Premise:** {PREMISE} **Hypothesis:** {HYPOTHESIS} **Relation:** {RELATION}",
        f"### Premise\n{PREMISE}\n\n### Hypothesis\n{HYPOTHESIS}\n\n### Relation between the promise and hypothesis\n"
        f"{RELATION}",
        f"**Premise**\r\n{PREMISE}\r\n**Hypothesis**\r\n{HYPOTHESIS}\r\n**Relationship**\r\n{RELATION}",
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
        "The **sweets (A)** go along with **decay** (**B**), **films (C)** do not.",
        "* **A:** Sweets\n* **B:** Decay\n* **C:** Films",
        "It is about decay (B), where A denotes sweets and C denotes films.",
    ],
)
def test_every_way_to_bind_a_variable(premise):
    assert phrases(premise) == {"A": "sweets", "B": "decay", "C": "films"}


def test_a_phrase_is_what_all_mentions_of_a_variable_end_in():
    premise = (
        "In a city, doctors measured exercise (A), diet (B) and weight (C). Exercise (A) correlates with weight (C). "
        "Exercise (A) is independent of diet (B), and people whose diet (B) is good have a lower weight (C)."
    )
    assert phrases(premise, "Exercise (A) directly affects diet (B).") == {"A": "exercise", "B": "diet", "C": "weight"}
    assert phrases("Wine (A), red wine (B), tea (C).", "Wine (A) and red wine (B).")["B"] == "red wine"


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("Consider time spent with friends (A), supply and demand (B), and cars on the road (C).", None),
        ("There are three things: time spent with friends (A), supply and demand (B) and cars on the road (C).", None),
        ("Between time spent with friends (A) and supply and demand (B), or cars on the road (C), is no link.", None),
        (
            "Sun goes along with wind (A), which has an effect on rain (B) and, in turn, on hail (C).",
            ("wind", "rain", "hail"),
        ),
    ],
)
def test_all_of_an_item_of_a_list_is_a_phrase(premise, expected):
    expected = expected or ("time spent with friends", "supply and demand", "cars on the road")
    said = f"{expected[0]} changes {expected[1]}."
    assert tuple(phrases(premise, said).values()) == expected


def test_a_phrase_inside_another_word_is_not_spoken_of():
    premise = "Rain (A), floods (B) and wind (C)."
    assert phrases(premise, "The rains cause a flood, and floods.")
    for hypothesis in ("Training causes floods.", "Rainwear causes floods."):
        with pytest.raises(StoryError, match="does not speak of the variable A"):
            phrases(premise, hypothesis)


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
    for junk in (
        ". Premise" * 5_000,
        ": and " * 9_000,
        "a), " * 9_000,
        "(" * 20_000,
        "A (" * 5_000,
        "\n" * 50_000,
        "a " * 50_000,
        " (A" * 9_000,
        "(A) " * 5_000,
    ):
        with pytest.raises(StoryError):
            parse_written_story(answer(junk), NAMES, CLAIM)
