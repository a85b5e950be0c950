"""Every number gives a DAG, every DAG has the numbers that it should: so a uniform number gives a uniform DAG."""

from collections import Counter
from math import factorial

import numpy as np
import pytest

from corr2cause.graphs.counting import cycle_types, fixed_dags, labelled_dag_count, permutation_count
from corr2cause.graphs.numbering import labelled_dag, unlabelled_dag, unlabelled_dag_numbers
from tests.oracles.dags import edge_set, first_codes, labelled_dags, renamed, representative_codes
from tests.oracles.translation import as_graph


def graph_of(parents):
    return as_graph(np.array(parents, dtype=np.uint16))


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_each_labelled_dag_has_one_number(n):
    found = [edge_set(graph_of(labelled_dag(n, number))) for number in range(labelled_dag_count(n))]
    assert len(found) == len(set(found))
    assert set(found) == {edge_set(graph) for graph in labelled_dags(n)}


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_each_dag_up_to_renaming_has_as_many_numbers_as_there_are_renamings(n):
    codes = first_codes(n)
    found = Counter(codes[edge_set(graph_of(unlabelled_dag(n, k)))] for k in range(unlabelled_dag_numbers(n)))
    assert found == dict.fromkeys(representative_codes(n), factorial(n))


@pytest.mark.parametrize("n", [6, 9])
def test_dags_of_every_cycle_type_are_left_fixed_by_their_permutation(n):
    """The first and the last number of each type, and some between them."""
    before = 0
    for cycles in cycle_types(n):
        starts = [sum(cycles[:place]) for place in range(len(cycles))]
        turned = tuple(
            start + (place + 1) % length
            for start, length in zip(starts, cycles, strict=True)
            for place in range(length)
        )
        count = fixed_dags(cycles).count * permutation_count(cycles)
        for number in {0, count // 3, count // 2, count - 1}:
            graph = graph_of(unlabelled_dag(n, before + number))
            assert edge_set(renamed(graph, turned)) == edge_set(graph)
        before += count
    assert before == unlabelled_dag_numbers(n)


@pytest.mark.parametrize("number_to_dag", [labelled_dag, unlabelled_dag])
@pytest.mark.parametrize("number", [-1, 150])
def test_other_numbers_are_refused(number_to_dag, number):
    with pytest.raises(ValueError, match="is not in 0 to"):
        number_to_dag(3, number)
