"""Sentences to facts: the exact inverse of verbalisation, compiled from the same tables.

It keeps what a text says, not whether it makes sense: whether any DAG fits a premise is for others to judge.
"""

from __future__ import annotations

from itertools import product

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.foreign_parsing import is_foreign, parse_foreign_premise
from corr2cause.text.foreign_wording import FOREIGN_HYPOTHESES
from corr2cause.text.statements import (
    check_number,
    check_readable,
    check_variables,
    enumerated,
    positions,
    read_statements,
)
from corr2cause.text.stories.reading import (
    is_story,
    is_story_hypothesis,
    parse_story_hypothesis,
    parse_story_premise,
)
from corr2cause.text.templates import Template, compiled, fits_any, read
from corr2cause.text.wording import (
    AND,
    ARROW,
    COMMA,
    CONTRAST,
    HYPOTHESES,
    LISTINGS,
    OPENING,
    STATEMENTS,
    Notation,
    Wording,
)

_START = OPENING.partition("{")[0]
_OPENINGS = (compiled(OPENING, None),)
_LISTINGS = tuple(compiled(sentence, minimal) for minimal, sentence in LISTINGS.items())
_HYPOTHESES = tuple(
    compiled(sentence, (claim, wording))
    for wording, sentences in HYPOTHESES.items()
    for claim, sentence in sentences.items()
) + tuple(compiled(sentence, (claim, Wording.PARAPHRASE)) for sentence, claim in FOREIGN_HYPOTHESES.items())


def _compiled_statements(notation: Notation, correlating: bool) -> tuple[Template[tuple[Notation, bool]], ...]:
    """Compile what states a correlation, or else an independence; "A ⊥ B | C." must be tried before "A ⊥ B."."""
    said = STATEMENTS[notation]
    sentences = (said.correlation,) if correlating else (said.conditional_independence, said.independence)
    return tuple(compiled(sentence, (notation, correlating)) for sentence in sentences)


_STATEMENTS = {key: _compiled_statements(*key) for key in product(Notation, (True, False))}
_ALL_STATEMENTS = tuple(template for templates in _STATEMENTS.values() for template in templates)


def parse_premise(text: str) -> tuple[Premise, Notation]:
    """Read a premise.

    White space around the text is ignored. The two variables of a statement, and those of a conditioning set, may
    come in any order; that of names and statements is kept. Statements that contradict each other are kept too.

    Returns:
        The facts, and the notation of the statements: PROSE if there are none, SYMBOLS for Corr2Cause++. A story is
        PROSE.
        O(length of the text).

    Raises:
        ParseError: which sentence, and what was expected.

    >>> premise, _ = parse_premise(
    ...     "Suppose there is a closed system of 2 variables, A and B. "
    ...     "All the statistical relations among these 2 variables are as follows: A is independent of B."
    ... )
    >>> premise.names, premise.independences
    (('A', 'B'), (Independence(first=0, second=1, given=()),))
    """
    if is_foreign(text):
        return parse_foreign_premise(text), Notation.SYMBOLS
    if not text.lstrip().startswith(_START) and is_story(text):
        return parse_story_premise(text), Notation.PROSE
    opening, _, rest = f"{text.strip()} ".partition(". ")
    listing, _, body = rest.partition(": ")
    names, minimal = _read_frame(f"{opening}.", f"{listing}:")
    before, contrast, after = body.partition(f". {CONTRAST}")
    correlations, independences = _sentences(f"{before}. " if contrast else before), _sentences(after)
    if contrast and not independences:
        raise ParseError(CONTRAST.strip(), "expected an independence after the last word")
    notation = Notation.PROSE
    if correlations:
        (notation, correlating), _ = read(correlations[0], _ALL_STATEMENTS)
        if not (correlating or contrast):
            correlations, independences = independences, correlations
    pairs = read_statements(correlations, _STATEMENTS[notation, True], names)
    separated = read_statements(independences, _STATEMENTS[notation, False], names)
    premise = Premise(
        names,
        correlations=tuple((first, second) for first, second, _ in pairs),
        independences=tuple(Independence(*statement) for statement in separated),
        minimal=minimal,
    )
    return premise, notation


def parse_hypothesis(text: str, names: tuple[str, ...] | None = None) -> tuple[Hypothesis, Wording]:
    """Read a hypothesis.

    Args:
        text: the sentence; white space around it is ignored.
        names: the variables it may speak of; any if None.

    Returns:
        The claim, and its wording: PLAIN where ALTERNATIVE has no sentence of its own, PARAPHRASE for a sentence
        of Corr2Cause++ or of a story.

    Raises:
        ParseError: no template fits, a variable is unknown, or the two are one.

    >>> parse_hypothesis("B is a cause for A, but not a direct one.")[0]
    Hypothesis(claim=<Claim.INDIRECT: 'indirect'>, first='B', second='A')
    """
    sentence = text.strip()
    if not fits_any(sentence, _HYPOTHESES) and is_story_hypothesis(sentence):
        return parse_story_hypothesis(sentence, names), Wording.PARAPHRASE
    (claim, wording), found = read(sentence, _HYPOTHESES)
    pair = found["first"], found["second"]
    if names is None:
        check_readable(pair, sentence)
    else:
        positions(pair, names, sentence)
    return Hypothesis(claim, *pair), wording


def parse_edges(text: str) -> list[tuple[str, str]]:
    """Read the edges of a graph, cause before effect.

    Raises:
        ParseError: an edge does not read "A->B".

    >>> parse_edges("A->B, C->B")
    [('A', 'B'), ('C', 'B')]
    """
    edges = []
    for edge in text.split(COMMA) if text else ():
        cause, arrow, effect = edge.partition(ARROW)
        if not (cause and arrow and effect) or ARROW in effect:
            raise ParseError(edge, f'expected an edge like "A{ARROW}B"')
        edges.append((cause, effect))
    return edges


def _read_frame(opening: str, listing: str) -> tuple[tuple[str, ...], bool]:
    """Read the two sentences before the statements: the names, and whether the premise is minimal."""
    _, opened = read(opening, _OPENINGS)
    minimal, listed = read(listing, _LISTINGS)
    names = enumerated(opened["names"], AND)
    check_variables(names, opened["n"], opening)
    check_number(names, listed["n"], listing)
    return names, minimal


def _sentences(section: str) -> list[str]:
    """Cut a section into sentences; names hold no full stop."""
    *sentences, remainder = section.split(". ")
    if remainder:
        raise ParseError(remainder.rstrip(), "a full stop is missing at the end of the premise")
    return [f"{sentence}." for sentence in sentences]
