"""What can be asked: every question about every class of one size, with its answer, and what a task draws from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from corr2cause.dataset.building import cut_into_blocks, judge, name_classes
from corr2cause.dataset.options import GenerationOptions, Hypotheses, Names, PremiseStyle, SplitOptions
from corr2cause.dataset.questions import Question, questions
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import assign
from corr2cause.errors import OptionError
from corr2cause.graphs.bitdags import Integers, Masks, Truths
from corr2cause.graphs.equivalence import Members, equivalence_classes, members
from corr2cause.graphs.separation import minimal, separations
from corr2cause.graphs.terms import Reading
from corr2cause.tasks.config import ALL, Corr2CauseConfig

_CLASSES_AT_ONCE = 1024

Rows = npt.NDArray[np.int32]
"""Questions about classes, as rank of the class * number of questions + place of the question."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """All C classes of one size and the H questions about the nodes of each representative.

    Attributes:
        representatives: uint16[C, n].
        members: of all classes.
        n_statements: int64[C]; independence statements in the premise.
        asked: the questions; x and y are nodes of the representative.
        entailed: bool[C, H]; the answer.
        agreed: bool[C, H]; the three readings give one answer.
    """

    representatives: Masks
    members: Members
    n_statements: Integers
    asked: tuple[Question, ...]
    entailed: Truths
    agreed: Truths

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.representatives.shape[1])

    def rows(self, where: Truths) -> Rows:
        """Return the rows at which bool[C, H] is true."""
        return np.flatnonzero(where).astype(np.int32)

    def row(self, row: int) -> tuple[int, Question]:
        """Return the rank of the class and the question of a row."""
        rank, place = divmod(row, len(self.asked))
        return rank, self.asked[place]


@lru_cache(maxsize=16)
def pool(n: int, reading: Reading, premise: PremiseStyle, hypotheses: Hypotheses) -> Pool:
    """Judge every question about n variables.

    Returns:
        The pool.  0.4 s and 2 MB for n = 6, 13 s and 100 MB for n = 7; recent ones are kept.
    """
    representatives = equivalence_classes(n).representatives
    plain = GenerationOptions(n=n, min_n=n, reading=reading, names=Names.ORDERED, hypotheses=hypotheses)
    entailed, agreed, n_statements = [], [], []
    for block in cut_into_blocks(equivalence_classes(n), _CLASSES_AT_ONCE):
        judged = judge(name_classes(plain, block), plain)
        entailed.append(judged.holds_in == judged.members.sizes[:, None])
        agreed.append(judged.readings_agree)
        separated = separations(block.representatives)
        listed = minimal(separated, n) if premise is PremiseStyle.MINIMAL else separated
        n_statements.append(listed.sum(axis=1))
    return Pool(
        representatives=representatives,
        members=members(representatives),
        n_statements=np.concatenate(n_statements),
        asked=questions(n, hypotheses),
        entailed=np.concatenate(entailed),
        agreed=np.concatenate(agreed),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """What one relation, or with ordered names one relation of one pair, offers at one size.

    Attributes:
        pool: where the rows stand.
        groups: the rows that are not entailed and those that are, neither empty; or all together.
    """

    pool: Pool
    groups: tuple[Rows, ...]


@lru_cache(maxsize=4)
def cells(config: Corr2CauseConfig) -> tuple[tuple[Cell, ...], ...]:
    """Sort the rows that a task may ask for by size, and then by relation; what has none is left out.

    With ordered names, where letters tell the place in the graph, each pair has a cell of its own.

    Args:
        config: that of the task, but with seed 0 and size 1, so that tasks that differ only there share the cells.

    Raises:
        OptionError: there are none at all.
    """
    by_size = [_cells_of_size(config, n) for n in range(config.min_n, config.max_n + 1)]
    found = tuple(cells for cells in by_size if cells)
    if not found:
        both = ' with "Yes" and with "No"' if config.balanced else ""
        raise OptionError("Corr2CauseConfig", f"there are no questions{both} in these ranges; widen them")
    return found


def _cells_of_size(config: Corr2CauseConfig, n: int) -> tuple[Cell, ...]:
    options = config.options(n)
    source = pool(n, options.reading, options.premise, options.hypotheses)
    allowed = _within(source.members.sizes, config.min_class_size, config.max_class_size)
    allowed &= _within(source.n_statements, config.min_statements, config.max_statements)
    if config.split != ALL:
        allowed &= _in_split(config.split, config.split_seed, n, len(allowed))
    wanted = allowed[:, None] & (source.agreed if config.only_agreeing else np.True_)
    kinds = [
        (question.relation, question.x, question.y) if options.names is Names.ORDERED else (question.relation,)
        for question in source.asked
    ]
    found = []
    for kind in (kind for kind in dict.fromkeys(kinds) if kind[0] in config.relations):
        asking = wanted & np.array([other == kind for other in kinds])
        parts = (asking & ~source.entailed, asking & source.entailed) if config.balanced else (asking,)
        groups = tuple(source.rows(part) for part in parts)
        if all(map(len, groups)):
            found.append(Cell(source, groups))
    return tuple(found)


def _within(values: Integers, low: int, high: int | None) -> Truths:
    return (values >= low) & (values <= (values.max() if high is None else high))


def _in_split(split: str, seed: int, n: int, n_classes: int) -> Truths:
    """Return of which classes `generate` puts rows into a split."""
    codes = assign(SplitOptions(), seed, n, (n_classes, len(questions(n, Hypotheses.UNORDERED))))
    found: Truths = (codes == SPLITS.index(split)).any(axis=1)
    return found


def cells_of(config: Corr2CauseConfig) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of a task, as `cells` does."""
    return cells(replace(config, seed=0, size=1))
