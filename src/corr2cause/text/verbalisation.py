"""Facts to sentences. Parsing is the exact inverse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, compress

from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.naming import check_names
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
    StatementWording,
    Wording,
)


def verbalise_premise(premise: Premise, notation: Notation = Notation.PROSE) -> str:
    """Say a premise; in prose, the published text byte for byte.

    Raises:
        NamingError: the names could not be read back.

    >>> verbalise_premise(Premise(("A", "B", "C"), ((0, 2), (1, 2)), (Independence(0, 1),)))[-85:]
    'as follows: A correlates with C. B correlates with C. However, A is independent of B.'
    """
    check_names(premise.names)
    wording = STATEMENTS[notation]
    return _premise(
        _frame(premise.names, premise.minimal),
        (_correlation(premise.names, pair, wording) for pair in premise.correlations),
        (_independence(premise.names, statement, wording) for statement in premise.independences),
    )


def verbalise_hypothesis(hypothesis: Hypothesis, wording: Wording = Wording.PLAIN) -> str:
    """Say a hypothesis; a claim for which the wording has no sentence of its own is said plainly.

    Raises:
        NamingError: the two names could not be read back, or are one.

    >>> from corr2cause.text.wording import Claim
    >>> verbalise_hypothesis(Hypothesis(Claim.INDIRECT, "A", "B"), Wording.ALTERNATIVE)
    'A is a cause for B, but not a direct one.'
    """
    check_names((hypothesis.first, hypothesis.second))
    plain = HYPOTHESES[Wording.PLAIN][hypothesis.claim]
    template = HYPOTHESES[wording].get(hypothesis.claim, plain)
    return template.format(first=hypothesis.first, second=hypothesis.second)


def verbalise_edges(edges: Iterable[tuple[str, str]]) -> str:
    """Say the edges of a graph, cause before effect; no edge is the empty text.

    >>> verbalise_edges([("A", "B"), ("C", "B")])
    'A->B, C->B'
    """
    return COMMA.join(f"{cause}{ARROW}{effect}" for cause, effect in edges)


@dataclass(frozen=True, slots=True)
class StatementTable:
    """Every sentence that a premise over the same names can have: said once, then only selected."""

    frames: tuple[str, str]
    correlations: tuple[str, ...]
    independences: tuple[str, ...]

    def premise(self, correlated: Sequence[bool], independent: Sequence[bool], minimal: bool) -> str:
        """Say the premise of the chosen statements, exactly as `verbalise_premise` does.

        Args:
            correlated: for each pair of positions, in lexicographic order.
            independent: for each of the statements that the table was made of.
            minimal: whether the chosen statements are those of the minimal sets only.

        Returns:
            The text.  O(number of statements), a few microseconds for six variables.
        """
        return _premise(
            self.frames[minimal],
            compress(self.correlations, correlated),
            compress(self.independences, independent),
        )


@lru_cache(maxsize=64)
def statement_table(
    names: tuple[str, ...], statements: tuple[Independence, ...], notation: Notation = Notation.PROSE
) -> StatementTable:
    """Prepare the premises of many classes over the same names and possible statements.

    Args:
        names: the variables.
        statements: every independence that may be stated, in the order of the premise.
        notation: how to write them.

    Returns:
        The table, about one microsecond a statement; recent tables are kept.

    Raises:
        NamingError: the names could not be read back.
    """
    check_names(names)
    wording = STATEMENTS[notation]
    return StatementTable(
        frames=(_frame(names, minimal=False), _frame(names, minimal=True)),
        correlations=tuple(_correlation(names, pair, wording) for pair in combinations(range(len(names)), 2)),
        independences=tuple(_independence(names, statement, wording) for statement in statements),
    )


def _premise(frame: str, correlations: Iterable[str], independences: Iterable[str]) -> str:
    correlating, independent = " ".join(correlations), " ".join(independences)
    if correlating and independent:
        return f"{frame} {correlating} {CONTRAST}{independent}"
    return " ".join(filter(None, (frame, correlating, independent)))


def _frame(names: tuple[str, ...], minimal: bool) -> str:
    opening = OPENING.format(n=len(names), names=enumerated(names, AND))
    return f"{opening} {LISTINGS[minimal].format(n=len(names))}"


def _correlation(names: tuple[str, ...], pair: tuple[int, int], wording: StatementWording) -> str:
    first, second = pair
    return wording.correlation.format(first=names[first], second=names[second])


def _independence(names: tuple[str, ...], statement: Independence, wording: StatementWording) -> str:
    template = wording.conditional_independence if statement.given else wording.independence
    given = enumerated([names[k] for k in statement.given], wording.conjunction)
    return template.format(first=names[statement.first], second=names[statement.second], given=given)


def enumerated(names: Sequence[str], conjunction: str) -> str:
    """Join names as in "A", "A and B", "A, B and C"."""
    return conjunction.join(filter(None, (COMMA.join(names[:-1]), *names[-1:])))
