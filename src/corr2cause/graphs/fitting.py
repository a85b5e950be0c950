"""Whether stated independences fit the class that they lead to, decided completely.

What a graph implies is found by moralisation, not by the walks that premises are made with, so that the judgement of a
premise does not rest on what wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from corr2cause.graphs.bitdags import Masks, Truths, ancestors, children, union_over
from corr2cause.graphs.discovery import Discovery, Pair
from corr2cause.graphs.separation import Statement, statements

_STATEMENTS_AT_ONCE = 1 << 22  # so that the masks of the search take some 50 MB


class Verdict(StrEnum):
    """Whether stated independences determine a class."""

    DETERMINED = "determined"  # the class has exactly the stated independences
    INCOMPLETE = "incomplete"  # the class that they lead to has all of them and more
    UNSATISFIABLE = "unsatisfiable"  # no DAG has exactly these, nor does the class they lead to have all of them


@dataclass(frozen=True, slots=True)
class Fit:
    """How stated independences compare with those of the class that they lead to.

    Attributes:
        verdict: see `Verdict`.
        unstated: what holds in the class, and should be stated, and is not.
        broken: what is stated and does not hold in the class; empty too where there is no class.
        redundant: what is stated and holds, but not by a minimal set, where only these are to be stated.
    """

    verdict: Verdict
    unstated: tuple[Statement, ...] = ()
    broken: tuple[Statement, ...] = ()
    redundant: tuple[Statement, ...] = ()


def judge(discoveries: Sequence[Discovery], stated: Truths, minimal: bool) -> list[Fit]:
    """Compare stated independences completely with what the discovered classes imply.

    Every pair and set that is not stated independent must be dependent in the class, so that neither a contradiction
    nor an omission passes. If some DAG has exactly the stated independences, PC finds its class (Spirtes, Glymour &
    Scheines 2000, Theorem 5.1); so no DAG does where the discovered class differs.

    Args:
        discoveries: of graphs of one size.
        stated: bool[B, len(statements(n))], what each was discovered from.
        minimal: the statements list only the minimal separating sets.
    """
    extended = [index for index, discovery in enumerate(discoveries) if discovery.extension is not None]
    fits = [Fit(Verdict.UNSATISFIABLE)] * len(discoveries)
    if extended:
        dags = np.array([discoveries[index].extension for index in extended], dtype=np.uint16)
        at_once = max(1, _STATEMENTS_AT_ONCE // max(1, stated.shape[1]))
        for start in range(0, len(dags), at_once):
            some = zip(extended[start:], independences_by_moralisation(dags[start : start + at_once]), strict=False)
            for index, implied in some:
                fits[index] = _compare(_chosen(stated[index]), _chosen(implied), minimal, discoveries[index].n)
    return fits


def independences_by_moralisation(parents: Masks) -> Truths:
    """Return which of `statements(n)` hold in each DAG, by the criterion of Lauritzen et al. (1990).

    i and j are d-separated by Z iff Z separates them in the moral graph of the smallest ancestral set that holds i, j
    and Z: there, parents of one child are joined and directions forgotten.  O(B n^4 2^n).

    Args:
        parents: uint16[B, n].

    Returns:
        bool[B, len(statements(n))].
    """
    n = parents.shape[1]
    i, j, given = (column.astype(np.uint16) for column in _ends_and_sets(n))
    ancestral = union_over(i | j | given, ancestors(parents)) | i | j | given
    below = children(parents)
    reached = np.broadcast_to(i, ancestral.shape).copy()
    while True:
        grown = reached.copy()
        for v in range(n):
            here = (grown >> np.uint16(v)) & np.uint16(1)
            children_of_v = below[:, v, None] & ancestral
            around = parents[:, v, None] | children_of_v | union_over(children_of_v, parents)
            grown |= here * (around & ~given)
        if np.array_equal(grown, reached):
            separated: Truths = (reached & j) == 0
            return separated
        reached = grown


def _ends_and_sets(n: int) -> Masks:
    """Return the masks of i, j and given of each possible statement: uint16[3, len(statements(n))]."""
    rows = [(1 << i, 1 << j, sum(1 << k for k in given)) for i, j, given in statements(n)]
    return np.array(rows, dtype=np.uint16).reshape(-1, 3).T


def _chosen(truths: Truths) -> set[int]:
    return set(np.nonzero(truths)[0].tolist())


def _compare(stated: set[int], implied: set[int], minimal: bool, n: int) -> Fit:
    """Compare two sets of places in `statements(n)`."""
    expected = _only_minimal(implied, n) if minimal else implied
    if stated == expected:
        return Fit(Verdict.DETERMINED)
    return Fit(
        Verdict.INCOMPLETE if stated < expected else Verdict.UNSATISFIABLE,
        unstated=_at(expected - stated, n),
        broken=_at(stated - implied, n),
        redundant=_at(stated & implied - expected, n),
    )


def _at(places: set[int], n: int) -> tuple[Statement, ...]:
    return tuple(statements(n)[place] for place in sorted(places))


def _only_minimal(places: set[int], n: int) -> set[int]:
    """Keep the statements whose separating set holds no other separating set of the pair."""
    sets: dict[Pair, list[frozenset[int]]] = {}
    for place in places:
        i, j, given = statements(n)[place]
        sets.setdefault((i, j), []).append(frozenset(given))
    least = {pair: _least(found) for pair, found in sets.items()}
    return {place for place in places if frozenset(statements(n)[place][2]) in least[statements(n)[place][:2]]}


def _least(sets: list[frozenset[int]]) -> set[frozenset[int]]:
    """Return the sets that hold no other of them: smaller ones come first, so only kept ones need to be compared."""
    kept: list[frozenset[int]] = []
    for candidate in sorted(sets, key=len):
        if not any(other <= candidate for other in kept):
            kept.append(candidate)
    return set(kept)
