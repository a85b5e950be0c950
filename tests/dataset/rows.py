"""Rows of the package as plain values, for tests to look at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa

from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.planning import plan
from corr2cause.dataset.schema import SPLITS
from corr2cause.graphs.equivalence import equivalence_classes

Row = dict[str, Any]


def tables_of(options: GenerationOptions) -> Iterator[pa.Table]:
    """Yield every row that the options ask for, size after size and class after class, whatever their splits."""
    for n in options.sizes:
        for block in cut_into_blocks(equivalence_classes(n), 200):
            yield build_rows(options, block)


def split_tables_of(options: GenerationOptions) -> Iterator[tuple[str, pa.Table]]:
    """Yield (split, table) for every block of a data set."""
    for piece in plan(options):
        for table in piece.tables(options):
            yield piece.split, table


@cache
def rows_of(options: GenerationOptions) -> tuple[Row, ...]:
    """Return every row that the options ask for; read only."""
    return tuple(row for table in tables_of(options) for row in table.to_pylist())


@cache
def split_rows_of(options: GenerationOptions) -> dict[str, tuple[Row, ...]]:
    """Return the rows of each split; read only."""
    found: dict[str, list[Row]] = {split: [] for split in SPLITS}
    for split, table in split_tables_of(options):
        found[split] += table.to_pylist()
    return {split: tuple(rows) for split, rows in found.items()}
