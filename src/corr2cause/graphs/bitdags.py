"""Batches of DAGs as bit masks.

A batch is `parents: uint16[B, n]`: bit u of `parents[b, v]` is set iff u -> v in DAG b. Nodes are 0..n-1. Every
function takes a whole batch, so that the work is done by NumPy and not graph by graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corr2cause.graphs.terms import require_size

if TYPE_CHECKING:
    import networkx as nx

Masks = npt.NDArray[np.uint16]
Truths = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def bit(node: int) -> np.uint16:
    """Return the mask of one node."""
    return np.uint16(1 << node)


def has(masks: Masks, node: int) -> Truths:
    """Return whether each mask contains the node."""
    contained: Truths = (masks & bit(node)) != 0
    return contained


def nodes_in(mask: int) -> list[int]:
    """List the nodes of one mask, ascending.

    >>> nodes_in(0b1010)
    [1, 3]
    """
    return [v for v in range(mask.bit_length()) if mask >> v & 1]


def unpack(masks: Masks, n: int) -> Truths:
    """Spread masks over a last axis of n truth values, node 0 first."""
    spread: Truths = ((masks[..., None] >> np.arange(n, dtype=np.uint16)) & np.uint16(1)) != 0
    return spread


def transpose(masks: Masks) -> Masks:
    """Reverse every edge: children from parents, descendants from ancestors. An involution."""
    n = masks.shape[1]
    sources = np.arange(n, dtype=np.uint16)
    turned = np.zeros_like(masks)
    for v in range(n):
        turned |= ((masks[:, v, None] >> sources) & np.uint16(1)) << np.uint16(v)
    return turned


def from_codes(codes: Integers, n: int) -> Masks:
    """Decode DAGs whose nodes stand in topological order.

    Args:
        codes: int64[B]; the pairs (0,1), (0,2), ..., (0,n-1), (1,2), ... carry bits 0, 1, 2, ...
        n: number of nodes, at most 11 (55 pairs fit a code).

    Returns:
        The parents, uint16[B, n].

    >>> from_codes(np.array([0b101]), 3).tolist()  # 0 -> 1 -> 2
    [[0, 1, 2]]
    """
    require_size(n, most=11)
    parents = np.zeros((len(codes), n), dtype=np.uint16)
    for position, (u, v) in enumerate(combinations(range(n), 2)):
        parents[:, v] |= ((codes >> position) & 1).astype(np.uint16) << np.uint16(u)
    return parents


def codes(parents: Masks) -> Integers:
    """Encode DAGs whose nodes stand in topological order: the inverse of `from_codes`."""
    n = parents.shape[1]
    require_size(n, most=11)
    result = np.zeros(len(parents), dtype=np.int64)
    for position, (u, v) in enumerate(combinations(range(n), 2)):
        result |= has(parents[:, v], u).astype(np.int64) << position
    return result


def from_edges(n: int, edges: Iterable[tuple[int, int]]) -> Masks:
    """Make a batch of one DAG on n nodes from its edges (u, v) for u -> v."""
    require_size(n)
    parents = np.zeros((1, n), dtype=np.uint16)
    for u, v in edges:
        parents[0, v] |= bit(u)
    return parents


def edges(parents: Masks) -> list[tuple[int, int]]:
    """List the edges (u, v) of one DAG `uint16[n]`, sorted.

    >>> edges(from_edges(3, [(2, 1), (0, 1)])[0])
    [(0, 1), (2, 1)]
    """
    masks = parents.tolist()
    return [(u, v) for u in range(len(masks)) for v, mask in enumerate(masks) if mask >> u & 1]


def union_over(selectors: Masks, masks: Masks) -> Masks:
    """Unite, for each selector, the masks of the nodes that it selects.

    Args:
        selectors: uint16[B, k], or uint16[k] for every graph the same.
        masks: uint16[B, n].

    Returns:
        uint16[B, k]; [b, i] is the union of masks[b, u] over the nodes u in selectors[b, i].
    """
    union = np.zeros((len(masks), selectors.shape[-1]), dtype=np.uint16)
    for u in range(masks.shape[1]):
        union |= ((selectors >> np.uint16(u)) & np.uint16(1)) * masks[:, u, None]
    return union


def children(parents: Masks) -> Masks:
    """Return the children of each node: bit v of [b, u] is set iff u -> v."""
    return transpose(parents)


def ancestors(parents: Masks) -> Masks:
    """Return the strict ancestors of each node.

    Doubling: after round k the masks reach back over up to 2**k edges.  O(B n^2 log n).
    """
    n = parents.shape[1]
    reach = parents.copy()
    for _ in range(max(n - 1, 1).bit_length()):
        reach = reach | union_over(reach, reach)
    return reach


def descendants(parents: Masks) -> Masks:
    """Return the strict descendants of each node."""
    return ancestors(children(parents))


def skeleton(parents: Masks) -> Masks:
    """Return the neighbours of each node, whatever the direction of the edge."""
    return parents | children(parents)


def v_structures(parents: Masks) -> Masks:
    """Return every unshielded collider a -> c <- b of each DAG.

    With the skeleton, these decide Markov equivalence (Verma & Pearl 1990, Theorem 1).

    Returns:
        uint16[B, n, n]; bit b of [i, c, a] is set iff a -> c <- b in DAG i and a, b are not adjacent.  O(B n^2).
    """
    n = parents.shape[1]
    adjacent = skeleton(parents)
    found = np.zeros((len(parents), n, n), dtype=np.uint16)
    for c in range(n):
        for a in range(n):
            apart = parents[:, c] & ~adjacent[:, a] & ~bit(a)
            found[:, c, a] = np.where(has(parents[:, c], a), apart, 0)
    return found


def relabel(parents: Masks, permutation: Integers) -> Masks:
    """Rename the nodes: node v of graph b becomes node permutation[b, v].

    Args:
        parents: uint16[B, n], of DAGs or of any digraphs.
        permutation: int[B, n], each row a permutation of 0..n-1.
    """
    n = parents.shape[1]
    places = permutation.astype(np.uint16)
    moved = np.zeros_like(parents)
    for u in range(n):
        moved |= ((parents >> np.uint16(u)) & np.uint16(1)) << places[:, u, None]
    renamed = np.empty_like(parents)
    np.put_along_axis(renamed, permutation.astype(np.intp), moved, axis=1)
    return renamed


def keys(masks: Masks) -> npt.NDArray[np.uint64]:
    """Pack each row of n masks of n bits into as few 64-bit words as hold it: uint64[B, words].

    Two graphs are equal iff their keys are; the words sort like the rows.
    """
    n = masks.shape[1]
    per_word = min(n, 64 // n)
    words = np.zeros((len(masks), -(-n // per_word)), dtype=np.uint64)
    for v in range(n):
        shift = np.uint64(n * (per_word - 1 - v % per_word))
        words[:, v // per_word] |= masks[:, v].astype(np.uint64) << shift
    return words


def first_occurrences(masks: Masks, groups: Integers | None = None) -> Integers:
    """Return, ascending, the index of the first occurrence of each distinct row (within each group, if given)."""
    columns = list(keys(masks).T)
    if groups is not None:
        columns.append(groups.astype(np.uint64))
    order = np.lexsort(columns)  # stable: equal rows keep their order
    starts = np.zeros(len(masks), dtype=bool)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[order][1:] != column[order][:-1]
    return np.sort(order[starts])


def to_networkx(parents: Masks) -> nx.DiGraph[int]:
    """Convert one DAG `uint16[n]` to a networkx graph on 0..n-1."""
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(parents)))
    graph.add_edges_from(edges(parents))
    return graph


def from_networkx(graph: nx.DiGraph[Any]) -> Masks:
    """Convert a networkx graph, its nodes in their order of insertion, to a batch of one."""
    place = {node: index for index, node in enumerate(graph)}
    return from_edges(len(place), [(place[u], place[v]) for u, v in graph.edges])
