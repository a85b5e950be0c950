"""What can be decided, and what follows from it."""

from __future__ import annotations

import pytest

from corr2cause.spans.annotating.comparing import Item
from corr2cause.spans.annotating.decisions import (
    Action,
    Decision,
    DecisionError,
    Logged,
    adjudicated,
    check,
    possible,
    states,
)
from corr2cause.spans.rows import Pair, Row
from tests.spans.annotating.annotations import ANN, BOB, compared

SLEEP, RAIN, DIET, SMOKING, FROST, VACCINE = compared()
NEW = Pair("poor sleep", "tiredness", "Implicit", "Inter")


def logged(*decisions: Decision) -> list[Logged]:
    return [Logged(number, "now", "eve", one, Item(None, None)) for number, one in enumerate(decisions, start=1)]


def outcome(row, *decisions: Decision) -> Row | None:
    for number, one in enumerate(decisions):
        check(one, row, logged(*decisions[:number]))
    return adjudicated(row, states(row, logged(*decisions)))


def on(row, item: int, action: str, pair: Pair | None = None, reason: str = "") -> Decision:
    return Decision(row.first.id, item, Action(action), pair, reason)


def test_what_is_possible():
    assert [str(one) for one in possible(SLEEP.items[0])] == ["accept-1", "accept-2", "accept-both", "edit", "drop"]
    assert [str(one) for one in possible(SLEEP.items[2])] == ["accept-2", "edit", "drop"]
    assert [str(one) for one in possible(VACCINE.items[0])] == ["accept-1", "accept-2"]


def test_a_row_is_settled_when_nothing_is_open():
    first = [on(SLEEP, 0, "accept-1"), on(SLEEP, 1, "accept-2")]
    assert outcome(SLEEP, *first) is None
    found = outcome(SLEEP, *first, on(SLEEP, 2, "drop", reason="no cause is stated"))
    assert found == Row("1", SLEEP.first.sentence, (ANN[0].pairs[0], BOB[0].pairs[1]), True)


def test_edit_both_add_and_reopen():
    both = on(RAIN, 0, "accept-both")
    assert outcome(RAIN, both).pairs == (*ANN[1].pairs, *BOB[1].pairs)
    assert outcome(RAIN, both).source == "4711"
    assert outcome(RAIN, both, on(RAIN, 0, "reopen")) is None
    edited = on(RAIN, 0, "edit", NEW)
    added = on(RAIN, 1, "add", Pair("a", "b", "Explicit", "Intra"))
    assert outcome(RAIN, both, edited, added).pairs == (NEW, Pair("a", "b", "Explicit", "Intra"))
    assert outcome(RAIN, edited, added, on(RAIN, 1, "drop", reason="x")).pairs == (NEW,)
    assert outcome(RAIN, edited, added, on(RAIN, 1, "drop", reason="x"), on(RAIN, 1, "edit", NEW)).pairs == (NEW, NEW)
    assert [state.item.is_added for state in states(RAIN, logged(edited, added))] == [False, True]


def test_agreed_pairs_stay_as_the_first_has_them_and_can_be_changed():
    assert outcome(FROST).pairs == ANN[4].pairs
    assert outcome(FROST, on(FROST, 0, "drop", reason="x")) == Row("5", "Frost causes cracks", (), False)
    assert outcome(FROST, on(FROST, 0, "accept-2"), on(FROST, 0, "reopen")).pairs == ANN[4].pairs


@pytest.mark.parametrize(("action", "label"), [("accept-1", True), ("accept-2", False)])
def test_the_verdict_of_a_row_without_pairs(action, label):
    assert outcome(VACCINE) is None
    assert outcome(VACCINE, on(VACCINE, 0, action)).label is label


def test_the_verdict_follows_from_the_pairs_that_are_kept():
    assert outcome(DIET).label is False
    assert outcome(SMOKING, on(SMOKING, 0, "accept-1")).label is True
    assert outcome(SMOKING, on(SMOKING, 0, "drop", reason="hedged")).label is False
    assert outcome(VACCINE, on(VACCINE, 0, "accept-2"), on(VACCINE, 1, "add", NEW)).label is True


@pytest.mark.parametrize(
    ("row", "decision", "problem"),
    [
        (SLEEP, on(SLEEP, 3, "accept-1"), "no item 3"),
        (SLEEP, on(SLEEP, -1, "accept-1"), "no item -1"),
        (SLEEP, on(SLEEP, 2, "accept-1"), "accept-1 is impossible here: accept-2, edit, drop"),
        (SLEEP, on(SLEEP, 0, "drop", reason=" "), "only with a reason"),
        (SLEEP, on(SLEEP, 0, "accept-1", NEW), "takes no pair"),
        (SLEEP, on(SLEEP, 0, "edit"), "cause and effect must both be given"),
        (SLEEP, on(SLEEP, 0, "edit", Pair("a", " ", "Explicit", "Intra")), "cause and effect must both be given"),
        (SLEEP, on(SLEEP, 0, "edit", Pair("a", "b", "explicit", "Intra")), "causality must be Explicit or Implicit"),
        (SLEEP, on(SLEEP, 0, "edit", Pair("a", "b", "Explicit", "")), "sententiality must be Intra or Inter"),
        (SLEEP, on(SLEEP, 4, "add", NEW), "the next pair to add has the place 3"),
        (SLEEP, on(SLEEP, 0, "add", NEW), "the next pair to add has the place 3"),
        (VACCINE, on(VACCINE, 0, "edit", NEW), "edit is impossible here"),
    ],
)
def test_decisions_that_make_no_sense(row, decision, problem):
    with pytest.raises(DecisionError, match=problem):
        check(decision, row, [])


def test_an_added_pair_is_edited_or_dropped():
    with pytest.raises(DecisionError, match="can be edited or dropped, not accept-1"):
        check(on(RAIN, 1, "accept-1"), RAIN, logged(on(RAIN, 1, "add", NEW)))
