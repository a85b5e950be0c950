"""Write rows in one of the formats, and tell what a format has no place for."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corr2cause.errors import FileError, OptionError
from corr2cause.files import whole_file
from corr2cause.spans.formats.cells import MisfitError
from corr2cause.spans.formats.layouts import DETECTION, EXTRACTION, RAW, RELEASE, WRITTEN, says_something
from corr2cause.spans.rows import Pair, Row, any_span

FORMATS = tuple(WRITTEN)

_ID = "s/n"


@dataclass(frozen=True)
class Conversion:
    """Rows as a format holds them.

    Attributes:
        format: one of `FORMATS`.
        rows: what will be written.
        left_out: what the format has no place for, in words, and how often it occurs.
    """

    format: str
    rows: tuple[Row, ...]
    left_out: Mapping[str, int]


def converted(rows: Iterable[Row], form: str) -> Conversion:
    """Fit rows to a format, as the published preparation does.

    `detection` keeps a label, true as soon as one span is there. `extraction` keeps rows with at least one whole
    pair, whole pairs only, stripped of outer white space. `raw` has no sources, and a label only through its spans.
    `release` holds everything, and a label for every row that was annotated.

    Raises:
        OptionError: there is no such format, or detection is asked of rows that nobody annotated.
    """
    if form not in WRITTEN:
        raise OptionError("--to", f"{form} is no format; choose from {', '.join(FORMATS)}")
    left_out: Counter[str] = Counter()
    fit = {RAW.name: _raw, DETECTION.name: _detection, EXTRACTION.name: _extraction, RELEASE.name: _release}[form]
    kept = tuple(fit(rows, left_out))
    return Conversion(form, kept, {what: number for what, number in left_out.items() if number})


def write_corpus(path: str | Path, rows: Sequence[Row], form: str) -> None:
    """Write rows, whole or not at all: `release` as JSON lines, the others as a JSON list, or as CSV if so named.

    CSV begins with a byte order mark, by which spreadsheets know UTF-8. Extraction and release, whose cells are lists,
    have no CSV.

    Raises:
        FileError: the file cannot be written, its name asks for a CSV that there is not, or a row has more pairs than a
            raw record holds.
    """
    is_csv = Path(path).suffix.lower() == ".csv"
    if is_csv and form not in (RAW.name, DETECTION.name):
        raise FileError(str(path), f"{form} has lists of pairs, which CSV does not; choose raw, or a name in .json")
    write = WRITTEN[form].write
    assert write, "every format of WRITTEN writes"
    try:
        records = [write(row) for row in rows]
    except MisfitError as error:
        raise FileError(str(path), str(error)) from error
    if not all(isinstance(record[_ID], int) for record in records):  # one type for all, as tables of others need it
        records = [{**record, _ID: row.id} for record, row in zip(records, rows, strict=True)]
    with whole_file(path) as out:
        if is_csv:
            out.write(_as_csv(records))
        elif form == RELEASE.name:
            out.write("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode())
        else:
            out.write(json.dumps(records, ensure_ascii=False, indent=2).encode())


def _as_csv(records: Sequence[Mapping[str, object]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(records[0] if records else ())
    writer.writerows(record.values() for record in records)
    return codecs.BOM_UTF8 + text.getvalue().encode()


def _raw(rows: Iterable[Row], left_out: Counter[str]) -> Iterator[Row]:
    for row in rows:
        pairs = tuple(filter(says_something, row.pairs))
        says = any_span(pairs)
        left_out["blank pairs"] += len(row.pairs) - len(pairs)
        left_out["sources"] += bool(row.source)
        left_out["labels that the spans do not say"] += row.label not in (None, says)
        left_out["rows that nobody annotated, now without a cause"] += not row.is_annotated
        yield replace(row, pairs=pairs, label=says, source="")


def _detection(rows: Iterable[Row], left_out: Counter[str]) -> Iterator[Row]:
    for row in rows:
        if not row.is_annotated:
            raise OptionError("--to", f"row {row.id} is not annotated, and detection needs a label; choose release")
        left_out["pairs"] += len(row.pairs)
        left_out["sources"] += bool(row.source)
        yield Row(row.id, row.sentence, label=row.is_causal)


def _extraction(rows: Iterable[Row], left_out: Counter[str]) -> Iterator[Row]:
    for row in rows:
        whole = tuple(_stripped(pair) for pair in row.pairs if pair.is_whole)
        left_out["pairs of which one side is blank"] += len(row.pairs) - len(whole)
        left_out["rows without a whole pair"] += not whole
        left_out["labels that the pairs do not say"] += bool(whole) and row.label is False
        if whole:
            left_out["sources"] += bool(row.source)
            yield Row(row.id, row.sentence, whole)


def _release(rows: Iterable[Row], left_out: Counter[str]) -> Iterator[Row]:
    for row in rows:
        yield replace(row, label=row.is_causal) if row.is_annotated else row


def _stripped(pair: Pair) -> Pair:
    return Pair(pair.cause.strip(), pair.effect.strip(), pair.causality.strip(), pair.sententiality.strip())
