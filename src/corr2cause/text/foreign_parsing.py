"""Premises of Corr2Cause++ to facts, compiled from the table of its sentences."""

from __future__ import annotations

from itertools import combinations

from corr2cause.errors import ParseError
from corr2cause.text.facts import Independence, Premise
from corr2cause.text.foreign_wording import (
    FOREIGN_CONDITIONAL_INDEPENDENCE,
    FOREIGN_INDEPENDENCE,
    FOREIGN_LISTING,
    FOREIGN_OPENING,
    FOREIGN_RESERVED_CHARACTERS,
    FOREIGN_RESERVED_WORDS,
    NO_LISTING,
    NO_STATEMENTS,
    OXFORD_AND,
    SEMICOLON,
)
from corr2cause.text.statements import check_variables, enumerated, read_statements
from corr2cause.text.templates import compiled, read
from corr2cause.text.wording import AND, COMMA, Notation

_OPENING = compiled(FOREIGN_OPENING, None)
_STATEMENTS = tuple(
    compiled(sentence, (Notation.SYMBOLS, False))
    for sentence in (FOREIGN_CONDITIONAL_INDEPENDENCE, FOREIGN_INDEPENDENCE)
)


def is_foreign(text: str) -> bool:
    """Whether a premise begins as those of Corr2Cause++ do; names alone cannot make one of ours look like that."""
    opening, rest = _halves(text)
    return rest.startswith((FOREIGN_LISTING, NO_LISTING)) and _OPENING.pattern.fullmatch(opening) is not None


def parse_foreign_premise(text: str) -> Premise:
    """Read a premise of Corr2Cause++; every pair that it does not call independent is taken as correlated.

    Raises:
        ParseError: which sentence or statement, and what was expected.

    >>> parse_foreign_premise(
    ...     "Suppose there is a closed system of 3 variables, X, Z, and Y, whose causal structure forms a directed "
    ...     "acyclic graph and satisfies faithfulness. All the conditional independence relations are: Z indep Y."
    ... ).correlations
    ((0, 1), (0, 2))
    """
    opening, rest = _halves(text)
    _, opened = read(opening, (_OPENING,))
    names = _names(opened["names"])
    check_variables(names, opened["n"], opening)
    _check_distinguishable(names, opening)
    separated = read_statements(_statements(rest), _STATEMENTS, names)
    independent = {(first, second) for first, second, given in separated if not given}
    return Premise(
        names,
        correlations=tuple(pair for pair in combinations(range(len(names)), 2) if pair not in independent),
        independences=tuple(Independence(*statement) for statement in separated),
    )


def _halves(text: str) -> tuple[str, str]:
    """Cut off the first sentence."""
    opening, _, rest = text.strip().partition(". ")
    return f"{opening}.", rest.lstrip()


def _names(listed: str) -> tuple[str, ...]:
    head, comma, last = listed.rpartition(OXFORD_AND)
    return (*head.split(COMMA), last) if comma else enumerated(listed, AND)


def _check_distinguishable(names: tuple[str, ...], opening: str) -> None:
    for name in names:
        if set(name) & FOREIGN_RESERVED_CHARACTERS or set(name.split(" ")) & FOREIGN_RESERVED_WORDS:
            raise ParseError(opening, f"the variable name {name!r} cannot be told from a part of a statement")


def _statements(listing: str) -> list[str]:
    """Cut the listing into statements."""
    body = listing.removeprefix(FOREIGN_LISTING).strip()
    if listing == NO_LISTING or body in NO_STATEMENTS:
        return []
    if not body.endswith("."):
        raise ParseError(body, "a full stop is missing at the end of the premise")
    return [f"{statement}." for statement in body[:-1].split(SEMICOLON)]
