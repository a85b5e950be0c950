"""Answers that list causes and effects, read whatever form the model gave them; nothing is lost without a word.

The rules, in this order: thinking and code fences are taken off; every JSON value in the text is tried, and the last
list of pairs counts; else complete pairs of a list that breaks off are kept; else the lines of the form
`Tuple 1: {Cause: …, Effect: …}` are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from corr2cause.spans.answer_text import said, whole_characters
from corr2cause.spans.rows import Pair
from corr2cause.spans.tuple_answers import canonical_label, read_tuples


class Status(StrEnum):
    """How an answer could be read. An empty list and no list score the same and are counted apart."""

    OK = "ok"
    OK_EMPTY = "ok_empty"
    SALVAGED = "salvaged"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says.

    Attributes:
        status: how it could be read.
        pairs: with both sides; labels as `Explicit`, `Implicit`, `Intra`, `Inter`, empty if unknown.
        reason: what was passed over, and why there are no pairs; empty if all went well.
    """

    status: Status
    pairs: tuple[Pair, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """A JSON value that lists pairs, or is one. `total` counts its entries, readable or not."""

    start: int
    pairs: tuple[Pair, ...]
    total: int
    is_list: bool


_DECODER = json.JSONDecoder()
_OPENING = re.compile(r'\{(?=\s*")|\[(?=\s*[\[\]{"\dtfn-])')  # what no JSON begins with is not worth a try
_NESTED = re.compile(r"(?:\[\s*)+(?=\[)")
_KEPT = 1 << 16
_LIST_OPENS = re.compile(r"\[\s*\Z")
_NOTHING = re.compile(
    r"\bno (?:causal )?(?:relation|relationship|pair|tuple)s?\b(?: (?:was|were|are|is|could be))?"
    r" ?(?:extracted|found|present|identified|detected)|\A\W*(?:none|n/a)\W*\Z",
    re.IGNORECASE,
)
_FIELDS = {
    "cause": "cause",
    "causespan": "cause",
    "effect": "effect",
    "effectspan": "effect",
    "causality": "causality",
    "causalitytype": "causality",
    "expressiontype": "causality",
    "type": "causality",
    "sententiality": "sententiality",
}


def read_pairs(text: str | None) -> Reading:
    """Read the pairs that an answer lists.

    Returns:
        The pairs, and how they were found. Any text is read; about linear in its length.

    >>> read_pairs('{"pairs": [{"cause": "smoking", "effect": "cancer"}, {"cause": "obes').status
    <Status.SALVAGED: 'salvaged'>
    """
    if not text or not text.strip():
        return Reading(Status.NULL, reason="there is no answer")
    answer = said(text)
    if not answer.strip():
        return Reading(Status.NULL, reason="it is all thinking, or fences without content")
    found = list(_values(answer))
    return _from_lists(found) or _from_objects(found, answer) or _from_tuples(answer) or _empty(found, answer)


def _from_lists(found: list[_Found]) -> Reading | None:
    lists = [one for one in found if one.is_list]
    last = next((one for one in reversed(lists) if one.pairs), None)
    if not last:
        return None
    others = sum(one is not last and bool(one.pairs) for one in found)
    notes = [_left_out(last.total - len(last.pairs)), f"{others} earlier lists or pairs passed over" if others else ""]
    return Reading(Status.OK, last.pairs, "; ".join(filter(None, notes)))


def _from_objects(found: list[_Found], answer: str) -> Reading | None:
    """Pairs that stand alone, or in a list that breaks off."""
    pairs = tuple(pair for one in found for pair in one.pairs)
    if not pairs:
        return None
    left_out = _left_out(sum(one.total for one in found) - len(pairs))
    breaks_off = any(_LIST_OPENS.search(answer[max(0, one.start - 20) : one.start]) for one in found)
    if not breaks_off:
        return Reading(Status.OK, pairs, left_out)
    return Reading(Status.SALVAGED, pairs, "; ".join(filter(None, ["the list is broken or breaks off", left_out])))


def _from_tuples(answer: str) -> Reading | None:
    pairs, n_broken = read_tuples(answer)
    if not pairs:
        return None
    status = Status.SALVAGED if n_broken else Status.OK
    return Reading(status, pairs, f"{n_broken} tuples break off or lack a side" if n_broken else "")


def _empty(found: list[_Found], answer: str) -> Reading:
    n_unreadable = sum(one.total for one in found)
    if n_unreadable:
        return Reading(Status.NULL, reason=f"none of its {n_unreadable} entries has both a cause and an effect")
    if any(one.is_list for one in found) or _NOTHING.search(answer):
        return Reading(Status.OK_EMPTY)
    return Reading(Status.NULL, reason="it holds neither JSON with pairs nor tuples")


def _left_out(number: int) -> str:
    return f"{number} entries without both sides left out" if number else ""


def _values(text: str) -> Iterator[_Found]:
    """Yield every JSON value that lists pairs or is one, from left to right, none inside another."""
    before = place = 0
    while opening := _OPENING.search(text, place):
        start = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except RecursionError:
            nested = _NESTED.match(text, start)
            place = nested.end() if nested else start + 1
        except ValueError:
            place = start + 1
        else:
            found = _found(value, before + start)
            yield from (found,) if found else ()
            place = end if found else start + 1
        if place > _KEPT:  # an error of the decoder counts the lines of all that stands before it
            text, before, place = text[place:], before + place, 0


def _found(value: Any, start: int) -> _Found | None:
    if isinstance(value, dict):
        listed = next((item for key, item in value.items() if key.strip().lower() == "pairs"), None)
        if not isinstance(listed, list):
            if not {"cause", "effect"} & {_FIELDS.get(_bare(key)) for key in value}:
                return None
            pair = _pair(value)
            return _Found(start, (pair,) if pair else (), 1, is_list=False)
    elif not value or any(isinstance(one, dict) for one in value):
        listed = value
    else:
        return None
    pairs = tuple(pair for pair in map(_pair, listed) if pair)
    return _Found(start, pairs, len(listed), is_list=True)


def _pair(value: Any) -> Pair | None:
    if not isinstance(value, dict):
        return None
    fields: dict[str, str] = {}
    for key, item in value.items():
        if name := _FIELDS.get(_bare(key)):
            fields.setdefault(name, _text(item))
    pair = Pair(
        fields.get("cause", "").strip(),
        fields.get("effect", "").strip(),
        canonical_label(fields.get("causality", "")),
        canonical_label(fields.get("sententiality", "")),
    )
    return pair if pair.is_whole else None


def _bare(key: str) -> str:
    return re.sub(r"[^a-z]", "", key.lower())


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, str):
        return whole_characters(value)
    return str(value) if isinstance(value, int | float) else ""
