"""All members of a class by reversing covered edges one at a time (Chickering 1995), for graphs of many nodes."""

from __future__ import annotations

import networkx as nx

from tests.oracles.dags import dag, edge_set


def members_by_reversal(graph: nx.DiGraph) -> list[nx.DiGraph]:
    """Return every DAG that is reached from the graph by reversals of covered edges, itself included."""
    found = {edge_set(graph): graph}
    waiting = [graph]
    while waiting:
        current = waiting.pop()
        for u, v in current.edges:
            if set(current.predecessors(v)) - {u} == set(current.predecessors(u)):
                turned = dag(len(current), [*(edge for edge in current.edges if edge != (u, v)), (v, u)])
                if edge_set(turned) not in found:
                    found[edge_set(turned)] = turned
                    waiting.append(turned)
    return list(found.values())
