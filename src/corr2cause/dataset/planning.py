"""Cut a data set into pieces: for each split one, or several where it is large.

A piece is what one file of each format holds. What stands in it depends on the options and its place alone, so the
pieces can be made anywhere, in any order, and again after an interruption; together they hold every row once, but for
those that the options leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause.dataset.balancing import leave_out
from corr2cause.dataset.building import block_of, build_rows
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.questions import questions
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import SplitCodes, assign
from corr2cause.graphs.bitdags import Integers, Masks, Truths
from corr2cause.graphs.equivalence import equivalence_classes

ROWS_PER_SHARD = 1_250_000
"""A split of more rows than this is cut into files of about as many; no class is cut."""

ROWS_PER_BLOCK = 16_384


@dataclass(frozen=True, slots=True)
class Portion:
    """The rows of one size in a piece.

    Attributes:
        ranks: int64[C]; places of the classes in code order, ascending.
        representatives: uint16[C, n].
        kept: bool[C, H]; the questions that are asked here.
    """

    ranks: Integers
    representatives: Masks
    kept: Truths

    @property
    def rows_by_class(self) -> Integers:
        """Number of rows of each class: int64[C]."""
        return np.asarray(np.count_nonzero(self.kept, axis=1), dtype=np.int64)

    def take(self, classes: Truths | slice) -> Portion:
        """Return the portion of some of its classes."""
        return Portion(self.ranks[classes], self.representatives[classes], self.kept[classes])

    def __reduce__(self) -> tuple[Callable[..., Portion], tuple[object, ...]]:
        """Pickle with a bit for each question: it is most of what a cluster has to be sent."""
        return _unpack, (self.ranks, self.representatives, np.packbits(self.kept, axis=1), self.kept.shape[1])

    def tables(self, options: GenerationOptions) -> Iterator[pa.Table]:
        """Build the rows, block after block."""
        size = max(1, ROWS_PER_BLOCK // self.kept.shape[1])
        for start in range(0, len(self.ranks), size):
            part = self.take(slice(start, start + size))
            rows = build_rows(options, block_of(part.ranks, part.representatives))
            yield rows if part.kept.all() else rows.filter(pa.array(part.kept.ravel()))


def _unpack(ranks: Integers, representatives: Masks, kept: npt.NDArray[np.uint8], n_questions: int) -> Portion:
    return Portion(ranks, representatives, np.unpackbits(kept, axis=1, count=n_questions).astype(np.bool_))


@dataclass(frozen=True, slots=True)
class Piece:
    """What one file of each format holds.

    Attributes:
        name: of the files, without the ending: `test`, or `train-00000-of-00008` as the hub names shards.
        split: that they belong to.
        portions: one for each size that has rows here, ascending.
    """

    name: str
    split: str
    portions: tuple[Portion, ...]

    def tables(self, options: GenerationOptions) -> Iterator[pa.Table]:
        """Build the rows of the piece, block after block."""
        for portion in self.portions:
            yield from portion.tables(options)


def plan(options: GenerationOptions) -> list[Piece]:
    """Return the pieces of a data set, split after split; a split without rows has none."""
    portions: dict[str, list[Portion]] = {split: [] for split in SPLITS}
    for n in options.sizes:
        classes = equivalence_classes(n)
        dealt = deal(options, n)
        for code, split in enumerate(SPLITS):
            kept = dealt == code
            ranks = np.flatnonzero(kept.any(axis=1))
            if len(ranks):
                portions[split].append(Portion(ranks, classes.representatives[ranks], kept[ranks]))
    return [piece for split in SPLITS for piece in _cut(split, portions[split])]


@lru_cache(maxsize=16)
def deal(options: GenerationOptions, n: int) -> SplitCodes:
    """Return the split of every row of one size as an index into `SPLITS`, or `LEFT_OUT`: uint8[C, H].

    Quick, but for options that leave rows out (see `leave_out`); recent ones are kept.
    """
    shape = len(equivalence_classes(n)), len(questions(n, options.hypotheses))
    return leave_out(options, n, assign(options.split, options.seed, n, shape))


def _cut(split: str, portions: list[Portion]) -> list[Piece]:
    """Cut a split into shards of about as many rows; a class goes where its first row falls."""
    if not portions:
        return []
    rows = np.concatenate([portion.rows_by_class for portion in portions])
    wanted = -(-int(rows.sum()) // ROWS_PER_SHARD)
    shards, shard = np.unique((np.cumsum(rows) - rows) * wanted // rows.sum(), return_inverse=True)
    places = np.split(shard, np.cumsum([len(portion.ranks) for portion in portions])[:-1])
    pieces = []
    for index in range(len(shards)):  # fewer than wanted where a class has more rows than a shard
        inside = [portion.take(place == index) for portion, place in zip(portions, places, strict=True)]
        name = split if len(shards) == 1 else f"{split}-{index:05d}-of-{len(shards):05d}"
        pieces.append(Piece(name, split, tuple(portion for portion in inside if len(portion.ranks))))
    return pieces
