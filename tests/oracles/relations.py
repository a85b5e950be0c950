"""The six relations under the three readings, by listing directed paths; and how many members hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product

import networkx as nx

RELATIONS = ("is_parent", "is_ancestor", "is_child", "is_descendant", "has_collider", "has_confounder")
READINGS = ("direct", "path", "ancestral")

Paths = dict[tuple[int, int], list[list[int]]]
Claim = tuple[str, int, int]


def directed_paths(graph: nx.DiGraph) -> Paths:
    """List the directed paths between any two different nodes."""
    return {(u, v): list(nx.all_simple_paths(graph, u, v)) for u, v in permutations(graph, 2)}


def is_indirect_cause(paths: Paths, reading: str, cause: int, effect: int) -> bool:
    """Tell whether the cause acts through something else."""
    lengths = [len(path) - 1 for path in paths[cause, effect]]
    if reading == "direct":
        return len(lengths) > 0 and 1 not in lengths
    return any(length >= 2 for length in lengths)


def meets_at(k: int, arms: list[list[int]], other_arms: list[list[int]], reading: str) -> bool:
    """Tell whether k is a common end of two arms of the kind that the reading asks for."""
    if reading == "direct":
        return any(len(arm) == 2 for arm in arms) and any(len(arm) == 2 for arm in other_arms)
    if reading == "path":
        return any(set(arm) & set(other) == {k} for arm, other in product(arms, other_arms))
    return len(arms) > 0 and len(other_arms) > 0


def claims(graph: nx.DiGraph, reading: str) -> frozenset[Claim]:
    """Return every (relation, x, y) that holds in the DAG."""
    paths = directed_paths(graph)
    found = set()
    for x, y in permutations(graph, 2):
        third = [k for k in graph if k not in (x, y)]
        truth = {
            "is_parent": graph.has_edge(x, y),
            "is_ancestor": is_indirect_cause(paths, reading, x, y),
            "is_child": graph.has_edge(y, x),
            "is_descendant": is_indirect_cause(paths, reading, y, x),
            "has_collider": any(meets_at(k, paths[x, k], paths[y, k], reading) for k in third),
            "has_confounder": any(meets_at(k, paths[k, x], paths[k, y], reading) for k in third),
        }
        found |= {(relation, x, y) for relation, holds in truth.items() if holds}
    return frozenset(found)


def counts(members: Iterable[nx.DiGraph], reading: str) -> Counter[Claim]:
    """Count the members in which each claim holds: the s of the label."""
    return Counter(claim for member in members for claim in claims(member, reading))


def entailed(members: tuple[nx.DiGraph, ...], reading: str) -> set[Claim]:
    """Return the claims, for pairs x < y, that hold in every one of the members."""
    assert members, "a premise that no DAG satisfies has no label"
    return {claim for claim, s in counts(members, reading).items() if s == len(members) and claim[1] < claim[2]}
