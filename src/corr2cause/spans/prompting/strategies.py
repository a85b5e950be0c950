"""What each strategy adds to a prompt, for both tasks and both profiles: one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from corr2cause.spans.names import DESCRIBED, DETECTION, EXTRACTION, RELEASED
from corr2cause.spans.prompting import examples, wording
from corr2cause.spans.prompting.examples import Example


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a task is put.

    Attributes:
        blocks: role, definition, axes; none in most of the released prompts for detection.
        instructions: how to go about it; empty if nothing is said.
        examples: shown before the text.
        cue: the last line, which the answer follows.
    """

    blocks: tuple[str, ...]
    instructions: str = ""
    examples: tuple[Example, ...] = ()
    cue: str = wording.OUTPUT


def _plain(shown: tuple[Example, ...]) -> tuple[Example, ...]:
    return tuple(replace(example, reasoning="") for example in shown)


_EXTRACTION = (wording.EXTRACTION_ROLE, wording.DEFINITION, wording.AXES)
_DETECTION = (wording.DETECTION_ROLE, wording.DEFINITION)

_EXTRACTION_STRATEGIES = {
    "zero-shot": Strategy(_EXTRACTION),
    "few-shot": Strategy(_EXTRACTION, examples=examples.FEW_SHOT),
    "cot": Strategy(_EXTRACTION, wording.EXTRACTION_COT, cue=wording.REASONING_AND_OUTPUT),
    "cot-fewshot": Strategy(_EXTRACTION, examples=(examples.WORKED_EXTRACTION,), cue=wording.REASONING),
    "least-to-most": Strategy(_EXTRACTION, wording.EXTRACTION_LEAST_TO_MOST),
    "react": Strategy(_EXTRACTION, wording.EXTRACTION_REACT),
}

TABLE: Mapping[tuple[str, str], Mapping[str, Strategy]] = {
    (EXTRACTION, DESCRIBED): _EXTRACTION_STRATEGIES,
    (EXTRACTION, RELEASED): _EXTRACTION_STRATEGIES,
    (DETECTION, DESCRIBED): {
        "zero-shot": Strategy(_DETECTION),
        "few-shot": Strategy(_DETECTION, examples=examples.FEW_SHOT[:3]),
        "cot": Strategy(_DETECTION, wording.DETECTION_COT, cue=wording.REASONING_AND_OUTPUT),
        "cot-fewshot": Strategy(_DETECTION, examples=(examples.WORKED_DETECTION,), cue=wording.REASONING),
        "least-to-most": Strategy(_DETECTION, wording.DETECTION_LEAST_TO_MOST),
        "react": Strategy(_DETECTION, wording.DETECTION_REACT),
    },
    (DETECTION, RELEASED): {
        "zero-shot": Strategy(()),
        "few-shot": Strategy((), examples=_plain(examples.RELEASED_DETECTION)),
        "cot": Strategy((), wording.RELEASED_COT, cue=wording.REASONING_AND_OUTPUT),
        "cot-fewshot": Strategy((), examples=examples.RELEASED_DETECTION, cue=wording.REASONING),
        "least-to-most": Strategy((wording.DEFINITION,), wording.DETECTION_LEAST_TO_MOST),
        "react": Strategy((), wording.DETECTION_REACT),
    },
}
"""The strategies of each task under each profile, by name."""
