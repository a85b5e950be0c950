"""Class sizes by root picking against listing, and the member that it finds."""

from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings

from corr2cause.graphs.bitdags import from_edges
from corr2cause.graphs.equivalence import cpdags, equivalence_classes, members
from corr2cause.graphs.rooting import class_sizes, first_members
from tests.graphs.exhaustive import SIZES, labelled_masks
from tests.oracles import equivalence as oracle
from tests.oracles.dags import edge_set, pairs
from tests.oracles.translation import as_edges, as_masks
from tests.strategies import digraphs, parent_masks


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_sizes_are_those_of_the_classes_of_equal_separations(n):
    for members_ in oracle.labelled_classes(n):
        assert class_sizes(cpdags(as_masks(members_))).tolist() == [len(members_)] * len(members_)


@pytest.mark.parametrize("n", [5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_sizes_are_the_numbers_of_listed_members(n):
    representatives = equivalence_classes(n).representatives
    assert np.array_equal(class_sizes(cpdags(representatives)), members(representatives).sizes)


@settings(max_examples=30)
@given(parent_masks(8, 9))
def test_sizes_of_larger_graphs_are_the_numbers_of_listed_members(parents):
    size = int(class_sizes(cpdags(parents))[0])
    assert size > 20_000 or size == members(parents).sizes[0]


@pytest.mark.parametrize("n", [2, 5, 12, 16])
def test_known_sizes(n):
    """Any order directs the complete graph, any root a tree."""
    assert class_sizes(cpdags(from_edges(n, pairs(n)))).tolist() == [factorial(n)]
    assert class_sizes(cpdags(from_edges(n, [(0, v) for v in range(1, n)]))).tolist() == [n]


@pytest.mark.parametrize("n", SIZES)
def test_the_first_member_is_a_member_and_the_same_for_all(n):
    parents = labelled_masks(n)
    mixed = cpdags(parents)
    found = first_members(mixed)
    again = cpdags(found)
    assert np.array_equal(again.directed, mixed.directed)
    assert np.array_equal(again.undirected, mixed.undirected)


@settings(max_examples=20)
@given(digraphs(5, 6))
def test_the_first_member_of_a_larger_class_is_a_member(graph):
    (found,) = first_members(cpdags(as_masks([graph])))
    assert as_edges(found) in {edge_set(member) for member in oracle.members(graph)}
