"""What a derivation consists of, free of any wording: the way from a premise to its class, and what a claim meets.

Variables stand here by name. `reasoning` puts these facts into words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from corr2cause.text.wording import Claim

Names = tuple[str, ...]
Edge = tuple[str, str]  # cause, effect; or the two ends of an undirected line


@dataclass(frozen=True, slots=True)
class Separation:
    """Two variables are independent given a set of others, which may be empty."""

    first: str
    second: str
    given: Names


@dataclass(frozen=True, slots=True)
class VStructure:
    """first -> collider <- second: not adjacent, and the collider is not in `given`, which separates the two."""

    first: str
    collider: str
    second: str
    given: Names


@dataclass(frozen=True, slots=True)
class MeekStep:
    """One line that a rule of Meek (1, 2 or 3) makes the arrow `edge`, by these arrows and other lines."""

    rule: int
    edge: Edge
    arrows: tuple[Edge, ...]
    lines: tuple[Edge, ...]


class FaultKind(StrEnum):
    """Why a premise determines no class."""

    CONTRADICTORY = "contradictory"  # pairs are said to correlate and to be independent
    TWO_HEADS = "two heads"  # edges get an arrow head at both ends
    NO_GRAPH = "no graph"  # no acyclic graph keeps the arrows without a further v-structure
    BROKEN = "broken"  # stated independences do not hold in the graphs that they lead to
    REDUNDANT = "redundant"  # they hold, but not by minimal sets, where only these are to be stated
    SILENT = "silent"  # pairs are said neither to correlate nor to be independent
    UNSTATED = "unstated"  # independences of the graphs are missing


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason, and the pairs (`given` is empty) or independences that it concerns; none for NO_GRAPH."""

    kind: FaultKind
    about: tuple[Separation, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassTrace:
    """The way from a premise to its class.

    Attributes:
        names: the variables.
        minimal: whether the premise lists minimal separating sets only.
        n_correlations: how many the premise states.
        n_independences: how many the premise states.
        separations: for each pair without an edge the set that removed it.
        skeleton: the edges that are left.
        v_structures: those that the separations make.
        meek_steps: in order.
        arrows: of the graph that results, the CPDAG if the premise determines a class.
        lines: its undirected edges.
        class_size: number of members; 0 if the premise determines no class.
        faults: why it determines none; empty if it does.
        fits_none: whether no graph at all fits the premise; else, with faults, it is incomplete.
    """

    names: Names
    minimal: bool
    n_correlations: int
    n_independences: int
    separations: tuple[Separation, ...]
    skeleton: tuple[Edge, ...]
    v_structures: tuple[VStructure, ...]
    meek_steps: tuple[MeekStep, ...]
    arrows: tuple[Edge, ...]
    lines: tuple[Edge, ...]
    class_size: int
    faults: tuple[Fault, ...] = ()
    fits_none: bool = False


@dataclass(frozen=True, slots=True)
class Witness:
    """What makes a claim hold: directed paths, and in how many members that no earlier witness serves they occur.

    Attributes:
        paths: one path from cause to effect, or one from each cause to a common effect, or from a common cause.
        n_members: over all witnesses of a claim these add up to the class.
    """

    paths: tuple[Names, ...]
    n_members: int


class FailureKind(StrEnum):
    """What is wrong with a claim in one graph."""

    NOT_ADJACENT = "not adjacent"
    REVERSED = "reversed"  # the edge points the other way
    NO_PATH = "no path"
    EDGE = "edge"  # there is a direct edge, which the reading excludes
    ONLY_EDGE = "only edge"  # the direct edge is the only path
    NO_COMMON_CHILD = "no common child"
    NO_COMMON_DESCENDANT = "no common descendant"
    MEETING_BEFORE = "meeting before"  # all paths to a common descendant meet before it
    NO_COMMON_PARENT = "no common parent"
    NO_COMMON_ANCESTOR = "no common ancestor"
    PARTING_AFTER = "parting after"  # all paths from a common ancestor part only after it


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a claim fails in one graph.

    Attributes:
        kind: what is wrong.
        of_first: the children, descendants, parents or ancestors of the first variable, if it is about these.
        of_second: those of the second.
        cuts: (common relative, variable on all its paths), for MEETING_BEFORE and PARTING_AFTER.
    """

    kind: FailureKind
    of_first: Names = ()
    of_second: Names = ()
    cuts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a claim meets in the members of a class.

    Attributes:
        claim: what is claimed.
        first: the first variable of the claim, for a cause the cause.
        second: the other one.
        reading: the name of the reading.
        holds_in: number of members in which it holds.
        class_size: number of members, at least 1.
        witnesses: why it holds in all; empty if it does not.
        counterexample: edges of a member in which it fails; None if there is none.
        failure: why it fails there.
    """

    claim: Claim
    first: str
    second: str
    reading: str
    holds_in: int
    class_size: int
    witnesses: tuple[Witness, ...] = ()
    counterexample: tuple[Edge, ...] | None = None
    failure: Failure | None = None

    @property
    def label(self) -> int:
        """1 iff the claim holds in all members."""
        return int(self.holds_in == self.class_size)
