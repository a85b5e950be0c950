"""What the rows of a file look like, and how they are appended to a file of each format."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.exporting.items import Item
from corr2cause.files import WholeFile, write_jsonl

MESSAGE = pa.struct([("role", pa.string()), ("content", pa.string())])
MESSAGES = pa.list_(MESSAGE)
"""What is said in a conversation, in turn."""


def user(text: str) -> dict[str, str]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, str]:
    """Return a message of the assistant."""
    return {"role": "assistant", "content": text}


@dataclass(frozen=True)
class RowLayout:
    """What the rows of one kind of file look like.

    Attributes:
        schema: columns and types, the same in every format.
        row: makes the values of one row from an item, by column.
    """

    schema: pa.Schema
    row: Callable[[Item], Mapping[str, Any]]

    def table(self, items: list[Item]) -> pa.Table:
        """Lay out some items."""
        return pa.Table.from_pylist([self.row(item) for item in items], schema=self.schema)


Append = Callable[[pa.Table], None]


@contextmanager
def _csv(out: WholeFile, schema: pa.Schema) -> Iterator[Append]:
    def write(lines: list[Mapping[str, Any]]) -> None:
        text = io.StringIO(newline="")
        csv.DictWriter(text, schema.names, lineterminator="\n").writerows(lines)
        out.write(text.getvalue().encode())

    write([{name: name for name in schema.names}])
    yield lambda table: write(table.to_pylist())


@contextmanager
def _jsonl(out: WholeFile, schema: pa.Schema) -> Iterator[Append]:
    yield lambda table: write_jsonl(table, out)


@contextmanager
def _json_list(out: WholeFile, schema: pa.Schema) -> Iterator[Append]:
    separator = b"["

    def append(table: pa.Table) -> None:
        nonlocal separator
        lines = io.BytesIO()
        write_jsonl(table, lines)
        for line in lines.getvalue().splitlines():
            out.write(separator + b"\n" + line)
            separator = b","

    yield append
    out.write(b"\n]\n")


@contextmanager
def _parquet(out: WholeFile, schema: pa.Schema) -> Iterator[Append]:
    with pq.ParquetWriter(out, schema, compression="zstd", store_schema=False) as writer:
        yield writer.write_table


FORMATS = {"csv": _csv, "json": _json_list, "jsonl": _jsonl, "parquet": _parquet}
"""How rows are appended to a file, by its ending. The block adds what must stand at the beginning and at the end."""
