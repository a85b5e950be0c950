"""Gold files for judging: rows, what is true of each, and their ids with the type that the file gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.spans.predictions import Key, id_text, key_of, read_entries
from corr2cause.spans.rows import Pair, Row

_LABELS = {0: False, 1: True, "0": False, "1": True}


@dataclass(frozen=True, slots=True)
class Gold:
    """The rows of a gold file.

    Attributes:
        rows: with different ids.
        typed_ids: the id of each as the file holds it; 1 and "1" differ.
        is_causal: whether each states a cause: its label, else whether it has pairs.
    """

    rows: tuple[Row, ...]
    typed_ids: tuple[Key, ...]
    is_causal: tuple[bool, ...]


def read_gold(path: str | Path) -> Gold:
    """Read a file of prepared rows (`s/n`, `sentence`, `pairs` or `label`), a JSON list or JSON lines.

    Raises:
        FileError: it cannot be read or has no rows.
        RowError: a row has no id, one that another has, or a damaged pair.
    """
    _, entries = read_entries(path)
    if not entries:
        raise FileError(str(path), "it has no rows; is this the gold file?")
    rows: dict[str, Row] = {}
    keys: list[Key] = []
    is_causal: list[bool] = []
    for number, entry in enumerate(entries, start=1):
        key = key_of(entry) if isinstance(entry, dict) else None
        if key is None:
            raise RowError(str(path), number, "expected an object with the id `s/n`")
        row = Row(id_text(key), str(entry.get("sentence") or ""), _pairs(entry, str(path), number))
        if row.id in rows:
            raise RowError(str(path), number, f"the id {row.id} stands in the file already; keep one of the rows")
        rows[row.id] = row
        keys.append(key)
        label = _LABELS.get(entry.get("label")) if isinstance(entry.get("label"), int | str) else None
        is_causal.append(bool(row.pairs) if label is None else label)
    return Gold(tuple(rows.values()), tuple(keys), tuple(is_causal))


def _pairs(entry: Mapping[str, Any], path: str, number: int) -> tuple[Pair, ...]:
    pairs = entry.get("pairs", [])
    if not isinstance(pairs, list) or not all(isinstance(pair, dict) for pair in pairs):
        raise RowError(path, number, f"pairs is {quoted(pairs)}; expected a list of objects")
    names = ("cause", "effect", "causality", "sententiality")
    return tuple(Pair(*(str(pair.get(name) or "") for name in names)) for pair in pairs)
