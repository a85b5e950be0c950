"""The PC algorithm on stated independences, step by step.

The way back from a premise to its class. It shares no algorithm with the way there: edges fall by stated separating
sets, arrows come from v-structures and single Meek steps. Plain integers serve as masks here, because every step is
kept for people to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from corr2cause.graphs.bitdags import nodes_in
from corr2cause.graphs.separation import Statement

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class VStructure:
    """first -> collider <- second, for the collider is not in the set that separates the two."""

    first: int
    collider: int
    second: int


@dataclass(frozen=True, slots=True)
class MeekStep:
    """One edge compelled by one of Meek's rules (Meek 1995).

    Attributes:
        rule: 1, 2 or 3.
        edge: (cause, effect), now an arrow.
        arrows: the arrows that the rule used, as (cause, effect).
        lines: the undirected edges that it used besides the one it turned into an arrow.
    """

    rule: int
    edge: Pair
    arrows: tuple[Pair, ...]
    lines: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class Discovery:
    """What PC makes of stated independences.

    Attributes:
        n: number of nodes.
        separators: for each non-adjacent pair i < j the smallest stated set that separates it, first in order.
        v_structures: every unshielded triple that the separators make a collider.
        steps: the applications of Meek's rules, in order.
        directed: compelled parents of each node, as masks.
        undirected: neighbours of each node over edges that stayed undirected, as masks.
        extension: parents of each node in one DAG that directs the lines without a cycle and without a v-structure
            that the arrows do not make; None if there is none. Of a class, it is a member.
    """

    n: int
    separators: dict[Pair, tuple[int, ...]]
    v_structures: tuple[VStructure, ...]
    steps: tuple[MeekStep, ...]
    directed: tuple[int, ...]
    undirected: tuple[int, ...]
    extension: tuple[int, ...] | None

    def as_digraph(self) -> tuple[int, ...]:
        """Return the CPDAG as in-neighbour masks; a line points both ways."""
        return tuple(a | b for a, b in zip(self.directed, self.undirected, strict=True))


def discover(n: int, independences: Iterable[Statement]) -> Discovery:
    """Run the PC algorithm (Spirtes, Glymour & Scheines 2000) with the statements as its oracle.

    Args:
        n: number of nodes.
        independences: (i, j, given) with i < j.

    Returns:
        Every step. Whether the result fits the statements is a matter of its own: see `fitting.judge`.  O(n^4).

    >>> discover(3, [(0, 1, ())]).v_structures
    (VStructure(first=0, collider=2, second=1),)
    """
    separators = _separators(independences)
    adjacent = _skeleton(n, separators)
    colliders = tuple(_colliders(adjacent, separators))
    graph = _PartialGraph(n, adjacent)
    for triple in colliders:
        graph.direct(triple.first, triple.collider)
        graph.direct(triple.second, triple.collider)
    steps = tuple(graph.close())
    return Discovery(
        n, separators, colliders, steps, tuple(graph.parents), tuple(graph.lines), _extend(graph.parents, graph.lines)
    )


def _separators(independences: Iterable[Statement]) -> dict[Pair, tuple[int, ...]]:
    """Keep for each pair the set with which PC removes its edge: the smallest, then the first."""
    found: dict[Pair, tuple[int, ...]] = {}
    for i, j, given in sorted(independences, key=lambda statement: (len(statement[2]), statement)):
        found.setdefault((i, j), given)
    return found


def _skeleton(n: int, separators: dict[Pair, tuple[int, ...]]) -> list[int]:
    adjacent = [0] * n
    for i, j in combinations(range(n), 2):
        if (i, j) not in separators:
            adjacent[i] |= 1 << j
            adjacent[j] |= 1 << i
    return adjacent


def _colliders(adjacent: Sequence[int], separators: dict[Pair, tuple[int, ...]]) -> Iterator[VStructure]:
    for (i, j), given in sorted(separators.items()):
        for middle in nodes_in(adjacent[i] & adjacent[j]):
            if middle not in given:
                yield VStructure(i, middle, j)


class _PartialGraph:
    """A skeleton whose edges are turned into arrows one by one."""

    def __init__(self, n: int, adjacent: Sequence[int]) -> None:
        self.n = n
        self.adjacent = list(adjacent)
        self.lines = list(adjacent)
        self.parents = [0] * n

    def direct(self, cause: int, effect: int) -> None:
        """Make an edge an arrow. An edge may get two arrow heads; then nothing extends the graph."""
        self.parents[effect] |= 1 << cause
        self.lines[effect] &= ~(1 << cause)
        self.lines[cause] &= ~(1 << effect)

    def close(self) -> Iterator[MeekStep]:
        """Apply Meek's rules until none finds an edge, the lowest rule and edge first."""
        while step := next(self._applicable(), None):
            self.direct(*step.edge)
            yield step

    def _applicable(self) -> Iterator[MeekStep]:
        edges = [(a, b) for a, b in permutations(range(self.n), 2) if self.lines[b] >> a & 1]
        for rule in (self._rule_1, self._rule_2, self._rule_3):
            for edge in edges:
                yield from rule(*edge)

    def _rule_1(self, b: int, c: int) -> Iterator[MeekStep]:
        for a in nodes_in(self.parents[b] & ~self.adjacent[c]):
            yield MeekStep(1, (b, c), arrows=((a, b),))

    def _rule_2(self, a: int, c: int) -> Iterator[MeekStep]:
        for b in nodes_in(self.parents[c]):
            if self.parents[b] >> a & 1:
                yield MeekStep(2, (a, c), arrows=((a, b), (b, c)))

    def _rule_3(self, a: int, d: int) -> Iterator[MeekStep]:
        for b, c in combinations(nodes_in(self.lines[a] & self.parents[d]), 2):
            if not self.adjacent[b] >> c & 1:
                yield MeekStep(3, (a, d), arrows=((b, d), (c, d)), lines=((a, b), (a, c)))


def _extend(parents: Sequence[int], lines: Sequence[int]) -> tuple[int, ...] | None:
    """Direct all lines without a cycle or a new v-structure (Dor & Tarsi 1992), or return None.

    Again and again it takes away a node that can come last: nothing but lines leaves it, and the neighbours over these
    lines are adjacent to all its other neighbours.
    """
    parents, lines, extension = list(parents), list(lines), list(parents)
    left = set(range(len(parents)))
    while left:
        last = next((v for v in sorted(left) if _can_come_last(v, parents, lines, left)), None)
        if last is None:
            return None
        left.remove(last)
        extension[last] |= lines[last]
        for v in left:
            lines[v] &= ~(1 << last)
        lines[last] = 0
    return tuple(extension)


def _can_come_last(v: int, parents: Sequence[int], lines: Sequence[int], left: set[int]) -> bool:
    if any(parents[u] >> v & 1 for u in left):
        return False
    rest = sum(1 << u for u in left)
    around = (parents[v] | lines[v]) & rest
    return all(
        (around & ~(1 << u)) & ~(parents[u] | lines[u] | sum(1 << w for w in left if parents[w] >> u & 1)) == 0
        for u in nodes_in(lines[v])
    )
