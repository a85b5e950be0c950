"""The weights that make classes equally likely, and the one name of each class."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from corr2cause.graphs.bitdags import codes, from_edges, relabel
from corr2cause.graphs.canonical import canonical_forms, reproducible_forms
from corr2cause.graphs.enumeration import unlabelled_dags
from corr2cause.graphs.equivalence import Cpdags, cpdags, equivalence_classes
from corr2cause.graphs.rooting import class_sizes
from corr2cause.graphs.sampling import code, number_topologically, orbit_sizes, representatives
from tests.known import GRAPH_COUNTS
from tests.oracles.dags import is_topologically_numbered, renamings
from tests.oracles.equivalence import members
from tests.oracles.translation import as_graph, as_masks
from tests.strategies import digraphs, digraphs_and_renamings


@pytest.mark.parametrize("known", GRAPH_COUNTS, ids=lambda known: str(known.n))
def test_the_chances_of_the_dags_of_a_class_add_up_to_one(known):
    """Each DAG up to renaming is kept with probability orbit / size: so every class is kept equally often."""
    dags = unlabelled_dags(known.n)
    mixed = cpdags(dags)
    chances = Counter()
    for graph, orbit, size in zip(
        representatives(mixed), orbit_sizes(dags, mixed).tolist(), class_sizes(mixed).tolist(), strict=True
    ):
        chances[code(graph)] += Fraction(orbit, size)
    assert len(chances) == known.classes
    assert set(chances.values()) == {1}


@settings(max_examples=30)
@given(digraphs(2, 5))
def test_an_orbit_holds_the_members_that_are_copies(graph):
    parents = as_masks([graph])
    copies = {frozenset(copy.edges) for copy in renamings(graph)}
    in_class = sum(frozenset(member.edges) in copies for member in members(graph))
    assert orbit_sizes(parents, cpdags(parents)).tolist() == [in_class]


@pytest.mark.parametrize("n", [3, 4, 5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_each_class_has_one_representative_whatever_its_names(n):
    classes = equivalence_classes(n).representatives
    found = representatives(cpdags(classes))
    assert len({code(graph) for graph in found}) == len(classes)
    mixed, original = cpdags(found).as_digraphs(), cpdags(classes).as_digraphs()
    assert np.array_equal(canonical_forms(mixed), canonical_forms(original))
    turned = np.broadcast_to(np.roll(np.arange(n), 1), classes.shape)
    assert np.array_equal(representatives(cpdags(relabel(classes, turned))), found)


@settings(max_examples=30)
@given(digraphs_and_renamings(8, 10))
def test_a_renamed_member_has_the_same_representative(drawn):
    graph, renaming = drawn
    parents = as_masks([graph])
    (one,) = representatives(cpdags(parents))
    (two,) = representatives(cpdags(relabel(parents, np.array([renaming]))))
    assert one.tolist() == two.tolist()
    assert is_topologically_numbered(as_graph(one))


def lines(n, *pairs):
    """Return an undirected graph as in-neighbour masks."""
    return from_edges(n, [edge for u, v in pairs for edge in ((u, v), (v, u))])


SIX_PAIRS = lines(12, *((2 * k, 2 * k + 1) for k in range(6)))
TWO_TRIANGLES = lines(6, (0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5))
HEXAGON = lines(6, (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
NO_EDGES = lines(12)


@pytest.mark.parametrize("graph", [TWO_TRIANGLES, HEXAGON, NO_EDGES, pytest.param(SIX_PAIRS, marks=pytest.mark.slow)])
def test_equal_parts_do_not_confuse_the_form(graph):
    """Colours alone tell nothing here: all nodes look alike."""
    n = graph.shape[1]
    mixed_up = np.array([[(5 * v + 3) % n for v in range(n)]]) if n == 12 else np.array([[2, 4, 0, 1, 5, 3]])
    both = np.concatenate([graph, relabel(graph, mixed_up)])
    one, two = reproducible_forms(both)
    assert one.tolist() == two.tolist()
    assert canonical_forms(one[None]).tolist() == canonical_forms(graph).tolist()


def test_graphs_that_colours_cannot_tell_apart_have_other_forms():
    assert reproducible_forms(TWO_TRIANGLES).tolist() != reproducible_forms(HEXAGON).tolist()


def test_no_graph_has_no_form():
    empty = np.zeros((0, 4), dtype=np.uint16)
    assert reproducible_forms(empty).shape == representatives(Cpdags(empty, empty)).shape == (0, 4)


def test_the_forms_of_these_classes_never_change():
    """Ids are made of them."""
    chain, collider = from_edges(9, [(k, k + 1) for k in range(8)]), from_edges(9, [(8, 0), (3, 0)])
    found = [code(graph) for graph in representatives(cpdags(np.concatenate([chain, collider])))]
    assert found == [44025544977, 51539607552]


@given(digraphs(2, 9))
def test_codes_and_numbering(graph):
    (numbered,) = number_topologically(as_masks([graph]))
    assert is_topologically_numbered(as_graph(numbered))
    assert code(numbered) == codes(numbered[None])[0]
    assert canonical_forms(numbered[None]).tolist() == canonical_forms(as_masks([graph])).tolist()
