"""Read a span corpus in any of its formats, which the content tells, whatever the file is called."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError
from corr2cause.spans.formats.cells import MisfitError
from corr2cause.spans.formats.containers import (
    beginning_of,
    csv_records,
    json_records,
    line_records,
    text_of_file,
)
from corr2cause.spans.formats.foreign import FOREIGN
from corr2cause.spans.formats.layouts import DETECTION, EXTRACTION, RAW, RELEASE, Layout
from corr2cause.spans.formats.semeval import FIRST_LINE, blocks, read_block
from corr2cause.spans.rows import Row

SEMEVAL = "SemEval-2010 task 8"

_LAYOUTS = (RAW, EXTRACTION, RELEASE, DETECTION, *FOREIGN)
_DELIMITERS = (",", "\t", ";")

Records = Iterator[tuple[int, dict[str, Any]]]


@dataclass(frozen=True)
class Corpus:
    """A file of rows.

    Attributes:
        path: where it lies.
        format: the name of its layout.
        rows: in the order of the file.
        places: where each row stands: a line, or a member of a JSON list, counted from 1.
        left_out: what the file holds and a row has no place for: the name of a field, and in how many records it
            says something.
    """

    path: str
    format: str
    rows: tuple[Row, ...]
    places: tuple[int, ...]
    left_out: Mapping[str, int]


def read_corpus(path: str | Path, layout: Layout | None = None) -> Corpus:
    """Read a corpus: raw, detection, extraction, release, or one of those that other people made.

    Args:
        path: the file.
        layout: how its records are laid out, if that is known; else its first record tells.

    Raises:
        FileError: the file cannot be read, or holds no rows.
        RowError: a row cannot be one of its format, or the format is unknown.
    """
    path = Path(path)
    start = beginning_of(path)
    if layout is None and FIRST_LINE.match(start):
        return _read_semeval(path)
    rows: list[Row] = []
    places: list[int] = []
    left_out: Counter[str] = Counter()
    for number, (place, record) in enumerate(_records(path, start), start=1):
        layout = layout or _layout_of(record, path, place)
        found = _rows_of(record, layout, number, path, place)
        rows += found
        places += [place] * len(found)
        left_out.update(key for key in record.keys() - layout.keys if not _is_blank(record[key]))
        if not found:
            left_out["records without a text"] += 1
    if not rows or layout is None:
        raise FileError(str(path), "there are no rows in it; name a file with rows")
    return Corpus(str(path), layout.name, tuple(rows), tuple(places), dict(sorted(left_out.items())))


def _records(path: Path, start: str) -> Records:
    text = start.lstrip()
    if text.startswith("["):
        return json_records(path)
    if text.startswith("{"):
        return line_records(path)
    return csv_records(path, _delimiter(text))


def _delimiter(text: str) -> str:
    """Return what cuts the first line into the most columns."""
    line = text.splitlines()[0]
    return max(_DELIMITERS, key=lambda delimiter: len(next(csv.reader([line], delimiter=delimiter), [])))


def _layout_of(record: Mapping[str, Any], path: Path, place: int) -> Layout:
    for layout in _LAYOUTS:
        if layout.telling <= record.keys():
            return layout
    known = "; ".join(f"{one.name} ({', '.join(sorted(one.telling))} …)" for one in _LAYOUTS)
    names = json.dumps(sorted(record)[:12])
    problem = f"the fields {names} are those of no known format; spans convert --columns reads other tables"
    raise RowError(str(path), place, f"{problem}. Known are: {known}")


def _rows_of(record: Mapping[str, Any], layout: Layout, number: int, path: Path, place: int) -> Sequence[Row]:
    if missing := layout.telling - record.keys():
        raise RowError(str(path), place, f"{sorted(missing)[0]} is missing; every row of this format needs it")
    if layout.counted_id and layout.counted_id not in record:
        record = {**record, layout.counted_id: number}
    try:
        return layout.read(record)
    except MisfitError as error:
        raise RowError(str(path), place, str(error)) from error


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _read_semeval(path: Path) -> Corpus:
    rows, places = [], []
    for place, lines in blocks(text_of_file(path)):
        try:
            rows.append(read_block(lines))
        except MisfitError as error:
            raise RowError(str(path), place, str(error)) from error
        places.append(place)
    return Corpus(str(path), SEMEVAL, tuple(rows), tuple(places), {})
