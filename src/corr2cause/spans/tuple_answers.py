"""Answers in the form that the paper's prompts ask for: `Tuple 1: {Cause: …, Effect: …, Causality_Type: …, …}`."""

from __future__ import annotations

import re

from corr2cause.spans.rows import Pair

_KEY = re.compile(
    r"(?<![A-Za-z_])(?P<key>cause|effect|causality[_ ]?type|causality|type|sententiality)[\"'*]*\s*[:=]",
    re.IGNORECASE,
)
_VALUE_ENDS = re.compile(r"\}|\n\s*\n|\n\s*(?:[-*\d]+[.)]?\s|tuple\b)", re.IGNORECASE)
_OPENED, _NEAR = re.compile(r"\{[\s\"'*]*\Z"), 40
AROUND = " \t\r\n,;*\"'`{}"
"""What a value of a tuple does not begin or end with."""

_LABELS = (
    ("Explicit", re.compile(r"\W*explicit|.*\bM\s*=\s*1\b", re.IGNORECASE | re.DOTALL)),
    ("Implicit", re.compile(r"\W*implicit|.*\bM\s*=\s*0\b", re.IGNORECASE | re.DOTALL)),
    ("Intra", re.compile(r"\W*intra|.*\bB\s*=\s*0\b", re.IGNORECASE | re.DOTALL)),
    ("Inter", re.compile(r"\W*inter|.*\bB\s*=\s*1\b", re.IGNORECASE | re.DOTALL)),
)


def canonical_label(text: str) -> str:
    """Map a label to `Explicit`, `Implicit`, `Intra` or `Inter`; empty if it is none of them.

    M=1 marks a marker, B=1 a sentence boundary between the spans, as in the prompts.

    >>> canonical_label("intra-sentential"), canonical_label("M=0"), canonical_label("unsure")
    ('Intra', 'Implicit', '')
    """
    return next((label for label, pattern in _LABELS if pattern.match(text)), "")


def read_tuples(text: str) -> tuple[tuple[Pair, ...], int]:
    """Read every tuple: it begins with a cause, its other fields stand in any order.

    Returns:
        The tuples with both sides, and how many others there are: broken off, or without a side.
    """
    keys = list(_KEY.finditer(text))
    ends = [*(key.start() for key in keys[1:]), len(text)]
    pairs: list[Pair] = []
    n_broken, is_opened = 0, False
    fields: dict[str, str] = {}
    for key, end in zip(keys, ends, strict=False):
        name = _name(key["key"])
        if name == "cause":
            n_broken += _close(fields, pairs)
            fields, is_opened = {}, bool(_OPENED.search(text, max(0, key.start() - _NEAR), key.start()))
        elif not fields:
            continue  # a key before any cause
        value, is_ended = _value(text[key.end() : end])
        breaks_off = is_opened and not is_ended and end == len(text)
        n_broken += breaks_off and name not in ("cause", "effect")
        fields.setdefault(name, "" if breaks_off else value)
    n_broken += _close(fields, pairs)
    return tuple(pairs), n_broken


def _close(fields: dict[str, str], pairs: list[Pair]) -> bool:
    """Keep a tuple that has both sides; say whether one was there that has not."""
    if not fields:
        return False
    labels = (canonical_label(fields.get(name, "")) for name in ("causality", "sententiality"))
    pair = Pair(fields.get("cause", ""), fields.get("effect", ""), *labels)
    if pair.is_whole:
        pairs.append(pair)
    return not pair.is_whole


def _name(key: str) -> str:
    key = key.lower()
    return key if key in ("cause", "effect", "sententiality") else "causality"


def _value(text: str) -> tuple[str, bool]:
    """Return a value, and whether something ends it."""
    ending = _VALUE_ENDS.search(text)
    return (text[: ending.start()] if ending else text).strip(AROUND), bool(ending)
