"""The forms of answers: what a prompt asks for, what a training target looks like, and what reads both, in one table.

A model that is trained to say "1" and read by a parser for "yes" finds nothing. So whoever makes prompts, targets or
predictions takes all three from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from corr2cause.spans.detection_answers import read_verdict
from corr2cause.spans.extraction_answers import Status, read_pairs
from corr2cause.spans.labels import CAUSALITY, SENTENTIALITY, repaired_label
from corr2cause.spans.names import DESCRIBED, DETECTION, EXTRACTION, RELEASED
from corr2cause.spans.prompting import wording
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.tuple_answers import AROUND

Content = tuple[Pair, ...] | bool | None
"""What an answer says: pairs; or whether there is a cause, None if it says neither."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer that was read.

    Attributes:
        status: `ok`, `ok_empty`, `salvaged` or `null`; a verdict is `ok` or `null`.
        content: what it says.
        reason: why it is not simply `ok`; empty if it is.
    """

    status: Status
    content: Content
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How a task is answered.

    Attributes:
        request: the part of a prompt that asks for this form.
        write: the answer that is true of a row.
        read: any answer.
        meant: what `read` has to find in the answer that is true of a row.
    """

    request: str
    write: Callable[[Row], str]
    read: Callable[[str | None], Reading]
    meant: Callable[[Row], Content]


def sound_pairs(row: Row) -> tuple[Pair, ...]:
    """Return the pairs of a row that have both sides, without outer white space, labels repaired or else empty."""
    return tuple(
        Pair(
            pair.cause.strip(),
            pair.effect.strip(),
            repaired_label(pair.causality, CAUSALITY) or "",
            repaired_label(pair.sententiality, SENTENTIALITY) or "",
        )
        for pair in row.pairs
        if pair.is_whole
    )


def _in_tuples(row: Row) -> tuple[Pair, ...]:
    """Return the sound pairs as a tuple can hold them: in one line, without quotes, commas and braces at the ends."""
    pairs = (replace(pair, cause=_bare(pair.cause), effect=_bare(pair.effect)) for pair in sound_pairs(row))
    return tuple(pair for pair in pairs if pair.is_whole)


def _bare(span: str) -> str:
    return " ".join(span.split()).strip(AROUND)


def _tuples(row: Row) -> str:
    pairs = _in_tuples(row)
    return "\n".join(f"Tuple {n}: {_tuple(pair)}" for n, pair in enumerate(pairs, start=1)) or wording.NO_PAIRS


def _tuple(pair: Pair) -> str:
    scope = pair.sententiality and f"{pair.sententiality}-sentential"
    fields = {
        "Cause": pair.cause,
        "Effect": pair.effect,
        "Causality_Type": pair.causality,
        "Sententiality": scope,
    }
    return f"{{{', '.join(f'{name}: {value}' for name, value in fields.items() if value)}}}"


def _json(row: Row) -> str:
    names = ("cause", "effect", "causality", "sententiality")
    return json.dumps(
        {"pairs": [{name: getattr(pair, name) for name in names} for pair in sound_pairs(row)]}, ensure_ascii=False
    )


def _pairs_of(text: str | None) -> Reading:
    found = read_pairs(text)
    return Reading(found.status, found.pairs, found.reason)


def _verdict_of(text: str | None) -> Reading:
    verdict = read_verdict(text)
    if verdict is not None:
        return Reading(Status.OK, verdict)
    return Reading(Status.NULL, None, "it says neither yes nor no" if text and text.strip() else "there is no answer")


def _is_causal(row: Row) -> bool:
    return row.is_causal


def _verdict_form(yes: str, no: str, request: str) -> AnswerForm:
    return AnswerForm(request, lambda row: yes if row.is_causal else no, _verdict_of, _is_causal)


FORMS: Mapping[tuple[str, str], AnswerForm] = {
    (EXTRACTION, DESCRIBED): AnswerForm(wording.TUPLES_REQUEST, _tuples, _pairs_of, _in_tuples),
    (EXTRACTION, RELEASED): AnswerForm(wording.JSON_REQUEST, _json, _pairs_of, sound_pairs),
    (DETECTION, DESCRIBED): _verdict_form("1", "0", wording.DIGIT_REQUEST),
    (DETECTION, RELEASED): _verdict_form("Yes", "No", wording.YES_NO_REQUEST),
}
"""The form of each task under each profile."""
