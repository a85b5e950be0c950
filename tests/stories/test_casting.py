"""Casting against its definition: try every choice of quantities."""

from __future__ import annotations

from itertools import permutations
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.dataset.casting import find_cast
from corr2cause.text.stories.bank import real_domains


def masks(edges: set[tuple[int, int]], size: int) -> list[int]:
    return [sum(1 << v for u, v in edges if u == node) for node in range(size)]


def digraphs(size: int) -> st.SearchStrategy[set[tuple[int, int]]]:
    """Acyclic, by the order of the nodes; which node is where matters not, since all choices are tried."""
    pairs = [(u, v) for u in range(size) for v in range(u + 1, size)]
    return st.sets(st.sampled_from(pairs))


@given(digraphs(4), digraphs(6), st.permutations(range(6)))
@settings(max_examples=150, deadline=None)
def test_a_cast_is_found_whenever_there_is_one(arrows, causes, order):
    def is_cast(chosen: tuple[int, ...]) -> bool:
        return {(u, v) for u in range(4) for v in range(4) if (chosen[u], chosen[v]) in causes} == arrows

    found = find_cast(masks(arrows, 4), masks(causes, 6), order)
    possible = [chosen for chosen in permutations(range(6), 4) if is_cast(chosen)]
    assert (found is None) == (not possible)
    assert found is None or found in possible


def test_preferred_quantities_come_first():
    causes = masks({(0, 1), (2, 3)}, 4)
    assert find_cast(masks({(0, 1)}, 2), causes, [3, 2, 1, 0]) == (2, 3)
    assert find_cast(masks({(0, 1)}, 2), causes, [0, 1, 2, 3]) == (0, 1)


def test_few_arrows_among_many_variables_are_decided_at_once():
    """Nine variables without an arrow can be told in a multitude of orders, of which none needs to be tried twice."""
    arrows = masks({(0, 1), (2, 1)}, 12)
    began = process_time()
    for domain in real_domains():
        found = find_cast(arrows, domain.effects, range(len(domain.quantities)))
        assert found is None or len(set(found)) == 12
    assert process_time() - began < 5
