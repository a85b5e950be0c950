"""What a premise and a hypothesis say, free of any wording.

Variables are positions in `Premise.names`, so the same facts can be said with other names.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from corr2cause.text.wording import Claim


@dataclass(frozen=True, slots=True)
class Independence:
    """Two variables are independent given a set of others.

    Attributes:
        first: position of the one variable.
        second: position of the other; first < second.
        given: positions of the conditioning set, ascending; () if the two are unconditionally independent.
    """

    first: int
    second: int
    given: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Premise:
    """The statistical relations among named variables; the order of names and statements is part of the value.

    Attributes:
        names: the variables.
        correlations: pairs of positions, the smaller first.
        independences: which pairs are independent given which sets.
        minimal: whether of the separating sets of a pair only the minimal ones are stated, instead of all.
    """

    names: tuple[str, ...]
    correlations: tuple[tuple[int, int], ...]
    independences: tuple[Independence, ...]
    minimal: bool = False

    def with_minimal_sets(self) -> Premise:
        """Keep of the separating sets of each pair those that hold no other of them, and say that this was done.

        >>> sets = Independence(0, 1), Independence(0, 1, (2,))
        >>> Premise(("A", "B", "C"), ((0, 2), (1, 2)), sets).with_minimal_sets().independences
        (Independence(first=0, second=1, given=()),)
        """
        sets: defaultdict[tuple[int, int], list[set[int]]] = defaultdict(list)
        for statement in self.independences:
            sets[statement.first, statement.second].append(set(statement.given))
        kept = [
            statement
            for statement in self.independences
            if not any(other < set(statement.given) for other in sets[statement.first, statement.second])
        ]
        return replace(self, independences=tuple(kept), minimal=True)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A causal claim about two variables; for a cause, `first` is the cause and `second` the effect."""

    claim: Claim
    first: str
    second: str
