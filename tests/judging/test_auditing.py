"""`audit` from Python: what it returns, and where findings go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.checking import audit as auditing
from corr2cause.checking.audit import UNREADABLE, Target, audit
from corr2cause.dataset.options import GenerationOptions
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import Reading
from tests.dataset.folders import data_folder
from tests.judging.texts import premise_of

ROWS = 9


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> list[dict]:
    folder = data_folder(tmp_path_factory.mktemp("audited") / "data", GenerationOptions(n=4, min_n=4))
    return [json.loads(line) for line in (folder / "train.jsonl").read_text(encoding="utf-8").splitlines()]


def write(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def spoilt(rows, tmp_path) -> Path:
    """Nine rows: number 1 cannot be read, 3 cannot be cut, 5 is incomplete, 7 has the wrong label."""
    some = [dict(row) for row in rows[:ROWS]]
    some[1]["hypothesis"] = "Pigs fly."
    some[3]["premise"] = None
    some[5]["premise"] = premise_of("A->B, B->C, C->D", "ABCD").replace(" A and D are independent given B and C.", "")
    some[7]["label"] = 1 - some[7]["label"]
    return write(tmp_path / "spoilt.jsonl", some)


def test_everything_found_is_kept_in_the_result(rows, spoilt):
    found = audit(str(spoilt), ["direct"])
    assert (found.path, found.readings, found.rows) == (spoilt, (Reading.DIRECT,), ROWS)
    assert "JSON lines" in found.layout
    assert [(one.row, one.why) for one in found.undecided_rows] == [
        (1, UNREADABLE),
        (3, UNREADABLE),
        (5, "incomplete"),
    ]
    assert [one.sentence.split(" ")[0] for one in found.undecided_rows if one.row in (1, 5)] == ["Pigs", "Suppose"]
    assert all(one.reason and isinstance(one.reason, str) for one in found.undecided_rows)
    assert (found.refused, found.parsed) == (2, ROWS - 2)
    assert found.undecided == {UNREADABLE: 2, "incomplete": 1}
    (wrong,) = found.disagreements
    right = rows[7]
    assert (wrong.row, wrong.reading, wrong.given, wrong.derived) == (7, "direct", 1 - right["label"], right["label"])
    assert (wrong.holds_in, wrong.class_size) == (right["holds_in"], right["class_size"])
    assert wrong.counterexample == right["counterexample"]
    assert found.agreeing_readings == []


def test_a_target_takes_what_is_found_row_by_row(spoilt, monkeypatch):
    monkeypatch.setattr(auditing, "_ROWS_AT_ONCE", 4)
    wrong, undecided, seen = [], [], []
    target = Target(None, wrong.append, undecided.append, seen.append)
    found = audit(spoilt, ["direct"], target)
    assert (found.disagreements, found.undecided_rows) == ([], [])
    assert [one.row for one in wrong] == [7]
    assert [one.row for one in undecided] == [1, 3, 5]
    assert seen == [4, 4, 1]


def test_cells_count_rows_by_what_they_share(rows, tmp_path):
    found = audit(write(tmp_path / "rows.jsonl", rows[:40]), ["direct"])
    assert {cell.n for cell in found.cells} == {4}
    of_template = {
        name: sum(count for cell, count in found.cells.items() if cell.template == name)
        for name in {row["template"] for row in rows[:40]}
    }
    assert of_template == {name: sum(row["template"] == name for row in rows[:40]) for name in of_template}


def test_the_template_of_the_file_comes_before_that_of_the_text(rows, tmp_path):
    found = audit(write(tmp_path / "rows.jsonl", [{**row, "template": "mine"} for row in rows[:5]]), ["direct"])
    assert {cell.template for cell in found.cells} == {"mine"}
    bare = [{key: row[key] for key in ("premise", "hypothesis", "label")} for row in rows[:5]]
    found = audit(write(tmp_path / "bare.jsonl", bare), ["direct"])
    assert {cell.template for cell in found.cells} == {row["template"] for row in rows[:5]}


def test_a_label_that_some_readings_share_disagrees_with_the_others(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, reading="path"))
    found = audit(folder / "train.jsonl")
    assert found.agreeing_readings == [Reading.PATH]
    assert found.best_readings == [Reading.PATH]
    told = {reading: sum(one.reading is reading for one in found.disagreements) for reading in Reading}
    assert told == {reading: agreement.disagree for reading, agreement in found.agreements.items()}
    assert told[Reading.ANCESTRAL] > told[Reading.DIRECT] > 0


@pytest.mark.parametrize("readings", [(), ("sideways",), ("direct", "sideways")])
def test_readings_that_there_are_not_are_refused(spoilt, readings):
    with pytest.raises(OptionError, match="should be some of direct, path, ancestral") as refused:
        audit(spoilt, readings)
    assert refused.value.option == "readings"


def test_readings_come_in_their_own_order_and_once(rows, tmp_path):
    found = audit(write(tmp_path / "rows.jsonl", rows[:3]), ["ancestral", "direct", "ancestral"])
    assert found.readings == (Reading.DIRECT, Reading.ANCESTRAL)
