"""In which sentences of its row the two spans of a pair stand, and what label follows from that."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from corr2cause.spans.aligning import align, places_ignoring_case
from corr2cause.spans.rows import Pair
from corr2cause.spans.sentences import Stretch


def sentences_of(place: Stretch, stretches: Sequence[Stretch]) -> range:
    """Return which sentences a place touches, counted from 0."""
    starts = [start for start, _ in stretches]
    return range(max(0, bisect_right(starts, place[0]) - 1), bisect_right(starts, place[1] - 1))


def sententiality_of(pair: Pair, text: str, stretches: Sequence[Stretch]) -> str | None:
    """Derive the label from the places of both spans, in any letter case, where they leave no choice.

    Args:
        pair: its spans are sought.
        text: the row.
        stretches: its sentences.

    Returns:
        `Intra` if all places of both spans are in one and the same sentence; `Inter` if no sentence holds a place of
        both, nor of one of them and, in other words, of the other; None if a span occurs in several sentences so that
        either may be meant, crosses sentences, or is not verbatim.

    >>> text = "Smoking is common. It causes cancer."
    >>> sententiality_of(Pair("smoking", "cancer"), text, [(0, 18), (19, 36)])
    'Inter'
    """
    touched = [
        {tuple(sentences_of(place, stretches)) for place in places_ignoring_case(span, text)}
        for span in (pair.cause, pair.effect)
    ]
    causes, effects = touched
    if not (causes and effects) or any(len(sentences) != 1 for sentences in causes | effects):
        return None
    if causes == effects and len(causes) == 1:
        return "Intra"
    if causes & effects:
        return None
    stands_beside = any(
        align(span, text[slice(*stretches[sentence])]).places
        for span, others in ((pair.effect, causes), (pair.cause, effects))
        for (sentence,) in others
    )
    return None if stands_beside else "Inter"
