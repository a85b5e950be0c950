"""The PC algorithm against classes by definition: every class of up to four nodes, random graphs of five and six."""

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.graphs.discovery import Discovery, VStructure, discover
from corr2cause.graphs.equivalence import cpdags
from corr2cause.graphs.separation import statements
from tests.oracles.dags import edge_set, renamed
from tests.oracles.equivalence import (
    acyclic_orientations,
    cpdag,
    labelled_classes,
    members,
    representative_classes,
    shape,
    skeleton,
    v_structures,
)
from tests.oracles.separation import minimal, separations
from tests.oracles.translation import as_edges, as_graph, as_masks
from tests.strategies import digraphs

A, B, C, D = range(4)


def lines(found: Discovery) -> frozenset[tuple[int, int]]:
    """Return the undirected edges, smaller node first."""
    return frozenset((min(edge), max(edge)) for edge in as_edges(np.array(found.undirected)))


def arrows(found: Discovery) -> frozenset[tuple[int, int]]:
    return as_edges(np.array(found.directed))


def follow(found: Discovery) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Replay the steps on a graph of one's own, checking the pattern of each rule (Meek 1995, figure 1)."""
    separated = set(found.separators)
    rest = {pair for pair in combinations(range(found.n), 2) if pair not in separated}
    directed: set[tuple[int, int]] = set()

    def is_line(u, v):
        return (min(u, v), max(u, v)) in rest

    def are_apart(u, v):
        return (min(u, v), max(u, v)) in separated

    for v in found.v_structures:
        assert are_apart(v.first, v.second)
        assert v.collider not in found.separators[v.first, v.second]
        for cause in (v.first, v.second):
            edge = (min(cause, v.collider), max(cause, v.collider))
            assert edge in rest or (cause, v.collider) in directed or (v.collider, cause) in directed
            rest.discard(edge)
            directed.add((cause, v.collider))
    for step in found.steps:
        cause, effect = step.edge
        assert is_line(cause, effect)
        assert set(step.arrows) <= directed
        assert all(is_line(*line) for line in step.lines)
        match step.rule:
            case 1:
                ((start, middle),) = step.arrows
                assert middle == cause
                assert are_apart(start, effect)
                assert not step.lines
            case 2:
                (start, middle), (again, end) = step.arrows
                assert (start, end) == (cause, effect)
                assert middle == again
                assert not step.lines
            case 3:
                (b, end), (c, same_end) = step.arrows
                assert end == same_end == effect
                assert set(step.lines) == {(cause, b), (cause, c)}
                assert are_apart(b, c)
            case _:
                pytest.fail(f"there is no rule {step.rule}")
        rest.discard((min(step.edge), max(step.edge)))
        directed.add(step.edge)
    return directed, rest


def check(graph: nx.DiGraph, group: tuple[nx.DiGraph, ...]) -> None:
    """Compare what PC finds from the d-separations of a DAG, all or only the minimal, with its class."""
    implied = separations(graph)
    for stated in (implied, minimal(implied)):
        found = discover(len(graph), stated)
        expected = cpdag(group)
        assert arrows(found) == expected.directed
        assert lines(found) == expected.undirected
        assert {(v.first, v.collider, v.second) for v in found.v_structures} == v_structures(graph)
        assert set(combinations(range(len(graph)), 2)) - set(found.separators) == set(skeleton(graph))
        assert follow(found) == (set(expected.directed), set(expected.undirected))
        assert found.extension is not None
        assert edge_set(as_graph(np.array(found.extension))) in set(map(edge_set, group))
        mixed = cpdags(as_masks([graph]))
        assert tuple(mixed.directed[0].tolist()) == found.directed
        assert tuple(mixed.undirected[0].tolist()) == found.undirected


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_labelled_class_is_found(n):
    """All labelled classes are all classes under all renamings."""
    for group in labelled_classes(n):
        check(group[-1], group)


@settings(max_examples=60)
@given(digraphs(min_n=5, max_n=6))
def test_random_classes_are_found(graph):
    check(graph, members(graph))


@pytest.mark.parametrize("n", [3, 4])
def test_the_order_of_the_statements_is_of_no_account(n):
    for group in representative_classes(n).values():
        stated = sorted(separations(group[0]))
        assert discover(n, stated) == discover(n, reversed(stated))


@settings(max_examples=60)
@given(st.permutations(range(5)), digraphs(min_n=5, max_n=5))
def test_renaming_renames_the_result(permutation, graph):
    found, other = discover(5, separations(graph)), discover(5, separations(renamed(graph, permutation)))
    assert arrows(other) == {(permutation[u], permutation[v]) for u, v in arrows(found)}


