"""CPDAGs, equivalence classes and their members."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings

from corr2cause.errors import SizeError
from corr2cause.graphs import bitdags, equivalence, separation
from tests.graphs.exhaustive import SIZES, labelled_masks
from tests.known import (
    CLASSES_7,
    GRAPH_COUNTS,
    LABELLED_CLASSES_7,
    LARGEST_CLASS_7,
    MEMBERS_7,
    WITHOUT_RULE_3,
)
from tests.oracles.dags import dag, edge_set, labelled_dags, pairs
from tests.oracles.equivalence import (
    Pattern,
    cpdag,
    labelled_classes,
    pattern_automorphism_count,
    representative_classes,
    shape,
)
from tests.oracles.equivalence import members as oracle_members
from tests.oracles.translation import as_edges, as_masks, as_set
from tests.strategies import digraphs, digraphs_and_renamings, disjoint_unions, united

RULES = (equivalence.meek_rule_1, equivalence.meek_rule_2, equivalence.meek_rule_3)


def patterns(cpdags):
    """Return each CPDAG of the package as the oracle's value, undirected edges being stored at both ends."""
    found = []
    for directed, undirected in zip(cpdags.directed, cpdags.undirected, strict=True):
        both_ways = as_edges(undirected)
        assert both_ways == {(v, u) for u, v in both_ways}
        found.append(Pattern(as_edges(directed), frozenset((u, v) for u, v in both_ways if u < v)))
    return found


def member_edges(members, c):
    """Return the edges of each member of class c, which must all differ."""
    rows = members.parents[members.starts[c] : members.starts[c + 1]]
    edges = {as_edges(row) for row in rows}
    assert len(edges) == len(rows)
    return edges


# CPDAGs


@pytest.mark.parametrize("n", SIZES)
def test_a_cpdag_directs_the_edges_on_which_all_members_agree(n):
    expected = {edge_set(graph): cpdag(group) for group in labelled_classes(n) for graph in group}
    found = patterns(equivalence.cpdags(labelled_masks(n)))
    assert found == [expected[edge_set(graph)] for graph in labelled_dags(n)]


@given(digraphs(5, 6))
def test_cpdags_of_larger_dags(graph):
    assert patterns(equivalence.cpdags(as_masks([graph]))) == [cpdag(oracle_members(graph))]


@settings(max_examples=10)
@given(digraphs(7, 7))
def test_cpdags_of_seven_variables(graph):
    assert patterns(equivalence.cpdags(as_masks([graph]))) == [cpdag(oracle_members(graph))]


@settings(max_examples=40)
@given(disjoint_unions())
def test_a_class_of_unconnected_parts_is_the_product_of_their_classes(drawn):
    """So that up to twelve nodes can be judged by oracles for six."""
    left, right, names = drawn
    together = as_masks([united(left, right, names)])
    members = [united(one, other, names) for one, other in product(*(oracle_members(part) for part in (left, right)))]
    assert patterns(equivalence.cpdags(together)) == [cpdag(members)]
    if len(members) <= 100:
        assert member_edges(equivalence.members(together), 0) == set(map(edge_set, members))


@given(digraphs_and_renamings())
def test_cpdags_and_relabelling_commute(drawn):
    graph, renaming = drawn
    dags, permutation = as_masks([graph]), np.array([renaming])
    before, after = equivalence.cpdags(dags), equivalence.cpdags(bitdags.relabel(dags, permutation))
    assert np.array_equal(after.directed, bitdags.relabel(before.directed, permutation))
    assert np.array_equal(after.undirected, bitdags.relabel(before.undirected, permutation))


# Meek's rules, one by one


def pattern(n, directed, undirected):
    """Return a partly directed graph as a batch of one: compelled parents, and neighbours at both ends."""
    both_ways = [*undirected, *((v, u) for u, v in undirected)]
    return as_masks([dag(n, directed)]), as_masks([dag(n, both_ways)])


def newly_compelled(rule, n, directed, undirected):
    return as_edges(rule(*pattern(n, directed, undirected))[0])


def test_meek_rule_1_avoids_a_new_v_structure():
    """A -> B - C with A and C not adjacent: B -> C."""
    assert newly_compelled(RULES[0], 3, [(0, 1)], [(1, 2)]) == {(1, 2)}
    assert newly_compelled(RULES[0], 3, [(0, 1), (0, 2)], [(1, 2)]) == frozenset()
    assert newly_compelled(RULES[0], 3, [(0, 1)], [(1, 2), (0, 2)]) == frozenset()


