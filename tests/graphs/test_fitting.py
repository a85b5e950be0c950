"""Moralisation and the fit of statements, against d-separation by paths and all DAGs by brute force."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from corr2cause.graphs.discovery import discover
from corr2cause.graphs.fitting import Fit, Verdict, independences_by_moralisation, judge
from corr2cause.graphs.separation import separations as separations_by_walks
from corr2cause.graphs.separation import statements
from tests.oracles.dags import edge_set, labelled_dags
from tests.oracles.equivalence import labelled_separations, representative_classes
from tests.oracles.separation import minimal, separations
from tests.oracles.translation import as_edges, as_graph, as_masks
from tests.strategies import parent_masks

A, B, C, D = range(4)


def chosen(truths):
    return {statement for statement, holds in zip(statements_of(truths), truths, strict=True) if holds}


def statements_of(truths):
    return next(statements(n) for n in range(1, 9) if len(statements(n)) == len(truths) and n != 1)


def fit(n: int, stated: set, is_minimal: bool = False) -> Fit:
    truths = np.array([[statement in stated for statement in statements(n)]])
    return judge([discover(n, stated)], truths, is_minimal)[0]


@cache
def fitting(n: int, is_minimal: bool) -> frozenset:
    """Return every set of statements that some DAG has exactly."""
    found = set(labelled_separations(n).values())
    return frozenset(map(minimal, found) if is_minimal else found)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_moralisation_is_d_separation_by_paths(n):
    implied = independences_by_moralisation(as_masks(labelled_dags(n)))
    for graph, truths in zip(labelled_dags(n), implied, strict=True):
        assert chosen(truths) == labelled_separations(n)[edge_set(graph)]


@settings(max_examples=40)
@given(parent_masks(min_n=5, max_n=6))
def test_moralisation_is_d_separation_by_paths_on_random_graphs(masks):
    assert chosen(independences_by_moralisation(masks)[0]) == separations(as_graph(masks[0]))


@settings(max_examples=20)
@given(parent_masks(min_n=7, max_n=9))
def test_moralisation_agrees_with_walks_on_larger_graphs(masks):
    assert np.array_equal(independences_by_moralisation(masks), separations_by_walks(masks))


def test_one_node_has_no_statement():
    assert independences_by_moralisation(np.zeros((3, 1), dtype=np.uint16)).shape == (3, 0)
    assert fit(1, set()).verdict is Verdict.DETERMINED


def is_fitted_exactly(n, stated, is_minimal):
    return frozenset(stated) in fitting(n, is_minimal)


def check_reasons(n: int, stated: set, is_minimal: bool, found: Fit) -> None:
    """The reasons that a verdict gives are true by definition."""
    extension = discover(n, stated).extension
    if extension is None:
        assert found == Fit(Verdict.UNSATISFIABLE)
        return
    implied = separations(as_graph(np.array(extension)))
    expected = minimal(implied) if is_minimal else implied
    assert set(found.unstated) == expected - stated
    assert set(found.broken) == stated - implied
    assert set(found.redundant) == (stated & implied) - expected
    if found.verdict is Verdict.INCOMPLETE:
        assert stated < expected
    if found.verdict is Verdict.UNSATISFIABLE:
        assert found.broken or found.redundant


@pytest.mark.parametrize("is_minimal", [False, True])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_one_statement_too_few_or_too_many_is_judged_as_brute_force_does(n, is_minimal):
    """Every single removal and addition, over every class: determined iff some DAG has exactly these independences."""
    verdicts = set()
    for group in representative_classes(n).values():
        implied = separations(group[0])
        right = minimal(implied) if is_minimal else implied
        assert fit(n, right, is_minimal) == Fit(Verdict.DETERMINED)
        for statement in statements(n):
            stated = right ^ {statement}
            found = fit(n, stated, is_minimal)
            assert (found.verdict is Verdict.DETERMINED) == is_fitted_exactly(n, stated, is_minimal)
            check_reasons(n, stated, is_minimal, found)
            verdicts.add(found.verdict)
    assert verdicts == set(Verdict) or n < 4


def test_all_sets_of_statements_on_three_nodes():
    """All 64 sets of statements."""
    possible = statements(3)
    for number in range(1 << len(possible)):
        stated = {statement for k, statement in enumerate(possible) if number >> k & 1}
        found = fit(3, stated)
        assert (found.verdict is Verdict.DETERMINED) == is_fitted_exactly(3, stated, False)
        check_reasons(3, stated, False, found)


def test_a_batch_is_judged_one_by_one():
    sets = [separations(group[0]) for group in representative_classes(4).values()]
    sets += [stated ^ {statements(4)[k]} for k, stated in enumerate(sets)]
    truths = np.array([[statement in stated for statement in statements(4)] for stated in sets])
    together = judge([discover(4, stated) for stated in sets], truths, minimal=False)
    assert together == [fit(4, stated) for stated in sets]


def test_the_example_that_no_dag_satisfies():
    """{A⊥B, A⊥B|C, A⊥B|D, A⊥D, A⊥D|B, B⊥C, B⊥C|A}, everything else dependent: no DAG over A..D fits."""
    stated = {(A, B, ()), (A, B, (C,)), (A, B, (D,)), (A, D, ()), (A, D, (B,)), (B, C, ()), (B, C, (A,))}
    assert not is_fitted_exactly(4, stated, False)
    assert fit(4, stated).verdict is Verdict.UNSATISFIABLE


def test_two_arrow_heads_on_one_edge_have_no_class():
    """A⊥C, B⊥D and nothing else makes B-C point both ways: A -> B <- C and B -> C <- D."""
    stated = {(A, C, ()), (B, D, ()), (A, D, ())}
    found = discover(4, stated)
    assert found.extension is None
    assert {(B, C), (C, B)} <= as_edges(np.array(found.directed))
    assert fit(4, stated) == Fit(Verdict.UNSATISFIABLE)


def test_nothing_to_judge():
    assert judge([], np.zeros((0, 24), dtype=bool), minimal=False) == []
