"""The members of a JSON list, cut apart without parsing them: so a damaged one does not hide the others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corr2cause.dataset.foreign.sources import Damage, Window

_GAP = re.compile(rb"[\s,]*+")
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}"]', re.DOTALL)
_SCALAR = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^\s,\]"]++', re.DOTALL)
_NEXT_OBJECT = re.compile(rb"[},]\s*+(?=\{)")
_CLOSING = {b"{": b"}", b"[": b"]"}

_LONGEST_GAP = 100  # bytes of white space between two members


def members(window: Window) -> Iterator[tuple[bytes | Damage, int]]:
    """Cut a list into its members, and go on behind a damaged one."""
    position: int | None = 0
    while position is not None:
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
            yield Damage("this has no end", _shown(window.data[position:])), window.start + position
            position = _next_object(window, position)


def _next_object(window: Window, position: int) -> int | None:
    """Find where an object begins behind a damaged member; None if the file ends before."""
    while not (found := _NEXT_OBJECT.search(window.data, position)):
        kept = max(position, len(window.data) - _LONGEST_GAP)
        if not window.grow(kept):
            return None
        position = 0
    return found.end()


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
    """Find where a value ends that begins at a position; None if that is out of sight, or nowhere."""
    if data[position] not in b"{[":
        scalar = _SCALAR.match(data, position)
        return scalar.end() if scalar and (scalar.end() < len(data) or at_end) else None
    brace = data.find(b"}", position)
    if _is_flat(data[position : brace + 1]):
        return brace + 1
    closing: list[bytes] = []
    for token in _TOKEN.finditer(data, position):
        match token[0]:
            case b"{" | b"[" as opening:
                closing.append(_CLOSING[opening])
            case b"}" | b"]" as found:
                if found != closing.pop():
                    return None
                if not closing:
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
    return data.count(b'"') % 2 == 0 and b'\\"' not in data


def _shown(data: bytes) -> str:
    return data[:1000].decode(errors="replace")
