"""The format of a file, by its content, whatever it is called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corr2cause.dataset.foreign.csv_source import CsvSource, open_csv
from corr2cause.dataset.foreign.json_source import JsonSource
from corr2cause.dataset.foreign.parquet_source import ParquetSource
from corr2cause.files import plain_errors

AnySource = CsvSource | JsonSource | ParquetSource

_BEGINNING = 1 << 18  # bytes in which a header must end
_BOM = b"\xef\xbb\xbf"


def sources_of(path: Path) -> Iterator[AnySource]:
    """Yield what the file may be, by its first bytes: one source, or CSV with each of its delimiters.

    Raises:
        FileError: it cannot be read.
    """
    with plain_errors(path), path.open("rb") as stream:
        beginning = stream.read(_BEGINNING)
    start = len(_BOM) if beginning.startswith(_BOM) else 0
    text = beginning[start:].lstrip()
    if text.startswith(b"PAR1"):
        yield ParquetSource(path)
    elif text.startswith(b"{"):
        yield JsonSource(path, is_list=False, body=start)
    elif text.startswith(b"["):
        yield JsonSource(path, is_list=True, body=beginning.index(b"[") + 1)
    else:
        for delimiter in (b",", b"\t", b";"):
            if source := open_csv(path, delimiter, beginning, start):
                yield source
