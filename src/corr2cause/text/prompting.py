"""Prompts that put one item to a language model, and the words that it should answer with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from corr2cause.text.prompt_wording import (
    DEFINITION,
    METHOD,
    QUESTION,
    RELATIONS,
    RULE,
    STORY,
    THINK,
    ZERO_SHOT,
)
from corr2cause.text.reasoning_wording import MEANING
from corr2cause.text.wording import HYPOTHESES, Claim, Wording

ANSWERS = ("No", "Yes")
"""The answer that each label calls for."""

_PAIR = {"first": "X", "second": "Y"}


class Style(StrEnum):
    """How an item is asked."""

    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    CHAIN_OF_THOUGHT = "chain-of-thought"
    PC_STEPS = "pc-steps"
    STORY = "story"  # a request to retell it, not a question

    @property
    def is_reasoned(self) -> bool:
        """Whether the model is to reason before it answers."""
        return self in (Style.CHAIN_OF_THOUGHT, Style.PC_STEPS)


WITHOUT_EXAMPLES = (Style.ZERO_SHOT, Style.CHAIN_OF_THOUGHT, Style.PC_STEPS)
"""The styles in which an item can be asked by itself."""


@dataclass(frozen=True, slots=True)
class Example:
    """An item that is shown with its answer.

    Attributes:
        premise: as in the data.
        hypothesis: as in the data.
        answer: what the model should have said: one of `ANSWERS`, or worked steps that end in the answer.
    """

    premise: str
    hypothesis: str
    answer: str


def zero_shot(premise: str, hypothesis: str) -> str:
    r"""Return the prompt of Jin et al. (2024) for autoregressive models, misspelling included.

    >>> zero_shot("A correlates with B.", "A directly causes B.").splitlines()[1]
    'Can we deduct the following: A directly causes B? Just answer "Yes" or "No."'
    """
    return _filled(ZERO_SHOT, premise, hypothesis)


def story_request(premise: str, hypothesis: str, label: int) -> str:
    r"""Return the prompt of Jin et al. (2024) that has an item told as a story, misspelling included.

    >>> story_request("A correlates with B.", "A directly causes B.", 0)[:78]
    'Here is a causal inference rule: Premise: A correlates with B. Hypothesis: A d'
    """
    return STORY.format(rule=RULE.format(premise=premise, hypothesis=hypothesis, relation=RELATIONS[label]))


def reasoned(premise: str, hypothesis: str) -> str:
    """Return the same question, but ask for reasoning and a last line that says yes or no."""
    return _filled(f"{QUESTION} {THINK}", premise, hypothesis)


@cache
def method(reading: str) -> str:
    """Teach the PC algorithm (Spirtes and Glymour 1991, with the rules of Meek 1995), and what hypotheses mean.

    Args:
        reading: the name of the reading that labels follow: direct, path or ancestral.
    """
    definitions = [
        DEFINITION.format(
            claim=HYPOTHESES[Wording.PLAIN][claim].format(**_PAIR).removesuffix("."),
            meaning=MEANING[claim][reading].format(**_PAIR),
        )
        for claim in Claim
    ]
    return METHOD.format(definitions="\n".join(definitions))


def question(style: Style, premise: str, hypothesis: str, reading: str = "direct") -> str:
    """Return what asks an item without examples, in one message.

    Args:
        style: one of `WITHOUT_EXAMPLES`.
        premise: as in the data.
        hypothesis: as in the data.
        reading: what pc-steps teaches.
    """
    ((_, content),) = turns(style, premise, hypothesis, reading=reading)
    return content


def turns(
    style: Style, premise: str, hypothesis: str, examples: Sequence[Example] = (), reading: str = "direct"
) -> list[tuple[str, str]]:
    """Return the conversation that asks an item: (role, content) for each turn.

    Examples come first, each a question of the user and an answer of the assistant; the method, if the style teaches
    it, stands before the first question. There is no system message, since some models allow none.

    >>> turns(Style.FEW_SHOT, "P.", "H.", [Example("Q.", "G.", "No")])[1]
    ('assistant', 'No')
    """
    ask = reasoned if style.is_reasoned else zero_shot
    said = [
        turn
        for example in examples
        for turn in (("user", ask(example.premise, example.hypothesis)), ("assistant", example.answer))
    ]
    said.append(("user", ask(premise, hypothesis)))
    if style is Style.PC_STEPS:
        said[0] = "user", f"{method(reading)}\n\n{said[0][1]}"
    return said


def _filled(template: str, premise: str, hypothesis: str) -> str:
    return template.format(premise=premise, claim=hypothesis.removesuffix("."))
