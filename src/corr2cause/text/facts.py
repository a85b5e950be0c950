"""What a premise and a hypothesis say, free of any wording.

Variables are positions in `Premise.names`, so the same facts can be said with other names.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A causal claim about two variables; for a cause, `first` is the cause and `second` the effect."""

    claim: Claim
    first: str
    second: str
