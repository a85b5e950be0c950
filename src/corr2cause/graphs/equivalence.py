"""Markov equivalence: CPDAGs, classes up to renaming, and all members of a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np

from corr2cause.graphs.bitdags import (
    Integers,
    Masks,
    bit,
    children,
    first_occurrences,
    has,
    keys,
    skeleton,
    v_structures,
)
from corr2cause.graphs.canonical import automorphism_counts, canonical_forms
from corr2cause.graphs.enumeration import unlabelled_dags


@dataclass(frozen=True, slots=True)
class Cpdags:
    """A batch of completed partially directed acyclic graphs.

    Attributes:
        directed: uint16[B, n]; bit u of [b, v] is set iff u -> v is compelled, that is, in every member.
        undirected: uint16[B, n]; bit u of [b, v] is set iff u - v is reversible.
    """

    directed: Masks
    undirected: Masks

    def as_digraphs(self) -> Masks:
        """Return in-neighbour masks in which a reversible edge points both ways; nothing is lost."""
        return self.directed | self.undirected


def cpdags(parents: Masks) -> Cpdags:
    """Return the CPDAG of each DAG: its v-structures, then Meek rules 1-3 until nothing changes.

    Rule 4 is never needed without background knowledge (Meek 1995, Theorem 3).  O(B n^2) a round.
    """
    n = parents.shape[1]
    adjacent = skeleton(parents)
    colliders = v_structures(parents)
    directed = np.zeros_like(parents)
    for a in range(n):
        directed |= np.where(colliders[:, :, a] != 0, bit(a), np.uint16(0))
    return close_under(MEEK_RULES, directed, adjacent & ~directed & ~children(directed))


Rule = Callable[[Masks, Masks], Masks]


def close_under(rules: tuple[Rule, ...], directed: Masks, undirected: Masks) -> Cpdags:
    """Apply rules that compel edges until none finds another."""
    while True:
        compelled = np.zeros_like(directed)
        for rule in rules:
            compelled |= rule(directed, undirected)
        if not compelled.any():
            return Cpdags(directed, undirected)
        directed = directed | compelled
        undirected = undirected & ~compelled & ~children(compelled)


def meek_rule_1(directed: Masks, undirected: Masks) -> Masks:
    """Compel b -> c where a -> b - c and a, c are not adjacent: else a -> b <- c were a v-structure.

    Args:
        directed: uint16[B, n], the compelled parents found so far.
        undirected: uint16[B, n], the neighbours over edges not yet compelled.

    Returns:
        uint16[B, n], the newly compelled parents (Meek 1995, rule R1).
    """
    n = directed.shape[1]
    adjacent = directed | undirected | children(directed)
    compelled = np.zeros_like(directed)
    for b in range(n):
        for c in range(n):
            a = directed[:, b] & ~adjacent[:, c] & ~bit(c)
            compelled[:, c] |= np.where(has(undirected[:, c], b) & (a != 0), bit(b), np.uint16(0))
    return compelled


def meek_rule_2(directed: Masks, undirected: Masks) -> Masks:
    """Compel a -> c where a -> b -> c and a - c: else there were a cycle (Meek 1995, rule R2; as rule 1)."""
    n = directed.shape[1]
    directed_children = children(directed)
    compelled = np.zeros_like(directed)
    for a in range(n):
        for c in range(n):
            b = directed_children[:, a] & directed[:, c]
            compelled[:, c] |= np.where(has(undirected[:, c], a) & (b != 0), bit(a), np.uint16(0))
    return compelled


def meek_rule_3(directed: Masks, undirected: Masks) -> Masks:
    """Compel a -> d where a - b -> d, a - c -> d, a - d and b, c are not adjacent.

    With d -> a, both b -> a and c -> a would be needed to avoid cycles, a v-structure (Meek 1995, rule R3; as rule 1).
    """
    n = directed.shape[1]
    adjacent = directed | undirected | children(directed)
    compelled = np.zeros_like(directed)
    for a in range(n):
        for d in range(n):
            middle = undirected[:, a] & directed[:, d]
            unshielded = np.zeros(len(directed), dtype=bool)
            for b in range(n):
                unshielded |= has(middle, b) & ((middle & ~adjacent[:, b] & ~bit(b)) != 0)
            compelled[:, d] |= np.where(has(undirected[:, d], a) & unshielded, bit(a), np.uint16(0))
    return compelled


MEEK_RULES: tuple[Rule, ...] = (meek_rule_1, meek_rule_2, meek_rule_3)


@dataclass(frozen=True, slots=True)
class Classes:
    """The Markov equivalence classes on n nodes, up to renaming of the nodes, in code order.

    Attributes:
        n: number of nodes.
        n_dags: number of unlabelled DAGs that the classes were made from.
        n_edges: edges of all those DAGs together.
        representatives: uint16[C, n]; the first DAG in code order of each class.
        automorphisms: int64[C]; order of the automorphism group of each CPDAG.
    """

    n: int
    n_dags: int
    n_edges: int
    representatives: Masks
    automorphisms: Integers

    def __len__(self) -> int:
        return len(self.representatives)


@lru_cache(maxsize=8)
def equivalence_classes(n: int) -> Classes:
    """Return every Markov equivalence class on n nodes once, up to renaming.

    Two DAGs are equivalent up to renaming iff their CPDAGs are isomorphic.  About 5 s for n = 7.

    Raises:
        SizeError: n is not in 1..7.

    >>> [len(equivalence_classes(n)) for n in range(1, 6)]
    [1, 2, 5, 20, 142]
    """
    dags = unlabelled_dags(n)
    mixed = cpdags(dags).as_digraphs()
    first = first_occurrences(canonical_forms(mixed))
    n_edges = int(np.bitwise_count(dags).sum())
    return Classes(n, len(dags), n_edges, dags[first], automorphism_counts(mixed[first]))


LABELLED_CLASSES = (1, 2, 11, 185, 8_782, 1_067_825, 312_510_571, 212_133_402_500)
"""Number of labelled Markov equivalence classes on 1, 2, ... nodes (OEIS A007984), counted independently of us."""


def labelled_class_count(classes: Classes) -> int:
    """Count the labelled classes that the given ones stand for: the sum of n!/|Aut(CPDAG)|.

    By the orbit-stabiliser theorem a class up to renaming has n!/|Aut| labelled copies. That the sum equals the number
    of labelled classes, `LABELLED_CLASSES`, proves that no class is missing and none stands twice.

    >>> labelled_class_count(equivalence_classes(5))
    8782
    """
    return int((factorial(classes.n) // classes.automorphisms).sum())


@dataclass(frozen=True, slots=True)
class Members:
    """All members of a batch of classes.

    Attributes:
        parents: uint16[M, n]; the members, class after class.
        starts: int64[C + 1]; the members of class c are parents[starts[c]:starts[c + 1]].
    """

    parents: Masks
    starts: Integers

    @property
    def sizes(self) -> Integers:
        """Number of members of each class: int64[C]."""
        return np.diff(self.starts)


def members(parents: Masks) -> Members:
    """List all labelled DAGs that are Markov equivalent to each given DAG, itself included.

    Members are connected by reversals of covered edges (Chickering 1995, Theorem 2), so a breadth-first search over
    them, on the whole frontier at once, meets every one. Within a class they are sorted by their parents.
    O(M n^2) for M members in all.
    """
    owner = np.arange(len(parents), dtype=np.int64)
    found, found_owner = parents, owner
    frontier, frontier_owner = parents, owner
    while len(frontier):
        reversed_, source = _reverse_covered_edges(frontier)
        known = len(found)
        found = np.concatenate([found, reversed_])
        found_owner = np.concatenate([found_owner, frontier_owner[source]])
        first = first_occurrences(found, found_owner)
        found, found_owner = found[first], found_owner[first]
        frontier, frontier_owner = found[known:], found_owner[known:]
    order = np.lexsort((*keys(found).T[::-1], found_owner))
    starts = np.searchsorted(found_owner[order], np.arange(len(parents) + 1))
    return Members(found[order], starts.astype(np.int64))


def _reverse_covered_edges(parents: Masks) -> tuple[Masks, Integers]:
    """Reverse each covered edge of each DAG: x -> y is covered iff the parents of y are x and the parents of x."""
    n = parents.shape[1]
    results, sources = [], []
    for x in range(n):
        for y in range(n):
            covered = np.nonzero(has(parents[:, y], x) & (parents[:, y] == (parents[:, x] | bit(x))))[0]
            turned = parents[covered]
            turned[:, x] = parents[covered, x] | bit(y)
            turned[:, y] = parents[covered, x]
            results.append(turned)
            sources.append(covered)
    return np.concatenate(results), np.concatenate(sources)
