"""Why a claim holds in all members of a class, or fails in one: paths that bear it, or what stands in their way.

Graphs here are few and small, and what is found is for people to read; so they are plain integers, one mask a node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product

import numpy as np

from corr2cause.graphs.bitdags import Masks, unpack
from corr2cause.graphs.terms import Reading
from corr2cause.text.trace import FailureKind
from corr2cause.text.wording import Claim

Path = tuple[int, ...]
Arms = tuple[Path, ...]
Parents = Sequence[int]


class MemberIndex:
    """Which members of a class have which edges; a set of members is held in the bits of an integer.

    Attributes:
        parents: of each node of each member, as masks.
        all: the set of all members.
        compelled: parents of each node that are so in every member, as masks.
    """

    def __init__(self, members: Masks) -> None:
        n = members.shape[1]
        self.parents: list[list[int]] = members.tolist()
        self.all = (1 << len(members)) - 1
        packed = np.packbits(unpack(members, n), axis=0, bitorder="little")
        self._having = [
            [int.from_bytes(packed[:, effect, cause].tobytes(), "little") for effect in range(n)] for cause in range(n)
        ]
        self.compelled = [sum(1 << u for u in range(n) if self._having[u][v] == self.all) for v in range(n)]

    def with_paths(self, arms: Arms) -> int:
        """Return the members that have every edge of these paths."""
        found = self.all
        for path in arms:
            for cause, effect in pairwise(path):
                found &= self._having[cause][effect]
        return found


def cover(index: MemberIndex, claim: Claim, reading: Reading, pair: tuple[int, int]) -> list[tuple[Arms, int]]:
    """Find, for a claim that holds in all members, paths of which every member has some.

    Paths that all members share come first; where there are none, those are taken again and again, of a member that
    is not served yet, that serve the most.

    Returns:
        (paths, number of members that have them and not those before).
    """
    if arms := next(bearers(index.compelled, claim, reading, pair), None):
        return [(arms, index.all.bit_count())]
    found, left = [], index.all
    while left:
        member = (left & -left).bit_length() - 1
        candidates = bearers(index.parents[member], claim, reading, pair)
        arms = max(candidates, key=lambda arms: (index.with_paths(arms) & left).bit_count())
        served = index.with_paths(arms) & left
        found.append((arms, served.bit_count()))
        left &= ~served
    return found


def bearers(parents: Parents, claim: Claim, reading: Reading, pair: tuple[int, int]) -> Iterator[Arms]:
    """Yield what makes a claim hold in one graph: short paths first, for each third variable at most one choice.

    Whether the direct edge forbids an indirect cause is not looked at: see `failure`.
    """
    x, y = pair
    match claim:
        case Claim.DIRECT:
            if parents[y] >> x & 1:
                yield ((x, y),)
        case Claim.INDIRECT:
            for path in _paths(parents, x, y):
                if len(path) > 2:
                    yield (path,)
        case Claim.COLLIDER:
            yield from _meeting(parents, reading, pair)
        case Claim.CONFOUNDER:
            for to_x, to_y in _meeting(_reversed(parents), reading, pair):
                yield to_x[::-1], to_y[::-1]


def _meeting(parents: Parents, reading: Reading, pair: tuple[int, int]) -> Iterator[Arms]:
    x, y = pair
    for k in range(len(parents)):
        if k in pair:
            continue
        if reading is Reading.DIRECT:
            if parents[k] >> x & parents[k] >> y & 1:
                yield (x, k), (y, k)
        else:
            both = product(_paths(parents, x, k), _paths(parents, y, k))
            fitting = (arms for arms in both if reading is Reading.ANCESTRAL or set(arms[0]) & set(arms[1]) == {k})
            yield from islice(fitting, 1)


def _paths(parents: Parents, cause: int, effect: int) -> list[Path]:
    """List the directed paths from cause to effect, the shortest first."""
    found: list[Path] = []
    unfinished: list[Path] = [(effect,)]
    while unfinished:
        path = unfinished.pop()
        if path[0] == cause:
            found.append(path)
        else:
            unfinished += [(u, *path) for u in range(len(parents)) if parents[path[0]] >> u & 1]
    return sorted(found, key=lambda path: (len(path), path))


def _reversed(parents: Parents) -> list[int]:
    n = len(parents)
    return [sum(1 << v for v in range(n) if parents[v] >> u & 1) for u in range(n)]


Cut = tuple[int, int]
FoundFailure = tuple[FailureKind, int, int, tuple[Cut, ...]]


def failure(parents: Parents, claim: Claim, reading: Reading, pair: tuple[int, int]) -> FoundFailure:
    """Say why a claim fails in one graph.

    Returns:
        The kind; the masks of the relatives of both variables that it is about; and, where common relatives exist but
        no disjoint paths, for each of them a variable that all paths pass (Menger 1927).
    """
    x, y = pair
    match claim:
        case Claim.DIRECT:
            kind = FailureKind.REVERSED if parents[x] >> y & 1 else FailureKind.NOT_ADJACENT
            return kind, 0, 0, ()
        case Claim.INDIRECT:
            return _no_indirect_cause(parents, reading, pair), 0, 0, ()
        case Claim.COLLIDER:
            kinds = FailureKind.NO_COMMON_CHILD, FailureKind.NO_COMMON_DESCENDANT, FailureKind.MEETING_BEFORE
            return _no_meeting(_reversed(parents), reading, pair, kinds)
        case Claim.CONFOUNDER:
            kinds = FailureKind.NO_COMMON_PARENT, FailureKind.NO_COMMON_ANCESTOR, FailureKind.PARTING_AFTER
            return _no_meeting(parents, reading, pair, kinds)


def _no_indirect_cause(parents: Parents, reading: Reading, pair: tuple[int, int]) -> FailureKind:
    cause, effect = pair
    if not parents[effect] >> cause & 1:
        return FailureKind.NO_PATH
    return FailureKind.EDGE if reading is Reading.DIRECT else FailureKind.ONLY_EDGE


def _no_meeting(
    parents: Parents, reading: Reading, pair: tuple[int, int], kinds: tuple[FailureKind, FailureKind, FailureKind]
) -> FoundFailure:
    """Say why no third variable is reached from both along `parents`; for a collider these are children."""
    x, y = pair
    if reading is Reading.DIRECT:
        return kinds[0], parents[x], parents[y], ()
    from_x, from_y = _reach(parents, x), _reach(parents, y)
    third = from_x & from_y & ~(1 << x | 1 << y)
    common = [k for k in range(len(parents)) if third >> k & 1]
    if not common:
        return kinds[1], from_x & ~(1 << x), from_y & ~(1 << y), ()
    return kinds[2], 0, 0, tuple((k, _cut(parents, pair, k)) for k in common)


def _cut(parents: Parents, pair: tuple[int, int], k: int) -> int:
    """Return a node other than k without which k is reached from neither."""
    x, y = pair
    for w in range(len(parents)):
        if w != k and not (_reach(parents, x, w) | _reach(parents, y, w)) >> k & 1:
            return w
    raise AssertionError("there are disjoint paths: the claim holds")


def _reach(parents: Parents, start: int, without: int | None = None) -> int:
    """Return the mask of what is reached from a node along `parents`, itself included, not passing a node."""
    blocked = 0 if without is None else 1 << without
    reached, frontier = 0, (1 << start) & ~blocked
    while frontier:
        reached |= frontier
        ahead = 0
        for v, around in enumerate(parents):
            if frontier >> v & 1:
                ahead |= around
        frontier = ahead & ~reached & ~blocked
    return reached
