"""Abstracts -> sentences, by rules; no model, no download.

A general splitter such as pysbd reads about a hundred abstracts a second; building a corpus needs thousands. Abstracts
of biomedicine need few rules, and they are here: a full stop ends a sentence unless an abbreviation or an initial
stands before it or a small letter after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corr2cause.spans.words import listed

Stretch = tuple[int, int]
"""Where something stands in a text: its first character, and the one after its last."""

# marks with closing quotes and brackets, then white space; line breaks; or a full stop that lacks its space, as in
# "of stroke.However, it". All begin with one of four characters, which the search runs for
_CLOSING = r"""["'”’)\]]*+"""
_CANDIDATE = re.compile(
    rf"[.!?\n](?:(?<=\n)\s*+|(?<![.!?][.!?])[.!?]*+{_CLOSING}(?:[.!?]++{_CLOSING})?+\s++"
    r"|(?<=[a-z]{3}\.)(?=[A-Z][a-z]+[ ,]))"
)
_LONGEST_WORD = 40
_OPENING = "\"'“‘([ "

# a full stop after these never ends a sentence
_INNER = listed("e.g i.e vs cf ca viz approx fig figs eq eqs ref refs tab dr prof mr mrs ms st vol pp resp incl")
# after these it does where a capital letter follows, or a word that begins sentences if there are full stops inside
_MAYBE_LAST = listed("al etc spp sp ssp subsp var jr inc ltd co a.m p.m u.s u.k ph.d m.d")

# words that begin a sentence after "vitamin D." or "hepatitis B.", but no name after an initial
_OPENERS = listed(
    "a after all although an and as at because both but by common conclusion conclusions data despite due during each "
    "for four from furthermore given here however if in increasing interestingly it its many methods more moreover "
    "most no of on one only other our overall patients previous recent recently results several since some studies "
    "such that the their then there therefore these they this those three thus to two under until using we when "
    "whereas whether which while with"
)
# a sentence may begin with mRNA, pH, p53 or miR-21
_SMALL_BUT_FIRST = re.compile(r"[a-z]{1,4}-?[A-Z0-9]")


def sentence_stretches(text: str) -> list[Stretch]:
    """Find the sentences of a text; a line break always ends one.

    Returns:
        Where each stands, without the white space around it.  O(length of the text).

    >>> text = "Infection by P. gingivalis causes bone loss. It is treated (e.g. by scaling)."
    >>> [text[start:end] for start, end in sentence_stretches(text)]
    ['Infection by P. gingivalis causes bone loss.', 'It is treated (e.g. by scaling).']
    """
    return list(_stretches(text))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in _stretches(text)]


def _stretches(text: str) -> Iterator[Stretch]:
    start = len(text) - len(text.lstrip())
    for found in _CANDIDATE.finditer(text, start):
        begin, end = found.span()
        if end < len(text) and _ends_sentence(text, begin, end):
            yield start, start + len(text[start:end].rstrip())
            start = end
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _ends_sentence(text: str, begin: int, end: int) -> bool:
    """Whether the marks and white space from `begin` to `end` end a sentence."""
    found = text[begin:end]
    if "\n" in found:
        return True
    following = text[end : end + _LONGEST_WORD].lstrip(_OPENING)
    if following[:1].islower() and following[:1].isascii() and not _SMALL_BUT_FIRST.match(following):
        return False
    if found.rstrip() != ".":
        return True
    before = text[max(0, begin - _LONGEST_WORD) : begin].rsplit(None, 1)
    return _full_stop_ends(before[-1].lstrip(_OPENING) if before else "", following)


def _full_stop_ends(before: str, following: str) -> bool:
    """Whether a single full stop between two words ends a sentence."""
    is_acronym = len(before) > 1 and before.isupper() and "." not in before  # "CA." is no "ca."
    word = "" if is_acronym else before.casefold()
    if word in ("no", "nos"):
        return not following[:1].isdigit()
    if word in _INNER:
        return False
    if word in _MAYBE_LAST and "." not in word:
        return following[:1].isupper()
    if word in _MAYBE_LAST:
        return _opens(following)
    if len(before) == 1 and before.isalpha() and before.isupper():
        return _opens(following)
    return True


def _opens(following: str) -> bool:
    """Whether the next word is one that begins sentences, and no name."""
    return following.split(None, 1)[0].rstrip(",").casefold() in _OPENERS
