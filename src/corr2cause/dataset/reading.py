"""Read a data folder, checked against its manifest, or one plain file of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.manifest import FileEntry, Manifest, read_manifest
from corr2cause.dataset.schema import (
    ENCODED_SCHEMA,
    FIELDS,
    STRING_COLUMNS,
    columns,
    encoded_schema,
    first_misfit,
)
from corr2cause.errors import FileError, OptionError, RowError, quoted
from corr2cause.files import plain_errors, read_jsonl, sha256_of

DEFAULT_SPLIT = "test"
"""The split that is meant where none is named."""

_AGAIN = "it was changed or damaged; make the data again with --force"

_ROWS_AT_ONCE = 10_000  # lines that are held decoded before their repeated strings are shared


@dataclass(frozen=True)
class Dataset:
    """A data folder whose manifest fits its files.

    Attributes:
        folder: where it lies.
        manifest: what it says about itself.
    """

    folder: Path
    manifest: Manifest

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have rows, in the order of `schema.SPLITS`."""
        return self.manifest.splits

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in columns(bool(self.manifest.options.get("with_steps"))))

    def read(self, split: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one split, from Parquet if it is there.

        Args:
            split: one of `splits`.
            columns: the columns to read, in the wanted order; all of them by default.

        Returns:
            A table of `encoded_schema(columns)`, each column in one chunk.

        Raises:
            FileError: there is no such split, or the file is not the one that the manifest describes.
        """
        parts = [self.read_file(entry, columns) for entry in self.files_of(split)]
        return parts[0] if len(parts) == 1 else pa.concat_tables(parts).unify_dictionaries().combine_chunks()

    def read_file(self, entry: FileEntry, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one file, a whole split or a shard of it; otherwise as `read`."""
        path = self.folder / entry.name
        if sha256_of(path) != entry.sha256:
            raise FileError(str(path), f"this does not match its manifest (sha256): {_AGAIN}")
        return _read(path, encoded_schema(columns if columns is not None else self.columns))

    def files_of(self, split: str) -> tuple[FileEntry, ...]:
        """Return the files that hold a split, of Parquet if it is there, for it is the smaller.

        Raises:
            FileError: there is no such split.
        """
        for form in ("parquet", "jsonl"):
            if entries := self.manifest.files_of(split, form):
                return entries
        there = ", ".join(self.splits) or "none"
        raise FileError(str(self.folder), f"this data set has no rows in the split {split!r}; choose from: {there}")


def open_dataset(folder: str | Path) -> Dataset:
    """Open a data folder that `generate` or `perturb` wrote.

    Raises:
        FileError: the folder has no manifest of ours, or a file that it lists is absent or has another size.
    """
    manifest = read_manifest(folder)
    for entry in manifest.files:
        path = Path(folder, entry.name)
        if not path.is_file():
            raise FileError(str(path), "this file of the data set is missing; make the data again with --force")
        with plain_errors(path):
            size = path.stat().st_size
        if size != entry.bytes:
            raise FileError(str(path), f"this has {size} bytes, its manifest says {entry.bytes}: {_AGAIN}")
    return Dataset(Path(folder), manifest)


def original_of(dataset: Dataset) -> Dataset:
    """Return the data set that a perturbation or stories were made from, or the data set itself if it is none.

    Raises:
        FileError: it is not in the folder around.
    """
    if not dataset.manifest.is_perturbed:
        return dataset
    around = open_dataset(dataset.folder.absolute().parent)
    if around.manifest.fingerprint != dataset.manifest.options.get("source"):
        raise FileError(str(dataset.folder), "the data set that this was made from is not in the folder around")
    return around


def read_rows(path: str | Path) -> pa.Table:
    """Read one file of rows, JSON lines or Parquet; which of them, its first bytes tell.

    Further columns are passed over.

    Returns:
        A table of `ENCODED_SCHEMA`, each column in one chunk.

    Raises:
        FileError: the file cannot be read, is of no such format, or lacks a column.
        RowError: a row lacks a column, or holds a value that the column cannot have, such as the label 2.
    """
    return _read(Path(path), ENCODED_SCHEMA)


def read_split(path: str | Path, split: str | None, columns: Sequence[str]) -> pa.Table:
    """Read some columns of a split of a data folder, or of one file of rows, which has no splits.

    Args:
        path: a folder that `generate` or `perturb` wrote, or a file of such rows.
        split: of a folder; `test` by default.
        columns: the columns to read, in the wanted order.

    Raises:
        FileError: there are no such data, or they are damaged.
        RowError: a row cannot be one of ours.
        OptionError: a split of a file was asked for.
    """
    if not Path(path).is_file():
        return open_dataset(path).read(split or DEFAULT_SPLIT, columns)
    if split:
        raise OptionError("--split", f"{path} is one file and has no splits; leave the option out")
    return read_rows(path).select(columns)


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    with plain_errors(path), path.open("rb") as stream:
        is_parquet = stream.read(4) == b"PAR1"
    table = _read_parquet(path, schema) if is_parquet else _read_lines(path, schema)
    return table.unify_dictionaries().combine_chunks()


def _read_parquet(path: Path, schema: pa.Schema) -> pa.Table:
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
    return _checked(path, table, range(1, table.num_rows + 1))


def _read_lines(path: Path, schema: pa.Schema) -> pa.Table:
    lines = read_jsonl(path)
    tables = [schema.empty_table()]
    while chunk := list(islice(lines, _ROWS_AT_ONCE)):
        table = pa.table([_column(path, chunk, name) for name in schema.names], schema=schema)
        tables.append(_checked(path, table, [number for number, _ in chunk]))
    return pa.concat_tables(tables)


def _column(path: Path, chunk: Sequence[tuple[int, dict[str, Any]]], name: str) -> pa.Array:
    plain = FIELDS[name].type
    try:
        cells = pa.array([row[name] for _, row in chunk], plain)
    except (KeyError, *_CONVERSION_ERRORS):
        raise _bad_cell(path, chunk, name) from None
    return cells.dictionary_encode() if name in STRING_COLUMNS else cells


_CONVERSION_ERRORS = (pa.ArrowException, ValueError, OverflowError)


def _bad_cell(path: Path, chunk: Sequence[tuple[int, dict[str, Any]]], name: str) -> RowError:
    """Find the row that could not be converted."""
    plain = FIELDS[name].type
    for number, row in chunk:
        if name not in row:
            return RowError(str(path), number, f"the column {name} is missing")
        try:
            pa.array([row[name]], plain)
        except _CONVERSION_ERRORS:
            return RowError(str(path), number, f"the column {name} says {quoted(row[name])}, expected {plain}")
    raise AssertionError(f"every cell of {name} converts alone, but not together")


def _checked(path: Path, table: pa.Table, numbers: Sequence[int]) -> pa.Table:
    if misfit := first_misfit(table):
        row, problem = misfit
        raise RowError(str(path), numbers[row], problem)
    return table
