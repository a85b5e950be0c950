"""Premises of graphs given by their edges, written by the oracles."""

from __future__ import annotations

import networkx as nx

from tests.oracles.premise import premise
from tests.oracles.separation import separations


def premise_of(edges: str, names: str) -> str:
    """Return the full premise of a graph such as "A->B, C->B"."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(names)))
    for edge in filter(None, edges.split(", ")):
        cause, effect = edge.split("->")
        graph.add_edge(names.index(cause), names.index(effect))
    return premise(list(names), separations(graph))
