"""What the page shows of a row: the passage with the places of all spans, and spans with the tokens that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corr2cause.spans.aligning import align
from corr2cause.spans.annotating.comparing import Item
from corr2cause.spans.annotating.decisions import State
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.sentences import Stretch, sentence_stretches
from corr2cause.spans.validation import findings


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a span.

    Attributes:
        text: as it is written.
        differs: whether the other version lacks it, in any letter case, as S compares them.
    """

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the passage that the same spans cover.

    Attributes:
        text: its characters.
        spans: the spans that cover it, each as `item-version-side`, such as `0-1-cause`.
    """

    text: str
    spans: str


def tokens(span: str, other: str | None) -> list[Token]:
    """Cut a span into tokens, and tell which of them another version of it lacks; none if there is no other.

    >>> [token.text for token in tokens("severe frost", "Frost") if token.differs]
    ['severe']
    """
    known = None if other is None else set(other.lower().split())
    return [Token(token, known is not None and token.lower() not in known) for token in span.split()]


def versions(item: Item) -> list[tuple[int, Pair | None, Pair | None]]:
    """Return (number, version, the other version) of an item."""
    return [(1, item.first, item.second), (2, item.second, item.first)]


def notes(row: Row) -> dict[Pair, list[str]]:
    """Return what breaks a rule in each pair of an annotator's row."""
    found: dict[Pair, list[str]] = {}
    for one in findings([row], [1]):
        if one.pair is not None:
            found.setdefault(row.pairs[one.pair], []).append(one.message)
    return found


def passage(text: str, states: Sequence[State]) -> list[list[Piece]]:
    """Cut the text of a row into sentences, and these into pieces that the same spans cover.

    Spans are marked at every place where they are found: of an item that was decided what was kept, as version 0, of
    others both versions.
    """
    covered = [(place, name) for name, span in _spans(states) for place in align(span, text).places]
    return [list(_pieces(text, stretch, covered)) for stretch in sentence_stretches(text)]


def _spans(states: Sequence[State]) -> Iterator[tuple[str, str]]:
    for number, state in enumerate(states):
        open_versions = ((1, state.item.first), (2, state.item.second))
        for version, pair in [(0, pair) for pair in state.kept] if state.last else open_versions:
            if pair:
                yield f"{number}-{version}-cause", pair.cause
                yield f"{number}-{version}-effect", pair.effect


def _pieces(text: str, stretch: Stretch, covered: Sequence[tuple[Stretch, str]]) -> Iterator[Piece]:
    start, end = stretch
    cuts = {min(max(cut, start), end) for place, _ in covered for cut in place} | {start, end}
    for begin, stop in pairwise(sorted(cuts)):
        names = [name for (first, last), name in covered if first < stop and begin < last]
        yield Piece(text[begin:stop], " ".join(names))