def test_meek_rule_2_avoids_a_cycle():
    """A -> B -> C with A - C: A -> C."""
    assert newly_compelled(RULES[1], 3, [(0, 1), (1, 2)], [(0, 2)]) == {(0, 2)}
    assert newly_compelled(RULES[1], 3, [(0, 1), (2, 1)], [(0, 2)]) == frozenset()
    assert newly_compelled(RULES[1], 3, [(0, 1), (1, 2)], []) == frozenset()


def test_meek_rule_3_avoids_both_at_once():
    """A - B, A - C, A - D, B -> D <- C with B and C not adjacent: A -> D."""
    kite = [(0, 1), (0, 2), (0, 3)]
    assert newly_compelled(RULES[2], 4, [(1, 3), (2, 3)], kite) == {(0, 3)}
    assert newly_compelled(RULES[2], 4, [(1, 3), (2, 3)], [*kite, (1, 2)]) == frozenset()
    assert newly_compelled(RULES[2], 4, [(1, 3), (2, 3), (1, 2)], kite) == frozenset()
    assert newly_compelled(RULES[2], 4, [(1, 3)], kite) == frozenset()
    assert newly_compelled(RULES[2], 4, [(1, 3), (2, 3)], kite[1:]) == frozenset()


def by_definition(rule, n, directed, undirected):
    """Apply one of Meek's rules (1995) by trying all nodes in all roles."""
    arrow = directed.__contains__

    def line(u, v):
        return (u, v) in undirected or (v, u) in undirected

    def apart(u, v):
        return not (arrow((u, v)) or arrow((v, u)) or line(u, v))

    if rule == 0:
        return {(b, c) for a, b, c in permutations(range(n), 3) if arrow((a, b)) and line(b, c) and apart(a, c)}
    if rule == 1:
        return {(a, c) for a, b, c in permutations(range(n), 3) if arrow((a, b)) and arrow((b, c)) and line(a, c)}
    return {
        (a, d)
        for a, b, c, d in permutations(range(n), 4)
        if line(a, b) and line(a, c) and line(a, d) and arrow((b, d)) and arrow((c, d)) and apart(b, c)
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("rule", [0, 1, 2])
def test_meek_rules_on_every_partly_directed_graph(n, rule):
    graphs = []
    for choice in product(("none", "up", "down", "line"), repeat=len(pairs(n))):
        kinds = list(zip(pairs(n), choice, strict=True))
        up = {pair for pair, kind in kinds if kind == "up"}
        down = {(v, u) for (u, v), kind in kinds if kind == "down"}
        graphs.append((up | down, {pair for pair, kind in kinds if kind == "line"}))
    batch = [pattern(n, directed, undirected) for directed, undirected in graphs]
    found = RULES[rule](*(np.concatenate(part) for part in zip(*batch, strict=True)))
    assert [as_edges(row) for row in found] == [by_definition(rule, n, *graph) for graph in graphs]


@pytest.mark.parametrize("known", WITHOUT_RULE_3)
def test_rules_1_and_2_alone_are_wrong_for_as_many_labelled_classes_as_published(known):
    classes = equivalence.equivalence_classes(known.n)
    dags = classes.representatives
    directed = np.bitwise_or.reduce(
        np.where(bitdags.v_structures(dags) != 0, np.uint16(1) << np.arange(known.n, dtype=np.uint16), 0), axis=2
    ).astype(np.uint16)
    while True:
        undirected = bitdags.skeleton(dags) & ~directed & ~bitdags.children(directed)
        new = RULES[0](directed, undirected) | RULES[1](directed, undirected)
        if not new.any():
            break
        directed = directed | new
    wrong = (directed != equivalence.cpdags(dags).directed).any(axis=1)
    size_of_orbit = GRAPH_COUNTS[known.n - 1].largest_class // classes.automorphisms
    assert size_of_orbit[wrong].sum() == known.wrong
    assert size_of_orbit.sum() == known.labelled_classes


# classes


@pytest.mark.parametrize("n", SIZES)
def test_each_class_is_represented_by_the_first_dag_met(n):
    classes = equivalence.equivalence_classes(n)
    assert classes.n == n
    assert bitdags.codes(classes.representatives).tolist() == list(representative_classes(n))


@pytest.mark.parametrize("n", SIZES)
def test_automorphisms_of_every_class(n):
    expected = [pattern_automorphism_count(cpdag(group), n) for group in representative_classes(n).values()]
    assert equivalence.equivalence_classes(n).automorphisms.tolist() == expected


@pytest.mark.parametrize("known", GRAPH_COUNTS)
def test_as_many_classes_and_members_as_published(known):
    classes = equivalence.equivalence_classes(known.n)
    members = equivalence.members(classes.representatives)
    assert classes.representatives.shape == (known.classes, known.n)
    assert equivalence.labelled_class_count(classes) == known.labelled_classes
    assert members.parents.shape == (known.members, known.n)
    assert np.diff(members.starts).max() == known.largest_class


@pytest.mark.parametrize("n", [0, 8])
def test_more_nodes_than_can_be_enumerated_are_refused(n):
    with pytest.raises(SizeError):
        equivalence.equivalence_classes(n)


@pytest.mark.slow
def test_seven_nodes():
    classes = equivalence.equivalence_classes(7)
    members = equivalence.members(classes.representatives)
    assert len(classes.representatives) == CLASSES_7
    assert equivalence.labelled_class_count(classes) == LABELLED_CLASSES_7
    assert len(members.parents) == MEMBERS_7
    assert np.diff(members.starts).max() == LARGEST_CLASS_7


def test_orbits_of_members_add_up_to_the_labelled_dags():
    """Each class of N members has n!/|Aut| renamed copies; together they hold every labelled DAG once."""
    for known in GRAPH_COUNTS:
        classes = equivalence.equivalence_classes(known.n)
        sizes = np.diff(equivalence.members(classes.representatives).starts)
        assert (sizes * (known.largest_class // classes.automorphisms)).sum() == known.labelled_dags


# members


@pytest.mark.parametrize("n", SIZES)
def test_members_of_every_labelled_dag(n):
    group_of = {edge_set(graph): set(map(edge_set, group)) for group in labelled_classes(n) for graph in group}
    members = equivalence.members(labelled_masks(n))
    assert members.starts[0] == 0
    assert members.starts[-1] == len(members.parents)
    for c, graph in enumerate(labelled_dags(n)):
        assert member_edges(members, c) == group_of[edge_set(graph)]


@given(digraphs(5, 6))
def test_members_of_larger_dags(graph):
    members = equivalence.members(as_masks([graph]))
    assert member_edges(members, 0) == set(map(edge_set, oracle_members(graph)))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_members_come_in_the_same_order_whichever_of_them_is_given(n):
    every = equivalence.members(labelled_masks(n))
    order_of = {}
    for start, stop in pairwise(every.starts.tolist()):
        listed = every.parents[start:stop].tolist()
        assert listed == sorted(listed)
        assert order_of.setdefault(frozenset(map(tuple, listed)), listed) == listed
    assert every.sizes.tolist() == np.diff(every.starts).tolist()


def test_members_of_a_class_have_equal_cpdags_and_equal_separations():
    members = equivalence.members(equivalence.equivalence_classes(5).representatives)
    cpdags, separations = equivalence.cpdags(members.parents), separation.separations(members.parents)
    facts = np.concatenate([cpdags.directed, cpdags.undirected, separations], axis=1)
    firsts = np.repeat(members.starts[:-1], np.diff(members.starts))
    assert np.array_equal(facts, facts[firsts])


@given(digraphs())
def test_reversing_an_edge_stays_inside_the_class_iff_it_is_covered(graph):
    """An edge u -> v is covered iff v has exactly the parents of u, and u (Chickering 1995)."""
    here = patterns(equivalence.cpdags(as_masks([graph])))
    for u, v in graph.edges:
        turned = graph.copy()
        turned.remove_edge(u, v)
        turned.add_edge(v, u)
        is_covered = set(graph.predecessors(v)) == {u, *graph.predecessors(u)}
        if is_covered:
            assert patterns(equivalence.cpdags(as_masks([turned]))) == here
        else:
            assert v in as_set(bitdags.descendants(as_masks([turned]))[0, v]) or shape(turned) != shape(graph)


@given(digraphs_and_renamings(max_n=6))
def test_members_and_relabelling_commute(drawn):
    graph, renaming = drawn
    dags = as_masks([graph])
    members = equivalence.members(dags)
    permutations_of_members = np.tile(renaming, (len(members.parents), 1))
    relabelled = equivalence.members(bitdags.relabel(dags, np.array([renaming])))
    moved = bitdags.relabel(members.parents, permutations_of_members)
    assert member_edges(relabelled, 0) == {as_edges(row) for row in moved}
