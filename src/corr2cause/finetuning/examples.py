"""The rows of a split as a classifier sees them: premise and hypothesis as a pair, and the label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.reading import Dataset
from corr2cause.errors import FileError, OptionError

Integers = npt.NDArray[np.int64]


class Example(NamedTuple):
    """One row."""

    premise: str
    hypothesis: str
    label: int


@dataclass(frozen=True, slots=True)
class Examples:
    """R rows; a premise that ninety of them share is held once.

    Attributes:
        ids: of the rows.
        labels: int64[R].
        premises: the distinct ones; `premise` says which of them each row has, int32[R].
        hypotheses: so.
    """

    ids: tuple[str, ...]
    labels: Integers
    premises: tuple[str, ...]
    premise: npt.NDArray[np.int32]
    hypotheses: tuple[str, ...]
    hypothesis: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, row: int) -> Example:
        premise, hypothesis = self.premises[self.premise[row]], self.hypotheses[self.hypothesis[row]]
        return Example(premise, hypothesis, int(self.labels[row]))


def read_examples(dataset: Dataset, split: str) -> Examples:
    """Read a split.

    Raises:
        FileError: the data set has no such split, or it is damaged, or it is empty.
    """
    table = dataset.read(split, ("id", "label", "premise", "hypothesis"))
    if not table.num_rows:
        raise FileError(str(dataset.folder), f"the split {split} has no rows")
    premises, premise = values_and_codes(table["premise"])
    hypotheses, hypothesis = values_and_codes(table["hypothesis"])
    labels = np.asarray(table["label"].to_numpy(), dtype=np.int64)
    ids = tuple(table["id"].to_pylist())
    return Examples(ids, labels, tuple(premises), premise, tuple(hypotheses), hypothesis)


def class_weights(labels: Integers, kind: str) -> tuple[float, float] | None:
    """Return what a mistake costs at each label: R / (2 x rows of the label), so that both labels count alike.

    >>> class_weights(np.array([0, 0, 0, 1]), "balanced")
    (0.6666666666666666, 2.0)
    """
    if kind == "none":
        return None
    negatives, positives = np.bincount(labels, minlength=2).tolist()
    return len(labels) / (2 * max(1, negatives)), len(labels) / (2 * max(1, positives))


def count_truncated(
    examples: Examples, lengths: Callable[[Sequence[str]], Integers], n_special: int, max_length: int
) -> int:
    """Count the rows whose premise has to be cut.

    Args:
        examples: R rows.
        lengths: tokens of each text by itself, without special ones.
        n_special: special tokens of a pair.
        max_length: how many tokens fit.

    Raises:
        OptionError: not even the hypothesis fits.
    """
    hypotheses = lengths(examples.hypotheses)
    if (longest := int(hypotheses.max()) + n_special) >= max_length:
        raise OptionError("max_length", f"{max_length} leaves no room for a premise; a hypothesis has {longest} tokens")
    totals = lengths(examples.premises)[examples.premise] + hypotheses[examples.hypothesis] + n_special
    return int((totals > max_length).sum())
