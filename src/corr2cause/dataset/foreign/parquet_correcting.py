"""Copies of Parquet files in which only labels differ: the same schema, metadata, row groups and compression."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.foreign.labels import Label, LabelKind, spelled
from corr2cause.dataset.foreign.parquet_source import ParquetSource, parquet_errors
from corr2cause.dataset.foreign.rows import ForeignRow
from corr2cause.files import WholeFile, whole_file

_COPIED_AT_ONCE = 1 << 20


@contextmanager
def correcting_parquet(source: ParquetSource, column: str, kind: LabelKind, out: Path) -> Iterator[ParquetCorrector]:
    """Write the copy when the block ends without an error.

    Raises:
        FileError: one of the two files cannot be read or written.
    """
    with parquet_errors(source.path):
        old = pq.ParquetFile(source.path)
    with old, whole_file(out) as new:
        corrector = ParquetCorrector(source.path, old, new, column, kind)
        try:
            yield corrector
            corrector.finish()
        finally:
            corrector.abandon()


class ParquetCorrector:
    """Writes the row groups anew if a label is wrong; without one, the file is copied as it is."""

    def __init__(self, path: Path, old: pq.ParquetFile, new: WholeFile, column: str, kind: LabelKind) -> None:
        self._path, self._old, self._new = path, old, new
        self._column, self._kind = column, kind
        self._writer: pq.ParquetWriter | None = None
        self._group, self._group_start = 0, 0
        self._texts: dict[int, str] = {}  # of the rows of this group

    def put(self, row: ForeignRow, label: Label) -> None:
        """Replace the label of a row, which stands behind all rows before."""
        if self._writer is None:
            self._writer = _writer(self._old, self._new)
        while row.number >= self._group_start + self._old.metadata.row_group(self._group).num_rows:
            self._write_group(self._writer)
        given = row.label_text.strip()
        text = row.label_text.replace(given, spelled(label, given, self._kind))
        self._texts[row.number - self._group_start] = text

    def finish(self) -> None:
        """Write the rest."""
        if self._writer is None:
            with parquet_errors(self._path), self._path.open("rb") as old:
                while data := old.read(_COPIED_AT_ONCE):
                    self._new.write(data)
            return
        while self._group < self._old.num_row_groups:
            self._write_group(self._writer)
        self._writer.close()

    def abandon(self) -> None:
        """Keep an unfinished writer from trying to finish its file when it is collected."""
        if self._writer is not None:
            self._writer.is_open = False

    def _write_group(self, writer: pq.ParquetWriter) -> None:
        with parquet_errors(self._path):
            table = self._old.read_row_group(self._group)
        if self._texts:
            place = table.column_names.index(self._column)
            column = table.column(place)
            cells = column.to_pylist()
            for row, text in self._texts.items():
                cells[row] = _like(cells[row], text)
            table = table.set_column(place, table.schema.field(place), pa.array(cells, column.type))
        writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self._group, self._group_start = self._group + 1, self._group_start + table.num_rows
        self._texts.clear()


def _like(cell: object, text: str) -> Any:
    """Return what a text says as a value of the type of another cell."""
    match cell:
        case str():
            return text
        case bool():
            return text == "true"
        case int():
            return int(text)
    return float(text)


def _writer(file: pq.ParquetFile, new: WholeFile) -> pq.ParquetWriter:
    metadata = file.metadata
    group = metadata.row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    return pq.ParquetWriter(
        new,
        file.schema_arrow,
        version=metadata.format_version if metadata.format_version in ("1.0", "2.4", "2.6") else "2.6",
        compression={column.path_in_schema: _codec(column.compression) for column in columns},
        use_dictionary=[column.path_in_schema for column in columns if column.has_dictionary_page],
        store_schema=b"ARROW:schema" in (metadata.metadata or {}),
    )


def _codec(name: str) -> str:
    return "none" if name == "UNCOMPRESSED" else name.lower()
