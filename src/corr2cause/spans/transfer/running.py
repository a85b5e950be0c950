"""Within and across corpora: each is tested by a model of its own train rows, and by one of the source's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.counts import Counts
from corr2cause.spans.transfer.model import counts_of, train_detector
from corr2cause.spans.transfer.parts import Parts


@dataclass(frozen=True, slots=True)
class Transfer:
    """What was found on the test rows of one corpus.

    Attributes:
        parts: of the corpus.
        within: by the model of its own train rows.
        cross: by the model of the source's train rows.
    """

    parts: Parts
    within: Counts
    cross: Counts

    @property
    def delta(self) -> float:
        """F1 across less F1 within: above 0 the source teaches more than the corpus itself."""
        return self.cross.f1 - self.within.f1

    def to_json(self) -> dict[str, Any]:
        """Return sizes, counts and F1."""
        parts = self.parts
        return {
            "corpus": parts.name,
            "train": len(parts.train),
            "validation": len(parts.validation),
            "test": len(parts.test),
            "test_causal": self.within.positives,
            "test_seen_in_train": parts.n_seen,
            "within": _figures(self.within),
            "cross": _figures(self.cross),
            "delta": self.delta,
        }


def _figures(counts: Counts) -> dict[str, float]:
    return {name: getattr(counts, name) for name in ("precision", "recall", "f1", "accuracy")}


def run_transfer(
    source: Parts, corpora: Sequence[Parts], progress: Callable[[int], object] = int
) -> tuple[Transfer, ...]:
    """Train on the source once and on every corpus, and test on every corpus.

    Args:
        source: what is transferred from; its test rows are not looked at.
        corpora: what is transferred to.
        progress: called with 1 after each model.
    """
    across = train_detector(source.train, source.validation)
    progress(1)
    found = []
    for parts in corpora:
        within = train_detector(parts.train, parts.validation)
        found.append(Transfer(parts, counts_of(parts.test, within), counts_of(parts.test, across)))
        progress(1)
    return tuple(found)
