"""Audit anybody's Corr2Cause file from its text alone: text -> facts -> discovery -> members -> label.

A row's text determines its label. What disagrees is shown with a graph that the premise allows and that refutes the
given label; what determines no label is told apart: unreadable, incomplete, or satisfied by no graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from corr2cause.checking.judging import Item, Judge, Refusal
from corr2cause.checking.tallies import Agreement, Cell, Premises, Repeats, alphabetical_order
from corr2cause.dataset.foreign.labels import Label, LabelKind
from corr2cause.dataset.foreign.rows import ForeignRow, RefusedRow
from corr2cause.dataset.published import open_foreign
from corr2cause.dataset.questions import Surface
from corr2cause.deriving.derivation import Derivation, binary_label, nli_label
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.separation import Statement
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Independence
from corr2cause.text.verbalisation import verbalise_edges, verbalise_independence

_ROWS_AT_ONCE = 4096

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row whose label is not the derived one.

    Attributes:
        row: its place, from 0.
        reading: under which it was derived.
        given: the label of the file.
        derived: the label that its text gives.
        holds_in: number of members of the class in which the hypothesis holds.
        class_size: number of members.
        counterexample: edges of a member in which the hypothesis fails, as "A->B, C->B"; None if it is entailed.
    """

    row: int
    reading: Reading
    given: Label
    derived: Label
    holds_in: int
    class_size: int
    counterexample: str | None


