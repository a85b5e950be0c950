"""What adjudication came to: the corpus, the audit log, and decisions that are taken from such a log again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause.errors import RowError, quoted
from corr2cause.files import read_jsonl
from corr2cause.spans.annotating.decisions import Action, Decision, DecisionError, Logged, adjudicated, states
from corr2cause.spans.annotating.store import Reviewed, Store
from corr2cause.spans.formats.cells import MisfitError, text_of
from corr2cause.spans.predictions import id_text, key_of
from corr2cause.spans.rows import Pair, Row


@dataclass(frozen=True, slots=True)
class Outcome:
    """What adjudication came to.

    Attributes:
        rows: those that are settled, in the order of the queue.
        open: ids of rows that wait for a decision.
        actions: how often each action counts, agreed pairs as `agreed`.
    """

    rows: tuple[Row, ...]
    open: tuple[str, ...]
    actions: Mapping[str, int]


def outcome_of(reviewed: Iterable[Reviewed]) -> Outcome:
    """Put together the rows whose items are all decided or undisputed."""
    rows, unsettled = [], []
    actions: Counter[str] = Counter()
    for one in reviewed:
        found = states(one.row, one.log)
        row = adjudicated(one.row, found)
        if row is None:
            unsettled.append(one.row.first.id)
        else:
            rows.append(row)
        for state in found:
            actions["open" if state.is_open else str(state.last.decision.action) if state.last else "agreed"] += 1
    return Outcome(tuple(rows), tuple(unsettled), dict(sorted(actions.items())))


def log_lines(log: Iterable[Logged]) -> Iterator[str]:
    """Yield the audit log as JSON lines."""
    return (json.dumps(one.to_json(), ensure_ascii=False) + "\n" for one in log)


def replay(store: Store, path: Path, author: str) -> int:
    """Take the decisions of a file of JSON lines, in its order; an audit log is such a file.

    A line needs `s/n`, `action`, and `item` unless it adds a pair; `pair`, `reason` and `author` where there are some.
    Every line is read before the first decision is taken; those before a line that makes no sense are kept.

    Args:
        store: the file of adjudication.
        path: the decisions.
        author: who decides, where a line does not say.

    Returns:
        How many there were.

    Raises:
        RowError: a line says no decision, or one that makes no sense.
    """
    lines = [
        (place, _decision(record, str(path), place), _author(record) or author) for place, record in read_jsonl(path)
    ]
    for place, decision, who in lines:
        try:
            store.decide(decision, who)
        except DecisionError as error:
            raise RowError(str(path), place, str(error)) from error
    return len(lines)


def _author(record: Mapping[str, Any]) -> str:
    named = record.get("author")
    return named.strip() if isinstance(named, str) and named.isprintable() else ""


def _decision(record: Mapping[str, Any], path: str, place: int) -> Decision:
    key, found = key_of(record), record.get("action")
    if key is None:
        raise RowError(path, place, "s/n is missing; every decision names its row")
    if found not in list(Action):
        raise RowError(path, place, f"action is {quoted(found)}; choose from {', '.join(Action)}")
    item = record.get("item", -1 if found == Action.ADD else None)
    if not isinstance(item, int) or isinstance(item, bool):
        raise RowError(path, place, f"item is {quoted(item)}; give the place of the item in its row, counted from 0")
    try:
        return Decision(id_text(key), item, Action(found), _pair(record.get("pair")), text_of(record, "reason"))
    except MisfitError as error:
        raise RowError(path, place, str(error)) from error


def _pair(found: Any) -> Pair | None:
    if found is None:
        return None
    fields = ("cause", "effect", "causality", "sententiality")
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in fields):
        raise MisfitError(f"pair is {quoted(found)}; expected an object with {', '.join(fields)}")
    return Pair(*(text_of(found, name) for name in fields))
