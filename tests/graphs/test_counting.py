"""Counts of DAGs against OEIS, and against every labelled DAG that a permutation leaves fixed."""

from itertools import permutations

import pytest

from corr2cause.errors import SizeError
from corr2cause.graphs.counting import (
    cycle_types,
    fixed_dags,
    labelled_dag_count,
    permutation_count,
    unlabelled_dag_count,
)
from tests.known import GRAPH_COUNTS, LABELLED_DAGS, UNLABELLED_DAGS_7, UNLABELLED_DAGS_8
from tests.oracles.dags import edge_set, labelled_dags, renamed


@pytest.mark.parametrize("known", GRAPH_COUNTS, ids=lambda known: str(known.n))
def test_counts_are_the_published_ones(known):
    assert labelled_dag_count(known.n) == known.labelled_dags
    assert unlabelled_dag_count(known.n) == known.unlabelled_dags


def test_counts_of_larger_graphs_are_the_published_ones():
    assert {n: labelled_dag_count(n) for n in LABELLED_DAGS} == LABELLED_DAGS
    assert [unlabelled_dag_count(n) for n in (7, 8)] == [UNLABELLED_DAGS_7, UNLABELLED_DAGS_8]


@pytest.mark.parametrize("n", [0, 17])
def test_sizes_out_of_reach_are_refused(n):
    for count in (labelled_dag_count, unlabelled_dag_count):
        with pytest.raises(SizeError):
            count(n)


def cycle_type(permutation: tuple[int, ...]) -> tuple[int, ...]:
    """Follow each node round its cycle."""
    cycles = set()
    for start in range(len(permutation)):
        cycle = [start]
        while permutation[cycle[-1]] != start:
            cycle.append(permutation[cycle[-1]])
        cycles.add(frozenset(cycle))
    return tuple(sorted(map(len, cycles)))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fixed_dags_are_those_that_a_renaming_does_not_change(n):
    found = {}
    for permutation in permutations(range(n)):
        fixed = sum(edge_set(renamed(graph, permutation)) == edge_set(graph) for graph in labelled_dags(n))
        found.setdefault(cycle_type(permutation), []).append(fixed)
    assert set(found) == set(cycle_types(n))
    for cycles, counts in found.items():
        assert counts == [fixed_dags(cycles).count] * permutation_count(cycles)
