"""The six relations under the three readings, and how many members hold them."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings

from corr2cause.graphs import bitdags, relations
from corr2cause.graphs.equivalence import equivalence_classes, members
from corr2cause.graphs.relations import holds, support
from corr2cause.graphs.terms import Reading, Relation
from tests.graphs.exhaustive import SIZES, labelled_masks
from tests.known import ENTAILED_COUNTS
from tests.oracles import relations as oracle
from tests.oracles.dags import from_code, labelled_dags
from tests.oracles.equivalence import members as oracle_members
from tests.oracles.equivalence import representative_classes
from tests.oracles.translation import as_graph, as_masks, as_set
from tests.strategies import digraphs, digraphs_and_renamings

EVERY_READING = pytest.mark.parametrize("reading", list(Reading))


def claims_in(dags, reading):
    """Return, per DAG, every (relation, x, y) that the package holds true."""
    found = [set() for _ in dags]
    for relation in Relation:
        for b, row in enumerate(holds(dags, relation, reading).tolist()):
            found[b] |= {(relation.value, x, y) for x, mask in enumerate(row) for y in as_set(mask) - {x}}
    return found


def test_relations_and_readings_come_in_the_order_of_the_specification():
    assert [relation.value for relation in Relation] == list(oracle.RELATIONS)
    assert [reading.value for reading in Reading] == list(oracle.READINGS)


@EVERY_READING
@pytest.mark.parametrize("n", SIZES)
def test_relations_of_every_labelled_dag(n, reading):
    assert claims_in(labelled_masks(n), reading) == [oracle.claims(graph, reading) for graph in labelled_dags(n)]


@EVERY_READING
@settings(max_examples=40)
@given(digraphs(5, 7))
def test_relations_of_larger_dags(reading, graph):
    assert claims_in(as_masks([graph]), reading) == [oracle.claims(graph, reading)]


def counted(dags, reading):
    found = support(members(dags), reading).holds_in
    n = dags.shape[1]
    assert found.shape == (len(dags), 6, n, n)
    return [
        {
            (relation, x, y): int(found[c, r, x, y])
            for r, relation in enumerate(oracle.RELATIONS)
            for x in range(n)
            for y in range(n)
            if x != y and found[c, r, x, y]
        }
        for c in range(len(dags))
    ]


@EVERY_READING
@pytest.mark.parametrize("n", SIZES)
def test_counts_over_the_members_of_every_class(n, reading):
    groups = representative_classes(n)
    dags = as_masks(from_code(code, n) for code in groups)
    assert counted(dags, reading) == [oracle.counts(group, reading) for group in groups.values()]


@EVERY_READING
@settings(max_examples=15)
@given(digraphs(5, 6))
def test_counts_over_the_members_of_larger_classes(reading, graph):
    assert counted(as_masks([graph]), reading) == [oracle.counts(oracle_members(graph), reading)]


@EVERY_READING
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_first_failure_is_the_first_member_in_which_the_relation_fails(n, reading):
    group = members(equivalence_classes(n).representatives)
    found = support(group, reading).first_failure
    truth = [oracle.claims(as_graph(row), reading) for row in group.parents]
    for c, (start, stop) in enumerate(zip(group.starts, group.starts[1:], strict=False)):
        for r, relation in enumerate(oracle.RELATIONS):
            for x, y in [(x, y) for x in range(n) for y in range(n) if x != y]:
                failing = (m for m in range(start, stop) if (relation, x, y) not in truth[m])
                assert found[c, r, x, y] == next(failing, -1)


@EVERY_READING
def test_only_entailed_claims_have_no_failure(reading):
    group = members(equivalence_classes(6).representatives)
    sizes = np.diff(group.starts)[:, None, None, None]
    apart = ~np.eye(6, dtype=bool)
    found = support(group, reading)
    entailed = found.holds_in == sizes
    failure = found.first_failure
    assert ((failure == -1) == entailed)[:, :, apart].all()
    inside = (group.starts[:-1, None, None, None] <= failure) & (failure < group.starts[1:, None, None, None])
    assert (inside | entailed)[:, :, apart].all()


@EVERY_READING
@pytest.mark.parametrize("known", ENTAILED_COUNTS)
def test_as_many_hypotheses_are_entailed_as_computed_before(known, reading):
    group = members(equivalence_classes(known.n).representatives)
    s = support(group, reading).holds_in
    x, y = np.triu_indices(known.n, k=1)
    entailed = s[:, :, x, y] == np.diff(group.starts)[:, None, None]
    assert entailed.size == known.rows
    assert entailed.sum() == getattr(known, reading.value)


@EVERY_READING
@given(drawn=digraphs_and_renamings())
def test_relations_and_relabelling_commute(reading, drawn):
    graph, renaming = drawn
    dags = as_masks([graph])
    relabelled = bitdags.relabel(dags, np.array([renaming]))
    moved = {(relation, renaming[x], renaming[y]) for relation, x, y in claims_in(dags, reading)[0]}
    assert claims_in(relabelled, reading) == [moved]


@EVERY_READING
@given(digraphs())
def test_turning_every_edge_round_swaps_causes_with_effects_and_colliders_with_confounders(reading, graph):
    mirror = {
        "is_parent": "is_child",
        "is_child": "is_parent",
        "is_ancestor": "is_descendant",
        "is_descendant": "is_ancestor",
        "has_collider": "has_confounder",
        "has_confounder": "has_collider",
    }
    forwards, backwards = claims_in(as_masks([graph, graph.reverse()]), reading)
    assert backwards == {(mirror[relation], x, y) for relation, x, y in forwards}


@EVERY_READING
@given(digraphs())
def test_converse_and_symmetric_relations(reading, graph):
    (found,) = claims_in(as_masks([graph]), reading)
    converse = {"is_parent": "is_child", "is_child": "is_parent"}
    converse |= {"is_ancestor": "is_descendant", "is_descendant": "is_ancestor"}
    assert found == {(converse.get(relation, relation), y, x) for relation, x, y in found}


@given(digraphs())
def test_each_reading_allows_what_the_one_before_allows(graph):
    direct, path, ancestral = (claims_in(as_masks([graph]), reading)[0] for reading in Reading)
    assert direct <= path <= ancestral


@EVERY_READING
def test_parent_and_child_of_an_adjacent_pair_add_up_to_all_members(reading):
    dags = equivalence_classes(5).representatives
    group = members(dags)
    s = support(group, reading).holds_in
    adjacent = bitdags.skeleton(dags)
    parent, child = s[:, list(Relation).index(Relation.IS_PARENT)], s[:, list(Relation).index(Relation.IS_CHILD)]
    for c, size in enumerate(np.diff(group.starts)):
        for x, y in combinations(range(5), 2):
            expected = size if y in as_set(adjacent[c, x]) else 0
            assert parent[c, x, y] + child[c, x, y] == expected


@EVERY_READING
@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_complete_dag(n, reading):
    """The complete DAG on n nodes: N = n!; Has-Confounder(x,y) holds in a fraction 1-2/n of the members."""
    complete = bitdags.from_edges(n, list(combinations(range(n), 2)))
    group = members(complete)
    assert len(group.parents) == factorial(n)
    confounded = support(group, reading).holds_in[0, list(Relation).index(Relation.HAS_CONFOUNDER)]
    apart = ~np.eye(n, dtype=bool)
    assert (confounded[apart] * n == factorial(n) * (n - 2)).all()


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_how_many_members_are_judged_at_once_changes_nothing(monkeypatch, at_once):
    """Classes larger than a batch, and batches across classes."""
    found = members(equivalence_classes(5).representatives)
    usual = support(found, Reading.PATH)
    monkeypatch.setattr(relations, "_MEMBERS_AT_ONCE", at_once)
    again = support(found, Reading.PATH)
    assert np.array_equal(again.holds_in, usual.holds_in)
    assert np.array_equal(again.first_failure, usual.first_failure)


@EVERY_READING
def test_counts_and_places_are_whole_numbers(reading):
    found = support(members(equivalence_classes(3).representatives), reading)
    assert (found.holds_in.dtype, found.first_failure.dtype) == (np.int64, np.int64)
