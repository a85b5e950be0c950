"""Graphs on which other generators of this data went wrong; each docstring is the specification's sentence."""

from itertools import combinations

import numpy as np
import pytest

from corr2cause.graphs import bitdags
from corr2cause.graphs.equivalence import close_under, cpdags, meek_rule_1, meek_rule_2, members
from corr2cause.graphs.relations import support
from corr2cause.graphs.separation import d_connected, separations, statements
from corr2cause.graphs.terms import Reading, Relation
from tests.graphs.exhaustive import labelled_masks
from tests.oracles.translation import as_edges, as_set

A, B, C, D = range(4)
KITE = bitdags.from_edges(4, [(A, B), (A, C), (A, D), (B, D), (C, D)])
DIAMOND = bitdags.from_edges(4, [(A, B), (A, C), (B, D), (C, D)])


def independences(dags):
    return {
        statement for statement, holds in zip(statements(dags.shape[1]), separations(dags)[0], strict=True) if holds
    }


def count(dags, relation, x, y, reading=Reading.DIRECT):
    """Return s: in how many members of the class of the DAG the relation holds."""
    return support(members(dags), reading).holds_in[0, list(Relation).index(relation), x, y]


def test_kite():
    """A→B, A→C, A→D, B→D, C→D: only independence B⊥C|A; class of 3; needs Meek rule 3 for A→D."""
    assert independences(KITE) == {(B, C, (A,))}
    assert len(members(KITE).parents) == 3
    assert as_edges(cpdags(KITE).directed[0]) == {(A, D), (B, D), (C, D)}
    v_structure, rest = bitdags.from_edges(4, [(B, D), (C, D)]), bitdags.from_edges(4, [(A, B), (A, C), (A, D)])
    undirected = rest | bitdags.children(rest)
    without_rule_3 = close_under((meek_rule_1, meek_rule_2), v_structure, undirected)
    assert as_edges(without_rule_3.directed[0]) == {(B, D), (C, D)}


@pytest.mark.parametrize("reading", list(Reading))
def test_labels_of_the_kite(reading):
    """Has-Confounder(C,D) holds in 2 of 3 → 0; Is-Parent(A,D) 3/3 → 1; Has-Collider(B,C) 3/3 → 1."""
    assert count(KITE, Relation.HAS_CONFOUNDER, C, D, reading) == 2
    assert count(KITE, Relation.IS_PARENT, A, D, reading) == 3
    assert count(KITE, Relation.HAS_COLLIDER, B, C, reading) == 3


def test_readings_of_the_kite():
    """Is-Ancestor(A,D): `path` 3/3 → 1, `direct` 0/3 → 0."""
    assert count(KITE, Relation.IS_ANCESTOR, A, D, Reading.PATH) == 3
    assert count(KITE, Relation.IS_ANCESTOR, A, D, Reading.DIRECT) == 0


@pytest.mark.parametrize("reading", list(Reading))
def test_complete_graph_without_one_edge(reading):
    """K4 minus one edge (1⊥4|{2,3}): class of 10; parent+child of an adjacent pair must add up to 10."""
    dags = bitdags.from_edges(4, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)])
    assert independences(dags) == {(0, 3, (1, 2))}
    assert len(members(dags).parents) == 10
    for x, y in combinations(range(4), 2):
        both = count(dags, Relation.IS_PARENT, x, y, reading) + count(dags, Relation.IS_CHILD, x, y, reading)
        assert both == (0 if (x, y) == (0, 3) else 10)


@pytest.mark.parametrize("reading", list(Reading))
def test_a_claim_can_follow_although_no_edge_is_compelled(reading):
    """Has-Collider(2,3) holds 10/10 although no edge is compelled.

    Every member has a child common to nodes 2 and 3, but in some it is node 1 and in others node 4.
    """
    dags = bitdags.from_edges(4, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)])
    assert not cpdags(dags).directed.any()
    assert count(dags, Relation.HAS_COLLIDER, 1, 2, reading) == 10


def test_a_v_structure_remembers_its_centre():
    """A→B,A→C,B→D,C→D and its reversal are not equivalent: a v-structure must remember its centre."""
    reversal = bitdags.children(DIAMOND)
    assert np.array_equal(bitdags.skeleton(DIAMOND), bitdags.skeleton(reversal))
    assert not np.array_equal(bitdags.v_structures(DIAMOND), bitdags.v_structures(reversal))
    assert as_edges(cpdags(DIAMOND).directed[0]) != as_edges(cpdags(reversal).directed[0])
    assert independences(DIAMOND) != independences(reversal)
    edges = {as_edges(row) for row in members(DIAMOND).parents}
    assert as_edges(reversal[0]) not in edges


def test_blocking_needs_the_right_set():
    """A→X, A→B, B→X, C→B, C→Y: {C} and {A,B} separate X and Y, {B} and {A} do not."""
    x, y = 3, 4
    dags = bitdags.from_edges(5, [(A, x), (A, B), (B, x), (C, B), (C, y)])
    found = independences(dags)
    assert {(x, y, (C,)), (x, y, (A, B))} <= found
    assert {(x, y, (B,)), (x, y, (A,)), (x, y, ())} & found == set()


def test_a_descendant_of_a_collider_opens_the_path():
    """A→C←B, C→D: A⊥B, but neither given C nor given D."""
    dags = bitdags.from_edges(4, [(A, C), (B, C), (C, D)])
    found = independences(dags)
    assert (A, B, ()) in found
    assert {(A, B, (C,)), (A, B, (D,)), (A, B, (C, D))} & found == set()
    connected = d_connected(dags)
    assert B not in as_set(connected[0, A, 0])
    assert B in as_set(connected[0, A, 1 << D])


def test_independences_that_no_dag_satisfies():
    """{A⊥B, A⊥B|C, A⊥B|D, A⊥D, A⊥D|B, B⊥C, B⊥C|A}, everything else dependent: no DAG over A..D fits."""
    impossible = {(A, B, ()), (A, B, (C,)), (A, B, (D,)), (A, D, ()), (A, D, (B,)), (B, C, ()), (B, C, (A,))}
    stated = np.array([statement in impossible for statement in statements(4)])
    found = separations(labelled_masks(4))
    assert stated.sum() == len(impossible)
    assert not (found == stated).all(axis=1).any()
