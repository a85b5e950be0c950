"""Which pairs of nodes are d-separated by which sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corr2cause.graphs.bitdags import Masks, Truths, bit, children
from corr2cause.graphs.terms import MAX_SEPARATED, require_size

Statement = tuple[int, int, tuple[int, ...]]
_BLOCK_BYTES = 1 << 20  # work on as many graphs at once as keep the masks of the walk in the cache


@lru_cache(maxsize=16)
def statements(n: int) -> tuple[Statement, ...]:
    """List every possible independence (i, j, given) on n nodes in the order of a premise.

    Pairs i < j in lexicographic order; for each the subsets of the other nodes in lexicographic order of their sorted
    members, a prefix before its extensions.

    >>> [given for i, j, given in statements(4) if (i, j) == (0, 1)]
    [(), (2,), (2, 3), (3,)]
    """
    require_size(n, most=MAX_SEPARATED)
    return tuple((i, j, given) for i, j in combinations(range(n), 2) for given in _subsets(n, i, j))


def _subsets(n: int, i: int, j: int) -> list[tuple[int, ...]]:
    others = [k for k in range(n) if k not in (i, j)]
    return sorted(given for size in range(n - 1) for given in combinations(others, size))


def d_connected(parents: Masks) -> Masks:
    """Return which nodes are d-connected to each node given each set of nodes (Pearl 1988).

    A walk over (node, direction of arrival) states from every source at once (Shachter 1998, "Bayes ball"): arriving
    at v against an arrow, it goes on to parents and children of v unless v is given; arriving along an arrow, it goes
    on to the children unless v is given, and back to the parents iff it is. A collider with a given descendant is
    passed by walking down to that and back.

    Args:
        parents: uint16[B, n], n at most 12.

    Returns:
        uint16[B, n, 2**n]; bit j of [b, i, Z] is set iff i and j are d-connected given the set with mask Z in DAG b.
        Nothing is connected to a given node.  O(B n^2 2^n) for each round of the walk, of which there are few.
    """
    n = parents.shape[1]
    require_size(n, most=MAX_SEPARATED)
    connected = np.empty((len(parents), n, 1 << n), dtype=np.uint16)
    step = max(1, _BLOCK_BYTES // (2 * n << n))
    for start in range(0, len(parents), step):
        connected[start : start + step] = _walk(parents[start : start + step])
    return connected


def _walk(parents: Masks) -> Masks:
    n = parents.shape[1]
    given = np.arange(1 << n, dtype=np.uint16)
    down_from, up_from = children(parents), parents
    upward = np.zeros((len(parents), n, 1 << n), dtype=np.uint16)
    for source in range(n):
        upward[:, source] = bit(source)
    downward = np.zeros_like(upward)
    while True:
        free_upward, free_downward, turned = upward & ~given, downward & ~given, downward & given
        new_upward, new_downward = upward.copy(), downward.copy()
        for v in range(n):
            rising = (free_upward | turned) >> np.uint16(v) & np.uint16(1)
            falling = (free_upward | free_downward) >> np.uint16(v) & np.uint16(1)
            new_upward |= rising * up_from[:, v, None, None]
            new_downward |= falling * down_from[:, v, None, None]
        if np.array_equal(new_upward, upward) and np.array_equal(new_downward, downward):
            return np.bitwise_and(upward | downward, ~given)
        upward, downward = new_upward, new_downward


def separations(parents: Masks) -> Truths:
    """Return which of `statements(n)` hold in each DAG: bool[B, len(statements(n))]."""
    n = parents.shape[1]
    i, j, given = _statement_arrays(n)
    holds = np.empty((len(parents), len(i)), dtype=np.bool_)
    step = max(1, _BLOCK_BYTES // (2 * n << n))
    for start in range(0, len(parents), step):
        connected = _walk(parents[start : start + step])
        holds[start : start + step] = (connected[:, i, given] >> j) & np.uint16(1) == 0
    return holds


def minimal(separated: Truths, n: int) -> Truths:
    """Keep, of the separations of each DAG, those whose separating set has no separating proper subset.

    Args:
        separated: bool[B, len(statements(n))], as `separations` returns it.
        n: number of nodes.
    """
    places = _places_of_subsets(n)
    sets = np.take(separated, places, axis=1)
    below = sets.copy()  # some subset, or the set itself, separates
    for with_k, without_k in _halves(below):
        with_k |= without_k
    above = np.zeros_like(sets)  # some proper subset separates
    for (with_k, _), (_, without_k) in zip(_halves(above), _halves(below), strict=True):
        with_k |= without_k
    least = np.empty_like(separated)
    least[:, places] = sets & ~above
    return least


@lru_cache(maxsize=16)
def _places_of_subsets(n: int) -> npt.NDArray[np.intp]:
    """Return where each set stands in `statements(n)`: intp[pairs, 2**(n-2)], by its mask over the other nodes."""
    places = {statement: place for place, statement in enumerate(statements(n))}
    rows = []
    for i, j in combinations(range(n), 2):
        others = [k for k in range(n) if k not in (i, j)]
        masks = range(1 << len(others))
        rows.append([places[i, j, tuple(k for place, k in enumerate(others) if mask >> place & 1)] for mask in masks])
    return np.array(rows, dtype=np.intp).reshape(len(rows), 1 << max(n - 2, 0))


def _halves(sets: Truths) -> Iterator[tuple[Truths, Truths]]:
    """Yield, for each of the other nodes, views of the sets that hold it and of the same sets without it."""
    n_graphs, n_pairs, n_sets = sets.shape
    for place in range(n_sets.bit_length() - 1):
        split = sets.reshape(n_graphs, n_pairs, -1, 2, 1 << place)
        yield split[..., 1, :], split[..., 0, :]


@lru_cache(maxsize=16)
def _statement_arrays(n: int) -> tuple[npt.NDArray[np.intp], Masks, npt.NDArray[np.intp]]:
    listed = statements(n)
    i = np.array([i for i, _, _ in listed], dtype=np.intp)
    j = np.array([j for _, j, _ in listed], dtype=np.uint16)
    given = np.array([sum(1 << k for k in given) for _, _, given in listed], dtype=np.intp)
    return i, j, given
