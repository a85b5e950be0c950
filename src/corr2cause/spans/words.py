"""The words of a text, with their places."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def listed(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a text."""
    return frozenset(text.split())


STOP_WORDS = listed(
    "a an and any are as at be been being both by can did do does for from had has have in into is it its may more "
    "most no nor not of on or such than that the their them there these they this those to was were which while who "
    "with without"
)
"""Words that say nothing about what a span is about."""


class Word(NamedTuple):
    """A word: its form for comparison, and where it stands."""

    form: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Cut a text into words; hyphens cut, apostrophes do not. The form ignores case and a plural s.

    >>> words("Risk factors")
    [Word(form='risk', start=0, end=4), Word(form='factor', start=5, end=12)]
    """
    return [Word(_form(found[0]), *found.span()) for found in _WORD.finditer(text)]


def _form(word: str) -> str:
    form = word.casefold().replace("’", "'").removesuffix("'s")
    return form[:-1] if len(form) > 3 and form.endswith("s") and not form.endswith("ss") else form


def normalised(text: str) -> str:
    """Return a text without what does not matter when two are compared: case, white space, punctuation at the ends.

    >>> normalised('The  Liver.')
    'the liver'
    """
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'-()[]{}")
