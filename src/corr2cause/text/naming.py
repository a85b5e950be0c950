"""Variable names: letters, their mirror image, random letters, nouns; and which names can be read back."""

from __future__ import annotations

import string
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from corr2cause.errors import NamingError, SizeError
from corr2cause.streams import Words
from corr2cause.text.wording import RESERVED_CHARACTERS, RESERVED_WORDS

_LETTERS = string.ascii_uppercase
_MIRROR = dict(zip(_LETTERS, reversed(_LETTERS), strict=True))
_UNWRITABLE = {
    "Cc": "a control character",
    "Zl": "a line break",
    "Zp": "a line break",
    "Cs": "half a character",
}


def letters(n: int) -> tuple[str, ...]:
    """Name n variables in alphabetical order, or X1, X2, … where the alphabet is too short.

    >>> letters(3)
    ('A', 'B', 'C')
    """
    return tuple(_LETTERS[:n]) if n <= len(_LETTERS) else tuple(f"X{i}" for i in range(1, n + 1))


def reversed_alphabet(names: tuple[str, ...]) -> tuple[str, ...]:
    """Exchange A and Z, B and Y, …: the published "variable refactorization". Its own inverse.

    Raises:
        NamingError: a name is not a single capital letter.

    >>> reversed_alphabet(("A", "B", "Y"))
    ('Z', 'Y', 'B')
    """
    for name in names:
        if name not in _MIRROR:
            raise NamingError(f"the variable name {name!r} has no mirror image in the alphabet; use letters A to Z")
    return tuple(_MIRROR[name] for name in names)


def random_letters(draw: Words, n: int) -> tuple[str, ...]:
    """Choose n distinct letters in random order.

    Args:
        draw: uint64[≥ n], one row of a stream.
        n: how many, at most 26.

    Raises:
        SizeError: n exceeds the alphabet.
    """
    return _sample(draw, tuple(_LETTERS), n)


def random_words(draw: Words, n: int) -> tuple[str, ...]:
    """Choose n distinct common nouns in random order, from the list in `words.txt`.

    Args:
        draw: uint64[≥ n], one row of a stream.
        n: how many, at most the length of the list.

    Raises:
        SizeError: n exceeds the list.
    """
    return _sample(draw, nouns(), n)


@cache
def nouns() -> tuple[str, ...]:
    """Read the list of nouns; none occurs in a template, and none is the beginning of another."""
    return tuple(files("corr2cause.text").joinpath("words.txt").read_text(encoding="utf-8").split())


@lru_cache(maxsize=4096)
def check_names(names: tuple[str, ...]) -> None:
    """Refuse names with which some sentence could not be read back, or not in one way only.

    A name is any text, several words too ("hours of sleep"), in any script. It holds no `RESERVED_CHARACTERS`,
    none of the `RESERVED_WORDS` as a whole word, no line break or other control character, and no white space at
    its ends.

    Raises:
        NamingError: which name, and why.
    """
    if not names:
        raise NamingError("there are no variable names; give at least one")
    for name in names:
        if problem := _problem(name):
            raise NamingError(f"the variable name {name!r} {problem}; choose another")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise NamingError(f"the variable name {twice!r} is given twice; names must be distinct")


def _problem(name: str) -> str | None:
    """Say what is wrong with one name."""
    if not name:
        return "is empty"
    if name != name.strip():
        return "begins or ends with white space"
    for character in name:
        if character in RESERVED_CHARACTERS:
            return f"holds {character!r}, which belongs to the sentences"
        if kind := _UNWRITABLE.get(unicodedata.category(character)):
            return f"holds {kind}"
    for word in name.split(" "):
        if word in RESERVED_WORDS:
            return f"holds the word {word!r}, by which sentences are recognised"
    return None


def _sample(draw: Words, pool: tuple[str, ...], n: int) -> tuple[str, ...]:
    """Draw n members without replacement: the first n steps of a Fisher-Yates shuffle."""
    if n > len(pool):
        raise SizeError(n, 1, len(pool))
    deck = list(pool)
    for i in range(n):
        j = i + int(draw[i]) % (len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck[:n])
