"""How many DAGs there are: labelled, unlabelled, and left fixed by a permutation; exact for any size.

A DAG falls into layers: the sources, the sources of what is left without these, and so on (Robinson 1973; Kuipers &
Moffa 2015). A permutation that leaves a DAG fixed maps each layer onto itself, so a layer is made of whole cycles of
the permutation, and the edges come in orbits: none within a cycle (it would close a directed cycle), gcd(a, b) orbits
from a cycle of length a to one of length b.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb, factorial, gcd, prod

from corr2cause.graphs.terms import require_size

CycleType = tuple[int, ...]
"""The lengths of the cycles of a permutation, ascending."""

Cycles = tuple[int, ...]
"""How many cycles there are of each length that occurs in a cycle type, by ascending length."""


@cache
def labelled_dag_count(n: int) -> int:
    """Count the DAGs on n labelled nodes (OEIS A003024).

    >>> [labelled_dag_count(n) for n in range(1, 7)]
    [1, 3, 25, 543, 29281, 3781503]
    """
    require_size(n)
    return fixed_dags((1,) * n).count


@cache
def unlabelled_dag_count(n: int) -> int:
    """Count the DAGs on n nodes up to renaming (OEIS A003087), by Burnside's lemma.

    >>> [unlabelled_dag_count(n) for n in range(1, 9)]
    [1, 2, 6, 31, 302, 5984, 243668, 20286025]
    """
    require_size(n)
    pairs = sum(permutation_count(cycles) * fixed_dags(cycles).count for cycles in cycle_types(n))
    return pairs // factorial(n)


@cache
def cycle_types(n: int) -> tuple[CycleType, ...]:
    """List the cycle types of the permutations of n nodes.

    >>> cycle_types(3)
    ((1, 1, 1), (1, 2), (3,))
    """
    return tuple(_partitions(n, 1))


def _partitions(n: int, least: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(least, n + 1):
        for rest in _partitions(n - first, first):
            yield first, *rest


@cache
def permutation_count(cycles: CycleType) -> int:
    """Count the permutations of a cycle type: n! over the order of the centraliser.

    >>> permutation_count((1, 1, 2))
    6
    """
    centraliser: int = prod(length**times * factorial(times) for length, times in Counter(cycles).items())
    return factorial(sum(cycles)) // centraliser


@cache
def fixed_dags(cycles: CycleType) -> FixedDags:
    """Return the count of the labelled DAGs that a permutation of this cycle type leaves fixed; made once."""
    return FixedDags(cycles)


class FixedDags:
    """The labelled DAGs that a permutation leaves fixed, counted layer by layer.

    Attributes:
        cycles: the cycle type of the permutation.
        lengths: the distinct lengths of its cycles, ascending.
        every: how many cycles there are of each of these lengths.
    """

    def __init__(self, cycles: CycleType) -> None:
        self.cycles = cycles
        self.lengths = tuple(sorted(set(cycles)))
        self.every: Cycles = tuple(cycles.count(length) for length in self.lengths)
        self._layers: dict[tuple[Cycles, Cycles], list[tuple[Cycles, int]]] = {}

    @property
    def count(self) -> int:
        """How many there are."""
        return self.ways(self.every, (0,) * len(self.every))

    def ways(self, left: Cycles, above: Cycles) -> int:
        """Count the ways to go on, with the cycles `left` to be placed and the layer `above` just finished.

        The edges into `left` from layers before `above` are settled already.
        """
        return sum(ways for _, ways in self.layers(left, above)) if any(left) else 1

    def layers(self, left: Cycles, above: Cycles) -> list[tuple[Cycles, int]]:
        """List what the next layer can be, by the number of cycles of each length, with the ways to go on from it."""
        if (left, above) not in self._layers:
            choices = [layer for layer in product(*(range(k + 1) for k in left)) if any(layer)]
            self._layers[left, above] = [(layer, self._ways_through(left, above, layer)) for layer in choices]
        return self._layers[left, above]

    def _ways_through(self, left: Cycles, above: Cycles, layer: Cycles) -> int:
        """Choose the cycles of the layer, the edges from above to it and to the rest; and so on with the rest."""
        rest = tuple(k - chosen for k, chosen in zip(left, layer, strict=True))
        choices = prod(map(comb, left, layer))
        if any(above):  # each cycle needs a parent there, or it would stand in the layer above
            orbits = [self.orbits(above, length) for length in self.lengths]
            choices *= prod((2**k - 1) ** chosen for k, chosen in zip(orbits, layer, strict=True))
            choices *= prod(2 ** (k * others) for k, others in zip(orbits, rest, strict=True))
        return choices * self.ways(rest, layer)

    def orbits(self, above: Cycles, length: int) -> int:
        """Count the orbits of edges from a layer to a cycle of the given length."""
        return sum(times * gcd(other, length) for other, times in zip(self.lengths, above, strict=True))
