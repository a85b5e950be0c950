"""Count what a data set holds, of each number of variables and of all together.

Premises are held once, as dictionary-encoded columns bring them, and never expanded to one string a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause.checking.statistics import (
    SHARING_SPLITS,
    DatasetRow,
    DatasetStatistics,
    PremiseLengths,
    RelationRow,
    SharedPremises,
    Size,
    SplitPart,
)
from corr2cause.checking.tokens import TokenCounts, count_tokens
from corr2cause.dataset.class_ids import sampled_sizes
from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.row_files import read_rows
from corr2cause.dataset.schema import NLI_LABELS, RELATIONS, SPLITS, encoded_schema

Integers = npt.NDArray[np.integer]
Truths = npt.NDArray[np.bool_]

_COLUMNS = ("num_variables", "class_id", "premise", "hypothesis", "label", "nli_label", "relation")


def dataset_statistics(path: str | Path, progress: Callable[[int], object] = lambda splits: None) -> DatasetStatistics:
    """Count the rows of a data folder, or of one file of rows.

    Args:
        path: a folder that `generate` or `perturb` wrote, or a JSON lines or Parquet file with our columns.
        progress: called with the number of splits just read; they add up to that of `SPLITS`.

    Raises:
        FileError: there is no such data, or it is damaged, foreign, or not what its manifest says.
        RowError: a row of a file cannot be one of ours.

    Cost:
        About 0.5 s for the 207,432 rows of 2 to 6 variables in Parquet, 5 s in JSON lines.
    """
    rows = _read_file(path, progress) if Path(path).is_file() else _read_folder(path, progress)
    selections: list[tuple[Size, Truths]] = [(n, rows.n == n) for n in np.unique(rows.n).tolist()]
    selections.append(("all", np.ones(len(rows.n), dtype=bool)))
    return DatasetStatistics(
        rows=tuple(_dataset_row(rows, n, chosen) for n, chosen in selections),
        relations=tuple(row for n, chosen in selections for row in _relation_rows(rows, n, chosen)),
        premise_lengths=tuple(_premise_lengths(rows, n, chosen) for n, chosen in selections),
        sampled=rows.sampled,
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """R rows as numbers, in file order, split after split.

    Attributes:
        n: int64[R]; number of variables.
        premise: int32[R]; place of the premise among the distinct ones, which `premises` counts.
        hypothesis: int32[R]; so for hypotheses.
        positive: int64[R]; 1 where the label is 1.
        relation: int64[R]; place in `RELATIONS`.
        nli_label: int64[R]; place in `NLI_LABELS`.
        split: int64[R]; place in `SPLITS`; None if the split is not known.
        premises: tokens of each distinct premise.
        hypotheses: tokens of each distinct hypothesis.
        sampled: numbers of variables of sampled classes, ascending.
    """

    n: Integers
    premise: Integers
    hypothesis: Integers
    positive: Integers
    relation: Integers
    nli_label: Integers
    split: Integers | None
    premises: TokenCounts
    hypotheses: TokenCounts
    sampled: tuple[int, ...]


def _read_folder(folder: str | Path, progress: Callable[[int], object]) -> _Rows:
    dataset = open_dataset(folder)
    parts = []
    for name in SPLITS:
        there = name in dataset.splits
        parts.append(dataset.read(name, _COLUMNS) if there else encoded_schema(_COLUMNS).empty_table())
        progress(1)
    split = np.repeat(np.arange(len(SPLITS)), [part.num_rows for part in parts])
    return _rows(pa.concat_tables(parts), split)


def _read_file(path: str | Path, progress: Callable[[int], object]) -> _Rows:
    table = read_rows(path).select(_COLUMNS)
    progress(len(SPLITS))
    return _rows(table, split=None)


def _rows(table: pa.Table, split: Integers | None) -> _Rows:
    premises, premise = values_and_codes(table["premise"])
    hypotheses, hypothesis = values_and_codes(table["hypothesis"])
    return _Rows(
        n=table["num_variables"].to_numpy(),
        premise=premise,
        hypothesis=hypothesis,
        positive=table["label"].to_numpy(),
        relation=_places(table["relation"], RELATIONS),
        nli_label=_places(table["nli_label"], NLI_LABELS),
        split=split,
        premises=count_tokens(premises),
        hypotheses=count_tokens(hypotheses),
        sampled=sampled_sizes(table["class_id"].combine_chunks().dictionary.to_pylist()),
    )


def _places(column: pa.ChunkedArray, values: tuple[str, ...]) -> Integers:
    found, codes = values_and_codes(column)
    return np.array([values.index(value) for value in found], dtype=np.int64)[codes]


def _dataset_row(rows: _Rows, n: Size, chosen: Truths) -> DatasetRow:
    premise, hypothesis = rows.premise[chosen], rows.hypothesis[chosen]
    premise_uses = np.bincount(premise, minlength=len(rows.premises))
    hypothesis_uses = np.bincount(hypothesis, minlength=len(rows.hypotheses))
    items = premise.astype(np.int64) * len(rows.hypotheses) + hypothesis
    splits, shared = _split_parts(rows, chosen)
    return DatasetRow(
        n=n,
        samples=len(premise),
        positives=int(rows.positive[chosen].sum()),
        premise_tokens=rows.premises.total(premise_uses),
        hypothesis_tokens=rows.hypotheses.total(hypothesis_uses),
        vocabulary=len(rows.premises.vocabulary(premise_uses) | rows.hypotheses.vocabulary(hypothesis_uses)),
        premises=_nonzero(premise_uses),
        duplicates=len(items) - len(np.unique(items)),
        splits=splits,
        shared=shared,
    )


def _split_parts(rows: _Rows, chosen: Truths) -> tuple[tuple[SplitPart, ...], tuple[SharedPremises, ...]]:
    if rows.split is None:
        return (), ()
    uses = {
        split: np.bincount(rows.premise[chosen & (rows.split == code)], minlength=len(rows.premises))
        for code, split in enumerate(SPLITS)
    }
    parts = tuple(SplitPart(split, int(count.sum()), _nonzero(count)) for split, count in uses.items())
    shared = tuple(
        SharedPremises((first, second), _nonzero((uses[first] > 0) & (uses[second] > 0)))
        for first, second in SHARING_SPLITS
    )
    return parts, shared


def _relation_rows(rows: _Rows, n: Size, chosen: Truths) -> list[RelationRow]:
    counts = np.zeros((len(RELATIONS), len(NLI_LABELS)), dtype=np.int64)
    np.add.at(counts, (rows.relation[chosen], rows.nli_label[chosen]), 1)
    positives = np.bincount(rows.relation[chosen & (rows.positive == 1)], minlength=len(RELATIONS))
    return [
        RelationRow(n, relation, positive, *three_way)
        for relation, positive, three_way in zip(RELATIONS, positives.tolist(), counts.tolist(), strict=True)
    ]


def _premise_lengths(rows: _Rows, n: Size, chosen: Truths) -> PremiseLengths:
    lengths, numbers = np.unique(rows.premises.lengths[rows.premise[chosen]], return_counts=True)
    return PremiseLengths(n, tuple(zip(lengths.tolist(), numbers.tolist(), strict=True)))


def _nonzero(values: Integers | Truths) -> int:
    return int(np.count_nonzero(values))