def test_the_separator_is_the_smallest_and_then_the_first():
    stated = [(A, D, (B, C)), (A, D, (C,)), (A, D, (B,))]
    assert discover(4, stated).separators == {(A, D): (B,)}


@settings(max_examples=150)
@given(st.sets(st.sampled_from(statements(4)), max_size=12))
def test_any_statements_are_followed_to_the_end(stated):
    """Of any statements, steps stay valid and an extension is found iff there is one."""
    found = discover(4, stated)
    directed, rest = follow(found)
    assert directed == arrows(found)
    assert rest == lines(found)
    apart = set(found.separators)
    frame = nx.DiGraph(pair for pair in combinations(range(4), 2) if pair not in apart)
    frame.add_nodes_from(range(4))
    wanted = {(a, c, b) for a, b in apart for c in range(4) if {(a, c), (b, c)} <= directed}
    assert wanted >= {(v.first, v.collider, v.second) for v in found.v_structures}
    fitting = {
        edge_set(dag)
        for dag in acyclic_orientations(frame)
        if directed <= edge_set(dag) and v_structures(dag) == wanted
    }
    if found.extension is None:
        assert not fitting
    else:
        assert edge_set(as_graph(np.array(found.extension))) in fitting


def test_no_rule_finds_another_edge():
    """The result is closed: no line is left to which a rule applies."""
    for group in labelled_classes(4):
        found = discover(4, separations(group[0]))
        directed, rest = arrows(found), lines(found)
        near = {frozenset(edge) for edge in directed | rest}
        both = rest | {(v, u) for u, v in rest}
        for a, b in both:
            others = [k for k in range(4) if k not in (a, b)]
            assert not any((k, a) in directed and frozenset((k, b)) not in near for k in others)
            assert not any((a, k) in directed and (k, b) in directed for k in others)
            assert not any(
                {(a, k), (a, m)} <= both and {(k, b), (m, b)} <= directed and frozenset((k, m)) not in near
                for k, m in permutations(others, 2)
            )


class TestTraps:
    """Section 6 of the specification, where it concerns discovery."""

    def test_the_kite_needs_rule_3(self):
        """A→B, A→C, A→D, B→D, C→D: only independence B⊥C|A; needs Meek rule 3 for A→D."""
        found = discover(4, [(B, C, (A,))])
        assert found.v_structures == (VStructure(B, D, C),)
        (step,) = found.steps
        assert (step.rule, step.edge) == (3, (A, D))
        assert set(step.arrows) == {(B, D), (C, D)}
        assert set(step.lines) == {(A, B), (A, C)}
        assert lines(found) == {(A, B), (A, C)}

    def test_a_complete_graph_without_one_edge_compels_nothing(self):
        """K4 minus one edge (1⊥4|{2,3}): no edge is compelled."""
        found = discover(4, [(A, D, (B, C))])
        assert not found.v_structures
        assert not found.steps
        assert len(lines(found)) == 5

    def test_a_v_structure_remembers_its_centre(self):
        """A→B,A→C,B→D,C→D and its reversal are not equivalent."""
        diamond = nx.DiGraph([(A, B), (A, C), (B, D), (C, D)])
        there = discover(4, separations(diamond))
        back = discover(4, separations(diamond.reverse()))
        assert there.v_structures == (VStructure(B, D, C),)
        assert back.v_structures == (VStructure(B, A, C),)
        assert shape(as_graph(np.array(there.extension))) != shape(as_graph(np.array(back.extension)))

    def test_statements_that_no_dag_satisfies_have_no_extension_or_another_class(self):
        """{A⊥B, A⊥B|C, A⊥B|D, A⊥D, A⊥D|B, B⊥C, B⊥C|A}."""
        stated = {(A, B, ()), (A, B, (C,)), (A, B, (D,)), (A, D, ()), (A, D, (B,)), (B, C, ()), (B, C, (A,))}
        found = discover(4, stated)
        assert found.extension is None or separations(as_graph(np.array(found.extension))) != stated

    @pytest.mark.parametrize("n", [1, 2, 5, 8])
    def test_without_statements_the_graph_is_complete_and_undirected(self, n):
        found = discover(n, [])
        assert len(lines(found)) == n * (n - 1) // 2
        assert not arrows(found)


def test_a_digraph_shows_arrows_one_way_and_lines_both_ways():
    collider_with_tail = discover(4, [(0, 1, ()), (0, 3, (2,)), (1, 3, (2,))])
    assert collider_with_tail.as_digraph() == (0, 0, 0b0011, 0b0100)
    chain = discover(3, [(0, 2, (1,))])
    assert chain.as_digraph() == (0b010, 0b101, 0b010)
