"""Chain components of a CPDAG by root picking: how many members a class has, without listing them, and one of them.

Without its arrows a CPDAG falls into connected chordal graphs, the chain components; the members of the class are the
ways to direct each of them without cycle and v-structure (Andersson, Madigan & Perlman 1997). Each way has one source,
the root. Once a root is picked, some edges are forced, and what stays undirected falls into smaller chain components
(He, Jia & Yu 2015). Plain integers serve as masks, one graph at a time, because the components of random graphs are
small and come again and again.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, prod

import numpy as np

from corr2cause.graphs.bitdags import Integers, Masks, nodes_in
from corr2cause.graphs.equivalence import Cpdags

Neighbours = tuple[int, ...]
"""The neighbours of each node of an undirected graph, as masks."""


def class_sizes(mixed: Cpdags) -> Integers:
    """Count the members of the class of each CPDAG without listing them.

    Returns:
        int64[B]; n! for the complete graph.  A few µs for components met before; a new one of k nodes costs k times
        its own rooting and that of what falls apart.

    >>> from corr2cause.graphs.bitdags import from_edges
    >>> from corr2cause.graphs.equivalence import cpdags
    >>> class_sizes(cpdags(from_edges(4, [(0, 1), (1, 2), (2, 3)]))).tolist()  # a chain: one member for each root
    [4]
    """
    rows = [prod(_count(component) for _, component in _components(tuple(row))) for row in mixed.undirected.tolist()]
    return np.array(rows, dtype=np.int64)


def first_members(mixed: Cpdags) -> Masks:
    """Return a member of the class of each CPDAG, the same whenever the CPDAG is: its roots are the smallest nodes.

    Returns:
        uint16[B, n], the parents.
    """
    directed = [_direct(tuple(row)) for row in mixed.undirected.tolist()]
    return mixed.directed | np.array(directed, dtype=np.uint16).reshape(mixed.directed.shape)


@lru_cache(maxsize=1 << 16)
def _count(neighbours: Neighbours) -> int:
    """Count the ways to direct a connected chordal graph without cycle and v-structure."""
    k = len(neighbours)
    n_edges = sum(mask.bit_count() for mask in neighbours) // 2
    if n_edges == k - 1:
        return k  # a tree: the root decides all
    if n_edges == k * (k - 1) // 2:
        return factorial(k)
    rooted = (_root(neighbours, root)[1] for root in range(k))
    return sum(prod(_count(component) for _, component in _components(lines)) for lines in rooted)


@lru_cache(maxsize=1 << 16)
def _direct(neighbours: Neighbours) -> tuple[int, ...]:
    """Direct an undirected chordal graph without cycle and v-structure; return the parents of each node."""
    parents = [0] * len(neighbours)
    for nodes, component in _components(neighbours):
        if len(nodes) == 1:
            continue
        forced, lines = _root(component, 0)
        for place, masks in enumerate(zip(forced, _direct(lines), strict=True)):
            parents[nodes[place]] = _spread(masks[0] | masks[1], nodes)
    return tuple(parents)


def _root(neighbours: Neighbours, root: int) -> tuple[list[int], Neighbours]:
    """Direct all edges of the root away from it, and whatever Meek's rule 1 then forces; no other rule finds more.

    Returns:
        The parents of each node, and the neighbours over edges that stay undirected.
    """
    nodes = range(len(neighbours))
    parents, lines = [0] * len(neighbours), list(neighbours)

    def direct(cause: int, effect: int) -> None:
        parents[effect] |= 1 << cause
        lines[effect] &= ~(1 << cause)
        lines[cause] &= ~(1 << effect)

    for v in nodes_in(neighbours[root]):
        direct(root, v)
    found = True
    while found:
        found = False
        for b in nodes:
            for c in nodes_in(lines[b]):
                if parents[b] & ~neighbours[c]:  # a -> b - c, and a, c not adjacent
                    direct(b, c)
                    found = True
    return parents, tuple(lines)


def _components(neighbours: Neighbours) -> list[tuple[list[int], Neighbours]]:
    """Return the nodes of each connected component, ascending, and its graph on their places in that list."""
    found = []
    left = (1 << len(neighbours)) - 1
    while left:
        reached, grown = 0, left & -left
        while grown != reached:
            reached = grown
            for v in nodes_in(reached):
                grown |= neighbours[v]
        left &= ~reached
        nodes = nodes_in(reached)
        found.append((nodes, tuple(_gather(neighbours[v], nodes) for v in nodes)))
    return found


def _gather(mask: int, nodes: list[int]) -> int:
    """Renumber the members of a mask by their places in the list of nodes."""
    return sum(1 << place for place, v in enumerate(nodes) if mask >> v & 1)


def _spread(mask: int, nodes: list[int]) -> int:
    """Undo `_gather`."""
    return sum(1 << v for place, v in enumerate(nodes) if mask >> place & 1)
