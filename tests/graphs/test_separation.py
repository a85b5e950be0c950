"""d-separation of every pair by every set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import SizeError
from corr2cause.graphs import bitdags, equivalence, separation
from tests.graphs.exhaustive import SIZES, labelled_masks
from tests.known import (
    LARGEST_PREMISE_LENGTH_6,
    MEAN_PREMISE_LENGTH_6,
    STATEMENTS_PER_CLASS_6,
    STATEMENTS_PER_CLASS_7,
)
from tests.oracles import separation as oracle
from tests.oracles.dags import edge_set, from_code, labelled_dags, representative_codes
from tests.oracles.equivalence import labelled_separations
from tests.oracles.premise import premise
from tests.oracles.translation import as_masks, as_set
from tests.strategies import digraphs, digraphs_and_renamings


def stated(row):
    """Return the statements that a row of booleans selects."""
    n = next(n for n in range(8) if len(row) == len(oracle.statements(n)))
    return {statement for statement, holds in zip(oracle.statements(n), row, strict=True) if holds}


def minimal_separations(dags):
    return separation.minimal(separation.separations(dags), dags.shape[1])


@pytest.mark.parametrize("n", range(1, 8))
def test_statements_come_in_the_order_of_the_premise(n):
    """Pairs in lexicographic order; within a pair sets sort as lists: [] < [B] < [B,C] < [C]."""
    assert list(separation.statements(n)) == oracle.statements(n)
    assert len(separation.statements(n)) == n * (n - 1) // 2 * (2**n // 4)


@pytest.mark.parametrize("n", SIZES[1:])
def test_separations_of_every_labelled_dag(n):
    by_definition = [labelled_separations(n)[edge_set(graph)] for graph in labelled_dags(n)]
    found = separation.separations(labelled_masks(n))
    assert found.dtype == np.bool_
    assert [stated(row) for row in found] == by_definition


@pytest.mark.parametrize("n", SIZES[1:])
def test_minimal_separations_of_every_labelled_dag(n):
    by_definition = [oracle.minimal(labelled_separations(n)[edge_set(graph)]) for graph in labelled_dags(n)]
    assert [stated(row) for row in minimal_separations(labelled_masks(n))] == by_definition


@pytest.mark.parametrize("n", SIZES)
def test_connection_of_every_labelled_dag(n):
    by_definition = [labelled_separations(n)[edge_set(graph)] for graph in labelled_dags(n)]
    assert_connected(separation.d_connected(labelled_masks(n)), by_definition, n)


def assert_connected(connected, separated, n):
    assert connected.shape == (len(separated), n, 2**n)
    for rows, independences in zip(connected.tolist(), separated, strict=True):
        for i in range(n):
            for given_mask, mask in enumerate(rows[i]):
                condition = as_set(given_mask)
                expected = {
                    j
                    for j in set(range(n)) - condition - {i}
                    if (min(i, j), max(i, j), tuple(sorted(condition))) not in independences
                }
                assert as_set(mask) - {i} == (set() if i in condition else expected)
                assert i not in condition or mask == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_dag_has_the_same_connections_alone_as_in_a_batch(n):
    """The walk must go on until it is done for this very DAG, not for some slower one beside it."""
    dags = as_masks(from_code(code, n) for code in representative_codes(n))
    together = separation.d_connected(dags)
    alone = [separation.d_connected(dags[b : b + 1]) for b in range(len(dags))]
    assert np.array_equal(np.concatenate(alone), together)


def test_separations_are_what_is_not_connected():
    """Over 2,201 DAGs, more than are walked over at once."""
    dags = equivalence.equivalence_classes(6).representatives
    connected, separated = separation.d_connected(dags), separation.separations(dags)
    for position, (i, j, condition) in enumerate(oracle.statements(6)):
        apart = connected[:, i, sum(2**k for k in condition)] // 2**j % 2 == 0
        assert np.array_equal(separated[:, position], apart)


@given(st.integers(2, 5), st.data())
def test_minimal_statements_of_any_list(n, data):
    """In d-separation a set that is not minimal has a removable element; in an arbitrary list it need not."""
    listed = data.draw(st.lists(st.booleans(), min_size=len(oracle.statements(n)), max_size=len(oracle.statements(n))))
    assert stated(separation.minimal(np.array([listed]), n)[0]) == oracle.minimal(stated(listed))


@pytest.mark.parametrize("function", [separation.d_connected, separation.separations])
def test_more_variables_than_there_is_room_for_are_refused(function):
    with pytest.raises(SizeError):
        function(np.zeros((1, 13), dtype=np.uint16))


@settings(max_examples=25)
@given(digraphs(5, 6))
def test_separations_of_larger_dags(graph):
    by_definition = oracle.separations(graph)
    dags = as_masks([graph])
    assert stated(separation.separations(dags)[0]) == by_definition
    assert stated(minimal_separations(dags)[0]) == oracle.minimal(by_definition)
    assert_connected(separation.d_connected(dags), [by_definition], len(graph))


@settings(max_examples=15)
@given(digraphs(7, 7))
def test_separations_of_seven_variables_by_moral_graphs(graph):
    found = separation.separations(as_masks([graph]))[0]
    some = slice(None, None, 7)
    for statement, holds in zip(oracle.statements(7)[some], found[some], strict=True):
        assert holds == oracle.is_separated_in_moral_graph(graph, statement)


@given(digraphs_and_renamings())
def test_separations_and_relabelling_commute(drawn):
    graph, renaming = drawn
    dags = as_masks([graph])
    renamed_statements = {
        (*sorted((renaming[i], renaming[j])), tuple(sorted(renaming[k] for k in condition)))
        for i, j, condition in stated(separation.separations(dags)[0])
    }
    relabelled = bitdags.relabel(dags, np.array([renaming]))
    assert stated(separation.separations(relabelled)[0]) == renamed_statements


@given(digraphs(max_n=6))
def test_two_variables_are_adjacent_iff_no_set_separates_them(graph):
    separable = {(i, j) for i, j, _ in stated(separation.separations(as_masks([graph]))[0])}
    adjacent = {(min(edge), max(edge)) for edge in graph.edges}
    everything = {(i, j) for i, j, _ in oracle.statements(len(graph))}
    assert separable == everything - adjacent


@pytest.mark.parametrize("n", range(2, 7))
def test_no_two_classes_share_their_separations(n):
    found = separation.separations(equivalence.equivalence_classes(n).representatives)
    assert len(np.unique(found, axis=0)) == len(found)


def test_premises_of_six_variables_are_as_long_as_computed_before():
    found = separation.separations(equivalence.equivalence_classes(6).representatives)
    lengths = [len(premise("ABCDEF", stated(row))) for row in found]
    assert round(float(found.sum() / len(found)), 1) == STATEMENTS_PER_CLASS_6
    assert round(sum(lengths) / len(lengths)) == MEAN_PREMISE_LENGTH_6
    assert max(lengths) == LARGEST_PREMISE_LENGTH_6


@pytest.mark.slow
def test_seven_variables_have_twice_the_statements():
    found = separation.separations(equivalence.equivalence_classes(7).representatives)
    assert round(float(found.sum() / len(found)), 1) == STATEMENTS_PER_CLASS_7
