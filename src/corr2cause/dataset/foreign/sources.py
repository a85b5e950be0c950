"""What every format gives: records in their order, each with the bytes that it takes in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from corr2cause.dataset.foreign.labels import label_text

LONGEST_RECORD = 1 << 22  # bytes; a premise of eight variables has at most some hundred thousand

_SHOWN = 160  # characters of a refused text
_READ_AT_ONCE = 1 << 18


class Record(NamedTuple):
    """The cells that were asked for, as the format has them; None where there is none. A tuple, for speed.

    `start` and `end` are the place of the whole record in the file, in bytes.
    """

    cells: tuple[object, ...]
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """A record that cannot be taken apart."""

    reason: str
    text: str


class Source(Protocol):
    """A file in one of the formats."""

    @property
    def path(self) -> Path:
        """Where it lies."""

    @property
    def format(self) -> str:
        """The format, for people."""

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns, as far as they can be seen at its beginning."""

    def records(self, columns: Sequence[str]) -> Iterator[Record | Damage]:
        """Read from the beginning, holding a small part at a time."""

    def label_texts(self, column: str) -> Iterator[str]:
        """Read one column as texts, without damaged records: a first look at all labels, as cheap as can be."""


class TextSource(Source, Protocol):
    """A format whose records are stretches of bytes."""

    def cell_span(self, record: bytes, column: str) -> tuple[int, int]:
        """Find the bytes of one cell within those of its record."""


def label_texts(records: Iterable[Record | Damage]) -> Iterator[str]:
    """Return the only cell of each record as text."""
    return (label_text(record.cells[0]) for record in records if isinstance(record, Record))


def one_line(text: str) -> str:
    """Return a text, or its beginning, on one line, without the control characters that a terminal obeys."""
    words = " ".join(text[: 2 * _SHOWN].split())
    line = "".join(character if character.isprintable() else "\ufffd" for character in words)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


class Window:
    """The part of a stream that is being looked at.

    Attributes:
        data: the bytes.
        start: where they begin in the stream.
        at_end: whether they reach to its end.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.data, self.start, self.at_end = b"", stream.tell(), False

    def grow(self, position: int) -> bool:
        """Forget what stands before a position, and see more; False if no record should need that."""
        if self.at_end or len(self.data) - position > LONGEST_RECORD:
            return False
        more = self._stream.read(_READ_AT_ONCE)
        self.at_end = not more
        self.data, self.start = self.data[position:] + more, self.start + position
        return True
