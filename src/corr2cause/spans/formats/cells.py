"""Values of files as texts, labels and ids, refusing what cannot be one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corr2cause.errors import quoted

Record = Mapping[str, Any]


class MisfitError(ValueError):
    """A record that does not say what its layout should; readers add the file and the row."""


def text_of(record: Record, key: str) -> str:
    """Return a cell as it stands; an absent one and null are empty.

    Raises:
        MisfitError: it is something else than text, or holds half of a surrogate pair, which no file can hold.
    """
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MisfitError(f"{key} is {quoted(value)}; expected text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise MisfitError(f"{key} holds half a character (a lone surrogate); write it as valid Unicode") from None
    return value


def sentence_of(record: Record, key: str) -> str:
    """Return the text of a row, which must be there."""
    text = text_of(record, key)
    if not text.strip():
        raise MisfitError(f"{key} is missing or blank; every row needs its text")
    return text


def id_of(record: Record, key: str) -> str:
    """Return the id of a row as text: 7 and "7" are one id.

    >>> id_of({"s/n": 7}, "s/n"), id_of({"s/n": " 7"}, "s/n")
    ('7', '7')
    """
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not (text := text_of(record, key).strip()):
        raise MisfitError(f"{key} is {quoted(value)}; expected a number or a name that tells the row from others")
    return text


def id_for_file(name: str) -> int | str:
    """Return an id as files hold it: a number if it is written like one.

    >>> id_for_file("7"), id_for_file("007"), id_for_file("a7")
    (7, '007', 'a7')
    """
    is_number = name.isascii() and name.removeprefix("-").isdigit() and len(name) < 19 and str(int(name)) == name
    return int(name) if is_number else name


def label_of(record: Record, key: str) -> bool | None:
    """Return a binary label, written as 0 and 1, false and true, or Causal and Non-Causal; None if there is none."""
    value = record.get(key)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    word = value.strip().casefold() if isinstance(value, str) else value
    if isinstance(word, (str, int, float)) and word in _LABELS:
        return _LABELS[word]
    raise MisfitError(f"{key} is {quoted(value)}; expected 0 or 1")


_LABELS: dict[str | int | float, bool] = {
    0: False,
    1: True,
    "0": False,
    "1": True,
    "0.0": False,
    "1.0": True,
    "false": False,
    "true": True,
    "non-causal": False,
    "causal": True,
}


def tagged(text: str, tag: str) -> str:
    """Return what the first <tag> and </tag> of a text enclose, empty if they are not both there.

    >>> tagged("a <e1>b c</e1>", "e1")
    'b c'
    """
    inside, end, _ = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")
    return inside if end else ""
