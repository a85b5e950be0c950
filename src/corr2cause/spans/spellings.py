"""The spans of all pairs as numbers, under any normaliser: equal numbers, equal spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corr2cause.spans.joining import Joined
from corr2cause.spans.matching import Candidates, Flags, Places
from corr2cause.spans.normalising import Normaliser
from corr2cause.spans.overlap import TokenTable


@dataclass(frozen=True)
class Spellings:
    """Spans under one normaliser.

    Attributes:
        texts: every different normalised span.
        predicted: int64[P]; places of the predicted spans among the texts.
        gold: int64[G].
    """

    texts: tuple[str, ...]
    predicted: Places
    gold: Places

    def is_said(self) -> Flags:
        """Say of each predicted span whether anything is left of it."""
        return np.array([bool(text) for text in self.texts], dtype=bool)[self.predicted]

    def equal(self, of: Candidates) -> Flags:
        """Say of each pairing whether its spans are the same."""
        return np.asarray(self.predicted[of.predicted] == self.gold[of.gold])


class SpanTable:
    """The causes and effects of all pairs, numbered once for each normaliser that is asked for.

    Causes and effects share their numbers, so that a cause can be compared with an effect.
    """

    def __init__(self, joined: Joined) -> None:
        numbers: dict[str, int] = {}
        self._n_predicted, self._n_gold = len(joined.predicted), len(joined.gold)
        pairs = (*joined.predicted, *joined.gold)
        self._places = {
            "cause": _numbered([pair.cause for pair in pairs], numbers),
            "effect": _numbered([pair.effect for pair in pairs], numbers),
        }
        self._spans = tuple(numbers)
        self._known: dict[Normaliser, tuple[tuple[str, ...], Places]] = {}
        self._tokens: dict[Normaliser, TokenTable] = {}

    def under(self, normaliser: Normaliser, side: str) -> Spellings:
        """Return the spans of one side, `cause` or `effect`, as a normaliser leaves them.  O(different spans), once."""
        if normaliser not in self._known:
            numbers: dict[str, int] = {}
            places = _numbered([normaliser(span) for span in self._spans], numbers)
            self._known[normaliser] = tuple(numbers), places
        texts, renumbered = self._known[normaliser]
        places = renumbered[self._places[side]]
        return Spellings(texts, places[: self._n_predicted], places[self._n_predicted :])

    def tokens(self, normaliser: Normaliser) -> TokenTable:
        """Return the tokens of the texts of both sides.  O(tokens), once."""
        if normaliser not in self._tokens:
            self._tokens[normaliser] = TokenTable.of(self.under(normaliser, "cause").texts)
        return self._tokens[normaliser]


def _numbered(texts: Sequence[str], numbers: dict[str, int]) -> Places:
    return np.fromiter((numbers.setdefault(text, len(numbers)) for text in texts), np.int64, len(texts))
