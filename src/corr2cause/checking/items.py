"""The rows that are to be answered, and the groups that they fall into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.reading import read_split
from corr2cause.dataset.schema import RELATIONS
from corr2cause.errors import FileError

Integers = npt.NDArray[np.int64]

BINS = {
    "class_size": (1, 2, 3, 7, 25),
    "n_statements": (0, 10, 20, 40, 80),
    "n_edges": (0, 5, 8, 10, 12),
}
"""What makes a row hard, and the least value of each bin: graphs in the class, independence statements, edges."""

_COLUMNS = ("id", "label", "class_id", "relation", "num_variables", "readings_agree", *BINS)


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group rows.

    Attributes:
        name: of the grouping, as in the JSON; the measures of difficulty share theirs.
        names: of the groups, in their order.
        codes: int64[R]; the group of each row, as a place in `names`.
    """

    name: str
    names: tuple[str, ...]
    codes: Integers

    def groups(self) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
        """Yield the name of each group that has rows, and which rows: bool[R]."""
        for code in np.unique(self.codes).tolist():
            yield self.names[code], self.codes == code


@dataclass(frozen=True, slots=True)
class Items:
    """R rows that are to be answered.

    Attributes:
        ids: of the rows, all different.
        labels: int64[R]; 1 where the hypothesis follows.
        classes: int64[R]; the class of each row, as a place among the sorted names of the classes.
        groupings: by relation, size, agreement of the readings and difficulty.
    """

    ids: tuple[str, ...]
    labels: Integers
    classes: Integers
    groupings: tuple[Grouping, ...]

    def take(self, rows: Integers) -> Items:
        """Return some of the rows, in the order asked for."""
        return Items(
            tuple(self.ids[row] for row in rows),
            self.labels[rows],
            self.classes[rows],
            tuple(Grouping(one.name, one.names, one.codes[rows]) for one in self.groupings),
        )


def read_items(path: str | Path, split: str | None = None) -> Items:
    """Read the rows to be answered.

    Args:
        path: a folder that `generate` or `perturb` wrote, or a file of such rows.
        split: of a folder; `test` by default.

    Raises:
        FileError: there are no such data, they are damaged, or two rows have one id.
        RowError: a row cannot be one of ours.
        OptionError: a split of a file was asked for.
    """
    table = read_split(path, split, _COLUMNS)
    ids = tuple(table["id"].to_pylist())
    if len(set(ids)) < len(ids):
        raise FileError(str(path), "some rows have the same id; answers to them could not be told apart")
    names, places = values_and_codes(table["class_id"])
    rank = {name: place for place, name in enumerate(sorted(names))}  # so that the order of the rows changes nothing
    classes = np.array([rank[name] for name in names], dtype=np.int64)[places]
    return Items(ids, _integers(table, "label"), classes, _groupings(table))


def _groupings(table: pa.Table) -> tuple[Grouping, ...]:
    relations, relation = values_and_codes(table["relation"])
    places = np.array([RELATIONS.index(name) for name in relations], dtype=np.int64)[relation]
    sizes, size = np.unique(_integers(table, "num_variables"), return_inverse=True)
    agree = table["readings_agree"].to_numpy().astype(np.int64)
    return (
        Grouping("by_relation", RELATIONS, places),
        Grouping("by_n", tuple(map(str, sizes.tolist())), size),
        Grouping("by_reading_agreement", ("disagree", "agree"), agree),
        *(_binned(column, _integers(table, column)) for column in BINS),
    )


def _binned(column: str, values: Integers) -> Grouping:
    """Group by a measure of difficulty, in the bins of `BINS`.

    >>> _binned("class_size", np.array([1, 6, 7, 720])).codes.tolist()
    [0, 2, 3, 4]
    """
    names = tuple(f"{column} {bounds}" for bounds in bin_names(column))
    return Grouping("by_difficulty", names, np.searchsorted(BINS[column][1:], values, side="right"))


def bin_names(column: str) -> tuple[str, ...]:
    """Write the bins of a measure of difficulty.

    >>> bin_names("class_size")
    ('1', '2', '3-6', '7-24', '25+')
    """
    least = BINS[column]
    ends = [str(low) if low == high - 1 else f"{low}-{high - 1}" for low, high in pairwise(least)]
    return *ends, f"{least[-1]}+"


def _integers(table: pa.Table, column: str) -> Integers:
    return np.asarray(table[column].to_numpy(), dtype=np.int64)
