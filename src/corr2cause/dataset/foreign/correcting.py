"""Copies of CSV and JSON files in which only labels differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from corr2cause.dataset.foreign.labels import Label, LabelKind, spelled
from corr2cause.dataset.foreign.rows import ForeignRow
from corr2cause.dataset.foreign.sources import TextSource
from corr2cause.files import WholeFile, plain_errors, whole_file

_COPIED_AT_ONCE = 1 << 20


@contextmanager
def correcting_text(source: TextSource, column: str, kind: LabelKind, out: Path) -> Iterator[TextCorrector]:
    """Write the copy when the block ends without an error.

    Raises:
        FileError: one of the two files cannot be read or written.
    """
    with plain_errors(source.path):
        old = source.path.open("rb")
    with old, whole_file(out) as new:
        corrector = TextCorrector(source, column, kind, old, new)
        yield corrector
        corrector.finish()


class TextCorrector:
    """Copies a file up to each wrong label, puts the right one there, and goes on behind it."""

    def __init__(self, source: TextSource, column: str, kind: LabelKind, old: BinaryIO, new: WholeFile) -> None:
        self._source, self._column, self._kind = source, column, kind
        self._old, self._new = old, new

    def put(self, row: ForeignRow, label: Label) -> None:
        """Replace the label of a row, which stands behind all rows before."""
        self._copy(row.start - self._old.tell())
        record = self._read(row.end - row.start)
        start, end = self._source.cell_span(record, self._column)
        given = row.label_text.strip()
        cell = _replaced(record[start:end], given, spelled(label, given, self._kind))
        self._new.write(record[:start] + cell + record[end:])

    def finish(self) -> None:
        """Copy the rest."""
        while data := self._read(_COPIED_AT_ONCE):
            self._new.write(data)

    def _copy(self, size: int) -> None:
        while size > 0 and (data := self._read(min(size, _COPIED_AT_ONCE))):
            self._new.write(data)
            size -= len(data)

    def _read(self, size: int) -> bytes:
        with plain_errors(self._source.path):
            return self._old.read(size)


def _replaced(cell: bytes, given: str, label: str) -> bytes:
    """Put a label into a cell in the place of the given one, quotes and white space untouched."""
    if given.encode() in cell and b"\\" not in cell:
        return cell.replace(given.encode(), label.encode())
    # JSON may write any character as an escape, and a number in many ways
    return (f'"{label}"' if cell.startswith(b'"') else label).encode()
