"""Rows of the package as plain values, for tests to look at."""

from __future__ import annotations

from functools import cache
from typing import Any

from corr2cause.dataset.generating import build
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.schema import SPLITS

Row = dict[str, Any]


@cache
def rows_of(options: GenerationOptions) -> tuple[Row, ...]:
    """Return every row that the options ask for; read only."""
    return tuple(row for table, _ in build(options, workers=1) for row in table.to_pylist())


@cache
def split_rows_of(options: GenerationOptions) -> dict[str, tuple[Row, ...]]:
    """Return the rows of each split; read only."""
    found: dict[str, list[Row]] = {split: [] for split in SPLITS}
    for table, codes in build(options, workers=1):
        for row, code in zip(table.to_pylist(), codes.tolist(), strict=True):
            found[SPLITS[code]].append(row)
    return {split: tuple(rows) for split, rows in found.items()}
