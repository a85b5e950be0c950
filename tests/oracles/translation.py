"""Between networkx and the package's bit masks, one bit at a time."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
import numpy as np
import numpy.typing as npt

from tests.oracles.dags import dag

Masks = npt.NDArray[np.uint16]


def as_masks(graphs: Iterable[nx.DiGraph]) -> Masks:
    """Return uint16[B, n]: bit u of [b, v] is set iff u -> v in graph b."""
    return np.array(
        [[sum(2**u for u in graph.predecessors(v)) for v in range(len(graph))] for graph in graphs],
        dtype=np.uint16,
    )


def as_set(mask: int) -> set[int]:
    """Return the positions of the set bits."""
    return {position for position, digit in enumerate(reversed(bin(mask)[2:])) if digit == "1"}


def as_edges(masks: npt.NDArray[np.uint16]) -> frozenset[tuple[int, int]]:
    """Return (u, v) for each bit u of masks[v], for one row of masks."""
    return frozenset((u, v) for v, mask in enumerate(masks.tolist()) for u in as_set(mask))


def as_graph(parents: npt.NDArray[np.uint16]) -> nx.DiGraph:
    """Return the graph of one row of parent masks."""
    return dag(len(parents), as_edges(parents))
