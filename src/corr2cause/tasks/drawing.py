"""Draw one item: (seed, index) -> a question, names, and a wording, by hashing.

Neighbouring seeds share no stream, and an item depends on nothing but the seed, its index and what there is to draw
from, so that any item can be made anywhere, in any order, at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corr2cause import streams
from corr2cause.dataset.building import NamedClasses
from corr2cause.dataset.class_ids import enumerated_class
from corr2cause.dataset.options import Names
from corr2cause.dataset.questions import Question, Surface, surfaces
from corr2cause.graphs.bitdags import relabel
from corr2cause.tasks.pool import Cell, Pool
from corr2cause.text.naming import letters, random_words


@dataclass(frozen=True, slots=True)
class Drawn:
    """An item before it is put into words.

    Attributes:
        pool: where the class stands.
        rank: of the class.
        question: x and y are nodes of the representative.
        original: the node of the representative that becomes the k-th variable; x comes before y there.
        names: the variables, in the order of the premise.
        coin: 0 or 1; which of the two wordings.
    """

    pool: Pool
    rank: int
    question: Question
    original: tuple[int, ...]
    names: tuple[str, ...]
    coin: int

    @property
    def named(self) -> NamedClasses:
        """The class after naming, as one that data are built from."""
        original = np.array([self.original])
        graph = relabel(self.pool.representatives[[self.rank]], np.argsort(original, axis=1))
        class_ids = (enumerated_class(len(self.names), self.rank),)
        return NamedClasses(np.array([self.rank]), class_ids, graph, original, [self.names])

    @property
    def asked(self) -> Question:
        """The question about positions in the premise."""
        x, y = self.original.index(self.question.x), self.original.index(self.question.y)
        return Question(self.question.relation, x, y)

    @property
    def surface(self) -> Surface:
        """The sentence that asks it."""
        return surfaces(self.asked)[self.coin]


def draw(cells: tuple[tuple[Cell, ...], ...], names: Names, seed: int, index: int) -> Drawn:
    """Draw an item.

    A size, one of the relations there are of it (with ordered names, of relations and pairs), an answer, and a question
    that has it: each uniformly, one after the other. So neither the size nor the relation tells the answer, nor, given
    these, do the names and the wording: they are drawn uniformly too, of all names in which x comes before y.

    Args:
        cells: what there is to draw from, by size and relation.
        names: how variables are named.
        seed: of the task.
        index: of the item.

    Returns:
        What was drawn.  O(1), 40 µs.
    """
    size, relation, answer, row, coin = _words(seed, "task", index, 5)
    of_size = cells[size % len(cells)]
    cell = of_size[relation % len(of_size)]
    group = cell.groups[answer % len(cell.groups)]
    rank, question = cell.pool.row(int(group[row % len(group)]))
    n = cell.pool.n
    original = list(range(n))
    if names is not Names.ORDERED:
        original = streams.permutations(seed, "task names", n, rows=range(index, index + 1), length=n)[0].tolist()
        _put_first(original, question)
    words = random_words(np.array(_words(seed, "task words", index, n)), n) if names is Names.WORDS else letters(n)
    return Drawn(cell.pool, rank, question, tuple(original), words, coin % 2)


def _words(seed: int, purpose: str, index: int, number: int) -> list[int]:
    drawn: list[int] = streams.words(seed, purpose, rows=range(index, index + 1), columns=number)[0].tolist()
    return drawn


def _put_first(original: list[int], question: Question) -> None:
    """Exchange x and y if y comes first; each order in which x does comes from two, so that it stays uniform."""
    x, y = original.index(question.x), original.index(question.y)
    if y < x:
        original[x], original[y] = original[y], original[x]
