"""JSON lines and JSON lists as bytes: objects one at a time, and where each value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from corr2cause.dataset.foreign.json_members import members
from corr2cause.dataset.foreign.labels import label_text
from corr2cause.dataset.foreign.sources import LONGEST_RECORD, Damage, Record, Window
from corr2cause.files import plain_errors

_LOOKED_AT = 100  # objects, to see the columns

_SPACE = re.compile(r"\s*+")
_SIMPLE_VALUE = re.compile(rb'\s*+:\s*+(0|[1-9][0-9]{0,9}|true|false|"[a-zA-Z0-9_ -]*+")\s*+[,}]')

_Span = tuple[int, int]


@dataclass(frozen=True)
class JsonSource:
    """A file of JSON objects.

    Attributes:
        path: where it lies.
        is_list: whether the objects are the members of one list, instead of one a line.
        body: where they begin, in bytes: after a byte order mark, and after the bracket of the list.
    """

    path: Path
    is_list: bool
    body: int

    @property
    def format(self) -> str:
        """The format, for people."""
        return "JSON list" if self.is_list else "JSON lines"

    def columns(self) -> tuple[str, ...]:
        """Return the keys of the first objects."""
        objects = (_parsed(raw) for raw, _ in islice(self._objects(), _LOOKED_AT) if isinstance(raw, bytes))
        return tuple(dict.fromkeys(key for value in objects if isinstance(value, dict) for key in value))

    def records(self, columns: Sequence[str]) -> Iterator[Record | Damage]:
        """Read the values of some keys."""
        for raw, start in self._objects():
            if isinstance(raw, Damage):
                yield raw
                continue
            value = _parsed(raw)
            if isinstance(value, dict):
                yield Record(tuple([value.get(name) for name in columns]), start, start + len(raw))
            else:
                yield value

    def label_texts(self, column: str) -> Iterator[str]:
        """Read the values of one key as texts, where it can be seen without parsing the objects."""
        key = json.dumps(column).encode()
        for raw, _ in self._objects():
            if isinstance(raw, Damage):
                continue
            text = _glimpsed(raw, key)
            if text is None and isinstance(value := _parsed(raw), dict):
                text = label_text(value.get(column))
            if text is not None:
                yield text

    def cell_span(self, record: bytes, column: str) -> _Span:
        """Find the bytes of one value."""
        text = record.decode()
        start, end = _value_span(text, column)
        return len(text[:start].encode()), len(text[:end].encode())

    def _objects(self) -> Iterator[tuple[bytes | Damage, int]]:
        """Cut the file into pieces that should be objects, each with its place."""
        with plain_errors(self.path), self.path.open("rb") as stream:
            stream.seek(self.body)
            if self.is_list:
                yield from members(Window(stream))
                return
            start = self.body
            while line := stream.readline(LONGEST_RECORD):
                if not line.isspace():
                    yield line, start
                start += len(line)


def _parsed(raw: bytes) -> dict[str, Any] | Damage:
    try:
        value = json.loads(raw.decode())
    except UnicodeDecodeError:
        reason = "this is not UTF-8 text; convert the file to UTF-8"
    except json.JSONDecodeError as error:
        reason = f"this is not JSON ({error.msg})"
    except (ValueError, RecursionError) as error:
        reason = f"this is not JSON that can be read ({error})"
    else:
        if isinstance(value, dict):
            return value
        reason = "expected a JSON object"
    return Damage(reason, raw.decode(errors="replace"))


def _glimpsed(raw: bytes, key: bytes) -> str | None:
    """Return the value of a quoted key without parsing its object; None if that might see what is not there."""
    place = raw.find(key)
    if place < 0 or raw.find(key, place + 1) >= 0 or raw.count(b"{") > 1:
        return None
    value = _SIMPLE_VALUE.match(raw, place + len(key))
    return value[1].strip(b'"').decode() if value else None


def _value_span(text: str, key: str) -> _Span:
    """Walk along the keys of an object that is known to be well formed; of equal keys the last counts, as for json."""
    decoder = json.JSONDecoder()
    span, position = (0, 0), _after_space(text, text.index("{") + 1)
    while text[position] != "}":
        name, position = decoder.raw_decode(text, position)
        start = _after_space(text, _after_space(text, position) + 1)
        _, end = decoder.raw_decode(text, start)
        if name == key:
            span = start, end
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)
    return span


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position
