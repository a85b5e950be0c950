"""CSV as bytes: any quoting, any line ends, and where each cell stands.

The standard `csv` module reads characters and forgets where they stood; a regular expression per record is both
faster and able to say it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corr2cause.dataset.foreign.sources import Damage, Record, Window, label_texts
from corr2cause.files import plain_errors

_EMPTY_LINES = rb"(?:[ \t]*+[\r\n]++)*+"
_END = rb"(?:\r\n|\n|\r|\Z)"
_LINE = re.compile(rb"[^\r\n]*+(?:\r\n|\n|\r|\Z)")
_SPACE = re.compile(rb"\s*+")


@dataclass(frozen=True)
class CsvSource:
    """A CSV file.

    Attributes:
        path: where it lies.
        delimiter: one byte.
        header: the names of the columns.
        body: where the rows begin, in bytes.
    """

    path: Path
    delimiter: bytes
    header: tuple[str, ...]
    body: int

    @property
    def format(self) -> str:
        """The format, for people."""
        return "CSV"

    def columns(self) -> tuple[str, ...]:
        """Return the names in the header."""
        return self.header

    def records(self, columns: Sequence[str]) -> Iterator[Record | Damage]:
        """Read the cells of some columns as texts; empty lines are passed over."""
        pattern, groups = self._row(columns)
        with plain_errors(self.path), self.path.open("rb") as stream:
            stream.seek(self.body)
            window = Window(stream)
            data, position = window.data, 0
            while not (window.at_end and _SPACE.fullmatch(data, position)):
                match = pattern.match(data, position)
                if match and (match.end() < len(data) or window.at_end):
                    yield _record(match, groups, window.start)
                    position = match.end()
                elif window.grow(position):
                    data, position = window.data, 0
                else:
                    damage, position = self._damage(data, position)
                    yield damage

    def label_texts(self, column: str) -> Iterator[str]:
        """Read the cells of one column."""
        return label_texts(self.records((column,)))

    def cell_span(self, record: bytes, column: str) -> tuple[int, int]:
        """Find the bytes of one cell, with its quotes."""
        pattern, _ = self._row((column,))
        match = pattern.match(record)
        assert match, "a record that was read once is read again"
        return match.span(1)

    def _row(self, columns: Sequence[str]) -> tuple[re.Pattern[bytes], tuple[int, ...]]:
        """Compile a record, after any empty lines; return the group of each of the columns too."""
        cell = _cell(self.delimiter)
        places = sorted(self.header.index(name) for name in columns)
        cells = [b"(%b)" % cell if place in places else cell for place in range(len(self.header))]
        row = re.escape(self.delimiter).join(cells)
        return re.compile(_EMPTY_LINES + row + _END), tuple(places.index(self.header.index(name)) for name in columns)

    def _damage(self, data: bytes, position: int) -> tuple[Damage, int]:
        """Pass over what is no row: a record with more or fewer cells, or else one line."""
        match = _any_record(self.delimiter).match(data, position) or _LINE.match(data, position)
        assert match, "there is always a line"
        text = match[0].decode(errors="replace")
        return Damage(f"this cannot be cut into the {len(self.header)} cells of the header", text), match.end()


def open_csv(path: Path, delimiter: bytes, beginning: bytes, start: int) -> CsvSource | None:
    """Take the first record of a file as the header; None if there is none.

    Args:
        path: the file.
        delimiter: what stands between two cells.
        beginning: the first bytes of the file.
        start: where the text begins in them, after a byte order mark.
    """
    space = _SPACE.match(beginning, start)
    first = _any_record(delimiter).match(beginning, space.end() if space else start)
    if not first:
        return None
    try:
        header = next(csv.reader([first[1].decode()], delimiter=delimiter.decode()), [])
    except (UnicodeDecodeError, csv.Error):
        return None
    return CsvSource(path, delimiter, tuple(name.strip() for name in header), first.end())


def _cell(delimiter: bytes) -> bytes:
    """Return the pattern of a cell; its quantifiers are possessive, so that no input takes more than linear time."""
    other = re.escape(delimiter)
    return rb"(?:\"[^\"]*+(?:\"\"[^\"]*+)*+\"|(?:[^\"%b\r\n][^%b\r\n]*+)?+)" % (other, other)


def _any_record(delimiter: bytes) -> re.Pattern[bytes]:
    """Compile a record of any number of cells, after any empty lines."""
    cell = _cell(delimiter)
    return re.compile(_EMPTY_LINES + rb"(%b(?:%b%b)*+)" % (cell, re.escape(delimiter), cell) + _END)


def _record(match: re.Match[bytes], groups: tuple[int, ...], start: int) -> Record | Damage:
    found = map(match.groups().__getitem__, groups)
    try:
        cells = tuple([_unquoted(cell) if cell[:1] == b'"' else cell.decode() for cell in found])
    except UnicodeDecodeError:
        return Damage("this is not UTF-8 text; convert the file to UTF-8", match[0].decode(errors="replace"))
    return Record(cells, start + match.start(), start + match.end())


def _unquoted(cell: bytes) -> str:
    inside = cell[1:-1]
    return (inside.replace(b'""', b'"') if b'""' in inside else inside).decode()
