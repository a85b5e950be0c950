"""Hypothesis strategies for DAGs, as networkx graphs and as masks, and for renamings of their nodes."""

from __future__ import annotations

import networkx as nx
from hypothesis import strategies as st

from tests.oracles.dags import dag, pairs, renamed
from tests.oracles.translation import Masks, as_masks


@st.composite
def digraphs(draw: st.DrawFn, min_n: int = 2, max_n: int = 7) -> nx.DiGraph:
    """Draw a DAG: an order of its nodes, then any set of edges along that order; shrinks to fewer, ordered edges."""
    n = draw(st.integers(min_n, max_n))
    order = draw(st.permutations(range(n)))
    kept = draw(st.lists(st.booleans(), min_size=len(pairs(n)), max_size=len(pairs(n))))
    return dag(n, [(order[u], order[v]) for (u, v), keep in zip(pairs(n), kept, strict=True) if keep])


def parent_masks(min_n: int = 2, max_n: int = 7) -> st.SearchStrategy[Masks]:
    """Draw a batch of one DAG as uint16[1, n]."""
    return digraphs(min_n, max_n).map(lambda graph: as_masks([graph]))


def renamings(n: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Draw a permutation of 0..n-1: node v is to be called renaming[v]."""
    return st.permutations(range(n)).map(tuple)


@st.composite
def digraphs_and_renamings(draw: st.DrawFn, min_n: int = 2, max_n: int = 7) -> tuple[nx.DiGraph, tuple[int, ...]]:
    """Draw a DAG together with a renaming of its nodes."""
    graph = draw(digraphs(min_n, max_n))
    return graph, draw(renamings(len(graph)))


@st.composite
def disjoint_unions(draw: st.DrawFn) -> tuple[nx.DiGraph, nx.DiGraph, tuple[int, ...]]:
    """Draw two small DAGs, and names in one larger graph for the nodes of both, the first graph's first."""
    left, right = draw(digraphs(2, 6)), draw(digraphs(4, 6))
    return left, right, draw(renamings(len(left) + len(right)))


def united(left: nx.DiGraph, right: nx.DiGraph, names: tuple[int, ...]) -> nx.DiGraph:
    """Put two graphs side by side under the drawn names."""
    shifted = [(u + len(left), v + len(left)) for u, v in right.edges]
    return renamed(dag(len(names), [*left.edges, *shifted]), names)
