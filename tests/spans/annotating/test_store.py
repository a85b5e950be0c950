"""The file of adjudication: nothing in it changes, nothing that was confirmed is lost."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import FileError
from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.annotating.decisions import Action, Decision, DecisionError
from corr2cause.spans.annotating.outcome import log_lines, outcome_of, replay
from corr2cause.spans.annotating.store import ConflictError, Store, create
from corr2cause.spans.rows import Pair
from tests.spans.annotating.annotations import DOUBLED, compared, store

NEW = Pair("a <b>", 'c "d"', "Explicit", "Intra")


def accept(item: int = 0, row: str = "1") -> Decision:
    return Decision(row, item, Action.FIRST)


def test_it_holds_both_annotations_of_every_row(tmp_path):
    assert [one.row for one in store(tmp_path).rows()] == compared()


def test_it_is_never_replaced(tmp_path):
    store(tmp_path)
    with pytest.raises(FileError, match="maybe with decisions"):
        create(tmp_path / "disputes.db", [])


def test_a_decision_is_there_for_whoever_opens_the_file_next(tmp_path):
    ours = store(tmp_path)
    logged = ours.decide(Decision("1", 0, Action.EDIT, NEW, "why"), "eve")
    again = Store(tmp_path / "disputes.db")
    assert again.log() == ours.log() == [logged] == list(again.row_at(0).log)
    assert (logged.number, logged.author, logged.decision.pair, logged.decision.reason) == (1, "eve", NEW, "why")
    assert logged.when.endswith("+00:00")
    assert logged.item == compared()[0].items[0]


def test_what_was_decided_meanwhile_is_not_decided_over(tmp_path):
    ours = store(tmp_path)
    first = ours.decide(accept(), "eve", seen=0)
    assert ours.decide(accept(), "eve", seen=0) == first  # a double click
    with pytest.raises(ConflictError, match="row 1 was decided on meanwhile"):
        ours.decide(Decision("1", 0, Action.SECOND), "eve", seen=0)
    with pytest.raises(ConflictError):
        ours.decide(accept(), "adam", seen=0)
    ours.decide(Decision("1", 0, Action.SECOND), "eve", seen=first.number)
    assert len(ours.log()) == 2


def test_a_decision_that_makes_no_sense_leaves_no_trace(tmp_path):
    ours = store(tmp_path)
    for decision in (accept(7), accept(row="nine")):
        with pytest.raises(DecisionError):
            ours.decide(decision, "eve")
    assert ours.log() == []


def test_additions_take_the_next_place(tmp_path):
    ours = store(tmp_path)
    places = [ours.decide(Decision("2", -1, Action.ADD, NEW), "eve").decision.item for _ in range(3)]
    assert places == [1, 2, 3]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE decision SET author = 'x'",
        "DELETE FROM decision",
        "UPDATE compared SET id = 'x'",
        "DELETE FROM compared",
    ],
)
def test_the_log_and_the_originals_cannot_be_changed(tmp_path, change):
    store(tmp_path).decide(accept(), "eve")
    with (
        sqlite3.connect(tmp_path / "disputes.db") as connection,
        pytest.raises(sqlite3.IntegrityError, match="as it is"),
    ):
        connection.execute(change)


def test_every_decision_is_synced_before_it_is_confirmed(tmp_path, monkeypatch):
    ours, said = store(tmp_path), []
    connect = sqlite3.connect

    def watched(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.set_trace_callback(said.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    ours.decide(accept(), "eve")
    places = [said.index(statement) for statement in ("PRAGMA synchronous = FULL", "BEGIN IMMEDIATE", "COMMIT")]
    assert places == sorted(places)
    assert any(statement.startswith("INSERT INTO decision") for statement in said[places[1] : places[2]])


def test_threads_share_it(tmp_path):
    ours = store(tmp_path)
    outcomes: list[str] = []

    def work(name: str) -> None:
        for _ in range(10):
            try:
                ours.decide(Decision("2", 1 + len(ours.row_at(1).log), Action.ADD, NEW), name)
                outcomes.append("saved")
            except DecisionError:  # another thread took that place
                outcomes.append("refused")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("eve", "adam")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = ours.log()
    assert len(log) == outcomes.count("saved") >= 10
    assert [one.decision.item for one in log] == list(range(1, len(log) + 1))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "no file of adjudication"),
        (b"not a database at all, but some text" * 9, "cannot be used"),
        (None, "no such"),
    ],
)
def test_other_files(tmp_path, content, problem):
    if content is not None:
        (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(FileError, match=problem):
        Store(tmp_path / "x.db")


def test_a_file_of_a_later_program(tmp_path):
    store(tmp_path)
    with sqlite3.connect(tmp_path / "disputes.db") as connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(FileError, match="version 9"):
        Store(tmp_path / "disputes.db")


CHOICES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.sampled_from(list(Action))), max_size=12)


@given(DOUBLED, CHOICES)
@settings(max_examples=15, deadline=None)
def test_a_log_repeats_an_adjudication(tmp_path_factory, rows, choices):
    """Whatever is decided: the log of it, taken again, gives the same rows, the same open ones, and the same log."""
    folder, again = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")
    ours = store(folder, compare_rows(rows))
    for place, item, action in choices:
        pair = NEW if action in (Action.EDIT, Action.ADD) else None
        name = rows[place % len(rows)].ours.id
        try:
            ours.decide(Decision(name, item, action, pair, "why"), "eve")
        except DecisionError:
            continue
    (folder / "log.jsonl").write_text("".join(log_lines(ours.log())))
    other = store(again, compare_rows(rows))
    assert replay(other, folder / "log.jsonl", "somebody") == len(ours.log())
    assert outcome_of(other.rows()) == outcome_of(ours.rows())
    assert [(one.author, one.decision) for one in other.log()] == [(one.author, one.decision) for one in ours.log()]
