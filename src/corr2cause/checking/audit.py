"""Audit anybody's Corr2Cause file from its text alone: text -> facts -> discovery -> members -> label.

A row's text determines its label. What disagrees is shown with a graph that the premise allows and that refutes the
given label; what determines no label is told apart: unreadable, incomplete, or satisfied by no graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from corr2cause.checking.judging import Item, Judge, Refusal
from corr2cause.checking.tallies import Agreement, Cell, Premises, Repeats
from corr2cause.dataset.foreign.labels import Label, LabelKind
from corr2cause.dataset.foreign.rows import ForeignRow, RefusedRow
from corr2cause.dataset.foreign.sources import one_line
from corr2cause.dataset.published import open_foreign
from corr2cause.deriving.derivation import Derivation, binary_label, nli_label
from corr2cause.deriving.tracing import Tracer
from corr2cause.errors import OptionError
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.terms import Reading
from corr2cause.text.reasoning import way_sections
from corr2cause.text.verbalisation import verbalise_edges

_ROWS_AT_ONCE = 4096

UNREADABLE = "unreadable"
"""Why a row has no label, beside the verdicts `incomplete` and `unsatisfiable` on its premise."""


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
    """A row that has no label: why (unreadable, incomplete, unsatisfiable), the reason, and the text at fault.

    The text, or its beginning, is on one line, without characters that a terminal obeys.
    """

    row: int
    why: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where the findings go while the file is read.

    Attributes:
        corrected: a copy of the file in which only wrong labels differ, put right under the first reading.
        disagreement: called with each disagreement.
        undecided: called with each row that has no label.
        progress: called with the number of rows just judged.
    """

    corrected: Path | None = None
    disagreement: Callable[[Disagreement], object] = lambda found: None
    undecided: Callable[[Undecided], object] = lambda found: None
    progress: Callable[[int], object] = lambda rows: None


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
        undecided: rows that have none, counted by why.
        repeats: rows with equal texts.
        premises: the distinct premises.
        disagreements: rows whose label is wrong, reading after reading; empty if they went to a `Target`.
        undecided_rows: rows that have no label; empty if they went to a `Target`.
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
    disagreements: list[Disagreement] = field(default_factory=list)
    undecided_rows: list[Undecided] = field(default_factory=list)

    @property
    def agreements(self) -> dict[Reading, Agreement]:
        """How given and derived labels compare, under each reading."""
        return {reading: Agreement(self.cells, place) for place, reading in enumerate(self.readings)}

    @property
    def refused(self) -> int:
        """Rows that could not be read."""
        return self.undecided[UNREADABLE]

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
    def agreeing_readings(self) -> list[Reading]:
        """The readings under which every row has a label, and every label that is given is right."""
        if self.undecided:
            return []
        return [reading for reading, agreement in self.agreements.items() if not agreement.disagree]


def audit(path: str | Path, readings: Sequence[Reading | str] = tuple(Reading), target: Target | None = None) -> Audit:
    """Audit a file in any of the known layouts, row after row.

    Args:
        path: CSV, JSON, JSON lines or Parquet; which, its content tells.
        readings: under which to derive labels.
        target: where findings go; by default they are kept in the result.

    Returns:
        Counts of everything.  Per row, 17 bytes are kept to find repeated texts, per distinct premise some 300; apart
        from that, memory does not grow with the file. About 12 µs a row and 0.7 ms a premise of six variables.

    Raises:
        OptionError: there is no such reading, or none at all.
        FileError: it is no such file, or a corrected copy cannot be written.

    >>> import tempfile
    >>> text = (
    ...     "Premise: Suppose there is a closed system of 2 variables, A and B. All the statistical relations among "
    ...     "these 2 variables are as follows: A correlates with B.\\nHypothesis: A directly causes B."
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rows.csv").write_text(f'input,label\\n"{text}",1\\n')
    ...     (wrong,) = audit(Path(folder, "rows.csv"), ["path"]).disagreements
    >>> wrong.derived, wrong.holds_in, wrong.class_size, wrong.counterexample
    (0, 1, 2, 'B->A')
    """
    file = open_foreign(path)
    found = Audit(Path(path), file.layout, file.label_kind, _settled(readings))
    target = target or Target(disagreement=found.disagreements.append, undecided=found.undecided_rows.append)
    auditor = _Auditor(found, target)
    with ExitStack() as stack:
        corrector = stack.enter_context(file.corrected(target.corrected)) if target.corrected else None
        rows = file.rows()
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            for row, label in auditor.judge(batch):
                if corrector is not None:
                    corrector.put(row, label)
            target.progress(len(batch))
    return found


