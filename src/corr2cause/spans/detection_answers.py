"""Answers to "does this text state a cause?", read as yes, no, or neither."""

from __future__ import annotations

import re
from typing import Any

from corr2cause.spans.answer_text import said

_DECORATION = re.compile(r"\\text\b|[*_`\"'“”‘’#()\[\]{}$\\<>|~]")
_GAP = re.compile(r"[^\S\n]+")
_HANDED_IN = re.compile(r"\\boxed\b|</?answer>")

_MARKER = r"\b(?:answer|verdict|output|conclusion|label|prediction|classification)\b(?:\s*[:=]|\s+(?:is|was)\b)[\s:=-]*"
_ANSWER = r"(?P<answer>yes|no|1|0)(?:\.0+)?(?![\w-]|\.\d)"
_OFFERED = r"(?!\s+or\b|\s*/)"
_FINAL = re.compile(rf"{_MARKER}{_ANSWER}{_OFFERED}")

_COUNTED = r"(?:step|example|sentence|thought|action|observation|tuple|instance|item|rule|axis|line|row|pair|not|m|b)"
_BEFORE = rf"(?<![\w.,=-])(?<!\bor )(?<!/)(?!{_COUNTED}\b)"
_LIST_NUMBER = re.compile(r"^[^\S\n]*[01][.):]\s+(?=\S)", re.MULTILINE)
_COUNTER = re.compile(rf"\b{_COUNTED}\s*[=:#]?\s*(?:yes|no|[01])\b")
_DETERMINER = re.compile(
    r"\bno\s+(?!(?:because|since|as|it|this|that|the|there|we|i|but|and)\b)"
    r"(?!(?:\w+ )?(?:causal|causality|causation)\b)(?=[a-z])"
)
_STANDALONE = re.compile(rf"{_BEFORE}{_ANSWER}{_OFFERED}")


def read_verdict(text: str | None) -> bool | None:
    """Read what an answer says.

    First a final answer counts, the last if there are some: yes, no, 1 or 0 right after "answer:", "verdict is",
    "output:" and the like, unless both are offered. Else the last of these tokens that stands alone: the "no" of "no
    doubt" (but not of "no causal relation"), the numbers of a list and those of "step 1" or "M=1" are none, and
    "Unknown" holds none.

    Returns:
        Whether it is yes; None if it says neither.  Linear in the length of the text.

    >>> read_verdict("Yes, because there is no doubt."), read_verdict("Unknown"), read_verdict("1. Scan. Output: 0")
    (True, None, False)
    """
    plain = _DECORATION.sub(" ", _HANDED_IN.sub(" answer: ", said(text or "").lower()))
    plain = _GAP.sub(" ", plain)
    found = [match["answer"] for match in _FINAL.finditer(plain)]
    if not found:
        for other in (_LIST_NUMBER, _COUNTER, _DETERMINER):
            plain = other.sub(" … ", plain)
        found = [match["answer"] for match in _STANDALONE.finditer(plain)]
    return found[-1] in ("yes", "1") if found else None


def released_verdict(answer: Any) -> bool:
    """Read an answer as the released evaluator does: yes if "yes" stands anywhere in it, else no.

    >>> released_verdict("Eyes only"), released_verdict("Unknown")
    (True, False)
    """
    return "yes" in answer.lower() if isinstance(answer, str) else answer in (1, True)


def verdict_of(answer: Any) -> bool | None:
    """Read a value of a file: a text, 0 or 1, true or false; None if it says neither."""
    if isinstance(answer, str):
        return read_verdict(answer)
    return bool(answer) if isinstance(answer, bool | int | float) and answer in (0, 1) else None