@dataclass(frozen=True, slots=True)
class Undecided:
    """A row that has no label, and why: unreadable, incomplete or unsatisfiable."""

    row: int
    why: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where the findings go while the file is read.

    Attributes:
        corrected: a copy of the file in which only wrong labels differ; needs a single reading.
        disagreement: called with each disagreement.
        undecided: called with each row that has no label.
        progress: called with the number of rows just judged.
    """

    corrected: Path | None = None
    disagreement: Callable[[Disagreement], object] = lambda found: None
    undecided: Callable[[Undecided], object] = lambda found: None
    progress: Progress = lambda rows: None


@dataclass(slots=True)
class Audit:
    """What was found in one file.

    Attributes:
        path: the file.
        layout: how it is laid out, for people.
        label_kind: what its labels are.
        readings: under which labels were derived.
        rows: all rows.
        cells: rows that have a label, counted by what they have in common.
        undecided: rows without a label, by why.
        repeats: rows with equal texts.
        premises: the distinct premises.
    """

    path: Path
    layout: str
    label_kind: LabelKind
    readings: tuple[Reading, ...]
    rows: int = 0
    cells: Counter[Cell] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    repeats: Repeats = field(default_factory=Repeats)
    premises: Premises = field(default_factory=Premises)

    @property
    def agreements(self) -> dict[Reading, Agreement]:
        """How given and derived labels compare, under each reading."""
        return {reading: Agreement(self.cells, place) for place, reading in enumerate(self.readings)}

    @property
    def refused(self) -> int:
        """Rows that could not be read."""
        return self.undecided[_UNREADABLE]

    @property
    def parsed(self) -> int:
        """Rows that could be read, whether or not their premise determines a class."""
        return self.rows - self.refused

    @property
    def best_readings(self) -> list[Reading]:
        """The readings under which most labels agree."""
        agreeing = {reading: agreement.agree for reading, agreement in self.agreements.items()}
        return [reading for reading, rows in agreeing.items() if rows == max(agreeing.values())]

    @property
    def is_clean(self) -> bool:
        """Whether every row has a label, and some reading agrees with all of them."""
        return not self.undecided and all(self.agreements[r].disagree == 0 for r in self.best_readings)


_UNREADABLE = "unreadable"


def audit(path: str | Path, readings: Sequence[Reading] = tuple(Reading), target: Target | None = None) -> Audit:
    """Audit a file in any of the known layouts, row after row; memory does not grow with the file.

    Args:
        path: CSV, JSON, JSON lines or Parquet; which, its content tells.
        readings: under which to derive labels.
        target: where findings go.

    Raises:
        FileError: it is no such file, or a corrected copy cannot be written.
    """
    target = target or Target()
    file = open_foreign(path)
    found = Audit(Path(path), file.layout, file.label_kind, tuple(readings))
    judge = Judge(readings)
    with ExitStack() as stack:
        corrector = stack.enter_context(file.corrected(target.corrected)) if target.corrected else None
        rows = file.rows()
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            for row, item in _understood(batch, judge):
                label = _judge_row(found, row, item, target)
                if corrector is not None and isinstance(row, ForeignRow):
                    corrector.put(row, label)
            target.progress(len(batch))
    return found


def _understood(
    batch: Sequence[ForeignRow | RefusedRow], judge: Judge
) -> Iterator[tuple[ForeignRow | RefusedRow, Item | Refusal]]:
    """Pair each row with what it says."""
    items = iter(judge.understand([(row.premise, row.hypothesis) for row in batch if isinstance(row, ForeignRow)]))
    for row in batch:
        yield row, next(items) if isinstance(row, ForeignRow) else Refusal(row.reason, row.sentence)


def _judge_row(found: Audit, row: ForeignRow | RefusedRow, item: Item | Refusal, target: Target) -> Label | None:
    """Count one row; return its label under the first reading, if it has one."""
    found.rows += 1
    if isinstance(item, Refusal) or isinstance(row, RefusedRow):
        assert isinstance(item, Refusal), "a refused row was never understood"
        _leave_undecided(found, Undecided(row.number, _UNREADABLE, item.reason, item.sentence), target)
        return None
    found.repeats.add(row.premise, row.hypothesis, row.label)
    derivation, hypothesis = item.derivation, item.hypothesis
    if derivation.verdict is not Verdict.DETERMINED:
        undecided = Undecided(row.number, derivation.verdict.value, _reason(derivation), row.premise)
        _leave_undecided(found, undecided, target)
        return None
    found.premises.add(row.premise, derivation)
    holds_in = derivation.holds_in_each(hypothesis)
    label = binary_label if found.label_kind.is_two_way else nli_label
    derived: tuple[Label, ...] = tuple(label(members, derivation.class_size) for members in holds_in)
    template = row.template or _template(item)
    found.cells[Cell(derivation.n, template, row.label, derived, alphabetical_order(hypothesis))] += 1
    if row.label is not None:
        for reading, one, members in zip(found.readings, derived, holds_in, strict=True):
            if one != row.label:
                target.disagreement(_disagreement(row, item, reading, (row.label, one), members))
    return derived[0]


def _disagreement(
    row: ForeignRow, item: Item, reading: Reading, labels: tuple[Label, Label], holds_in: int
) -> Disagreement:
    answer = item.derivation.answer(item.hypothesis, reading)
    assert answer is not None, "the premise determines a class"
    refuting = None if answer.counterexample is None else verbalise_edges(answer.counterexample)
    return Disagreement(row.number, reading, *labels, holds_in, answer.class_size, refuting)


def _leave_undecided(found: Audit, undecided: Undecided, target: Target) -> None:
    found.undecided[undecided.why] += 1
    target.undecided(undecided)


def _template(item: Item) -> str:
    """Name the template of a row whose file does not."""
    names, hypothesis = item.derivation.premise.names, item.hypothesis
    first, second = names.index(hypothesis.first), names.index(hypothesis.second)
    return Surface(hypothesis.claim, first, second, item.wording).template


def _reason(derivation: Derivation) -> str:
    """Say why a premise determines no class."""
    names = derivation.premise.names
    for pair in derivation.contradictory:
        return f"{names[pair[0]]} and {names[pair[1]]} are said to correlate and to be independent"
    for pair in derivation.silent:
        return f"it is not said whether {names[pair[0]]} and {names[pair[1]]} correlate"
    for statement in derivation.fit.broken:
        return f"no graph that fits the rest has: {_said(names, statement)}"
    for statement in derivation.fit.unstated:
        return f"what is said implies, and does not say: {_said(names, statement)}"
    return "no directed acyclic graph has just these independences"


def _said(names: tuple[str, ...], statement: Statement) -> str:
    return verbalise_independence(names, Independence(*statement))
