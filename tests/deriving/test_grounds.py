"""Grounds of claims, held against relations by listing paths."""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings

from corr2cause.deriving.grounds import MemberIndex, bearers, cover, failure
from corr2cause.graphs.terms import Reading
from corr2cause.text.trace import FailureKind
from corr2cause.text.wording import Claim
from tests.oracles.dags import dag, labelled_dags
from tests.oracles.equivalence import members, representative_classes
from tests.oracles.relations import claims, counts
from tests.oracles.translation import as_masks, as_set
from tests.strategies import digraphs

RELATIONS = {
    Claim.DIRECT: "is_parent",
    Claim.INDIRECT: "is_ancestor",
    Claim.COLLIDER: "has_collider",
    Claim.CONFOUNDER: "has_confounder",
}


def pairs(n):
    return [(x, y) for x in range(n) for y in range(n) if x != y]


def is_borne_out(arms, claim, reading, pair):
    """Tell by definition whether a graph with just these paths, and no others, makes the claim hold."""
    edges = {edge for path in arms for edge in pairwise(path)}
    n = 1 + max(max(path) for path in (*arms, pair))
    return (RELATIONS[claim], *pair) in claims(dag(n, edges), reading)


def check_cover(group) -> int:
    """Check every entailed claim of a class; return how many need more than one set of paths."""
    n, several = len(group[0]), 0
    index = MemberIndex(as_masks(group))
    for reading in Reading:
        held = counts(group, reading)
        for claim, pair in ((claim, pair) for claim in Claim for pair in pairs(n)):
            if held[(RELATIONS[claim], *pair)] < len(group):
                continue
            found = cover(index, claim, reading, pair)
            several += len(found) > 1
            left = list(group)
            for arms, n_members in found:
                assert is_borne_out(arms, claim, reading, pair)
                edges = {edge for path in arms for edge in pairwise(path)}
                served = [member for member in left if edges <= set(member.edges)]
                assert len(served) == n_members > 0
                left = [member for member in left if member not in served]
            assert not left
            shared = set.intersection(*(set(member.edges) for member in group))
            has_shared = any(bearers(as_masks([dag(n, shared)])[0].tolist(), claim, reading, pair))
            assert (len(found) == 1) == has_shared
    return several


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_entailed_claim_is_borne_out_in_every_member(n):
    several = sum(check_cover(group) for group in representative_classes(n).values())
    assert (several > 0) == (n == 4)  # the kite and the complete graph without one edge


@settings(max_examples=10, deadline=None)
@given(digraphs(min_n=5, max_n=5))
def test_random_classes_are_covered(graph):
    check_cover(members(graph))


def relatives(graph, reading, kind, node):
    match kind:
        case FailureKind.NO_COMMON_CHILD:
            return set(graph.successors(node))
        case FailureKind.NO_COMMON_PARENT:
            return set(graph.predecessors(node))
        case FailureKind.NO_COMMON_DESCENDANT:
            return nx.descendants(graph, node)
        case FailureKind.NO_COMMON_ANCESTOR:
            return nx.ancestors(graph, node)


def check_failure(graph, claim, reading, pair) -> FailureKind:
    """What a failure says is so in the graph, by definition."""
    x, y = pair
    kind, of_x, of_y, cuts = failure(as_masks([graph])[0].tolist(), claim, reading, pair)
    match kind:
        case FailureKind.NOT_ADJACENT:
            assert not graph.has_edge(x, y)
            assert not graph.has_edge(y, x)
        case FailureKind.REVERSED:
            assert graph.has_edge(y, x)
        case FailureKind.NO_PATH:
            assert not nx.has_path(graph, x, y)
        case FailureKind.EDGE:
            assert reading is Reading.DIRECT
            assert graph.has_edge(x, y)
        case FailureKind.ONLY_EDGE:
            assert list(nx.all_simple_paths(graph, x, y)) == [[x, y]]
        case FailureKind.MEETING_BEFORE | FailureKind.PARTING_AFTER:
            forth = kind is FailureKind.MEETING_BEFORE
            walked = graph if forth else graph.reverse()
            assert {k for k, _ in cuts} == nx.descendants(walked, x) & nx.descendants(walked, y)
            for k, cut in cuts:
                paths = [path for start in pair for path in nx.all_simple_paths(walked, start, k)]
                assert cut != k
                assert all(cut in path for path in paths)
        case _:
            assert as_set(of_x) == relatives(graph, reading, kind, x)
            assert as_set(of_y) == relatives(graph, reading, kind, y)
            assert as_set(of_x).isdisjoint(as_set(of_y))
            assert (kind in {FailureKind.NO_COMMON_CHILD, FailureKind.NO_COMMON_PARENT}) == (reading is Reading.DIRECT)
    return kind


def check_failures(graph) -> set[FailureKind]:
    """Check every claim that fails in a graph, under each reading; return how they fail."""
    met = set()
    for reading in Reading:
        held = claims(graph, reading)
        for claim in Claim:
            for pair in pairs(len(graph)):
                if (RELATIONS[claim], *pair) not in held:
                    met.add(check_failure(graph, claim, reading, pair))
    return met


def test_every_failure_on_four_nodes_is_so():
    assert set.union(*map(check_failures, labelled_dags(4))) == set(FailureKind)


@settings(max_examples=25, deadline=None)
@given(digraphs(min_n=5, max_n=7))
def test_failures_in_larger_graphs_are_so(graph):
    check_failures(graph)
