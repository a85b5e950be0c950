"""The only door to nauty: canonical forms and automorphism counts of digraphs.

A digraph is given by in-neighbour masks `adjacency: uint16[B, n]`; an edge in both directions stands for an undirected
edge, so a CPDAG is a digraph too. nauty (McKay & Piperno 2014) takes one graph at a time; colour refinement on the
whole batch leaves it only the graphs whose nodes refinement cannot tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corr2cause.graphs.bitdags import Integers, Masks, Truths, keys, relabel, transpose

if TYPE_CHECKING:
    from pynauty import Graph

Colours = npt.NDArray[np.uint64]

_IN, _OUT, _SINGLE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)


def canonical_forms(adjacency: Masks) -> Masks:
    """Return a relabelled copy of each digraph that is equal for two digraphs iff they are isomorphic.

    The nodes are sorted by their refined colour, which is the same in every isomorphic copy. Nodes of one colour that
    can be swapped without changing the graph may stand in any order; where others share a colour, nauty decides. A
    digraph and its copies always go the same way, and equal forms are isomorphic because each is a relabelling, so no
    result rests on a hash.

    Returns:
        uint16[B, n].  O(B n^2) and about 15 µs for each digraph that goes to nauty.
    """
    forms, colours = _sort_by_colour(adjacency)
    undecided = np.nonzero(~_equals_are_twins(forms, colours))[0]
    if len(undecided):
        order = np.array([_nauty_order(graph) for graph in forms[undecided].tolist()])
        forms[undecided] = relabel(forms[undecided], np.argsort(order, axis=1))
    return forms


def reproducible_forms(adjacency: Masks) -> Masks:
    """Return canonical forms, as `canonical_forms` does, that are the same under every version of nauty.

    What nauty would decide is searched here: of nodes that share a colour each in turn is given a colour of its own and
    the rest refined again, until only nodes that can be swapped share one; the least of the graphs so reached is the
    form. The search depends on the structure of the graph alone, so that all its copies reach the same graphs.

    Returns:
        uint16[B, n].  Mostly O(B n^3); a graph of many equal parts has as many branches as there are orders of these.
    """
    graphs, owner, colours = adjacency, np.arange(len(adjacency)), np.zeros(adjacency.shape, dtype=np.uint64)
    leaves, owners = [adjacency[:0]], [owner[:0]]
    while len(graphs):
        forms, colours = _sort_by_colour(graphs, colours)
        decided = _equals_are_twins(forms, colours)
        leaves.append(forms[decided])
        owners.append(owner[decided])
        graphs, colours, branch = _single_out(forms[~decided], colours[~decided])
        owner = owner[~decided][branch]
    reached, owner = np.concatenate(leaves), np.concatenate(owners)
    order = np.lexsort((*keys(reached).T[::-1], owner))
    least: Masks = reached[order[np.searchsorted(owner[order], np.arange(len(adjacency)))]]
    return least


def automorphism_counts(adjacency: Masks) -> Integers:
    """Return the order of the automorphism group of each digraph: int64[B]."""
    forms, colours = _sort_by_colour(adjacency)
    counts = np.ones(len(adjacency), dtype=np.int64)
    run = np.ones(len(adjacency), dtype=np.int64)
    for k in range(1, adjacency.shape[1]):  # k! ways to order a cell of k twins
        run = np.where(colours[:, k] == colours[:, k - 1], run + 1, 1)
        counts *= run
    for index in np.nonzero(~_equals_are_twins(forms, colours))[0]:
        counts[index] = _nauty_group_order(forms[index].tolist())
    return counts


def _sort_by_colour(adjacency: Masks, colours: Colours | None = None) -> tuple[Masks, Colours]:
    """Renumber the nodes of each digraph by refined colour; return the graphs and the colours, ascending."""
    colours = _refine(adjacency, np.zeros(adjacency.shape, dtype=np.uint64) if colours is None else colours)
    order = np.argsort(colours, axis=1, kind="stable")
    return relabel(adjacency, np.argsort(order, axis=1)), np.take_along_axis(colours, order, axis=1)


def _equals_are_twins(forms: Masks, colours: Colours) -> Truths:
    """Return whether, in graphs sorted by colour, any two nodes of one colour can be swapped without a change."""
    decided: Truths = np.logical_not(_differ_from_next(forms, colours).any(axis=1))
    return decided


def _differ_from_next(forms: Masks, colours: Colours) -> Truths:
    """Return which nodes have the colour of the next one and cannot be swapped with it: bool[B, n]."""
    differ = np.zeros(forms.shape, dtype=bool)
    for k in range(forms.shape[1] - 1):
        differ[:, k] = (colours[:, k] == colours[:, k + 1]) & (_swap(forms, k) != forms).any(axis=1)
    return differ


def _single_out(forms: Masks, colours: Colours) -> tuple[Masks, Colours, Integers]:
    """Give each node of the first colour that holds nodes of different kinds a colour of its own, one in each copy.

    Returns:
        The copies, their colours, and the index of the graph that each is a copy of.
    """
    first = np.take_along_axis(colours, _differ_from_next(forms, colours).argmax(axis=1)[:, None], axis=1)
    graph, node = np.nonzero(colours == first)
    singled = colours[graph]
    singled[np.arange(len(graph)), node] = _mix(singled[np.arange(len(graph)), node] + _SINGLE)
    return forms[graph], singled, graph


def _swap(forms: Masks, k: int) -> Masks:
    """Exchange nodes k and k + 1 of every graph."""
    places = np.arange(forms.shape[1])
    places[[k, k + 1]] = k + 1, k
    rows = forms[:, places]
    differ = (rows >> np.uint16(k) ^ rows >> np.uint16(k + 1)) & np.uint16(1)
    return rows ^ differ * np.uint16(3 << k)


def _refine(adjacency: Masks, colours: Colours) -> Colours:
    """Refine colours by iterated neighbourhood hashes: isomorphic copies get equal colours, node for node."""
    n = adjacency.shape[1]
    outgoing = transpose(adjacency)
    for _ in range(max(n - 1, 1)):
        into, out = _mix(colours + _IN), _mix(colours + _OUT)
        colours = _mix(colours)
        for u in range(n):
            colours += ((adjacency >> np.uint16(u)) & np.uint16(1)) * into[:, u, None]
            colours += ((outgoing >> np.uint16(u)) & np.uint16(1)) * out[:, u, None]
    return colours


def _mix(words: Colours) -> Colours:
    """Scramble 64-bit words one to one (the finaliser of SplitMix64, Steele, Lea & Flood 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _nauty_order(adjacency: list[int]) -> list[int]:
    """Return the nodes in nauty's canonical order."""
    from pynauty import canon_label

    labelling: list[int] = canon_label(_nauty_graph(adjacency))
    return labelling


def _nauty_group_order(adjacency: list[int]) -> int:
    from pynauty import autgrp

    _, mantissa, exponent, _, _ = autgrp(_nauty_graph(adjacency))
    order: float = mantissa * 10.0**exponent
    return round(order)


def _nauty_graph(adjacency: list[int]) -> Graph:
    from pynauty import Graph

    n = len(adjacency)
    incoming = {v: [u for u in range(n) if mask >> u & 1] for v, mask in enumerate(adjacency)}
    return Graph(n, directed=True, adjacency_dict=incoming)
