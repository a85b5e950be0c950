"""The table of graphs against the known numbers of graph theory and the paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corr2cause.checking.graph_statistics import graph_statistics
from corr2cause.errors import SizeError
from corr2cause.graphs.equivalence import LABELLED_CLASSES


def test_the_numbers_of_graphs_are_the_known_ones() -> None:
    """DAGs: OEIS A003087; labelled classes: A007984; edges per DAG: Table 1 of the paper."""
    rows = graph_statistics(range(1, 7))
    assert [row.n for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [row.dags for row in rows] == [1, 2, 6, 31, 302, 5984]
    assert [f"{row.edges_per_dag:.2f}" for row in rows] == ["0.00", "0.50", "1.67", "3.48", "5.89", "8.77"]
    assert [row.classes for row in rows] == [1, 2, 5, 20, 142, 2201]
    assert [row.members for row in rows] == [1, 3, 13, 83, 740, 11112]
    assert [row.largest_class for row in rows] == [1, 2, 6, 24, 120, 720]
    assert [row.labelled_classes for row in rows] == [1, 2, 11, 185, 8782, 1067825]
    assert [row.known_labelled_classes for row in rows] == [1, 2, 11, 185, 8782, 1067825]
    assert all(row.complete for row in rows)
    assert rows[-1].dags_per_class == pytest.approx(2.71876, abs=1e-5)


@pytest.mark.slow
def test_seven_nodes_are_complete() -> None:
    (row,) = graph_statistics([7])
    assert (row.dags, row.classes, row.members, row.largest_class) == (243_668, 76_907, 340_273, 5040)
    assert row.labelled_classes == row.known_labelled_classes == 312_510_571


def test_a_missing_class_is_told() -> None:
    (row,) = graph_statistics([4])
    assert not replace(row, labelled_classes=row.labelled_classes - 1).complete
    assert not replace(row, labelled_classes=row.labelled_classes + 1).complete


def test_the_known_counts_reach_as_far_as_published() -> None:
    assert LABELLED_CLASSES[-2:] == (312_510_571, 212_133_402_500)


def test_rows_come_in_the_order_asked_for_and_progress_counts_sizes() -> None:
    steps: list[int] = []
    assert [row.n for row in graph_statistics(iter([4, 2]), steps.append)] == [4, 2]
    assert steps == [1, 1]
    assert graph_statistics([]) == ()


@pytest.mark.parametrize("n", [0, -1, 8, 99])
def test_sizes_that_cannot_be_enumerated_are_refused(n: int) -> None:
    with pytest.raises(SizeError) as caught:
        graph_statistics([n])
    assert caught.value.n == n


def test_plain_values_hold_every_column() -> None:
    (row,) = graph_statistics([3])
    assert row.to_json() == {
        "n": 3,
        "dags": 6,
        "edges_per_dag": 10 / 6,
        "classes": 5,
        "dags_per_class": 1.2,
        "members": 13,
        "largest_class": 6,
        "labelled_classes": 11,
        "known_labelled_classes": 11,
        "complete": True,
    }
