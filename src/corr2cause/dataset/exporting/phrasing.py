"""How rows are put to a model, and what it is to say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from corr2cause.graphs.terms import Reading
from corr2cause.text.prompting import Style


class Completion(StrEnum):
    """What a model is taught to say."""

    ANSWER = "answer"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How rows are asked and answered.

    Attributes:
        style: of the question; it has no examples.
        completion: the answer alone, or worked steps that end in it.
        reading: that of the labels, which pc-steps teaches and worked steps follow.
    """

    style: Style = Style.ZERO_SHOT
    completion: Completion = Completion.ANSWER
    reading: Reading = Reading.DIRECT
