"""Premises, hypotheses and labels of many rows, each distinct text held once: what shortcuts are sought in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.foreign.labels import Label
from corr2cause.dataset.published import ForeignRow, open_foreign
from corr2cause.dataset.reading import Dataset
from corr2cause.errors import FileError, RowError

Integers = npt.NDArray[np.integer]

FIELDS = ("hypothesis", "premise")
"""The texts of a row."""

_ENTAILED = (1, "entailment")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One text for each of R rows.

    Attributes:
        texts: the D distinct ones.
        codes: int[R]; the text of each row, as a place in `texts`.
    """

    texts: tuple[str, ...]
    codes: Integers


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """R rows.

    Attributes:
        premise: of each row.
        hypothesis: of each row.
        labels: int64[R]; 1 where the hypothesis follows.
    """

    premise: TextColumn
    hypothesis: TextColumn
    labels: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def every(self, step: int) -> LabelledTexts:
        """Return the first of each `step` rows."""
        premise, hypothesis = (
            TextColumn(column.texts, column.codes[::step]) for column in (self.premise, self.hypothesis)
        )
        return LabelledTexts(premise, hypothesis, self.labels[::step])


def read_split(dataset: Dataset, split: str) -> LabelledTexts:
    """Read the rows of one split of a data folder.

    Raises:
        FileError: there is no such split, or it is damaged.
    """
    table = dataset.read(split, ("premise", "hypothesis", "label"))
    premise, hypothesis = (values_and_codes(table[name]) for name in ("premise", "hypothesis"))
    labels = np.asarray(table["label"].to_numpy(), dtype=np.int64)
    return LabelledTexts(
        TextColumn(tuple(premise[0]), premise[1]), TextColumn(tuple(hypothesis[0]), hypothesis[1]), labels
    )


def read_file(path: str | Path, progress: Callable[[int], object] = lambda rows: None) -> LabelledTexts:
    """Read a file of anybody's rows, in any layout that `audit` takes. Neutral and contradiction are both 0.

    Args:
        path: the file.
        progress: called with the number of rows just read.

    Raises:
        FileError: it cannot be read, has no labels, or is of no known layout.
        RowError: a row cannot be taken apart. Rows are counted from 1.
    """
    file = open_foreign(path)
    if not file.label_kind.labels:
        raise FileError(str(path), "this file has no labels, so nothing can be a shortcut to them")
    premises: defaultdict[str, int] = defaultdict(count().__next__)  # a text met for the first time gets the next place
    hypotheses: defaultdict[str, int] = defaultdict(count().__next__)
    cells: list[tuple[int, int, bool]] = []
    for row in file.rows():
        if not isinstance(row, ForeignRow):
            raise RowError(str(path), row.number + 1, row.reason)
        cells.append((premises[row.premise], hypotheses[row.hypothesis], _is_entailed(row.label)))
        progress(1)
    table = np.array(cells, dtype=np.int64).reshape(-1, 3)
    return LabelledTexts(
        TextColumn(tuple(premises), table[:, 0]), TextColumn(tuple(hypotheses), table[:, 1]), table[:, 2]
    )


def _is_entailed(label: Label | None) -> bool:
    return label in _ENTAILED
