"""What every kind of premise is read with: statements, lists of names, and the places of names among the variables."""

from __future__ import annotations

from functools import lru_cache

from corr2cause.errors import NamingError, ParseError
from corr2cause.text.naming import check_names
from corr2cause.text.templates import Template, read
from corr2cause.text.wording import COMMA, STATEMENTS, Notation

Statement = tuple[int, int, tuple[int, ...]]
"""Positions of the first variable, the second, and those given."""


def read_statements(
    sentences: list[str], templates: tuple[Template[tuple[Notation, bool]], ...], names: tuple[str, ...]
) -> list[Statement]:
    """Read statements as (first, second, given), in their order; refuse to read one twice."""
    statements: dict[Statement, str] = {}
    for sentence in sentences:
        statement = _statement(sentence, templates, names)
        if statement in statements:
            raise ParseError(sentence, f"this was stated before, in {statements[statement]!r}")
        statements[statement] = sentence
    return list(statements)


@lru_cache(maxsize=16_384)  # thousands of premises over the same names repeat few sentences
def _statement(
    sentence: str, templates: tuple[Template[tuple[Notation, bool]], ...], names: tuple[str, ...]
) -> Statement:
    (notation, _), found = read(sentence, templates)
    given = enumerated(found["given"], STATEMENTS[notation].conjunction) if "given" in found else ()
    places = positions((found["first"], found["second"], *given), names, sentence)
    first, second = sorted(places[:2])
    return first, second, tuple(sorted(places[2:]))


def enumerated(listed: str, conjunction: str) -> tuple[str, ...]:
    """Cut "A, B and C" into its members."""
    head, found, last = listed.rpartition(conjunction)
    return (*head.split(COMMA), last) if found else (last,)


def positions(mentioned: tuple[str, ...], names: tuple[str, ...], sentence: str) -> list[int]:
    """Look up the variables of one sentence, which must be known and distinct."""
    try:
        places = [names.index(name) for name in mentioned]
    except ValueError:
        unknown = next(name for name in mentioned if name not in names)
        raise ParseError(sentence, f"{unknown!r} is not one of the variables {', '.join(names)}") from None
    if len(set(places)) < len(places):
        twice = next(name for name in mentioned if mentioned.count(name) > 1)
        raise ParseError(sentence, f"the variable {twice!r} occurs twice in one sentence")
    return places


def check_readable(names: tuple[str, ...], sentence: str) -> None:
    """Refuse names that verbalisation would refuse."""
    try:
        check_names(names)
    except NamingError as error:
        raise ParseError(sentence, error.problem) from error


def check_variables(names: tuple[str, ...], n: str, opening: str) -> None:
    """Refuse what an opening says if its names cannot be read back or their number is wrong."""
    check_readable(names, opening)
    check_number(names, n, opening)


def check_number(names: tuple[str, ...], n: str, sentence: str) -> None:
    """Refuse a sentence that gives another number of variables than there are names."""
    if n != str(len(names)):
        raise ParseError(sentence, f"{len(names)} variables are named, not {n}")
