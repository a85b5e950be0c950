"""The six causal relations under three readings, and how many members of a class they hold in.

A relation is returned as masks: bit y of [b, x] is set iff relation(x, y) holds in DAG b. "Indirect cause", "collider"
and "confounder" have been read in three ways; each reading is three functions of its own. A third variable of a pair is
neither of the two in every reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from corr2cause.graphs.bitdags import (
    Integers,
    Masks,
    ancestors,
    bit,
    children,
    descendants,
    transpose,
    union_over,
    unpack,
)
from corr2cause.graphs.equivalence import Members
from corr2cause.graphs.terms import Reading, Relation


def causes_indirectly_only(parents: Masks) -> Masks:
    """`direct`: a directed path x ~> y and no edge x -> y."""
    return descendants(parents) & ~children(parents)


def causes_through_another(parents: Masks) -> Masks:
    """`path`, `ancestral`: a directed path x ~> y of two edges or more, whether or not x -> y."""
    return union_over(children(parents), descendants(parents))


def share_child(parents: Masks) -> Masks:
    """`direct` collider: some k is a child of both x and y."""
    return _meet(children(parents))


def share_parent(parents: Masks) -> Masks:
    """`direct` confounder: some k is a parent of both x and y."""
    return _meet(parents)


def share_descendant(parents: Masks) -> Masks:
    """`ancestral` collider: some k, neither x nor y, is a descendant of both."""
    return _meet(descendants(parents))


def share_ancestor(parents: Masks) -> Masks:
    """`ancestral` confounder: some k, neither x nor y, is an ancestor of both."""
    return _meet(ancestors(parents))


def disjoint_paths_to_third(parents: Masks) -> Masks:
    """`path` collider: directed paths x ~> k and y ~> k that share only k.

    By Menger's theorem (1927) such paths to k exist iff no single node w other than k (x and y may be w) cuts k off
    from both x and y. So k is right iff it is reached from x or y in the graph without the arrows of w, for every such
    w.  O(B n^4).
    """
    n = parents.shape[1]
    meet = np.full((len(parents), n, n), (1 << n) - 1, dtype=np.uint16)
    for w in range(n):
        reach = descendants(parents & ~bit(w))
        meet &= reach[:, :, None] | reach[:, None, :] | bit(w)
    return _gather(meet)


def disjoint_paths_from_third(parents: Masks) -> Masks:
    """`path` confounder: directed paths k ~> x and k ~> y that share only k; the collider of the reversed graph."""
    return disjoint_paths_to_third(children(parents))


def _meet(reach: Masks) -> Masks:
    """Relate x and y, not the same, iff a third node lies in the masks of both."""
    return _gather(reach[:, :, None] & reach[:, None, :])


def _gather(meeting: Masks) -> Masks:
    """Turn the meeting points [b, x, y] of each pair into the mask over y of pairs that have one.

    None of them is x or y: no node is its own parent, child, ancestor or descendant.
    """
    n = meeting.shape[1]
    related = np.zeros(meeting.shape[:2], dtype=np.uint16)
    for x in range(n):
        for y in range(n):
            if x != y:
                related[:, x] |= np.where(meeting[:, x, y] != 0, bit(y), np.uint16(0))
    return related


Definition = Callable[[Masks], Masks]


@dataclass(frozen=True, slots=True)
class Definitions:
    """The three notions on which readings differ."""

    indirect_cause: Definition
    collider: Definition
    confounder: Definition


DEFINITIONS = {
    Reading.DIRECT: Definitions(causes_indirectly_only, share_child, share_parent),
    Reading.PATH: Definitions(causes_through_another, disjoint_paths_to_third, disjoint_paths_from_third),
    Reading.ANCESTRAL: Definitions(causes_through_another, share_descendant, share_ancestor),
}


def holds(parents: Masks, relation: Relation, reading: Reading) -> Masks:
    """Return in which pairs of each DAG the relation holds: bit y of [b, x] is set iff relation(x, y) does.

    >>> from corr2cause.graphs.bitdags import from_edges
    >>> chain = from_edges(3, [(0, 1), (1, 2)])
    >>> holds(chain, Relation.IS_ANCESTOR, Reading.DIRECT).tolist()  # 0 causes 2, through 1
    [[4, 0, 0]]
    """
    definitions = DEFINITIONS[reading]
    match relation:
        case Relation.IS_PARENT:
            return children(parents)
        case Relation.IS_CHILD:
            return parents
        case Relation.IS_ANCESTOR:
            return definitions.indirect_cause(parents)
        case Relation.IS_DESCENDANT:
            return transpose(definitions.indirect_cause(parents))
        case Relation.HAS_COLLIDER:
            return definitions.collider(parents)
        case Relation.HAS_CONFOUNDER:
            return definitions.confounder(parents)


_MEMBERS_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class Support:
    """In how many members of each class each hypothesis holds, and where it first fails.

    Attributes:
        holds_in: int64[C, 6, n, n]; number of members in which relation r, in the order of `Relation`, holds of (x, y).
        first_failure: int64[C, 6, n, n]; index into the members of the first in which it does not, -1 if there is none.
    """

    holds_in: Integers
    first_failure: Integers


def support(members: Members, reading: Reading) -> Support:
    """Judge every hypothesis on every class by all of its members.

    A hypothesis is entailed iff it holds in all members, contradicted iff in none.  O(M n^4) for M members; some
    thousand of them are judged at once, so that memory does not grow with the size of a class.
    """
    n, n_members = members.parents.shape[1], len(members.parents)
    shape = (len(members.sizes), len(Relation), n, n)
    holds_in, first_failure = np.zeros(shape, dtype=np.int64), np.full(shape, n_members, dtype=np.int64)
    for start in range(0, n_members, _MEMBERS_AT_ONCE):
        parents = members.parents[start : start + _MEMBERS_AT_ONCE]
        stop = start + len(parents)
        first, last = np.searchsorted(members.starts, [start, stop - 1], side="right") - 1
        here = slice(first, last + 1)
        bounds = np.maximum(members.starts[here], start) - start
        index = np.arange(start, stop)[:, None, None]
        for place, relation in enumerate(Relation):
            truths = unpack(holds(parents, relation, reading), n)
            failures = np.minimum.reduceat(np.where(truths, n_members, index), bounds, axis=0)
            holds_in[here, place] += np.add.reduceat(truths, bounds, axis=0, dtype=np.int64)
            first_failure[here, place] = np.minimum(first_failure[here, place], failures)
    return Support(holds_in, np.where(first_failure == n_members, -1, first_failure))
