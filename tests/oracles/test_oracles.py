"""The oracles judge the package; here they are judged by published numbers and by second routes."""

import pytest

from tests.known import ENTAILED_COUNTS, GRAPH_COUNTS
from tests.oracles.dags import (
    automorphism_count,
    edge_set,
    first_codes,
    from_code,
    labelled_dags,
    representative_code,
    representative_codes,
)
from tests.oracles.equivalence import grouped, labelled_classes, members, representative_classes, shape
from tests.oracles.premise import dags_that_fit, independences, premise
from tests.oracles.relations import READINGS, entailed
from tests.oracles.separation import is_separated_in_moral_graph, separations, statements

SIZES = [
    *(counts for counts in GRAPH_COUNTS if counts.n <= 4),
    pytest.param(GRAPH_COUNTS[4], marks=pytest.mark.slow),
]


@pytest.mark.parametrize("known", SIZES)
def test_published_numbers_come_out_by_definition(known):
    classes = representative_classes(known.n)
    assert len(labelled_dags(known.n)) == known.labelled_dags
    assert len(labelled_classes(known.n)) == known.labelled_classes
    assert len(representative_codes(known.n)) == known.unlabelled_dags
    assert len(classes) == known.classes
    assert sum(map(len, classes.values())) == known.members
    assert max(map(len, classes.values())) == known.largest_class
    edges = [len(from_code(code, known.n).edges) for code in representative_codes(known.n)]
    assert round(sum(edges) / len(edges), 2) == known.edges_per_dag


@pytest.mark.parametrize("known", SIZES)
def test_equal_separations_and_equal_shape_give_the_same_classes(known):
    by_shape = grouped(labelled_dags(known.n), shape)
    by_separations = labelled_classes(known.n)
    assert {frozenset(map(edge_set, group)) for group in by_shape} == {
        frozenset(map(edge_set, group)) for group in by_separations
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_members_by_orientation_are_members_by_comparison(n):
    for group in labelled_classes(n):
        assert {edge_set(member) for member in members(group[0])} == set(map(edge_set, group))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_paths_and_moral_graphs_agree_on_separation(n):
    for graph in labelled_dags(n):
        by_moral_graph = {s for s in statements(n) if is_separated_in_moral_graph(graph, s)}
        assert separations(graph) == by_moral_graph


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_representatives_have_the_smallest_code_of_their_copies(n):
    assert all(representative_code(from_code(code, n)) == code for code in representative_codes(n))
    assert all(representative_code(graph) == first_codes(n)[edge_set(graph)] for graph in labelled_dags(n))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_orbits_add_up_to_the_labelled_dags(n):
    orderings = GRAPH_COUNTS[n - 1].largest_class
    copies = [orderings // automorphism_count(from_code(code, n)) for code in representative_codes(n)]
    assert sum(copies) == GRAPH_COUNTS[n - 1].labelled_dags


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("known", [known for known in ENTAILED_COUNTS if known.n <= 4])
def test_entailed_counts_come_out_by_definition(known, reading):
    groups = representative_classes(known.n).values()
    assert sum(len(entailed(group, reading)) for group in groups) == getattr(known, reading)


def test_the_premise_is_written_as_published():
    chain = from_code(0b101, 3)  # 0 -> 1 -> 2 without 0 -> 2
    assert premise("ABC", separations(chain)) == (
        "Suppose there is a closed system of 3 variables, A, B and C. All the statistical relations among these "
        "3 variables are as follows: A correlates with B. A correlates with C. B correlates with C. However, "
        "A and C are independent given B."
    )


def test_reading_a_premise_back_finds_its_class():
    for group in representative_classes(4).values():
        text = premise("ABCD", separations(group[0]))
        assert independences(text) == separations(group[0])
        assert {edge_set(graph) for graph in dags_that_fit(text)} == set(map(edge_set, group))
