"""Batches of DAGs as bit masks."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import SizeError
from corr2cause.graphs import bitdags
from tests.graphs.exhaustive import SIZES, labelled_masks
from tests.oracles.dags import code, dag, edge_set, from_code, is_topologically_numbered, labelled_dags, renamed
from tests.oracles.equivalence import skeleton, v_structures
from tests.oracles.translation import as_edges, as_graph, as_masks, as_set
from tests.strategies import digraphs, digraphs_and_renamings


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_codes_number_the_pairs_in_lexicographic_order(n):
    every_code = np.arange(2 ** (n * (n - 1) // 2), dtype=np.int64)
    dags = bitdags.from_codes(every_code, n)
    assert dags.dtype == np.uint16
    assert np.array_equal(dags, as_masks(from_code(number, n) for number in every_code.tolist()))
    assert np.array_equal(bitdags.codes(dags), every_code)


@pytest.mark.parametrize("n", [6, 7, 8])
def test_codes_of_single_edges_are_powers_of_two(n):
    dags = bitdags.from_codes(2 ** np.arange(n * (n - 1) // 2, dtype=np.int64), n)
    assert [bitdags.edges(row) for row in dags] == [[(u, v)] for u in range(n) for v in range(u + 1, n)]
    assert bitdags.codes(dags).tolist() == [2**bit for bit in range(len(dags))]


@given(digraphs())
def test_edges_go_in_and_come_out(graph):
    dags = bitdags.from_edges(len(graph), list(graph.edges))
    assert np.array_equal(dags, as_masks([graph]))
    assert dags.dtype == np.uint16
    assert sorted(bitdags.edges(dags[0])) == sorted(graph.edges)


@given(digraphs())
def test_networkx_graphs_go_in_and_come_out(graph):
    dags = bitdags.from_networkx(graph)
    assert np.array_equal(dags.reshape(1, -1), as_masks([graph]))
    back = bitdags.to_networkx(as_masks([graph])[0])
    assert isinstance(back, nx.DiGraph)
    assert set(back.nodes) == set(graph.nodes)
    assert edge_set(back) == edge_set(graph)


@pytest.mark.parametrize("n", SIZES)
def test_neighbourhoods_of_every_labelled_dag(n):
    dags = labelled_masks(n)
    assert_neighbourhoods(labelled_dags(n), dags)


@given(digraphs(min_n=5, max_n=16))
def test_neighbourhoods_of_larger_dags(graph):
    assert_neighbourhoods([graph], as_masks([graph]))


@pytest.mark.parametrize("n", range(1, 17))
def test_the_longest_path_reaches_from_end_to_end(n):
    chain = dag(n, [(v + 1, v) for v in range(n - 1)])
    assert_neighbourhoods([chain], as_masks([chain]))


def assert_neighbourhoods(graphs, dags):
    children, skeletons = bitdags.children(dags), bitdags.skeleton(dags)
    ancestors, descendants = bitdags.ancestors(dags), bitdags.descendants(dags)
    for b, graph in enumerate(graphs):
        for v in graph:
            assert as_set(children[b, v]) == set(graph.successors(v))
            assert as_set(ancestors[b, v]) == nx.ancestors(graph, v)
            assert as_set(descendants[b, v]) == nx.descendants(graph, v)
            assert as_set(skeletons[b, v]) == set(graph.predecessors(v)) | set(graph.successors(v))
    assert {array.dtype for array in (children, skeletons, ancestors, descendants)} == {np.dtype(np.uint16)}


@pytest.mark.parametrize("n", SIZES)
def test_v_structures_of_every_labelled_dag(n):
    assert_v_structures(labelled_dags(n), labelled_masks(n))


@given(digraphs(min_n=5, max_n=16))
def test_v_structures_of_larger_dags(graph):
    assert_v_structures([graph], as_masks([graph]))


@given(st.lists(st.lists(st.integers(0, 2), min_size=9, max_size=9), max_size=12), st.booleans())
def test_first_occurrences_are_those_of_a_plain_loop(rows, grouped):
    """Rows of nine nodes need two words as a key, rows of sixteen four."""
    for n in (3, 9, 16):
        wide = [(row * 2)[:n] for row in rows]
        groups = [sum(row) % 3 for row in rows] if grouped else [0] * len(rows)
        masks = np.array(wide, dtype=np.uint16).reshape(len(rows), n) << np.uint16(n - 2)
        tagged = list(zip(groups, wide, strict=True))
        expected = [index for index, row in enumerate(tagged) if row not in tagged[:index]]
        tags = np.array(groups, dtype=np.int64) if grouped else None
        assert bitdags.first_occurrences(masks, tags).tolist() == expected


def assert_v_structures(graphs, dags):
    found = bitdags.v_structures(dags)
    n = dags.shape[1]
    assert found.shape == (len(dags), n, n)
    for b, graph in enumerate(graphs):
        triples = {(a, c, end) for c in range(n) for a in range(n) for end in as_set(found[b, c, a])}
        expected = v_structures(graph)
        assert triples == expected | {(end, c, a) for a, c, end in expected}


def test_the_skeleton_is_symmetric_and_holds_each_edge_once():
    dags = labelled_masks(4)
    for row, graph in zip(bitdags.skeleton(dags), labelled_dags(4), strict=True):
        edges = as_edges(row)
        assert {(min(edge), max(edge)) for edge in edges} == skeleton(graph)
        assert len(edges) == 2 * len(graph.edges)


@given(digraphs_and_renamings(max_n=16))
def test_relabelling_calls_node_v_by_its_new_name(drawn):
    graph, renaming = drawn
    relabelled = bitdags.relabel(as_masks([graph]), np.array([renaming]))
    assert np.array_equal(relabelled, as_masks([renamed(graph, renaming)]))


def test_each_dag_of_a_batch_has_a_relabelling_of_its_own():
    chain = from_code(0b1001, 4)  # 0 -> 1 and 1 -> 2
    renamings = [(0, 1, 2, 3), (1, 2, 3, 0), (3, 1, 0, 2)]
    relabelled = bitdags.relabel(as_masks([chain] * 3), np.array(renamings))
    assert np.array_equal(relabelled, as_masks(renamed(chain, renaming) for renaming in renamings))


@given(digraphs_and_renamings())
def test_neighbourhoods_and_relabelling_commute(drawn):
    graph, renaming = drawn
    dags, permutation = as_masks([graph]), np.array([renaming])
    for function in (bitdags.children, bitdags.ancestors, bitdags.descendants, bitdags.skeleton):
        assert np.array_equal(
            function(bitdags.relabel(dags, permutation)), bitdags.relabel(function(dags), permutation)
        )


def test_an_empty_batch_stays_empty():
    nothing = np.empty((0, 4), dtype=np.uint16)
    for function in (bitdags.children, bitdags.ancestors, bitdags.descendants, bitdags.skeleton):
        assert function(nothing).shape == (0, 4)
    assert bitdags.v_structures(nothing).shape == (0, 4, 4)
    assert bitdags.from_codes(np.empty(0, dtype=np.int64), 4).shape == (0, 4)


@pytest.mark.parametrize("n", [0, 17])
def test_a_mask_has_room_for_one_to_sixteen_nodes(n):
    with pytest.raises(SizeError):
        bitdags.from_edges(n, [])


def test_a_code_has_room_for_the_pairs_of_eleven_nodes():
    last = np.array([2**54], dtype=np.int64)
    assert np.array_equal(bitdags.codes(bitdags.from_codes(last, 11)), last)
    with pytest.raises(SizeError):
        bitdags.from_codes(last, 12)
    with pytest.raises(SizeError):
        bitdags.codes(np.zeros((1, 12), dtype=np.uint16))


def test_no_function_writes_into_its_argument():
    dags = labelled_masks(4)  # read only: writing would raise
    for function in (bitdags.children, bitdags.ancestors, bitdags.descendants, bitdags.skeleton, bitdags.v_structures):
        function(dags)
    numbered = [is_topologically_numbered(graph) for graph in labelled_dags(4)]
    own = [code(as_graph(row)) for row in dags[numbered]]
    assert bitdags.codes(dags[numbered]).tolist() == own
