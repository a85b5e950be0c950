"""What adjudicators decide about an item, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from corr2cause.errors import Corr2CauseError
from corr2cause.spans.annotating.comparing import Compared, Item, pair_to_json
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.rows import Pair, Row


class Action(StrEnum):
    """What is done about an item."""

    FIRST = "accept-1"
    SECOND = "accept-2"
    BOTH = "accept-both"
    EDIT = "edit"
    DROP = "drop"
    ADD = "add"
    REOPEN = "reopen"


@dataclass(eq=False)
class DecisionError(Corr2CauseError):
    """A decision that cannot be taken."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of an adjudicator, before it is kept.

    Attributes:
        row: the id of the row.
        item: the place of the item in the row; that of an added pair comes after those of the items.
        action: what is done.
        pair: the pair that an edit or an addition gives.
        reason: why, in the words of the adjudicator.
    """

    row: str
    item: int
    action: Action
    pair: Pair | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A decision as the log keeps it.

    Attributes:
        number: in the order of the log, from 1.
        when: in UTC, as ISO 8601 writes it.
        author: who decided.
        decision: what.
        item: both originals.
    """

    number: int
    when: str
    author: str
    decision: Decision
    item: Item

    def to_json(self) -> dict[str, Any]:
        """Return a line of the log."""
        return {
            "number": self.number,
            "when": self.when,
            "author": self.author,
            "s/n": self.decision.row,
            "item": self.decision.item,
            "action": str(self.decision.action),
            "pair": pair_to_json(self.decision.pair),
            "reason": self.decision.reason,
            "first": pair_to_json(self.item.first),
            "second": pair_to_json(self.item.second),
            "disputes": list(self.item.disputes),
        }


def possible(item: Item) -> tuple[Action, ...]:
    """Say what can be decided about an item that is open."""
    if item.is_verdict:
        return (Action.FIRST, Action.SECOND)
    versions = [action for action, pair in ((Action.FIRST, item.first), (Action.SECOND, item.second)) if pair]
    both = [Action.BOTH] if len(versions) == 2 else []
    return (*versions, *both, Action.EDIT, Action.DROP)


def check(decision: Decision, row: Compared, previous: Sequence[Logged]) -> None:
    """Refuse a decision that makes no sense.

    Args:
        decision: about an item of the row.
        row: both annotations.
        previous: the decisions on the row so far.

    Raises:
        DecisionError: there is no such item, the action does not fit it, or something is missing.
    """
    n_items = len(row.items)
    added = {one.decision.item for one in previous if one.decision.item >= n_items}
    if decision.action is Action.ADD:
        if decision.item != n_items + len(added):
            raise DecisionError(f"row {decision.row}: the next pair to add has the place {n_items + len(added)}")
    elif decision.item in added:
        if decision.action not in (Action.EDIT, Action.DROP):
            raise DecisionError(f"row {decision.row}: an added pair can be edited or dropped, not {decision.action}")
    elif not 0 <= decision.item < n_items:
        raise DecisionError(f"row {decision.row} has no item {decision.item}; there are {n_items}, counted from 0")
    elif decision.action is not Action.REOPEN and decision.action not in possible(row.items[decision.item]):
        choices = ", ".join(possible(row.items[decision.item]))
        raise DecisionError(
            f"row {decision.row}, item {decision.item}: {decision.action} is impossible here: {choices}"
        )
    elif decision.action is Action.REOPEN and not _is_decided(decision.item, previous):
        raise DecisionError(f"row {decision.row}, item {decision.item}: nothing was decided that could be reopened")
    _check_content(decision)


def _is_decided(item: int, previous: Sequence[Logged]) -> bool:
    last = [one.decision.action for one in previous if one.decision.item == item][-1:]
    return bool(last) and last != [Action.REOPEN]


def _check_content(decision: Decision) -> None:
    if decision.action is Action.DROP and not decision.reason.strip():
        raise DecisionError("a pair is dropped only with a reason; say why")
    if decision.action not in (Action.EDIT, Action.ADD):
        if decision.pair is not None:
            raise DecisionError(f"{decision.action} takes no pair of its own; edit does")
        return
    if decision.pair is None or not decision.pair.is_whole:
        raise DecisionError("cause and effect must both be given")
    for task, vocabulary in VOCABULARIES.items():
        if getattr(decision.pair, task) not in vocabulary:
            raise DecisionError(f"{task} must be {' or '.join(vocabulary)}")


@dataclass(frozen=True, slots=True)
class State:
    """Where an item stands.

    Attributes:
        item: both versions; of an added pair none.
        last: the decision that counts; None if it is open, or agreed and never touched.
        kept: the pairs that come out of it.
    """

    item: Item
    last: Logged | None
    kept: tuple[Pair, ...]

    @property
    def is_open(self) -> bool:
        """Whether it waits for a decision."""
        return self.last is None and bool(self.item.disputes)


def states(row: Compared, log: Iterable[Logged]) -> list[State]:
    """Say where each item of a row stands after some decisions: the last one about it counts.

    Items that nobody disputes are kept as the first annotator has them.
    """
    last = {one.decision.item: one for one in log}
    known = [_state(item, last.get(place)) for place, item in enumerate(row.items)]
    return known + [_state(Item(None, None), last[place]) for place in sorted(last) if place >= len(row.items)]


def _state(item: Item, last: Logged | None) -> State:
    if last is not None and last.decision.action is Action.REOPEN:
        last = None
    if last is None:
        return State(item, None, () if item.disputes else tuple(filter(None, (item.first,))))
    return State(item, last, tuple(pair for pair in _kept(item, last.decision) if pair is not None))


def _kept(item: Item, decision: Decision) -> tuple[Pair | None, ...]:
    match decision.action:
        case Action.FIRST:
            return (item.first,)
        case Action.SECOND:
            return (item.second,)
        case Action.BOTH:
            return (item.first, item.second)
        case Action.EDIT | Action.ADD:
            return (decision.pair,)
        case _:
            return ()


def adjudicated(row: Compared, found: Sequence[State]) -> Row | None:
    """Return the row with the pairs that were kept; None while an item is open.

    It states a cause if a pair is kept, or if both annotators, or the decision on the verdict, say so without one.
    """
    if any(state.is_open for state in found):
        return None
    pairs = tuple(pair for state in found for pair in state.kept)
    return replace(row.first, pairs=pairs, label=bool(pairs) or _verdict(row, found))


def _verdict(row: Compared, found: Sequence[State]) -> bool:
    for state in found:
        if state.item.is_verdict and state.last:
            chosen = row.first if state.last.decision.action is Action.FIRST else row.second
            return chosen.is_causal
    has_pairs = bool(row.first.pairs or row.second.pairs)
    return row.first.is_causal and row.second.is_causal and not has_pairs