def _settled(readings: Sequence[Reading | str]) -> tuple[Reading, ...]:
    """Return the readings as such, in their own order."""
    if not readings or not set(readings) <= set(Reading):
        raise OptionError("readings", f"{readings!r} should be some of {', '.join(Reading)}")
    return tuple(reading for reading in Reading if reading in readings)


class _Auditor:
    """Judges row after row, and takes down what it finds."""

    def __init__(self, found: Audit, target: Target) -> None:
        self._found, self._target = found, target
        self._judge = Judge(found.readings)
        self._is_two_way = found.label_kind.is_two_way

    def judge(self, batch: Sequence[ForeignRow | RefusedRow]) -> Iterator[tuple[ForeignRow, Label | None]]:
        """Judge some rows; yield those that could be cut into premise and hypothesis.

        With each comes the label that its text gives under the first reading, if it gives one.
        """
        self._found.rows += len(batch)
        texts = [(row.premise, row.hypothesis) for row in batch if isinstance(row, ForeignRow)]
        items = iter(self._judge.understand(texts))
        for row in batch:
            if isinstance(row, RefusedRow):
                self._leave_undecided(Undecided(row.number, UNREADABLE, row.reason, row.sentence))
            else:
                yield row, self._label(row, next(items))

    def _label(self, row: ForeignRow, item: Item | Refusal) -> Label | None:
        """Take down one row; return its label under the first reading."""
        found = self._found
        if isinstance(item, Refusal):
            self._leave_undecided(Undecided(row.number, UNREADABLE, item.reason, item.sentence))
            return None
        derivation, claimed = item.derivation, item.claimed
        found.repeats.add(row.premise, row.hypothesis, row.label)
        found.premises.add(row.premise, derivation)
        if derivation.verdict is not Verdict.DETERMINED:
            self._leave_undecided(Undecided(row.number, derivation.verdict.value, _reason(derivation), row.premise))
            return None
        holds_in = derivation.holds_in_each(claimed.hypothesis)
        derived = _labels(self._is_two_way, holds_in, derivation.class_size)
        template = row.template or claimed.template
        found.cells[Cell(derivation.n, template, row.label, derived, claimed.is_alphabetical)] += 1
        if row.label is not None and derived.count(row.label) < len(derived):
            self._disagree(row, item, derived)
        return derived[0]

    def _disagree(self, row: ForeignRow, item: Item, derived: Sequence[Label]) -> None:
        assert row.label is not None, "there is a label to disagree with"
        for reading, label in zip(self._found.readings, derived, strict=True):
            if label == row.label:
                continue
            answer = item.derivation.answer(item.hypothesis, reading)
            assert answer is not None, "the premise determines a class"
            refuting = None if answer.counterexample is None else verbalise_edges(answer.counterexample)
            counts = answer.holds_in, answer.class_size
            self._target.disagreement(Disagreement(row.number, reading, row.label, label, *counts, refuting))

    def _leave_undecided(self, undecided: Undecided) -> None:
        self._found.undecided[undecided.why] += 1
        self._target.undecided(replace(undecided, sentence=one_line(undecided.sentence)))


@lru_cache(maxsize=65_536)
def _labels(is_two_way: bool, holds_in: tuple[int, ...], class_size: int) -> tuple[Label, ...]:
    """Return the label under each reading: 0 or 1, or else one of the three words."""
    label = binary_label if is_two_way else nli_label
    return tuple(label(members, class_size) for members in holds_in)


def _reason(derivation: Derivation) -> str:
    """Say why a premise determines no class, as `corr2cause explain` does."""
    return " ".join(way_sections(Tracer(derivation).way)[-1].sentences)
