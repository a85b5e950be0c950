"""Cut a data set into pieces: for each split one, or several where it is large.

A piece is what one file of each format holds. What stands in it depends on the options and its place alone, so the
pieces can be made anywhere, in any order, and again after an interruption; together they hold every row once, but for
those that the options leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause.dataset.balancing import leave_out
from corr2cause.dataset.building import block_of, build_rows, sampled_block
from corr2cause.dataset.class_lists import class_count, classes_of
from corr2cause.dataset.options import GenerationOptions, RowOptions
from corr2cause.dataset.questions import questions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import SplitCodes, assign
from corr2cause.graphs.bitdags import Integers, Masks, Truths
from corr2cause.graphs.equivalence import cpdags
from corr2cause.graphs.rooting import class_sizes
from corr2cause.graphs.terms import MAX_ENUMERATED

ROWS_PER_SHARD = 1_250_000
"""A split of more rows than this is cut into files of about as many; no class is cut."""

ROWS_PER_BLOCK = 16_384
MEMBERS_PER_BLOCK = 1 << 16  # with what holds in each, some 100 MB at twelve variables

Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Portion:
    """The rows of one size in a piece.

    Attributes:
        ranks: int64[C]; places of the classes in code order, ascending.
        representatives: uint16[C, n].
        kept: bool[C, H]; the questions that are asked here.
        sampled: whether the classes come from a sample, not from an enumeration.
    """

    ranks: Integers
    representatives: Masks
    kept: Truths
    sampled: bool = False

    @property
    def rows_by_class(self) -> Integers:
        """Number of rows of each class: int64[C]."""
        return np.asarray(np.count_nonzero(self.kept, axis=1), dtype=np.int64)

    def take(self, classes: Truths | slice) -> Portion:
        """Return the portion of some of its classes."""
        return Portion(self.ranks[classes], self.representatives[classes], self.kept[classes], self.sampled)

    def __reduce__(self) -> tuple[Callable[..., Portion], tuple[object, ...]]:
        """Pickle with a bit for each question: it is most of what a cluster has to be sent."""
        bits = np.packbits(self.kept, axis=1)
        return _unpack, (self.ranks, self.representatives, bits, self.kept.shape[1], self.sampled)

    def tables(self, options: RowOptions) -> Iterator[pa.Table]:
        """Build the rows, block after block."""
        name = sampled_block if self.sampled else block_of
        for part in self.blocks():
            rows = build_rows(options, name(part.ranks, part.representatives))
            yield rows if part.kept.all() else rows.filter(pa.array(part.kept.ravel()))

    def blocks(self) -> Iterator[Portion]:
        """Cut the classes into blocks of no more rows, and no more members, than memory should hold."""
        most = max(1, ROWS_PER_BLOCK // self.kept.shape[1])
        for start in range(0, len(self.ranks), most):
            block = self.take(slice(start, start + most))
            starts = block._starts_by_members() if self.representatives.shape[1] > MAX_ENUMERATED else [0]
            for begin, end in pairwise([*starts, len(block.ranks)]):
                yield block.take(slice(begin, end))

    def _starts_by_members(self) -> list[int]:
        """Return where a new block should start, so that none but those of one class have more members."""
        starts, members = [0], 0
        for place, size in enumerate(class_sizes(cpdags(self.representatives))):
            if place > starts[-1] and members + size > MEMBERS_PER_BLOCK:
                starts.append(place)
                members = 0
            members += size
        return starts


def _unpack(ranks: Integers, representatives: Masks, bits: Bits, n_questions: int, sampled: bool) -> Portion:
    return Portion(ranks, representatives, np.unpackbits(bits, axis=1, count=n_questions).astype(np.bool_), sampled)


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

    def tables(self, options: RowOptions) -> Iterator[pa.Table]:
        """Build the rows of the piece, block after block."""
        for portion in self.portions:
            yield from portion.tables(options)


def plan(options: GenerationOptions) -> list[Piece]:
    """Return the pieces of a data set, split after split; a split without rows has none."""
    return _pieces([_portions(classes_of(n).representatives, deal(options, n)) for n in options.sizes])


def plan_sample(options: SampleOptions, representatives: Masks) -> list[Piece]:
    """Return the pieces of a data set of sampled classes, uint16[C, n]."""
    shape = len(representatives), len(questions(options.n, options.hypotheses))
    dealt = assign(options.split, options.seed, options.n, shape)
    return _pieces([_portions(representatives, dealt, sampled=True)])


@lru_cache(maxsize=16)
def deal(options: GenerationOptions, n: int) -> SplitCodes:
    """Return the split of every row of one size as an index into `SPLITS`, or `LEFT_OUT`: uint8[C, H].

    Quick, but for options that leave rows out (see `leave_out`); recent ones are kept.
    """
    shape = class_count(n), len(questions(n, options.hypotheses))
    return leave_out(options, n, assign(options.split, options.seed, n, shape))


def _portions(representatives: Masks, dealt: SplitCodes, sampled: bool = False) -> dict[str, Portion]:
    """Return what each split has of the classes of one size."""
    found = {}
    for code, split in enumerate(SPLITS):
        kept = dealt == code
        ranks = np.flatnonzero(kept.any(axis=1))
        if len(ranks):
            found[split] = Portion(ranks, representatives[ranks], kept[ranks], sampled)
    return found


def _pieces(sizes: list[dict[str, Portion]]) -> list[Piece]:
    """Cut every split of all sizes."""
    return [piece for split in SPLITS for piece in _cut(split, [size[split] for size in sizes if split in size])]


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
