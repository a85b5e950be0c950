"""What `corr2cause audit` prints: tables for people, an object for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corr2cause.cli.tables import Cell, as_text
from corr2cause.graphs.terms import Reading

if TYPE_CHECKING:
    from corr2cause.checking.audit import Audit, Disagreement, Undecided

_ORDERS = {True: "earlier causes later", False: "later causes earlier"}

_WIDEST = 60  # characters of a cell that quotes
_EXAMPLES = 5  # of each kind on the terminal; --report and --json give all


class Notes:
    """Disagreements and undecided rows of one file: all of them, or the first few of each reading."""

    def __init__(self, file: Path, keep_all: bool, write: Callable[[dict[str, Any]], object]) -> None:
        self._file, self._keep_all, self._write = file, keep_all, write
        self.disagreements: dict[Reading, list[Disagreement]] = {reading: [] for reading in Reading}
        self.undecided: list[Undecided] = []

    def disagreement(self, found: Disagreement) -> None:
        """Note a disagreement."""
        kept = self.disagreements[found.reading]
        if self._keep_all or len(kept) < _EXAMPLES:
            kept.append(found)
        self._write({"file": str(self._file), **asdict(found)})

    def leave_undecided(self, found: Undecided) -> None:
        """Note a row without a label."""
        if self._keep_all or len(self.undecided) < _EXAMPLES:
            self.undecided.append(found)
        self._write({"file": str(self._file), **asdict(found)})


def as_json_object(found: Audit, notes: Notes) -> dict[str, Any]:
    """Return the findings as plain values."""
    repeated, contradictory = found.repeats.count()
    readings = {
        reading.value: {
            "agree": agreement.agree,
            "disagree": agreement.disagree,
            "disagreements": [
                {name: value for name, value in asdict(one).items() if name != "reading"}
                for one in notes.disagreements[reading]
            ],
        }
        for reading, agreement in found.agreements.items()
    }
    return {
        "file": str(found.path),
        "layout": found.layout,
        "labels": found.label_kind.value,
        "rows": found.rows,
        "parsed": found.parsed,
        "refused": found.refused,
        "undecided": [asdict(one) for one in notes.undecided],
        "premises": len(found.premises.texts),
        "premises_up_to_renaming": len(found.premises.classes()),
        "repeated_rows": repeated,
        "same_text_other_label": contradictory,
        "best_readings": [reading.value for reading in found.best_readings],
        "alphabet": {
            reading.value: {
                _ORDERS[order]: {"rows": rows, "entailed": entailed}
                for order, (rows, entailed) in one.entailed_by_order().items()
            }
            for reading, one in found.agreements.items()
        },
        "readings": readings,
    }


def as_report(found: Audit, notes: Notes) -> str:
    """Lay out the findings as tables."""
    best = found.best_readings[0]
    sections = [
        _overview(found),
        *_readings(found),
        *_breakdowns(found, best),
        *_examples(notes, best),
    ]
    return "\n\n".join(sections) + "\n"


def _overview(found: Audit) -> str:
    repeated, contradictory = found.repeats.count()
    facts: list[list[Cell]] = [
        ["rows", found.rows],
        ["unreadable", found.refused],
        ["incomplete premise", found.undecided["incomplete"]],
        ["unsatisfiable premise", found.undecided["unsatisfiable"]],
        ["distinct premises", len(found.premises.texts)],
        ["up to renaming", len(found.premises.classes())],
        ["rows that repeat an earlier one", repeated],
        ["texts with different labels", contradictory],
    ]
    return f"{found.path}: {found.layout}; labels {found.label_kind}\n\n{as_text(['', 'number'], facts)}"


def _readings(found: Audit) -> list[str]:
    if not any(one.agree + one.disagree for one in found.agreements.values()):
        return []
    rows: list[list[Cell]] = [
        [reading.value, one.agree, one.disagree, 100 * one.disagree / max(1, one.agree + one.disagree)]
        for reading, one in found.agreements.items()
    ]
    best = [reading.value for reading in found.best_readings]
    which = "The reading that fits best" if len(best) == 1 else "Readings that fit best, equally well"
    table = as_text(["reading", "agree", "disagree", "% disagree"], rows)
    return [f"{table}\n\n{which}: {', '.join(best)}." if len(rows) > 1 else table]


def _breakdowns(found: Audit, reading: Reading) -> list[str]:
    agreement = found.agreements[reading]
    tables: list[tuple[str, list[str], list[list[Cell]]]] = [
        (
            f"By {title}",
            [title, "rows", "disagree"],
            [[str(key), rows, wrong] for key, (rows, wrong) in agreement.by(attribute).items()],
        )
        for title, attribute in (("variables", "n"), ("template", "template"))
    ]
    directions = agreement.directions().items()
    templates = sorted(agreement.templates().items(), key=str)
    orders = agreement.entailed_by_order().items()
    tables += [
        (
            "What disagrees",
            ["given", "derived", "rows"],
            [[str(given), str(derived), rows] for (given, derived), rows in directions],
        ),
        (
            "Labels of each template",
            ["template", "given", "rows"],
            [[template, str(given), rows] for (template, given), rows in templates],
        ),
        (
            "Derived labels of claims that one variable causes another",
            ["a cause, by the alphabet", "rows", "entailed", "% entailed"],
            [[_ORDERS[order], rows, entailed, 100 * entailed / rows] for order, (rows, entailed) in orders],
        ),
    ]
    shown = [f"{title}:\n\n{as_text(header, rows)}" for title, header, rows in tables if rows]
    return [f"Under the reading {reading}", *shown] if shown else []


def _examples(notes: Notes, reading: Reading) -> list[str]:
    wrong: list[list[Cell]] = [
        [one.row, str(one.given), str(one.derived), f"{one.holds_in} of {one.class_size}", one.counterexample]
        for one in notes.disagreements[reading][:_EXAMPLES]
    ]
    undecided: list[list[Cell]] = [
        [one.row, one.why, _shortened(one.reason), _shortened(one.sentence)] for one in notes.undecided[:_EXAMPLES]
    ]
    tables = (
        ("The first that disagree (rows from 0)", ["row", "given", "derived", "holds in", "counterexample"], wrong),
        ("The first without a label (rows from 0)", ["row", "why", "reason", "text"], undecided),
    )
    return [f"{title}:\n\n{as_text(header, rows)}" for title, header, rows in tables if rows]


def _shortened(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def shared_premises(audits: Sequence[Audit]) -> str:
    """Lay out how many premises each two files share."""
    rows: list[list[Cell]] = [
        [
            str(one.path),
            str(other.path),
            len(one.premises.texts & other.premises.texts),
            len(one.premises.classes() & other.premises.classes()),
        ]
        for one, other in combinations(audits, 2)
    ]
    return f"Premises that files share:\n\n{as_text(['file', 'file', 'as they stand', 'up to renaming'], rows)}"
