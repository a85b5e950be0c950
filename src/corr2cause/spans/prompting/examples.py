"""The examples that prompts show: our own sentences, made up, each with its relations and how one comes to them."""

from __future__ import annotations

from dataclasses import dataclass

from corr2cause.spans.rows import Pair, Row


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its answer.

    Attributes:
        row: the text and its pairs.
        reasoning: how one comes to them; empty where none is shown.
    """

    row: Row
    reasoning: str = ""


def _example(sentence: str, *pairs: Pair, reasoning: str = "") -> Example:
    return Example(Row("example", sentence, pairs, label=bool(pairs)), reasoning)


INDEPENDENT_EFFECTS = _example(
    "Severe dehydration leads to low blood pressure and kidney injury.",
    Pair("Severe dehydration", "low blood pressure", "Explicit", "Intra"),
    Pair("Severe dehydration", "kidney injury", "Explicit", "Intra"),
)
REPORTED_HEDGE = _example("Several authors propose that late meals might cause restless sleep.")
CHAIN = _example(
    "Long bed rest weakened the leg muscles. This weakness raised the risk of falls.",
    Pair("Long bed rest", "weakness of the leg muscles", "Implicit", "Intra"),
    Pair("weakness of the leg muscles", "the risk of falls", "Implicit", "Inter"),
)
JOINT_CAUSE = _example(
    "The combination of iron deficiency and chronic infection can cause severe anaemia.",
    Pair("The combination of iron deficiency and chronic infection", "severe anaemia", "Explicit", "Intra"),
)
FEW_SHOT = (INDEPENDENT_EFFECTS, REPORTED_HEDGE, CHAIN, JOINT_CAUSE)
"""One cause with two effects; a reported and hedged claim; a chain over two sentences; a joint cause."""

_PASSIVE = "Bone loss was slowed by daily exercise. Still, one group argues that it could disturb sleep."
_PASSIVE_PAIR = Pair("daily exercise", "slowed bone loss", "Implicit", "Intra")
WORKED_EXTRACTION = _example(
    _PASSIVE,
    _PASSIVE_PAIR,
    reasoning="""\
First sentence: the entities are "daily exercise" and "bone loss". It is stated as a fact. The voice is passive, so \
the cause is daily exercise. "Slowed" is none of the explicit markers, hence Implicit; one sentence, hence \
Intra-sentential.
Second sentence: "argues that it could" is a reported claim and a hedge, hence dropped.""",
)
WORKED_DETECTION = _example(
    _PASSIVE,
    _PASSIVE_PAIR,
    reasoning="""\
First sentence: stated as a fact, in the passive voice; daily exercise slowed bone loss. It counts.
Second sentence: "argues that it could" is a reported claim and a hedge. It does not count.
At least one relation is left.""",
)
"""A passive and implicit relation, and a second sentence that is rejected as reported and hedged."""

RELEASED_DETECTION = (
    _example(
        "Smoke from wildfires causes inflammation of the airways.",
        Pair("Smoke from wildfires", "inflammation of the airways", "Explicit", "Intra"),
        reasoning='"Causes" joins the smoke to the inflammation.',
    ),
    _example(
        "Patients were interviewed at home and again at the clinic.",
        reasoning="Two events are told, and neither brings the other about.",
    ),
    _example(
        "Constant noise at work led to hearing loss.",
        Pair("Constant noise at work", "hearing loss", "Explicit", "Intra"),
        reasoning='"Led to" names the noise as the cause of the loss.',
    ),
)
"""Yes, No, Yes, with the line of reasoning that the strategy cot-fewshot adds."""
