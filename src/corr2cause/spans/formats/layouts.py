"""The layouts of records: the 16 slots of the raw files, detection, extraction, and the release.

A layout knows the names of its fields, how to read a record, and how to write a row. Where records stand (JSON list,
JSON lines, CSV) is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.errors import quoted
from corr2cause.spans.formats.cells import MisfitError, Record, id_for_file, id_of, label_of, sentence_of, text_of
from corr2cause.spans.rows import Pair, Row, any_span

SLOTS = 16
"""How many pairs a record of the raw files has room for."""

_PAIR_KEYS = ("cause", "effect", "sententiality", "causality")
_RELEASE_KEYS = ("cause_span", "effect_span", "sententiality", "expression_type")
_SLOT_KEYS = tuple(
    tuple(f"{name} {slot}" for name in ("Cause", "Effect", "Sententiality", "Causality"))
    for slot in range(1, SLOTS + 1)
)


@dataclass(frozen=True)
class Layout:
    """How a row is laid out as a record.

    Attributes:
        name: what `--to` and reports call it.
        keys: the fields that a row is read from; whatever else a record holds is counted as left out.
        telling: the fields that tell this layout from the others.
        read: a record to its rows, mostly one; raises MisfitError.
        write: a row to a record; None for layouts that are only read.
        counted_id: the field of the id, where files may do without one: their rows are then counted from 1.
    """

    name: str
    keys: frozenset[str]
    telling: frozenset[str]
    read: Callable[[Record], Sequence[Row]]
    write: Callable[[Row], dict[str, Any]] | None = None
    counted_id: str = ""


def _read_raw(record: Record) -> Row:
    pairs = tuple(filter(says_something, (_pair(record, keys) for keys in _SLOT_KEYS)))
    return Row(id_of(record, "s/n"), sentence_of(record, "Sentence"), pairs, label=any_span(pairs))


def _write_raw(row: Row) -> dict[str, Any]:
    if len(row.pairs) > SLOTS:
        raise MisfitError(
            f"row {row.id} has {len(row.pairs)} pairs, and a raw record holds {SLOTS}; choose another format"
        )
    record: dict[str, Any] = {"s/n": id_for_file(row.id), "Sentence": row.sentence}
    for place, keys in enumerate(_SLOT_KEYS):
        pair = row.pairs[place] if place < len(row.pairs) else Pair("", "")
        record.update(_cells(pair, keys))
    return record


def _read_detection(record: Record) -> Row:
    label = label_of(record, "label")
    if label is None:
        raise MisfitError("label is missing; expected 0 or 1")
    return Row(id_of(record, "s/n"), sentence_of(record, "sentence"), label=label)


def _write_detection(row: Row) -> dict[str, Any]:
    return {"s/n": id_for_file(row.id), "sentence": row.sentence, "label": int(row.is_causal)}


def _read_extraction(record: Record) -> Row:
    pairs = _pairs(record, _PAIR_KEYS)
    counted = record.get("num_pairs")
    if counted is not None and counted != len(pairs):
        raise MisfitError(f"num_pairs is {quoted(counted)}, but there are {len(pairs)} pairs; is one missing?")
    return Row(id_of(record, "s/n"), sentence_of(record, "sentence"), pairs)


def _write_extraction(row: Row) -> dict[str, Any]:
    return {
        "s/n": id_for_file(row.id),
        "sentence": row.sentence,
        "pairs": [_cells(pair, _PAIR_KEYS) for pair in row.pairs],
        "num_pairs": len(row.pairs),
    }


def _read_release(record: Record) -> Row:
    return Row(
        id_of(record, "s/n"),
        sentence_of(record, "text"),
        _pairs(record, _RELEASE_KEYS),
        label_of(record, "label"),
        text_of(record, "source"),
    )


def _write_release(row: Row) -> dict[str, Any]:
    record: dict[str, Any] = {"s/n": id_for_file(row.id), "text": row.sentence}
    if row.label is not None:
        record["label"] = int(row.label)
    record["pairs"] = [_cells(pair, _RELEASE_KEYS) for pair in row.pairs]
    if row.source:
        record["source"] = row.source
    return record


def _pairs(record: Record, keys: Sequence[str]) -> tuple[Pair, ...]:
    found = record.get("pairs")
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise MisfitError(f"pairs is {quoted(found)}; expected a list of objects with {', '.join(keys)}")
    for one in found:
        if not set(keys[:2]) <= set(one):
            raise MisfitError(f"a pair is {quoted(one)}; expected an object with {', '.join(keys)}")
        if strange := sorted(set(one) - set(keys)):
            raise MisfitError(f"a pair has {quoted(strange[0])}, for which there is no place; remove it")
    return tuple(_pair(one, keys) for one in found)


def _pair(record: Record, keys: Sequence[str]) -> Pair:
    cause, effect, sententiality, causality = (text_of(record, key) for key in keys)
    return Pair(cause, effect, causality, sententiality)


def _cells(pair: Pair, keys: Sequence[str]) -> dict[str, str]:
    return dict(zip(keys, (pair.cause, pair.effect, pair.sententiality, pair.causality), strict=True))


def says_something(pair: Pair) -> bool:
    """Whether any cell of a pair is not blank; raw records have no place for others."""
    return any(text.strip() for text in (pair.cause, pair.effect, pair.causality, pair.sententiality))


def one_row(read: Callable[[Record], Row]) -> Callable[[Record], Sequence[Row]]:
    """Turn a reader of single rows into one of sequences."""
    return lambda record: (read(record),)


RAW = Layout(
    "raw",
    frozenset(["s/n", "Sentence", *(key for keys in _SLOT_KEYS for key in keys)]),
    frozenset(["Sentence", "Cause 1"]),
    one_row(_read_raw),
    _write_raw,
)
DETECTION = Layout(
    "detection",
    frozenset(["s/n", "sentence", "label"]),
    frozenset(["sentence", "label"]),
    one_row(_read_detection),
    _write_detection,
)
EXTRACTION = Layout(
    "extraction",
    frozenset(["s/n", "sentence", "pairs", "num_pairs"]),
    frozenset(["sentence", "pairs"]),
    one_row(_read_extraction),
    _write_extraction,
)
RELEASE = Layout(
    "release",
    frozenset(["s/n", "text", "label", "pairs", "source"]),
    frozenset(["s/n", "text", "pairs"]),
    one_row(_read_release),
    _write_release,
)

COMPANIONS = frozenset(["first_sentence", "last_sentence", "start", "end", "seconds", "annotated_at"])
"""Fields that `spans build` and annotators put beside a row of the release, and that only they have a use for."""

WRITTEN = {layout.name: layout for layout in (RAW, DETECTION, EXTRACTION, RELEASE)}
"""The layouts that can be written, by name."""
