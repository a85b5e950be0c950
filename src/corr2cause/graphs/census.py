"""Count all DAGs and Markov equivalence classes on up to eight nodes, piece by piece, with no piece knowing the others.

Every DAG on n nodes is, up to renaming, a source put before a representative on n-1 nodes (see `enumeration`). So the
representatives on n-1 nodes can be shared out; what each share finds are the canonical forms of its DAGs, and of their
classes, each with the first place where it was met. Forms are dealt to bins by a hash of themselves: equal ones meet in
one bin, whoever found them, and the bins can be counted one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np
import numpy.typing as npt

from corr2cause.graphs.bitdags import Integers, Masks, keys
from corr2cause.graphs.canonical import automorphism_counts, canonical_forms
from corr2cause.graphs.enumeration import add_source
from corr2cause.graphs.equivalence import cpdags

Words = npt.NDArray[np.uint64]

_MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Forms:
    """Distinct digraphs on n nodes, up to renaming.

    Attributes:
        words: uint64[K]; the canonical form of each, packed by `bitdags.keys`, ascending.
        places: int64[K]; the least number of a candidate that has this form.
    """

    words: Words
    places: Integers

    def bins(self, count: int) -> list[Forms]:
        """Deal the forms to bins by a hash of themselves."""
        place = (self.words * _MIXER) >> np.uint64(32)
        bin_of = (place % np.uint64(count)).astype(np.int64)
        return [Forms(self.words[bin_of == one], self.places[bin_of == one]) for one in range(count)]


@dataclass(frozen=True, slots=True)
class Share:
    """What a share of the candidates, or one bin of it, holds: its DAGs and their classes (as CPDAGs)."""

    dags: Forms
    classes: Forms


def survey(smaller: Masks, ranks: range) -> Share:
    """Find the DAGs that come of some representatives on n-1 nodes by adding a source, and their classes.

    Args:
        smaller: uint16[B, n-1]; consecutive representatives.
        ranks: their places among all representatives on n-1 nodes; candidate number k of the representative with
            rank r has the place r 2^(n-1) + k.

    Returns:
        Each distinct form of the share.  About 10 µs for each of the B 2^(n-1) candidates.
    """
    candidates = add_source(smaller)
    dags = _distinct(canonical_forms(candidates), np.arange(len(candidates)))
    chosen = np.sort(dags.places)
    classes = _distinct(canonical_forms(cpdags(candidates[chosen]).as_digraphs()), chosen)
    first = ranks.start << smaller.shape[1]
    return Share(Forms(dags.words, dags.places + first), Forms(classes.words, classes.places + first))


def _distinct(forms: Masks, places: Integers) -> Forms:
    return merge([Forms(keys(forms)[:, 0], places)])


def merge(parts: list[Forms]) -> Forms:
    """Unite what several shares found in one bin.  O(K log K)."""
    words = np.concatenate([part.words for part in parts])
    places = np.concatenate([part.places for part in parts])
    order = np.lexsort((places, words))
    words, places = words[order], places[order]
    is_first = np.ones(len(words), dtype=bool)
    is_first[1:] = words[1:] != words[:-1]
    return Forms(words[is_first], places[is_first])


@dataclass(frozen=True, slots=True)
class Census:
    """What there is on n nodes; counts of bins add up.

    Attributes:
        dags: unlabelled DAGs.
        edges: edges of all those DAGs together.
        classes: Markov equivalence classes up to renaming.
        labelled_classes: labelled classes that they stand for, the sum of n!/|Aut(CPDAG)|.
    """

    dags: int = 0
    edges: int = 0
    classes: int = 0
    labelled_classes: int = 0

    def __add__(self, other: Census) -> Census:
        return Census(
            self.dags + other.dags,
            self.edges + other.edges,
            self.classes + other.classes,
            self.labelled_classes + other.labelled_classes,
        )


def count_bin(dags: Forms, classes: Forms, n: int) -> Census:
    """Count what one bin holds, after merging."""
    automorphisms = automorphism_counts(unpack(classes.words, n))
    return Census(
        dags=len(dags.words),
        edges=int(np.bitwise_count(dags.words).sum()),
        classes=len(classes.words),
        labelled_classes=int((factorial(n) // automorphisms).sum()),
    )


def unpack(words: Words, n: int) -> Masks:
    """Return the digraphs whose keys are given: uint16[K, n], the inverse of `bitdags.keys` for n up to 8."""
    shifts = np.arange(n - 1, -1, -1, dtype=np.uint64) * np.uint64(n)
    return ((words[:, None] >> shifts) & np.uint64((1 << n) - 1)).astype(np.uint16)


def candidates_at(smaller: Masks, places: Integers) -> Masks:
    """Return the candidates with the given numbers: uint16[K, n]."""
    n = smaller.shape[1] + 1
    is_child = (places[:, None] >> np.arange(n - 1)) & 1
    masks = np.zeros((len(places), n), dtype=np.uint16)
    masks[:, 1:] = (smaller[places >> (n - 1)] << np.uint16(1)) | is_child.astype(np.uint16)
    return masks
