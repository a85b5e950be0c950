"""The table of graphs: how many there are of each size, and the proof that no class is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from corr2cause.graphs.equivalence import LABELLED_CLASSES, equivalence_classes, labelled_class_count, members


@dataclass(frozen=True, slots=True)
class GraphRow:
    """What there is on n nodes: the paper's Table 1, and more.

    Attributes:
        n: number of nodes.
        dags: unlabelled DAGs, that is, up to renaming of the nodes.
        edges: edges of all those DAGs together.
        class_sizes: (size, number of classes of this size), ascending; the size of a Markov equivalence class is its
            number of labelled DAGs, and classes are counted up to renaming.
        labelled_classes: labelled classes that `classes` stand for: the sum of n!/|Aut(CPDAG)|.
        known_labelled_classes: how many there are, from `LABELLED_CLASSES`.
    """

    n: int
    dags: int
    edges: int
    class_sizes: tuple[tuple[int, int], ...]
    labelled_classes: int
    known_labelled_classes: int

    @property
    def classes(self) -> int:
        """Number of classes up to renaming."""
        return sum(number for _, number in self.class_sizes)

    @property
    def members(self) -> int:
        """Labelled DAGs in one representative of each class, together."""
        return sum(size * number for size, number in self.class_sizes)

    @property
    def largest_class(self) -> int:
        """Labelled DAGs in the largest class."""
        return self.class_sizes[-1][0]

    @property
    def edges_per_dag(self) -> float:
        """Mean number of edges of an unlabelled DAG."""
        return self.edges / self.dags

    @property
    def dags_per_class(self) -> float:
        """Mean number of unlabelled DAGs in a class up to renaming."""
        return self.dags / self.classes

    @property
    def complete(self) -> bool:
        """Whether the classes stand for every labelled class: none is missing, none stands twice."""
        return self.labelled_classes == self.known_labelled_classes

    def to_json(self) -> dict[str, int | float]:
        """Return the row as plain values, ratios among them."""
        return {
            "n": self.n,
            "dags": self.dags,
            "edges_per_dag": self.edges_per_dag,
            "classes": self.classes,
            "dags_per_class": self.dags_per_class,
            "members": self.members,
            "largest_class": self.largest_class,
            "labelled_classes": self.labelled_classes,
            "known_labelled_classes": self.known_labelled_classes,
            "complete": self.complete,
        }


def graph_statistics(
    sizes: Iterable[int], progress: Callable[[int], object] = lambda done: None
) -> tuple[GraphRow, ...]:
    """Enumerate the graphs of each size and count.  About 0.1 s for 6 nodes, 5 s for 7.

    Args:
        sizes: numbers of nodes.
        progress: called with 1 after each size.

    Raises:
        SizeError: a size is not in 1..7.

    >>> [row.classes for row in graph_statistics(range(2, 6)) if row.complete]
    [2, 5, 20, 142]
    """
    rows = []
    for n in sizes:
        rows.append(_count(n))
        progress(1)
    return tuple(rows)


def _count(n: int) -> GraphRow:
    classes = equivalence_classes(n)
    sizes, numbers = np.unique(members(classes.representatives).sizes, return_counts=True)
    return GraphRow(
        n=n,
        dags=classes.n_dags,
        edges=classes.n_edges,
        class_sizes=tuple(zip(sizes.tolist(), numbers.tolist(), strict=True)),
        labelled_classes=labelled_class_count(classes),
        known_labelled_classes=LABELLED_CLASSES[n - 1],
    )
