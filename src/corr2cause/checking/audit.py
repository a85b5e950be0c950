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
from corr2cause.checking.tallies import Agreement, Alphabet, Cell, Premises, Repeats
from corr2cause.dataset.foreign.labels import Label, LabelKind
from corr2cause.dataset.foreign.rows import ForeignRow, RefusedRow
from corr2cause.dataset.published import open_foreign
from corr2cause.dataset.questions import Surface
from corr2cause.derivation import Derivation, nli_label
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
        agreements: under each reading, how given and derived labels compare.
        rows: all rows.
        undecided: rows without a label, by why.
        templates: rows by template and given label.
        repeats: rows with equal texts.
        premises: the distinct premises.
        alphabet: under each reading, how entailment goes with the alphabet.
    """

    path: Path
    layout: str
    label_kind: LabelKind
    agreements: dict[Reading, Agreement]
    alphabet: dict[Reading, Alphabet]
    rows: int = 0
    undecided: Counter[str] = field(default_factory=Counter)
    templates: Counter[tuple[str, Label | None]] = field(default_factory=Counter)
    repeats: Repeats = field(default_factory=Repeats)
    premises: Premises = field(default_factory=Premises)

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
        most = max(agreement.agree for agreement in self.agreements.values())
        return [reading for reading, agreement in self.agreements.items() if agreement.agree == most]

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
    found = Audit(
        Path(path),
        file.layout,
        file.label_kind,
        {reading: Agreement() for reading in readings},
        {reading: Alphabet() for reading in readings},
    )
    judge = Judge(readings)
    with ExitStack() as stack:
        corrector = stack.enter_context(file.corrected(target.corrected)) if target.corrected else None
        rows = file.rows()
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            for row, item in _understood(batch, judge):
                labels = _judge_row(found, row, item, target)
                if corrector is not None and isinstance(row, ForeignRow):
                    corrector.put(row, labels.get(readings[0]))
            target.progress(len(batch))
    return found


def _understood(
    batch: Sequence[ForeignRow | RefusedRow], judge: Judge
) -> Iterator[tuple[ForeignRow | RefusedRow, Item | Refusal]]:
    """Pair each row with what it says."""
    items = iter(judge.understand([(row.premise, row.hypothesis) for row in batch if isinstance(row, ForeignRow)]))
    for row in batch:
        yield row, next(items) if isinstance(row, ForeignRow) else Refusal(row.reason, row.sentence)


def _judge_row(
    found: Audit, row: ForeignRow | RefusedRow, item: Item | Refusal, target: Target
) -> dict[Reading, Label]:
    """Count one row; return its label under each reading, if it has one."""
    found.rows += 1
    if isinstance(item, Refusal) or isinstance(row, RefusedRow):
        assert isinstance(item, Refusal), "a refused row was never understood"
        return _leave_undecided(found, Undecided(row.number, _UNREADABLE, item.reason, item.sentence), target)
    found.repeats.add(row.premise, row.hypothesis, row.label)
    if item.derivation.verdict is not Verdict.DETERMINED:
        why = item.derivation.verdict.value
        return _leave_undecided(found, Undecided(row.number, why, _reason(item.derivation), row.premise), target)
    template = row.template or _template(item)
    found.templates[template, row.label] += 1
    found.premises.add(row.premise, item.derivation)
    return {reading: _compare(found, row, item, reading, target) for reading in found.agreements}


def _leave_undecided(found: Audit, undecided: Undecided, target: Target) -> dict[Reading, Label]:
    found.undecided[undecided.why] += 1
    target.undecided(undecided)
    return {}


def _template(item: Item) -> str:
    """Name the template of a row whose file does not."""
    names, hypothesis = item.derivation.premise.names, item.hypothesis
    first, second = names.index(hypothesis.first), names.index(hypothesis.second)
    return Surface(hypothesis.claim, first, second, item.wording).template


def _compare(found: Audit, row: ForeignRow, item: Item, reading: Reading, target: Target) -> Label:
    """Derive the label of a row under one reading, and count how the given one compares."""
    holds_in, class_size = item.derivation.holds_in(item.hypothesis, reading), item.derivation.class_size
    entailed = holds_in == class_size
    found.alphabet[reading].add(item.hypothesis, entailed)
    derived: Label = int(entailed) if found.label_kind.is_two_way else nli_label(holds_in, class_size)
    if row.label is None:
        return derived
    template = row.template or _template(item)
    found.agreements[reading].cells[Cell(item.derivation.discovery.n, template, row.label, derived)] += 1
    if row.label != derived:
        answer = item.derivation.answer(item.hypothesis, reading)
        assert answer is not None, "the premise determines a class"
        refuting = None if answer.counterexample is None else verbalise_edges(answer.counterexample)
        target.disagreement(Disagreement(row.number, reading, row.label, derived, holds_in, class_size, refuting))
    return derived


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
