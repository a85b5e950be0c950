"""Annotations that were exported from Label Studio (as JSON) as rows, one list for each annotator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import read_json
from corr2cause.spans.annotating.label_studio.interface import (
    CAUSAL,
    ID,
    NON_CAUSAL,
    SOURCE,
    TEXT,
    UNPLACED,
    VERDICT,
)
from corr2cause.spans.annotating.label_studio.regions import Result, result_of
from corr2cause.spans.annotating.timing import SECONDS, WHEN, seconds_of
from corr2cause.spans.formats.cells import MisfitError, id_of, sentence_of, text_of
from corr2cause.spans.formats.layouts import RELEASE
from corr2cause.spans.rows import Row

PREDICTIONS = "predictions"
"""The name under which pre-annotations are read."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A row as somebody annotated it.

    Attributes:
        row: with its pairs, and a label.
        seconds: how long it took; None if nobody knows.
        when: when it was handed in, as the file says it.
    """

    row: Row
    seconds: float | None = None
    when: str = ""

    def to_record(self) -> dict[str, Any]:
        """Return the row in the release format, with the times beside it."""
        write = RELEASE.write
        assert write, "the release is a format that is written"
        times = {SECONDS: self.seconds, WHEN: self.when}
        return write(self.row) | {name: value for name, value in times.items() if value not in (None, "")}


@dataclass
class Imported:
    """What an export holds.

    Attributes:
        rows: annotator -> row id -> row.
        n_tasks: all tasks.
        n_open: tasks that nobody annotated.
        n_skipped: annotations that were cancelled.
        problems: what could not be read as it stands, each with its task.
    """

    rows: dict[str, dict[str, Annotated]] = field(default_factory=dict)
    n_tasks: int = 0
    n_open: int = 0
    n_skipped: int = 0
    problems: list[str] = field(default_factory=list)


def read_export(path: str | Path, kind: str = "annotations") -> Imported:
    """Read an export.

    Of two annotations of a task by one person the one that was changed last counts.

    Args:
        path: a JSON file, as Label Studio exports it under the name JSON, or tasks that were never annotated.
        kind: `annotations`, or `predictions` for the pre-annotations as they were.

    Raises:
        FileError: it is no list of tasks.
        RowError: a task has no text or no id, or is damaged.
    """
    tasks = read_json(path)
    if not isinstance(tasks, list) or not tasks:
        raise FileError(str(path), "expected a list of tasks; export them from Label Studio as JSON")
    found = Imported(n_tasks=len(tasks))
    for place, task in enumerate(tasks, start=1):
        try:
            _add(task, kind, found)
        except MisfitError as error:
            raise RowError(str(path), place, str(error)) from error
    return found


def _add(task: Any, kind: str, found: Imported) -> None:
    data = task.get("data") if isinstance(task, dict) else None
    if not isinstance(data, dict):
        raise MisfitError(f"a task is {quoted(task)}; expected an object with data. Export as JSON, not as JSON-MIN")
    row = Row(id_of(data, ID), sentence_of(data, TEXT), source=text_of(data, SOURCE))
    if text_of(data, UNPLACED):
        found.problems.append(f"row {row.id}: {data[UNPLACED]}")
    annotations = [one for one in _objects(task.get(kind), kind) if not _is_skipped(one, found)]
    found.n_open += not annotations
    for one in sorted(annotations, key=lambda one: str(one.get("updated_at") or one.get("created_at") or "")):
        name = PREDICTIONS if kind == "predictions" else _annotator(one)
        result = result_of(_objects(one.get("result"), "result"), row.sentence)
        rows = found.rows.setdefault(name, {})
        if row.id in rows:
            found.problems.append(f"row {row.id}: {name} annotated it more than once; what was changed last counts")
        found.problems += [f"row {row.id}, {name}: {problem}" for problem in result.problems]
        rows[row.id] = _annotated(row, result, one)


def _objects(found: Any, name: str) -> list[dict[str, Any]]:
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise MisfitError(f"{name} is {quoted(found)}; expected a list of objects")
    return found


def _is_skipped(annotation: Mapping[str, Any], found: Imported) -> bool:
    is_skipped = annotation.get("was_cancelled") is True
    found.n_skipped += is_skipped
    return is_skipped


def _annotator(annotation: Mapping[str, Any]) -> str:
    """Return who annotated: an address, or a number as exports without users have it."""
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    if isinstance(who, str) and who.strip() and who.isprintable():
        return who.strip()
    return f"annotator-{who}" if isinstance(who, int) else "annotator"


def _annotated(row: Row, result: Result, annotation: Mapping[str, Any]) -> Annotated:
    label = {CAUSAL: True, NON_CAUSAL: False}.get(result.choices.get(VERDICT, ""), bool(result.pairs))
    when = text_of(annotation, "updated_at") or text_of(annotation, "created_at")
    seconds = seconds_of(annotation.get("lead_time"))
    return Annotated(Row(row.id, row.sentence, result.pairs, label, row.source), seconds, when)
