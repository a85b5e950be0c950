"""d-separation by the textbook: look at every path, and at every inner node of it (Pearl 2009, Definition 1.2.3)."""

from __future__ import annotations

from collections.abc import Set
from itertools import chain, combinations

import networkx as nx

from tests.oracles.dags import pairs

Statement = tuple[int, int, tuple[int, ...]]


def conditioning_sets(n: int, i: int, j: int) -> list[tuple[int, ...]]:
    """Return all subsets of the other nodes, each sorted, in lexicographic order (a prefix before its extensions)."""
    others = [k for k in range(n) if k not in (i, j)]
    return sorted(chain.from_iterable(combinations(others, size) for size in range(len(others) + 1)))


def statements(n: int) -> list[Statement]:
    """Return every possible independence in the order of the premise."""
    return [(i, j, given) for i, j in pairs(n) for given in conditioning_sets(n, i, j)]


def is_blocked(graph: nx.DiGraph, path: list[int], given: Set[int], reach: dict[int, set[int]]) -> bool:
    """Tell whether some inner node of the path blocks it; `reach[v]` is v with its descendants."""
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        is_collider = graph.has_edge(before, node) and graph.has_edge(after, node)
        if is_collider and reach[node].isdisjoint(given):
            return True
        if not is_collider and node in given:
            return True
    return False


def separations(graph: nx.DiGraph) -> frozenset[Statement]:
    """Return all (i, j, Z) such that Z blocks every path between i and j."""
    skeleton = graph.to_undirected()
    reach = {node: {node} | nx.descendants(graph, node) for node in graph}
    found = []
    for i, j in pairs(len(graph)):
        paths = list(nx.all_simple_paths(skeleton, i, j))
        found += [
            (i, j, given)
            for given in conditioning_sets(len(graph), i, j)
            if all(is_blocked(graph, path, set(given), reach) for path in paths)
        ]
    return frozenset(found)


def minimal(independences: Set[Statement]) -> frozenset[Statement]:
    """Keep the separating sets none of whose proper subsets separates."""
    return frozenset(
        (i, j, given)
        for i, j, given in independences
        if not any((a, b) == (i, j) and set(smaller) < set(given) for a, b, smaller in independences)
    )


def is_separated_in_moral_graph(graph: nx.DiGraph, statement: Statement) -> bool:
    """Decide d-separation by another definition: the moral graph of the ancestral set (Lauritzen et al. 1990)."""
    i, j, given = statement
    ancestral = set().union(*({node} | nx.ancestors(graph, node) for node in (i, j, *given)))
    moral = graph.subgraph(ancestral).to_undirected()
    for node in ancestral:
        moral.add_edges_from(combinations(sorted(graph.predecessors(node)), 2))
    moral.remove_nodes_from(given)
    return not nx.has_path(moral, i, j)
