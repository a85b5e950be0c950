"""Parquet, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.foreign.sources import Damage, Record, label_texts
from corr2cause.errors import FileError
from corr2cause.files import plain_errors

_ROWS_AT_ONCE = 2000


@dataclass(frozen=True)
class ParquetSource:
    """A Parquet file."""

    path: Path

    @property
    def format(self) -> str:
        """The format, for people."""
        return "Parquet"

    def columns(self) -> tuple[str, ...]:
        """Return the names of the schema."""
        with parquet_errors(self.path), pq.ParquetFile(self.path) as file:
            return tuple(file.schema_arrow.names)

    def records(self, columns: Sequence[str]) -> Iterator[Record | Damage]:
        """Read the cells of some columns; a text that is repeated within a batch is made once."""
        with parquet_errors(self.path), pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
                for cells in zip(*(_cells(batch.column(name)) for name in columns), strict=True):
                    yield Record(cells)

    def label_texts(self, column: str) -> Iterator[str]:
        """Read the cells of one column as texts."""
        return label_texts(self.records((column,)))


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Say plainly what is wrong with a file.

    Raises:
        FileError: it cannot be read.
    """
    with plain_errors(path):
        try:
            yield
        except (pa.ArrowException, OSError, ValueError, KeyError, NotImplementedError) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise FileError(str(path), f"this Parquet file cannot be read ({reason})") from error


def _cells(column: pa.Array) -> list[Any]:
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return list(column.to_pylist())
    encoded = column.dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    return [None if place is None else texts[place] for place in encoded.indices.to_pylist()]
