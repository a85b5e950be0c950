"""Markov equivalence classes of labelled DAGs, by comparing each DAG with each other one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import networkx as nx

from tests.oracles.dags import Edge, dag, edge_set, from_code, labelled_dags, pairs, renamed
from tests.oracles.separation import Statement, separations

Class = tuple[nx.DiGraph, ...]


@dataclass(frozen=True)
class Pattern:
    """A CPDAG: the edges on which all members agree, and the others as pairs u < v."""

    directed: frozenset[Edge]
    undirected: frozenset[Edge]


def skeleton(graph: nx.DiGraph) -> frozenset[Edge]:
    """Return the adjacent pairs, smaller node first."""
    return frozenset((min(edge), max(edge)) for edge in graph.edges)


def v_structures(graph: nx.DiGraph) -> frozenset[tuple[int, int, int]]:
    """Return each a -> c <- b with a and b not adjacent, as (a, c, b) with a < b."""
    return frozenset(
        (a, c, b)
        for c in graph
        for a, b in combinations(sorted(graph.predecessors(c)), 2)
        if (a, b) not in skeleton(graph)
    )


def shape(graph: nx.DiGraph) -> Hashable:
    """Return what decides equivalence by Verma & Pearl (1990): skeleton and v-structures."""
    return skeleton(graph), v_structures(graph)


def grouped(graphs: Iterable[nx.DiGraph], key: Callable[[nx.DiGraph], Hashable]) -> list[Class]:
    """Put graphs of equal key together."""
    groups: dict[Hashable, list[nx.DiGraph]] = defaultdict(list)
    for graph in graphs:
        groups[key(graph)].append(graph)
    return [tuple(group) for group in groups.values()]


@cache
def labelled_separations(n: int) -> dict[frozenset[Edge], frozenset[Statement]]:
    """Map the edges of each labelled DAG to its d-separations."""
    return {edge_set(graph): separations(graph) for graph in labelled_dags(n)}


@cache
def labelled_classes(n: int) -> tuple[Class, ...]:
    """Return the classes of labelled DAGs with equal d-separations."""
    return tuple(grouped(labelled_dags(n), lambda graph: labelled_separations(n)[edge_set(graph)]))


def acyclic_orientations(graph: nx.DiGraph) -> list[nx.DiGraph]:
    """Return every DAG on the skeleton of the graph: each arises from some order of the nodes."""
    found = {
        frozenset((u, v) if order[u] < order[v] else (v, u) for u, v in skeleton(graph))
        for order in permutations(range(len(graph)))
    }
    return [dag(len(graph), edges) for edges in found]


def members(graph: nx.DiGraph, key: Callable[[nx.DiGraph], Hashable] = shape) -> Class:
    """Return all labelled DAGs on the nodes of the graph that are equivalent to it."""
    return tuple(other for other in acyclic_orientations(graph) if key(other) == key(graph))


def cpdag(members: Iterable[nx.DiGraph]) -> Pattern:
    """Return the edges on which all members agree as directed, the other adjacencies as undirected."""
    edges = [edge_set(member) for member in members]
    agreed = frozenset.intersection(*edges)
    disputed = frozenset.union(*edges) - agreed
    return Pattern(agreed, frozenset((min(edge), max(edge)) for edge in disputed))


def pattern_automorphism_count(pattern: Pattern, n: int) -> int:
    """Count the renamings that leave a CPDAG as it is."""
    return sum(
        frozenset((p[u], p[v]) for u, v in pattern.directed) == pattern.directed
        and frozenset((min(p[u], p[v]), max(p[u], p[v])) for u, v in pattern.undirected) == pattern.undirected
        for p in permutations(range(n))
    )


@cache
def representative_classes(n: int) -> dict[int, Class]:
    """Map code -> members for the first topologically numbered DAG met of each class up to renaming."""
    class_of = {edge_set(graph): group for group in labelled_classes(n) for graph in group}
    met: set[frozenset[Edge]] = set()
    kept = {}
    for number in range(2 ** len(pairs(n))):
        graph = from_code(number, n)
        if edge_set(graph) not in met:
            kept[number] = class_of[edge_set(graph)]
            for permutation in permutations(range(n)):
                met.update(edge_set(member) for member in class_of[edge_set(renamed(graph, permutation))])
    return kept
