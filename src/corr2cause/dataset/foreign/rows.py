"""Records to rows: one premise, one hypothesis, one label; or why not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from corr2cause.dataset.foreign.labels import Label, LabelKind, label_text, read_label
from corr2cause.dataset.foreign.layouts import Layout, cut
from corr2cause.dataset.foreign.sources import Damage, Record, one_line
from corr2cause.errors import ParseError

_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_REMEMBERED = 10_000  # texts of each kind, about 20 MB of premises; a file of six variables has 2,201


class ForeignRow(NamedTuple):
    """A row of anybody's file.

    Attributes:
        number: its place among the rows, from 0; empty lines are not counted.
        premise: the text, without white space around it; equal texts are one object.
        hypothesis: likewise.
        label: what the given label means; None if the file has no labels.
        template: what the file calls the kind of hypothesis; None if it does not.
        n: what the file says is the number of variables; None if it does not.
        label_text: the given label as it stands there.
        start: where the record of the row begins in the file, in bytes.
        end: where it ends; both are 0 for Parquet.
    """

    number: int
    premise: str
    hypothesis: str
    label: Label | None
    template: str | None
    n: int | None
    label_text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that cannot be taken apart.

    Attributes:
        number: its place among the rows, from 0.
        reason: what is wrong, and what was expected.
        sentence: the text in question, or its beginning, on one line.
    """

    number: int
    reason: str
    sentence: str


class RowReader:
    """Makes rows of records. What can be done once for each distinct text is not done once for each row."""

    def __init__(self, layout: Layout, kind: LabelKind) -> None:
        self._kind = kind
        self._premise, self._hypothesis = 0, len(layout.texts) - 1
        places = {name: place for place, name in enumerate(layout.columns)}
        self._label, self._template, self._n = (
            places.get(name or "") for name in (layout.label, layout.template, layout.n)
        )
        self._plain_texts: dict[str, str] = {}
        self._labels: dict[str, Label | None] = {}

    def row(self, number: int, record: Record | Damage) -> ForeignRow | RefusedRow:
        """Read one record of the columns of the layout."""
        if isinstance(record, Damage):
            return RefusedRow(number, record.reason, one_line(record.text))
        cells, start, end = record
        try:
            premise, hypothesis = self._both(cells[self._premise], cells[self._hypothesis])
            given = "" if self._label is None else label_text(cells[self._label])
            return ForeignRow(
                number,
                self._plain(premise),
                self._plain(hypothesis),
                self._meaning(given),
                None if self._template is None else _words(cells[self._template]),
                None if self._n is None else _number(cells[self._n]),
                given,
                start,
                end,
            )
        except ParseError as error:
            return RefusedRow(number, error.problem, one_line(error.sentence))

    def _both(self, premise: object, hypothesis: object) -> tuple[str, str]:
        """Return premise and hypothesis, which may stand in one cell."""
        if not (isinstance(premise, str) and isinstance(hypothesis, str)):
            raise ParseError(f"{premise!r}, {hypothesis!r}", "expected texts of a premise and a hypothesis")
        if self._hypothesis:
            return premise, hypothesis
        both = cut(premise)
        if both is None:
            raise ParseError(premise, 'expected "Premise: …" and below it "Hypothesis: …"')
        return both

    def _plain(self, text: str) -> str:
        """Return a text without white space around it, the same object for equal texts."""
        plain = self._plain_texts.get(text)
        if plain is None:
            plain = text.strip()
            if not plain:
                raise ParseError(text, "the premise or the hypothesis is empty")
            if _HALF_A_CHARACTER.search(plain):
                raise ParseError(text, "this holds half a character")
            _remember(self._plain_texts, text, plain)
        return plain

    def _meaning(self, given: str) -> Label | None:
        """Return what a label means; None only in a file without labels."""
        if self._kind is LabelKind.NONE:
            return None
        if given not in self._labels:
            _remember(self._labels, given, read_label(given, self._kind))
        label = self._labels[given]
        if label is None:
            raise ParseError(given, f"expected a label of the kind {self._kind}")
        return label


def _remember(texts: dict[str, Any], text: str, meaning: object) -> None:
    if len(texts) >= _REMEMBERED:
        texts.clear()
    texts[text] = meaning


def _words(cell: object) -> str | None:
    return cell if isinstance(cell, str) else None


def _number(cell: object) -> int | None:
    if isinstance(cell, str):
        return int(cell) if cell.isdecimal() and len(cell) < 4 else None
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else None
