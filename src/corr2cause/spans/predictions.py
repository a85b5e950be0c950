"""Files of predicted pairs, in whatever state a model left them: whatever cannot be read is counted, nothing crashes.

The form is that of the released runs: an object with `predictions`, a list of `{s/n, sentence, pairs}`. A bare list,
JSON lines, and raw answers under `response` are read too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import read_json, read_jsonl, refuse_pipe
from corr2cause.spans.answer_text import whole_characters
from corr2cause.spans.extraction_answers import Status, read_pairs
from corr2cause.spans.rows import Pair

Key = Any
"""An id with its type, as a JSON file holds it; None if there is none."""

_IDS = ("s/n", "id")
_NO_OBJECT = "entries that are no object"
_NO_LIST = "rows without a list of pairs"


@dataclass(frozen=True, slots=True)
class PredictedRow:
    """What was predicted for one text.

    Attributes:
        key: the id as the file holds it; None if it has none.
        sentence: the text, if the file repeats it.
        pairs: as written; those that are no pair at all are left out.
    """

    key: Key
    sentence: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class PredictionFile:
    """The predictions of a file.

    Attributes:
        path: where it lies.
        rows: one for each entry, in order.
        flaws: what could not be read, counted by what is wrong.
        statuses: how raw answers were read, by `Status`; empty if the file holds pairs.
        head: what else the file says of itself, such as `model` and `prompt_strategy`.
    """

    path: str
    rows: tuple[PredictedRow, ...]
    flaws: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    head: Mapping[str, Any] = field(default_factory=dict)


def read_extraction(path: str | Path) -> PredictionFile:
    """Read predicted pairs.

    Raises:
        FileError: the file cannot be read or holds no predictions.
        RowError: it is not JSON.
    """
    head, entries = read_entries(path)
    flaws: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    rows = tuple(_predicted(entry, flaws, statuses) for entry in entries)
    return PredictionFile(str(path), rows, dict(flaws), dict(statuses), head)


def refuse_verdicts(file: PredictionFile) -> None:
    """Refuse a file of verdicts in place of pairs: every figure would be 0.

    Raises:
        FileError: no entry has a list of pairs.
    """
    if file.rows and sum(file.flaws.get(flaw, 0) for flaw in (_NO_OBJECT, _NO_LIST)) == len(file.rows):
        problem = (
            "none of its predictions has a list of pairs; verdicts are judged by: corr2cause spans score detection"
        )
        raise FileError(file.path, problem)


def read_entries(path: str | Path) -> tuple[dict[str, Any], list[Any]]:
    """Return what a file of predictions says of itself, and its entries, unread.

    Verdicts beside a list `ids` of the same length, as `spans predictions` writes it, become objects of both.

    Raises:
        FileError: there is no list of predictions, or it is a pipe.
        RowError: it is not JSON.
    """
    refuse_pipe(path)
    try:
        value = read_json(path)
    except RowError as error:
        return {}, _lines(path, error)
    if isinstance(value, dict) and "predictions" not in value and key_of(value) is not None:
        value = [value]  # JSON lines of one line
    if isinstance(value, list):
        return {}, value
    if not isinstance(value, dict) or not isinstance(value.get("predictions"), list):
        raise FileError(str(path), "expected a list, or an object with the list `predictions`; is this another file?")
    head = {name: item for name, item in value.items() if name != "predictions"}
    return head, _with_ids(value["predictions"], head.get("ids"))


def _lines(path: str | Path, as_one: RowError) -> list[Any]:
    """Read JSON lines; where not even the first is an object, what is wrong is what the file is as one value."""
    records = []
    try:
        for _, record in read_jsonl(path):
            records.append(record)
    except RowError as damage:
        raise damage if records else as_one from None
    if not records:
        raise as_one
    return records


def _with_ids(entries: list[Any], ids: object) -> list[Any]:
    if not isinstance(ids, list) or len(ids) != len(entries) or any(isinstance(entry, dict) for entry in entries):
        return entries
    return [{"s/n": name, "prediction": entry} for name, entry in zip(ids, entries, strict=True)]


def key_of(entry: Mapping[str, Any]) -> Key:
    """Return the id of an entry with its type; None if there is none that can be one."""
    found = next((entry[name] for name in _IDS if name in entry), None)
    return found if isinstance(found, str | int | float) else None


def id_text(key: Key) -> str:
    """Write an id as text: 7, 7.0 and " 7" are one id."""
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    return str(key).strip()


def _predicted(entry: Any, flaws: Counter[str], statuses: Counter[str]) -> PredictedRow:
    if not isinstance(entry, dict):
        flaws[_NO_OBJECT] += 1
        return PredictedRow(None, "", ())
    key, sentence = key_of(entry), entry.get("sentence")
    if key is None and any(name in entry for name in _IDS):
        flaws["ids that are neither number nor text"] += 1
    return PredictedRow(key, sentence if isinstance(sentence, str) else "", _pairs(entry, flaws, statuses))


def _pairs(entry: Mapping[str, Any], flaws: Counter[str], statuses: Counter[str]) -> tuple[Pair, ...]:
    if "pairs" not in entry and "response" in entry:
        reading = read_pairs(entry["response"] if isinstance(entry["response"], str) else None)
        statuses[reading.status] += 1
        if reading.status is Status.NULL:
            flaws[f"answers without pairs: {reading.reason}"] += 1
        return reading.pairs
    found = entry.get("pairs")
    if not isinstance(found, list):
        flaws[_NO_LIST] += 1
        return ()
    return tuple(pair for pair in (_pair(one, flaws) for one in found) if pair)


def _pair(value: Any, flaws: Counter[str]) -> Pair | None:
    if not isinstance(value, dict):
        flaws[f"pairs that are no object ({'null' if value is None else type(value).__name__})"] += 1
        return None
    for side in ("cause", "effect"):
        if side not in value:
            flaws[f"pairs without {side}"] += 1
    return Pair(*(_span(value.get(name), flaws) for name in ("cause", "effect", "causality", "sententiality")))


def _span(value: Any, flaws: Counter[str]) -> str:
    """Read a span as the released normaliser does: of a list the first member, nothing for null."""
    if isinstance(value, str):
        return whole_characters(value)
    if value is None:
        return ""
    flaws[f"spans or labels that are no text ({type(value).__name__})"] += 1
    if isinstance(value, list):
        return _span(value[0], Counter()) if value else ""
    return quoted(value)


def told(flaws: Mapping[str, int]) -> Iterable[str]:
    """Say what could not be read, most frequent first."""
    return (f"{times:,} {what}" for what, times in sorted(flaws.items(), key=lambda item: (-item[1], item[0])))
