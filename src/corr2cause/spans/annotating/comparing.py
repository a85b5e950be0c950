"""Two annotations of a row side by side: which pairs belong together, and what is in dispute (section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.spans.agreement import Match, match_pairs
from corr2cause.spans.annotating.annotators import Doubled
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.rows import Pair, Row

LEAST = 0.5
"""The smallest S of two pairs that are shown as versions of one, unless something else is asked for."""


@dataclass(frozen=True, slots=True)
class Item:
    """What is decided at once: two versions of a pair, a pair of one annotator only, or the verdict on the row.

    Attributes:
        first: what the first annotator has; None if nothing.
        second: what the second has.
        disputes: what they disagree about: `cause`, `effect`, `causality`, `sententiality`, `unmatched`, `verdict`;
            nothing if they agree.
        score: S of the two versions; 0 without a second one.
    """

    first: Pair | None
    second: Pair | None
    disputes: tuple[str, ...] = ()
    score: float = 0.0

    @property
    def is_verdict(self) -> bool:
        """Whether it asks if the row states a cause, since no pair of either annotator says so."""
        return "verdict" in self.disputes

    @property
    def is_added(self) -> bool:
        """Whether it is of neither annotator, but of an adjudicator."""
        return self.first is None and self.second is None and not self.is_verdict


@dataclass(frozen=True, slots=True)
class Compared:
    """A row of two annotators.

    Attributes:
        annotators: their names.
        first: the row of the first, as it was handed in.
        second: that of the second.
        items: in the order of the first, then what only the second has.
    """

    annotators: tuple[str, str]
    first: Row
    second: Row
    items: tuple[Item, ...]

    @property
    def disputes(self) -> tuple[str, ...]:
        """What is in dispute about the row, each once; nothing if both agree."""
        found = ["verdict"] if self.first.is_causal != self.second.is_causal else []
        return tuple(dict.fromkeys([*found, *(dispute for item in self.items for dispute in item.disputes)]))

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        return {
            "s/n": self.first.id,
            "annotators": list(self.annotators),
            "disputes": list(self.disputes),
            "items": [
                {
                    "disputes": list(item.disputes),
                    "s": item.score,
                    "first": pair_to_json(item.first),
                    "second": pair_to_json(item.second),
                }
                for item in self.items
            ],
        }


def pair_to_json(pair: Pair | None) -> dict[str, str] | None:
    """Return the four fields of a pair, or None of none."""
    if pair is None:
        return None
    return {
        "cause": pair.cause,
        "effect": pair.effect,
        "causality": pair.causality,
        "sententiality": pair.sententiality,
    }


def compare_rows(rows: Sequence[Doubled], least: float = LEAST) -> list[Compared]:
    """Lay the pairs of both annotators side by side.

    Pairs are matched as for agreement: one to one in each row, at the largest sum of S. In dispute are matched pairs
    with S < 1 or another label, pairs without a match, and whether the row states a cause.

    Args:
        rows: with both annotations.
        least: matched pairs with a smaller S are taken apart again, so that both may be kept.

    Returns:
        One for each row.  O(pairs^3) for each.
    """
    matches: dict[int, list[Match]] = {}
    for match in match_pairs([row.ours for row in rows], [row.theirs for row in rows], least=least):
        matches.setdefault(match.row, []).append(match)
    return [
        Compared((row.first, row.second), row.ours, row.theirs, tuple(_items(row, matches.get(place, []))))
        for place, row in enumerate(rows)
    ]


def _items(row: Doubled, matches: list[Match]) -> Iterator[Item]:
    left = list(matches)
    for pair in row.ours.pairs:
        found = next((match for match in left if match.first == pair), None)
        if found is None:
            yield Item(pair, None, ("unmatched",))
        else:
            left.remove(found)
            yield Item(pair, found.second, tuple(_disputes(found)), (found.cause + found.effect) / 2)
    rest = list(row.theirs.pairs)
    for match in matches:
        rest.remove(match.second)
    for pair in rest:
        yield Item(None, pair, ("unmatched",))
    causal = row.ours if row.ours.is_causal else row.theirs
    if row.ours.is_causal != row.theirs.is_causal and not causal.pairs:
        yield Item(None, None, ("verdict",))


def _disputes(match: Match) -> Iterator[str]:
    if match.cause < 1:
        yield "cause"
    if match.effect < 1:
        yield "effect"
    for task in VOCABULARIES:
        if getattr(match.first, task).strip() != getattr(match.second, task).strip():
            yield task
