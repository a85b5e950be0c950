"""How the released code reads answers, flaws included: to see what it loses, and to compare with its figures.

It cuts from the first brace to the last and wants one JSON object with `pairs`; thinking, a second object, a remark in
braces or a list that breaks off cost all pairs. Verdicts are sought as parts of words: "unknown" holds "no".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from corr2cause.spans.answer_text import whole_characters
from corr2cause.spans.extraction_answers import Status
from corr2cause.spans.names import DETECTION, EXTRACTION
from corr2cause.spans.prompting.forms import Reading
from corr2cause.spans.rows import Pair

_FIELDS = ("cause", "effect", "causality", "sententiality")
_MARK, _LETTERS_AFTER = "answer:", 10


def released_pairs(text: str | None) -> Reading:
    """Read pairs as the released code does; entries with which its evaluators crash are left out, and told.

    >>> released_pairs('{"pairs": []} {"pairs": []}').status
    <Status.NULL: 'null'>
    """
    said = text or ""
    start, end = said.find("{"), said.rfind("}")
    if start < 0 or end < start:
        return Reading(Status.NULL, (), "there are no braces")
    try:
        found = json.loads(said[start : end + 1])
    except (ValueError, RecursionError):
        return Reading(Status.NULL, (), "from the first brace to the last it is not JSON")
    listed = found.get("pairs") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        return Reading(Status.NULL, (), "it has no list of pairs")
    pairs = tuple(_pair(one) for one in listed if isinstance(one, dict))
    n_other = len(listed) - len(pairs)
    reason = f"{n_other} entries that are no objects left out" if n_other else ""
    return Reading(Status.OK if pairs else Status.OK_EMPTY, pairs, reason)


def _pair(entry: dict[str, Any]) -> Pair:
    return Pair(*(whole_characters(value) if isinstance(value := entry.get(name), str) else "" for name in _FIELDS))


def released_verdict(text: str | None) -> Reading:
    """Read a verdict as the released code does: anywhere in the text, else after "answer:", else in the last word.

    >>> [released_verdict(text).content for text in ("Yes, there is no doubt. Answer: yes", "It is unknown", "maybe")]
    [True, False, None]
    """
    said = (text or "").lower().strip()
    for part in (said, said.rpartition(_MARK)[2].strip()[:_LETTERS_AFTER] if _MARK in said else "", _last_word(said)):
        verdict = _one_of(part)
        if verdict is not None:
            return Reading(Status.OK, verdict)
    return Reading(Status.NULL, None, "it says neither yes nor no, or both" if said else "there is no answer")


def _one_of(text: str) -> bool | None:
    has_yes, has_no = "yes" in text, "no" in text
    return has_yes if has_yes != has_no else None


def _last_word(text: str) -> str:
    words = text.split()
    return words[-1] if words else ""


RELEASED_PARSERS: Mapping[str, Callable[[str | None], Reading]] = {
    EXTRACTION: released_pairs,
    DETECTION: released_verdict,
}
"""The parser of each task."""
