"""Read one file of rows, JSON lines or Parquet: as a whole or not at all, or those rows of it that fit the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.schema import ENCODED_SCHEMA, FIELDS, STRING_COLUMNS, misfits
from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import plain_errors, read_jsonl
from corr2cause.graphs.bitdags import Integers

_ROWS_AT_ONCE = 10_000  # lines that are held decoded before their repeated strings are shared

Refuse = Callable[[RowError], object]

_Lines = Sequence[tuple[int, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class NumberedRows:
    """Rows of one file.

    Attributes:
        table: the rows, each column in one chunk.
        numbers: int64[N]; which row of the file each is, from 1; in JSON lines, which line.
    """

    table: pa.Table
    numbers: Integers


def read_rows(path: str | Path) -> pa.Table:
    """Read one file of rows, JSON lines or Parquet; which of them, its first bytes tell.

    Further columns are passed over.

    Returns:
        A table of `ENCODED_SCHEMA`, each column in one chunk.

    Raises:
        FileError: the file cannot be read, is of no such format, or lacks a column.
        RowError: a row lacks a column, or holds a value that the column cannot have, such as the label 2.
    """
    return read_numbered(path, ENCODED_SCHEMA).table


def _raise(error: RowError) -> NoReturn:
    raise error


def read_numbered(path: str | Path, schema: pa.Schema, refuse: Refuse = _raise) -> NumberedRows:
    """Read some columns of a file of rows; otherwise as `read_rows`.

    Args:
        path: the file.
        schema: an `encoded_schema`.
        refuse: called with what is wrong with a row that does not fit the schema, which is then left out; by default
            it is raised.
    """
    path = Path(path)
    with plain_errors(path), path.open("rb") as stream:
        is_parquet = stream.read(4) == b"PAR1"
    read = _read_parquet(path, schema) if is_parquet else _read_lines(path, schema, refuse)
    none = NumberedRows(schema.empty_table(), np.empty(0, dtype=np.int64))
    chunks = [none, *(_fitting(path, chunk, refuse) for chunk in read)]
    table = pa.concat_tables([chunk.table for chunk in chunks]).unify_dictionaries().combine_chunks()
    return NumberedRows(table, np.concatenate([chunk.numbers for chunk in chunks]))


def _fitting(path: Path, rows: NumberedRows, refuse: Refuse) -> NumberedRows:
    """Leave out the rows with a null or a value where the schema allows none."""
    found = misfits(rows.table)
    if not found:
        return rows
    for row, problem in found:
        refuse(RowError(str(path), int(rows.numbers[row]), problem))
    fits = np.ones(len(rows.numbers), dtype=np.bool_)
    fits[[row for row, _ in found]] = False
    return NumberedRows(rows.table.filter(pa.array(fits)), rows.numbers[fits])


def _read_parquet(path: Path, schema: pa.Schema) -> Iterator[NumberedRows]:
    strings = [name for name in schema.names if name in STRING_COLUMNS]
    try:
        with plain_errors(path):
            there = set(pq.read_schema(path).names)
            if missing := [name for name in schema.names if name not in there]:
                raise FileError(str(path), f"these are no rows of ours: {', '.join(missing)} is missing")
            with pq.ParquetFile(path, read_dictionary=strings) as file:
                found = file.read(columns=schema.names)
        table = pa.table([found[name] for name in schema.names], schema=schema)  # casts where that is exact
    except (pa.ArrowException, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise FileError(str(path), f"this Parquet file cannot be read as rows of ours ({reason})") from error
    yield NumberedRows(table, np.arange(1, table.num_rows + 1))


def _read_lines(path: Path, schema: pa.Schema, refuse: Refuse) -> Iterator[NumberedRows]:
    lines = read_jsonl(path, refuse)
    while chunk := list(islice(lines, _ROWS_AT_ONCE)):
        yield from _convert(path, chunk, schema, refuse)


def _convert(path: Path, lines: _Lines, schema: pa.Schema, refuse: Refuse) -> Iterator[NumberedRows]:
    """Make lines a table; where one cannot be converted, by halves, so that only that one is left out."""
    try:
        table = pa.table([_column(path, lines, name) for name in schema.names], schema=schema)
    except RowError as error:
        if len(lines) == 1:
            refuse(error)
            return
        middle = len(lines) // 2
        yield from _convert(path, lines[:middle], schema, refuse)
        yield from _convert(path, lines[middle:], schema, refuse)
        return
    yield NumberedRows(table, np.array([number for number, _ in lines], dtype=np.int64))


def _column(path: Path, lines: _Lines, name: str) -> pa.Array:
    plain = FIELDS[name].type
    try:
        cells = pa.array([row[name] for _, row in lines], plain)
    except (KeyError, *_CONVERSION_ERRORS):
        raise _bad_cell(path, lines, name) from None
    return cells.dictionary_encode() if name in STRING_COLUMNS else cells


_CONVERSION_ERRORS = (pa.ArrowException, ValueError, OverflowError)


def _bad_cell(path: Path, lines: _Lines, name: str) -> RowError:
    """Find the row that could not be converted."""
    plain = FIELDS[name].type
    for number, row in lines:
        if name not in row:
            return RowError(str(path), number, f"the column {name} is missing")
        try:
            pa.array([row[name]], plain)
        except _CONVERSION_ERRORS:
            return RowError(str(path), number, f"the column {name} says {quoted(row[name])}, expected {plain}")
    raise AssertionError(f"every cell of {name} converts alone, but not together")
