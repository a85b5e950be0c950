"""Rows as tasks, with their pairs as pre-annotations as far as the spans are found in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corr2cause.spans.aligning import Alignment, Status, align
from corr2cause.spans.annotating.comparing import pair_to_json
from corr2cause.spans.annotating.label_studio.interface import (
    CAUSAL,
    CAUSE,
    EFFECT,
    ID,
    NON_CAUSAL,
    RELATION_LABELS,
    SOURCE,
    SPAN,
    TEXT,
    UNPLACED,
    VERDICT,
)
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.sentences import Stretch

MODEL = "corr2cause"
"""What pre-annotations name as their maker."""


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A pair that is not, or not just as it is written, among the pre-annotations.

    Attributes:
        row: the id of the row.
        pair: as it is written.
        problem: why.
        is_shown: whether it is pre-annotated all the same, with other words or labels.
    """

    row: str
    pair: Pair
    problem: str
    is_shown: bool

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        return {"s/n": self.row, "pair": pair_to_json(self.pair), "problem": self.problem, "shown": self.is_shown}


@dataclass
class _Regions:
    """The result list of a task while it grows; a span that serves several pairs is one region."""

    text: str
    result: list[dict[str, Any]] = field(default_factory=list)
    known: dict[tuple[str, Stretch], str] = field(default_factory=dict)

    def add(self, label: str, place: Stretch) -> str:
        """Return the id of the region with this label at this place, which is made if there is none."""
        if (label, place) not in self.known:
            self.known[label, place] = f"{label.lower()}-{len(self.known) + 1}"
            start, end = place
            value = {"start": start, "end": end, "text": self.text[start:end], "labels": [label]}
            head = {"id": self.known[label, place], "from_name": SPAN, "to_name": TEXT, "type": "labels"}
            self.result.append(head | {"value": value})
        return self.known[label, place]

    def relate(self, cause: str, effect: str, labels: Sequence[str]) -> None:
        """Add a pair."""
        relation = {"type": "relation", "from_id": cause, "to_id": effect, "direction": "right"}
        self.result.append(relation | {"labels": list(labels)})


def to_tasks(rows: Sequence[Row]) -> tuple[list[dict[str, Any]], list[Unplaced]]:
    """Make a task of each row.

    Rows that are annotated get their pairs and verdict as a prediction, from which an annotator starts. Half a pair is
    a region without a relation. What cannot be placed is named in the task, where the annotator reads it.

    Returns:
        The tasks as Label Studio imports them, and every pair that an import would not give back as it is written.
    """
    tasks, unplaced = [], []
    for row in rows:
        result, missing = _result(row)
        hidden = [one for one in missing if not one.is_shown]
        data = {ID: row.id, TEXT: row.sentence, SOURCE: row.source, UNPLACED: _told(hidden)}
        task: dict[str, Any] = {"data": data}
        if row.is_annotated:
            task["predictions"] = [{"model_version": MODEL, "result": result}]
        tasks.append(task)
        unplaced += missing
    return tasks, unplaced


def _told(hidden: Sequence[Unplaced]) -> str:
    pairs = "; ".join(f"{one.pair.cause or '?'} -> {one.pair.effect or '?'} ({one.problem})" for one in hidden)
    return f"Not marked: {pairs}" if pairs else ""


def _result(row: Row) -> tuple[list[dict[str, Any]], list[Unplaced]]:
    regions = _Regions(row.sentence)
    halves_last = sorted(row.pairs, key=lambda pair: not pair.is_whole)  # their spans may be those of whole pairs
    unplaced = [found for pair in halves_last if (found := _place(row, pair, regions))]
    verdict = {"id": "verdict", "from_name": VERDICT, "to_name": TEXT, "type": "choices"}
    regions.result.append(verdict | {"value": {"choices": [CAUSAL if row.is_causal else NON_CAUSAL]}})
    return regions.result, unplaced


def _place(row: Row, pair: Pair, regions: _Regions) -> Unplaced | None:
    """Add a pair to the regions; return what is wrong with it, if anything."""
    sides = {CAUSE: pair.cause, EFFECT: pair.effect}
    found = {label: align(span, row.sentence) for label, span in sides.items() if span.strip()}
    if lost := [label.lower() for label, one in found.items() if not one.places]:
        return Unplaced(row.id, pair, f"{' and '.join(lost)} not found in the text", is_shown=False)
    places = {label: one.places[0] for label, one in found.items()}
    labels = [label for label in (pair.causality, pair.sententiality) if label in RELATION_LABELS]
    if pair.is_whole:
        regions.relate(regions.add(CAUSE, places[CAUSE]), regions.add(EFFECT, places[EFFECT]), labels)
    elif problem := _half(pair, places, regions):
        return Unplaced(row.id, pair, problem, is_shown=False)
    changes = [change for label, one in found.items() if (change := _change(label.lower(), sides[label], one))]
    strange = [repr(label) for label in (pair.causality, pair.sententiality) if label and label not in labels]
    if strange:
        changes.append(f"{' and '.join(strange)} is no label")
    return Unplaced(row.id, pair, ", ".join(changes), is_shown=True) if changes else None


def _half(pair: Pair, places: Mapping[str, Stretch], regions: _Regions) -> str:
    """Add the one span of half a pair; return why that is impossible, or nothing."""
    if not places:
        return "both sides are blank"
    ((label, place),) = places.items()
    if (label, place) in regions.known:
        return f"the {label.lower()} is marked for another pair, and the other side is blank"
    if pair.causality or pair.sententiality:
        return "half a pair has no relation that could carry its labels"
    regions.add(label, place)
    return ""


def _change(side: str, span: str, found: Alignment) -> str:
    """Say in what a span differs from its place; nothing if in nothing."""
    if found.status is not Status.EXACT:
        return f"{side} is {found.status}"
    return "" if span == span.strip() else f"{side} has white space around it"
