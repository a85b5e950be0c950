"""Every labelled DAG, codes of DAGs and renamings, as specified and nothing cleverer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, permutations, product

import networkx as nx

Edge = tuple[int, int]


def dag(n: int, edges: Iterable[Edge]) -> nx.DiGraph:
    """Make the graph on nodes 0..n-1 with these edges."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return graph


def edge_set(graph: nx.DiGraph) -> frozenset[Edge]:
    """Return the edges as a value that can be compared and hashed (the nodes are always 0..n-1)."""
    return frozenset(graph.edges)


def pairs(n: int) -> list[Edge]:
    """Return (0, 1), (0, 2), ..., (0, n-1), (1, 2), ...: the order of the bits of a code."""
    return list(combinations(range(n), 2))


@cache
def labelled_dags(n: int) -> tuple[nx.DiGraph, ...]:
    """Return all labelled DAGs: each pair has no edge, or one in either direction, and no cycle arises."""
    graphs = []
    for choice in product((None, "up", "down"), repeat=len(pairs(n))):
        edges = [(u, v) if way == "up" else (v, u) for (u, v), way in zip(pairs(n), choice, strict=True) if way]
        graph = dag(n, edges)
        if nx.is_directed_acyclic_graph(graph):
            graphs.append(graph)
    return tuple(graphs)


def is_topologically_numbered(graph: nx.DiGraph) -> bool:
    """Tell whether every edge goes from a smaller to a larger number."""
    return all(u < v for u, v in graph.edges)


def code(graph: nx.DiGraph) -> int:
    """Return the sum of the bits of the edges of a topologically numbered DAG."""
    assert is_topologically_numbered(graph)
    return sum(2 ** pairs(len(graph)).index(edge) for edge in graph.edges)


def from_code(number: int, n: int) -> nx.DiGraph:
    """Return the DAG that has this code."""
    return dag(n, [pair for bit, pair in enumerate(pairs(n)) if (number // 2**bit) % 2 == 1])


def renamed(graph: nx.DiGraph, permutation: tuple[int, ...]) -> nx.DiGraph:
    """Return the graph in which node v is called permutation[v]."""
    return dag(len(graph), [(permutation[u], permutation[v]) for u, v in graph.edges])


def renamings(graph: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Yield the graph under each of the n! renamings."""
    for permutation in permutations(range(len(graph))):
        yield renamed(graph, permutation)


def representative_code(graph: nx.DiGraph) -> int:
    """Return the smallest code among the topologically numbered isomorphic copies."""
    return min(code(copy) for copy in renamings(graph) if is_topologically_numbered(copy))


@cache
def first_codes(n: int) -> dict[frozenset[Edge], int]:
    """Take codes in ascending order; map the edges of every labelled DAG to the first code met of its copies."""
    first: dict[frozenset[Edge], int] = {}
    for number in range(2 ** len(pairs(n))):
        edges = edge_set(from_code(number, n))
        if edges not in first:
            for p in permutations(range(n)):
                first[frozenset((p[u], p[v]) for u, v in edges)] = number
    return first


def representative_codes(n: int) -> list[int]:
    """Return the codes that are the first of their isomorphism class."""
    return sorted(set(first_codes(n).values()))


def automorphism_count(graph: nx.DiGraph) -> int:
    """Count the renamings that leave the graph as it is."""
    return sum(edge_set(copy) == edge_set(graph) for copy in renamings(graph))
