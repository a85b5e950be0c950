"""What every kind of premise is read with: statements, lists of names, and the places of names among the variables."""

from __future__ import annotations

from corr2cause.errors import NamingError, ParseError
from corr2cause.text.naming import check_names
from corr2cause.text.templates import Template, read
from corr2cause.text.wording import COMMA, STATEMENTS, Notation


def read_statements(
    sentences: list[str], templates: tuple[Template[tuple[Notation, bool]], ...], names: tuple[str, ...]
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Read statements as (first, second, given), in their order; refuse to read one twice."""
    statements: dict[tuple[int, int, tuple[int, ...]], str] = {}
    for sentence in sentences:
        (notation, _), found = read(sentence, templates)
        given = enumerated(found["given"], STATEMENTS[notation].conjunction) if "given" in found else ()
        places = positions((found["first"], found["second"], *given), names, sentence)
        first, second = sorted(places[:2])
        statement = first, second, tuple(sorted(places[2:]))
        if statement in statements:
            raise ParseError(sentence, f"this was stated before, in {statements[statement]!r}")
        statements[statement] = sentence
    return list(statements)


def enumerated(listed: str, conjunction: str) -> tuple[str, ...]:
    """Cut "A, B and C" into its members."""
    head, found, last = listed.rpartition(conjunction)
    return (*head.split(COMMA), last) if found else (last,)


def positions(mentioned: tuple[str, ...], names: tuple[str, ...], sentence: str) -> list[int]:
    """Look up the variables of one sentence, which must be known and distinct."""
    for name in mentioned:
        if name not in names:
            raise ParseError(sentence, f"{name!r} is not one of the variables {', '.join(names)}")
        if mentioned.count(name) > 1:
            raise ParseError(sentence, f"the variable {name!r} occurs twice in one sentence")
    return [names.index(name) for name in mentioned]


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
