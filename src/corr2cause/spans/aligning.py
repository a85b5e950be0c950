"""Where a span stands in its text, and how surely: many spans of real corpora are not verbatim."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from corr2cause.spans.sentences import Stretch
from corr2cause.spans.words import STOP_WORDS, words

LEAST_SCORE = 0.6
"""The least token F1 of a fuzzy place."""


class Status(StrEnum):
    """How a span was found, surest first."""

    EXACT = "exact"
    CASEFOLD = "casefold"
    FUZZY = "fuzzy"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where a span stands.

    Attributes:
        status: `exact` as it is written; `casefold` in other letter case or with other white space; `fuzzy` in other
            words or another order, as far as its best place reaches `LEAST_SCORE`; `none`.
        places: all places of the same certainty in the order of the text; just the best one if it is fuzzy.
        score: token F1 of the place, 1 if it is not fuzzy, 0 if there is none.
    """

    status: Status
    places: tuple[Stretch, ...] = ()
    score: float = 0.0

    @property
    def is_verbatim(self) -> bool:
        """Whether the span stands there word for word."""
        return self.status in (Status.EXACT, Status.CASEFOLD)


def align(span: str, text: str) -> Alignment:
    """Find a span in a text; whole words are preferred to parts of words.

    White space around the span does not count. A blank span is nowhere.  O(len(text)) if it is verbatim, else
    O(w^2) for the w words of the text that the span shares.

    >>> align("lung  Cancer", "Smoking causes lung cancer.")
    Alignment(status=<Status.CASEFOLD: 'casefold'>, places=((15, 26),), score=1.0)
    """
    span = span.strip()
    if not span:
        return Alignment(Status.NONE)
    if span in text:
        return Alignment(Status.EXACT, _places(re.escape(span), text, re.NOFLAG), 1.0)
    if places := places_ignoring_case(span, text):
        return Alignment(Status.CASEFOLD, places, 1.0)
    return _fuzzy(span, text)


def places_ignoring_case(span: str, text: str) -> tuple[Stretch, ...]:
    """Find all places of a span, in any letter case and with any white space; none of a blank one."""
    pattern = r"\s+".join(map(re.escape, span.split()))
    return _places(pattern, text, re.IGNORECASE) if pattern else ()


def _places(pattern: str, text: str, flags: re.RegexFlag) -> tuple[Stretch, ...]:
    found = [match.span() for match in re.finditer(pattern, text, flags)]
    return tuple([place for place in found if _is_whole(text, place)] or found)


def _is_whole(text: str, place: Stretch) -> bool:
    """Whether a place begins and ends between words."""
    start, end = place
    cuts_before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    cuts_after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not (cuts_before or cuts_after)


def _fuzzy(span: str, text: str) -> Alignment:
    """Find the stretch of words with the best token F1, the shortest and first of equals.

    It begins and ends with words of the span, and shares at least one that is about something.
    """
    wanted = Counter(word.form for word in words(span))
    shared = [(place, word) for place, word in enumerate(words(text)) if word.form in wanted]
    size = wanted.total()
    best, found = 0.0, (0, 0)
    for first, (begin, opening) in enumerate(shared):
        left, overlap, is_about = wanted.copy(), 0, False
        for end, word in shared[first:]:
            length = end - begin + 1
            if length > 2 * size + 1:
                break
            if left[word.form] > 0:
                left[word.form] -= 1
                overlap += 1
                is_about = is_about or word.form not in STOP_WORDS
            score = 2 * overlap / (size + length)
            shorter = score == best and word.end - opening.start < found[1] - found[0]
            if is_about and (score > best or shorter):
                best, found = score, (opening.start, word.end)
    return Alignment(Status.FUZZY, (found,), best) if best >= LEAST_SCORE else Alignment(Status.NONE)
