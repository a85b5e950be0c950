"""Anybody's Corr2Cause file: read as a stream of rows, and written back with other labels and nothing else changed.

The format and the columns are recognised by content, whatever the file is called: CSV, JSON lines, a JSON list or
Parquet; the published columns, its JSON form, those of TFDS and tasksource readers, Corr2Cause++, or ours.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from corr2cause.dataset.foreign.correcting import TextCorrector, correcting_text
from corr2cause.dataset.foreign.labels import Label, LabelKind, label_kind
from corr2cause.dataset.foreign.layouts import Layout, layout_of
from corr2cause.dataset.foreign.parquet_correcting import ParquetCorrector, correcting_parquet
from corr2cause.dataset.foreign.parquet_source import ParquetSource
from corr2cause.dataset.foreign.recognising import AnySource, sources_of
from corr2cause.dataset.foreign.rows import ForeignRow, RefusedRow, RowReader
from corr2cause.dataset.foreign.sources import one_line
from corr2cause.errors import FileError, RowError
from corr2cause.files import plain_errors

__all__ = ["Corrector", "ForeignFile", "ForeignRow", "Label", "LabelKind", "RefusedRow", "open_foreign"]

_EXPECTED = (
    "expected CSV with a header, JSON lines, a JSON list or Parquet in UTF-8, "
    "with a column input, or query, or with premise and hypothesis"
)


@dataclass(frozen=True)
class ForeignFile:
    """A file of rows that was recognised.

    Attributes:
        path: where it lies.
        label_kind: what its labels are.
    """

    path: Path
    label_kind: LabelKind
    _source: AnySource
    _layout: Layout
    _stamp: tuple[int, int]

    @property
    def layout(self) -> str:
        """The format and the columns, for people."""
        return f"{self._source.format}, {self._layout.name} ({', '.join(self._layout.columns)})"

    def rows(self) -> Iterator[ForeignRow | RefusedRow]:
        """Read the rows in their order, numbered from 0, from the beginning at each call.

        A row that cannot be taken apart becomes a `RefusedRow`, and the next one follows. Whether a premise can be
        parsed is not looked at. Memory does not grow with the file.

        Raises:
            FileError: the file can no longer be read.
        """
        reader = RowReader(self._layout, self.label_kind)
        for number, record in enumerate(self._source.records(self._layout.columns)):
            yield reader.row(number, record)

    @contextmanager
    def corrected(self, out: str | Path) -> Iterator[Corrector]:
        """Write a copy with other labels, which appears under its name when the block ends without an error.

        In text formats every byte outside the changed labels stays. In Parquet the values, the schema with its
        metadata, and the row groups stay; a copy without any change has the same bytes there too.

        Raises:
            FileError: the file has no labels, `out` is the file itself or cannot be written, or the file was changed
                after it had been opened.
        """
        column = self._layout.label
        if column is None or self.label_kind is LabelKind.NONE:
            raise FileError(str(self.path), "this file has no labels that could be corrected")
        if os.path.exists(out) and os.path.samefile(self.path, out):
            raise FileError(str(out), "this is the file that is read; choose another name for the corrected one")
        with self._correcting(column, Path(out)) as format_corrector:
            yield Corrector(self, format_corrector)
            self.check_unchanged()

    def _correcting(
        self, column: str, out: Path
    ) -> AbstractContextManager[TextCorrector] | AbstractContextManager[ParquetCorrector]:
        if isinstance(self._source, ParquetSource):
            return correcting_parquet(self._source, column, self.label_kind, out)
        return correcting_text(self._source, column, self.label_kind, out)

    def check_unchanged(self) -> None:
        """Make sure that the file is still the one that was opened.

        Raises:
            FileError: its size or its time of change is another.
        """
        if _stamp(self.path) != self._stamp:
            raise FileError(str(self.path), "this file was changed while it was read; start again")


class Corrector:
    """What `ForeignFile.corrected` yields: takes the right labels, in the order of the file."""

    def __init__(self, file: ForeignFile, format_corrector: TextCorrector | ParquetCorrector) -> None:
        self._file, self._corrector = file, format_corrector
        self._last = -1

    def put(self, row: ForeignRow, label: Label | None) -> None:
        """Say the right label of a row; one that is None, or the given one, leaves the row as it is.

        Rows may be left out.

        Raises:
            FileError: the file was changed after it had been opened.
            RowError: a row comes behind a later one, or the label is none of the kind of the file.
        """
        if row.number <= self._last:
            raise RowError(str(self._file.path), row.number, f"rows are corrected in order, this follows {self._last}")
        self._last = row.number
        if label is None or label == row.label:
            return
        if label not in self._file.label_kind.labels:
            raise RowError(str(self._file.path), row.number, f"{label!r} is no label of {self._file.label_kind}")
        self._file.check_unchanged()
        self._corrector.put(row, label)


def open_foreign(path: str | Path) -> ForeignFile:
    """Recognise a file by its content. All labels are looked at, because one 2 among them changes what 0 means.

    Returns:
        The file, of which nothing is held in memory.  Half of the time that it takes to read the rows.

    Raises:
        FileError: it cannot be read, or is none of the formats, or has none of the known columns.
    """
    path = Path(path)
    stamp = _stamp(path)
    source, layout = _recognised(path)
    kind = LabelKind.NONE
    if layout.label:
        kind = label_kind(source.label_texts(layout.label), is_label=layout.label == "label")
    return ForeignFile(path, kind, source, layout, stamp)


def _recognised(path: Path) -> tuple[AnySource, Layout]:
    seen: tuple[str, ...] = ()
    for source in sources_of(path):
        columns = source.columns()
        if layout := layout_of(columns):
            return source, layout
        seen = seen or columns
    found = f"; found the columns {one_line(', '.join(seen))}" if seen else ""
    raise FileError(str(path), f"no Corr2Cause rows are recognised here; {_EXPECTED}{found}")


def _stamp(path: Path) -> tuple[int, int]:
    with plain_errors(path):
        status = path.stat()
    if stat.S_ISFIFO(status.st_mode):
        raise FileError(str(path), "this is a pipe, and the rows are read more than once; save them in a file first")
    return status.st_size, status.st_mtime_ns
