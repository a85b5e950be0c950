"""Where records stand: a JSON list, JSON lines, or CSV; each record with its place in the file."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import plain_errors, read_json, read_jsonl, refuse_pipe

_BEGINNING = 1 << 16
_ZIP = b"PK\x03\x04"  # so begin .xlsx and .ods
_LONGEST_CELL = 1 << 24  # csv refuses 128 kB otherwise, and an abstract with its context may be as long
_ONE_VALUE = "this is one JSON value; expected a list of rows, or a row on each line"


def beginning_of(path: Path) -> str:
    """Return the first characters of a file, without a byte order mark; damage is replaced.

    Raises:
        FileError: it cannot be read, is empty, a pipe or a workbook.
    """
    refuse_pipe(path)
    with plain_errors(path), path.open("rb") as stream:
        data = stream.read(_BEGINNING)
    if data.startswith(_ZIP):
        raise FileError(str(path), "this is a workbook or an archive, not text; save the sheet as CSV in UTF-8")
    start = data.removeprefix(codecs.BOM_UTF8).decode(errors="replace")
    if not start.strip():
        raise FileError(str(path), "it is empty; name a file with rows")
    return start


def text_of_file(path: Path) -> str:
    """Read a UTF-8 file, with or without a byte order mark.

    Raises:
        FileError: it cannot be read.
        RowError: it is not UTF-8; the row is the line of the damage.
    """
    with plain_errors(path):
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RowError(str(path), line, "this is not UTF-8 text; convert the file to UTF-8") from error


def json_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the members of a JSON list, counted from 1."""
    found = read_json(path)
    if not isinstance(found, list):
        raise RowError(str(path), 1, _ONE_VALUE)
    for place, record in enumerate(found, start=1):
        if not isinstance(record, dict):
            raise RowError(str(path), place, f"expected a JSON object, found {quoted(record)}")
        yield place, record


def line_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON lines file, each with the number of its line.

    Raises:
        RowError: a line is no object, or the file is one object over several lines.
    """
    try:
        yield from read_jsonl(path)
    except RowError:
        if _is_one_value(path):
            raise RowError(str(path), 1, _ONE_VALUE) from None
        raise


def _is_one_value(path: Path) -> bool:
    try:
        read_json(path)
    except RowError:
        return False
    return True


def csv_records(path: Path, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of a CSV file, each with the number of the line where it ends.

    Raises:
        RowError: a record has another number of cells than the header, or the quotes do not fit.
    """
    reader = csv.reader(io.StringIO(text_of_file(path), newline=""), delimiter=delimiter, strict=True)
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        header = [name.strip() for name in next(reader, [])]
        if len(set(header)) < len(header):
            raise RowError(str(path), 1, "two columns have one name; rename one of them")
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                problem = f"this has {len(cells)} cells, and the header has {len(header)}; is a quote missing?"
                raise RowError(str(path), reader.line_num, problem)
            yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise RowError(str(path), reader.line_num, f"this is not CSV ({error})") from error
    finally:
        csv.field_size_limit(limit)
