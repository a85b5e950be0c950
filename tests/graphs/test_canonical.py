"""Canonical forms and automorphisms of digraphs."""

from collections import defaultdict
from itertools import permutations, product

import networkx as nx
import numpy as np
import pynauty
import pytest
from hypothesis import given, settings

from corr2cause.graphs import bitdags, canonical
from tests.graphs.exhaustive import labelled_masks
from tests.oracles.dags import automorphism_count, dag, edge_set, first_codes, labelled_dags, renamed, renamings
from tests.oracles.translation import as_graph, as_masks
from tests.strategies import digraphs, digraphs_and_renamings, disjoint_unions, united


def every_digraph(n):
    """List all digraphs on n nodes: two-cycles, as the reversible edges of a CPDAG, and cycles included."""
    arcs = list(permutations(range(n), 2))
    for choice in product((False, True), repeat=len(arcs)):
        yield dag(n, [arc for arc, chosen in zip(arcs, choice, strict=True) if chosen])


def partition(keys):
    """Return which positions have equal keys."""
    groups = defaultdict(list)
    for position, key in enumerate(keys):
        groups[key].append(position)
    return sorted(groups.values())


def forms(graphs):
    return [tuple(row) for row in canonical.canonical_forms(as_masks(graphs)).tolist()]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_forms_are_equal_for_isomorphic_digraphs_only(n):
    graphs = list(every_digraph(n))
    smallest: dict[frozenset, int] = {}
    for position, graph in enumerate(graphs):
        if edge_set(graph) not in smallest:
            smallest |= {edge_set(copy): position for copy in renamings(graph)}
    assert partition(forms(graphs)) == partition(smallest[edge_set(graph)] for graph in graphs)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_automorphisms_of_every_digraph(n):
    graphs = list(every_digraph(n))
    counted = canonical.automorphism_counts(as_masks(graphs))
    assert counted.dtype == np.int64
    assert counted.tolist() == [automorphism_count(graph) for graph in graphs]


@pytest.mark.slow
def test_forms_of_every_labelled_dag_on_five_nodes():
    codes = [first_codes(5)[edge_set(graph)] for graph in labelled_dags(5)]
    assert partition(map(tuple, canonical.canonical_forms(labelled_masks(5)).tolist())) == partition(codes)


@given(digraphs_and_renamings(min_n=5))
def test_a_renamed_dag_has_the_same_form_and_automorphisms(drawn):
    graph, renaming = drawn
    dags = as_masks([graph])
    copy = bitdags.relabel(dags, np.array([renaming]))
    assert np.array_equal(canonical.canonical_forms(dags), canonical.canonical_forms(copy))
    assert canonical.automorphism_counts(dags) == canonical.automorphism_counts(copy)


@given(digraphs(5, 5), digraphs(5, 5))
def test_forms_agree_with_networkx_on_isomorphism(graph, other):
    form, other_form = forms([graph, other])
    assert (form == other_form) == nx.is_isomorphic(graph, other)


@given(digraphs(5, 6))
def test_automorphisms_of_larger_dags(graph):
    assert canonical.automorphism_counts(as_masks([graph])).tolist() == [automorphism_count(graph)]


def test_regular_digraphs_that_degrees_cannot_tell_apart():
    """Two directed triangles and a directed hexagon: every node has one edge in and one out."""
    triangles = dag(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    hexagon = dag(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)])
    shuffled = dag(6, [(0, 4), (4, 2), (2, 0), (1, 5), (5, 3), (3, 1)])
    first, second, third = forms([triangles, hexagon, shuffled])
    assert first == third != second
    assert canonical.automorphism_counts(as_masks([triangles, hexagon])).tolist() == [18, 6]


def test_nauty_is_left_alone_where_colours_and_twins_decide(monkeypatch):
    """Its one graph at a time costs more than the rest: only nodes alike but not interchangeable need it."""

    def refuse(*_):
        raise AssertionError("nauty was asked")

    monkeypatch.setattr(pynauty, "canon_label", refuse)
    monkeypatch.setattr(pynauty, "autgrp", refuse)
    chain, star = dag(6, [(v, v + 1) for v in range(5)]), dag(6, [(0, v) for v in range(1, 6)])
    source_and_loner = dag(6, [(0, 1), (2, 1), (3, 1)])
    decided = as_masks([chain, star, star.reverse(), source_and_loner, dag(6, permutations(range(6), 2))])
    assert canonical.automorphism_counts(decided).tolist() == [1, 120, 120, 12, 720]
    assert len(np.unique(canonical.canonical_forms(decided), axis=0)) == len(decided)


@pytest.mark.parametrize("n", [8, 12, 16])
def test_rings_of_many_nodes(n):
    """Refinement tells no two nodes of a ring apart; it has n rotations, and with undirected edges n mirrorings too."""
    ring = dag(n, [(v, (v + 1) % n) for v in range(n)])
    halves = dag(n, [(v, v + 1 if (v + 1) % (n // 2) else v + 1 - n // 2) for v in range(n)])
    turned = renamed(ring, tuple(v * (n // 2 + 1) % n for v in range(n)))
    undirected = nx.compose(ring, ring.reverse())
    first, second, third, _ = forms([ring, halves, turned, undirected])
    assert first == third != second
    counts = canonical.automorphism_counts(as_masks([ring, halves, undirected]))
    assert counts.tolist() == [n, 2 * (n // 2) ** 2, 2 * n]


@settings(max_examples=50)
@given(disjoint_unions())
def test_unconnected_parts_may_be_named_at_will(drawn):
    left, right, names = drawn
    sides = united(left, right, tuple(range(len(names)))), united(right, left, names)
    first, second = forms(sides)
    assert first == second
    assert_is_a_copy(first, sides[0])


@given(digraphs(max_n=8))
def test_a_form_is_a_relabelling_of_its_graph(graph):
    assert_is_a_copy(forms([graph])[0], graph)


def assert_is_a_copy(form, graph):
    assert nx.is_isomorphic(as_graph(np.array(form, dtype=np.uint16)), graph)


def test_no_edges_and_all_edges_leave_all_renamings():
    empty = dag(7, [])
    complete_undirected = dag(7, permutations(range(7), 2))
    assert canonical.automorphism_counts(as_masks([empty, complete_undirected])).tolist() == [5040, 5040]
