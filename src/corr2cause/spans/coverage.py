"""What corpora cover, as in the paper's Table 1, but counted instead of claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from corr2cause.counts import share
from corr2cause.spans.label_scores import class_of
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Pair, Row

FEATURES = ("pair", "explicit", "implicit", "intra", "inter", "span")

_RARE = 0.01
_MOSTLY = 0.5


class Cover(StrEnum):
    """How far a corpus has something."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one corpus covers.

    Attributes:
        name: of the corpus.
        n_rows: its rows.
        n_causal: those that state a cause.
        n_pairs: its pairs with both sides.
        shares: for each of `FEATURES` the share it is judged by: of causal rows that have a whole pair; of pairs with
            the label; of spans with more than one word.
    """

    name: str
    n_rows: int
    n_causal: int
    n_pairs: int
    shares: dict[str, float]

    def cover(self, feature: str) -> Cover:
        """Judge a share: yes from 1 % on (for pairs and spans: from half on), partly if there is any."""
        line = _MOSTLY if feature in ("pair", "span") else _RARE
        found = self.shares[feature]
        return Cover.YES if found >= line else Cover.PARTLY if found else Cover.NO

    def to_json(self) -> dict[str, Any]:
        """Return counts, judgements and the shares behind them."""
        return {
            "name": self.name,
            "rows": self.n_rows,
            "causal_rows": self.n_causal,
            "pairs": self.n_pairs,
            **{feature: self.cover(feature).value for feature in FEATURES},
            "shares": self.shares,
        }


def coverage(name: str, rows: Sequence[Row]) -> Coverage:
    """Count what a corpus covers."""
    pairs = [pair for row in rows for pair in row.pairs if pair.is_whole]
    causal = [row for row in rows if row.is_causal]
    spans = [span for pair in pairs for span in (pair.cause, pair.effect)]
    shares = {
        "pair": share(sum(any(pair.is_whole for pair in row.pairs) for row in causal), len(causal)),
        "explicit": _labelled(pairs, "causality", "Explicit"),
        "implicit": _labelled(pairs, "causality", "Implicit"),
        "intra": _labelled(pairs, "sententiality", "Intra"),
        "inter": _labelled(pairs, "sententiality", "Inter"),
        "span": share(sum(len(span.split()) > 1 for span in spans), len(spans)),
    }
    return Coverage(name, len(rows), len(causal), len(pairs), shares)


def _labelled(pairs: Sequence[Pair], task: str, name: str) -> float:
    described = PROFILES["described"]
    return share(sum(class_of(getattr(pair, task), described) == name for pair in pairs), len(pairs))
