"""Predictions laid beside the gold rows that they answer, and flattened for counting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from corr2cause.spans.predictions import Key, PredictedRow, id_text
from corr2cause.spans.rows import Pair, Row

Places = npt.NDArray[np.int64]

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class IdReport:
    """How the ids of two files meet; what does not meet is said aloud, because it scores 0.

    Attributes:
        by_position: whether no prediction has an id, so that the order of the file decides.
        n_matched: gold rows with a prediction.
        gold_only: ids of gold rows without one.
        predicted_only: ids of predictions about other rows, which are ignored.
        repeated: ids that were predicted more than once; the last counts, as in the released code.
        other_sentences: ids whose prediction repeats another text than the gold row.
    """

    by_position: bool
    n_matched: int
    gold_only: tuple[str, ...] = ()
    predicted_only: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    other_sentences: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return how many there are of each, and the first of them."""
        found: dict[str, Any] = {"by_position": self.by_position, "matched": self.n_matched}
        for name in ("gold_only", "predicted_only", "repeated", "other_sentences"):
            ids = getattr(self, name)
            found[name] = {"n": len(ids), "first": list(ids[:_SHOWN])}
        return found

    def told(self) -> Iterable[str]:
        """Say what does not meet, a sentence for each kind."""
        for ids, what in (
            (self.gold_only, "gold rows have no prediction; their pairs count as missed"),
            (self.predicted_only, "predictions are about rows that are not in the gold file; they are ignored"),
            (self.repeated, "rows were predicted more than once; the last one counts"),
            (self.other_sentences, "predictions repeat another text than the gold row of their id; the same data?"),
        ):
            if ids:
                shown = ", ".join(ids[:_SHOWN])
                yield f"{len(ids):,} {what} (ids {shown}{', …' if len(ids) > _SHOWN else ''})"


@dataclass(frozen=True)
class Joined:
    """R gold rows with their G gold pairs and P predicted pairs, flat, row by row in the order of the gold file.

    Attributes:
        rows: the gold rows.
        gold: the gold pairs.
        predicted: the predicted pairs.
        gold_row: int64[G]; the row of each gold pair.
        predicted_row: int64[P]; the row of each predicted pair.
        ids: how the ids met.
        flaws: predicted pairs that are left out, counted by what is wrong.
    """

    rows: tuple[Row, ...]
    gold: tuple[Pair, ...]
    predicted: tuple[Pair, ...]
    gold_row: Places
    predicted_row: Places
    ids: IdReport
    flaws: Mapping[str, int] = field(default_factory=dict)


def join(gold: Sequence[Row], predicted: Sequence[PredictedRow], typed_ids: Sequence[Key] | None = None) -> Joined:
    """Lay predictions beside gold rows: by id, or by position if no prediction has one.

    Args:
        gold: rows with different ids.
        predicted: in any order; rows without a prediction have no predicted pairs.
        typed_ids: the ids of the gold rows as their file holds them. With them 1 and "1" are different ids, as in the
            released code, and half a pair counts as a pair; without, ids are compared as text, and half a pair is left
            out and counted as a flaw.
    """
    by_position = bool(predicted) and all(one.key is None for one in predicted)
    names: Sequence[Hashable] = typed_ids if typed_ids is not None else [row.id for row in gold]
    answers, repeated = _by_name(predicted, by_position, names, is_typed=typed_ids is not None)
    known = set(names)
    report = IdReport(
        by_position=by_position,
        n_matched=sum(name in answers for name in names),
        gold_only=tuple(row.id for row, name in zip(gold, names, strict=True) if name not in answers),
        predicted_only=tuple(str(name) for name in answers if name not in known),
        repeated=tuple(map(str, repeated)),
        other_sentences=tuple(
            row.id
            for row, name in zip(gold, names, strict=True)
            if name in answers and answers[name].sentence not in ("", row.sentence)
        ),
    )
    pairs = [answers[name].pairs if name in answers else () for name in names]
    n_half = 0
    if typed_ids is None:
        n_half = sum(not pair.is_whole for row in pairs for pair in row)
        pairs = [tuple(pair for pair in row if pair.is_whole) for row in pairs]
    flaws = {"pairs of matched rows without a cause or without an effect": n_half} if n_half else {}
    return flatten(gold, pairs, report, flaws)


def flatten(
    gold: Sequence[Row], predicted: Sequence[Sequence[Pair]], ids: IdReport, flaws: Mapping[str, int]
) -> Joined:
    """Put the pairs of all rows one after the other."""
    places = np.arange(len(gold))
    return Joined(
        rows=tuple(gold),
        gold=tuple(pair for row in gold for pair in row.pairs),
        predicted=tuple(pair for row in predicted for pair in row),
        gold_row=np.repeat(places, [len(row.pairs) for row in gold]),
        predicted_row=np.repeat(places, [len(row) for row in predicted]),
        ids=ids,
        flaws=flaws,
    )


def _by_name(
    predicted: Sequence[PredictedRow], by_position: bool, names: Sequence[Hashable], is_typed: bool
) -> tuple[dict[Hashable, PredictedRow], list[Hashable]]:
    """Return the prediction of each name, the last if there are more, and the names that came again."""
    found: dict[Hashable, PredictedRow] = {}
    repeated: dict[Hashable, None] = {}
    for place, one in enumerate(predicted):
        if by_position:
            name: Hashable = names[place] if place < len(names) else f"place {place + 1}"
        elif one.key is None:
            name = f"none, place {place + 1}"
        else:
            name = one.key if is_typed else id_text(one.key)
        if name in found:
            repeated[name] = None
        found[name] = one
    return found, list(repeated)
