"""JSON lines and JSON lists as bytes: objects one at a time, and where each value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from corr2cause.dataset.foreign.sources import LONGEST_RECORD, Damage, Record, Window
from corr2cause.files import plain_errors

_LOOKED_AT = 100  # objects, to see the columns

_SPACE = re.compile(r"\s*+")
_GAP = re.compile(rb"[\s,]*+")
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}"]', re.DOTALL)
_SCALAR = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^\s,\]]++', re.DOTALL)
_SIMPLE_VALUE = re.compile(rb'\s*+:\s*+(0|[1-9][0-9]{0,9}|true|false|"[a-zA-Z0-9_ -]*+")\s*+[,}]')
_NEXT_OBJECT = re.compile(rb"\}[\s,]*+(?=\{)")

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
        only = columns[0] if len(columns) == 1 else None
        for raw, start in self._objects():
            if isinstance(raw, Damage):
                yield raw
                continue
            if only and (glimpsed := _glimpse(raw, only)) is not None:
                yield Record((glimpsed,), start, start + len(raw))
                continue
            value = _parsed(raw)
            if isinstance(value, dict):
                yield Record(tuple([value.get(name) for name in columns]), start, start + len(raw))
            else:
                yield value

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
                yield from _members(Window(stream))
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


def _members(window: Window) -> Iterator[tuple[bytes | Damage, int]]:
    """Cut a list into its members, and go on behind a damaged one."""
    position = 0
    while True:
        gap = _GAP.match(window.data, position)
        position = gap.end() if gap else position
        if position == len(window.data):
            if window.grow(position):
                position = 0
                continue
            yield Damage("the list has no end; is a part of the file missing?", ""), window.start + position
            return
        if window.data[position] == ord("]"):
            yield from _rest(window, position + 1)
            return
        end = _end_of_value(window.data, position, window.at_end)
        if end is not None:
            yield window.data[position:end], window.start + position
            position = end
        elif window.grow(position):
            position = 0
        else:
            following = _NEXT_OBJECT.search(window.data, position)
            end = following.end() if following else len(window.data)
            yield Damage("this has no end", _shown(window.data[position:end])), window.start + position
            position = end


def _rest(window: Window, position: int) -> Iterator[tuple[Damage, int]]:
    """Look for anything but white space after the list."""
    while True:
        rest = window.data[position:].lstrip()
        if rest:
            yield Damage("expected nothing after the end of the list", _shown(rest)), window.start
            return
        if not window.grow(len(window.data)):
            return
        position = 0


def _end_of_value(data: bytes, position: int, at_end: bool) -> int | None:
    """Find where a value ends that begins at a position; None if that is out of sight."""
    if data[position] not in b"{[":
        scalar = _SCALAR.match(data, position)
        return scalar.end() if scalar and (scalar.end() < len(data) or at_end) else None
    brace = data.find(b"}", position)
    if _is_flat(data[position : brace + 1]):
        return brace + 1
    depth = 0
    for token in _TOKEN.finditer(data, position):
        match token[0]:
            case b"{" | b"[":
                depth += 1
            case b"}" | b"]":
                depth -= 1
                if not depth:
                    return token.end()
            case b'"':  # a string whose end is out of sight
                return None
    return None


def _is_flat(data: bytes) -> bool:
    """Whether some bytes up to a closing brace are just one object: that brace is outside strings and the only one.

    Most rows are like this, and to see it is many times faster than to walk over all strings.
    """
    if not data.startswith(b"{") or data.count(b"{") > 1:
        return False
    return data.count(b'"') % 2 == 0 and b'\\"' not in data and b"\\\\" not in data


def _glimpse(raw: bytes, key: str) -> object:
    """Return the value of a key without parsing its object, or nothing if that might see what is not there."""
    quoted = json.dumps(key).encode()
    place = raw.find(quoted)
    if place < 0 or raw.find(quoted, place + 1) >= 0 or raw.count(b"{") > 1:
        return None
    value = _SIMPLE_VALUE.match(raw, place + len(quoted))
    return json.loads(value[1]) if value else None


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


def _shown(data: bytes) -> str:
    return data[:1000].decode(errors="replace")
