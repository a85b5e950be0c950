"""Check rows against the rules: the shape of rows and pairs here, the guideline in `linting`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from corr2cause.spans.formats.layouts import SLOTS
from corr2cause.spans.labels import VOCABULARIES, repaired_label
from corr2cause.spans.linting import lint_row
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.rules import RULES, Finding
from corr2cause.spans.words import normalised

Breach = tuple[str, int | None, str]
"""The name of a rule, the place of the pair, and what is wrong."""

_DAMAGE = ("�", "ï¿½", "Ã¢â‚¬", "â€")


def findings(rows: Sequence[Row], places: Sequence[int], progress: Callable[[int], object] = int) -> Iterator[Finding]:
    """Yield every breach of every rule, in the order of the rows.

    Args:
        rows: the corpus.
        places: where each row stands in its file.
        progress: called with the number of rows that were checked since the last call.
    """
    ids: dict[str, int] = {}
    texts: dict[str, int] = {}
    for row, place in zip(rows, places, strict=True):
        breaches = [*_repetitions(row, place, ids, texts), *_shape(row), *lint_row(row)]
        for rule, pair, message in breaches:
            yield Finding(rule, RULES[rule].severity, row.id, place, pair, message)
        progress(1)


def _repetitions(row: Row, place: int, ids: dict[str, int], texts: dict[str, int]) -> Iterator[Breach]:
    """Compare a row with those before it, and remember it."""
    if (before := ids.setdefault(row.id, place)) != place:
        yield "repeated-id", None, f"the id {row.id} stands at {before} already"
    if (before := texts.setdefault(normalised(row.sentence), place)) != place:
        yield "repeated-row", None, f"the same text stands at {before} already"


def _shape(row: Row) -> Iterator[Breach]:
    """Check what a row and its pairs are, without a look at what the text means."""
    if len(row.pairs) > SLOTS:
        yield "too-many-pairs", None, f"there are {len(row.pairs)} pairs; at most {SLOTS} are possible"
    if row.label is False and any(pair.is_whole for pair in row.pairs):
        yield "label-against-pairs", None, "the label is 0, but there are pairs"
    if is_damaged(row.sentence):
        yield "encoding-damage", None, "the text holds the rests of a wrong encoding"
    seen: dict[tuple[str, str], tuple[int, Pair]] = {}
    for place, pair in enumerate(row.pairs):
        for rule, message in _pair(pair):
            yield rule, place, message
        first, other = seen.setdefault((normalised(pair.cause), normalised(pair.effect)), (place, pair))
        if first != place and pair.is_whole:
            same = (pair.causality, pair.sententiality) == (other.causality, other.sententiality)
            yield "repeated-pair", place, f"the same as pair {first}" + ("" if same else ", with other labels")


def _pair(pair: Pair) -> Iterator[tuple[str, str]]:
    blank = [side for side in ("cause", "effect") if not getattr(pair, side).strip()]
    if len(blank) == 1:
        yield "half-pair", f"the {blank[0]} is blank"
    elif blank:
        yield "blank-pair", "both sides are blank"
    elif normalised(pair.cause) == normalised(pair.effect):
        yield "same-spans", f"cause and effect are both {pair.cause!r}"
    for field, vocabulary in VOCABULARIES.items():
        found = getattr(pair, field)
        if not found.strip():
            yield "missing-label", f"{field} is blank"
        elif found not in vocabulary:
            meant = repaired_label(found, vocabulary)
            advice = (
                f"{meant} is meant; spans convert --repair writes it"
                if meant
                else f"choose from {', '.join(vocabulary)}"
            )
            yield "unknown-label", f"{field} is {found!r}; {advice}"
    for side in ("cause", "effect"):
        span = getattr(pair, side)
        if is_damaged(span):
            yield "encoding-damage", f"the {side} holds the rests of a wrong encoding"
        elif not span.isascii():
            strange = next(character for character in span if not character.isascii())
            yield "non-ascii-span", f"the {side} holds {strange!r}"


def is_damaged(text: str) -> bool:
    """Whether a text holds what a wrong encoding leaves behind.

    >>> is_damaged("workersï¿½ï¿½ï¿½ behavior"), is_damaged("naïve")
    (True, False)
    """
    return not text.isascii() and any(mark in text for mark in _DAMAGE)
