"""The parts of a corpus in the transfer protocol: 70 % train, brought to as many causal rows as others, 30 % test.

The steps and their random generators are those of the released code, so that the same rows give the same parts. They
come from scikit-learn and NumPy; both may change them in a later version, which a test with the published sizes shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corr2cause.errors import MissingExtraError, OptionError
from corr2cause.spans.rows import Row

SEED = 42
TEST_SHARE = 0.30
VALIDATION_SHARE = min(0.10 / (1 - TEST_SHARE), 0.15)
"""Of the balanced train rows."""

_LEAST = 2


@dataclass(frozen=True, slots=True)
class Parts:
    """A corpus as the protocol cuts it.

    Attributes:
        name: of the corpus.
        train: as many causal rows as others, without the validation rows.
        validation: drawn from the balanced train rows.
        test: with the natural share of causal rows.
    """

    name: str
    train: tuple[Row, ...]
    validation: tuple[Row, ...]
    test: tuple[Row, ...]

    @property
    def balanced(self) -> tuple[Row, ...]:
        """All balanced rows, train and validation."""
        return self.train + self.validation

    @property
    def n_seen(self) -> int:
        """Test rows whose very text is among the balanced rows too: a corpus with repeated texts leaks."""
        known = {row.sentence for row in self.balanced}
        return sum(row.sentence in known for row in self.test)


def cut(name: str, rows: Sequence[Row], seed: int = SEED) -> Parts:
    """Cut a corpus: 70:30, stratified; train downsampled to 1:1; of that 14.29 % validation, stratified.

    Args:
        name: of the corpus, for messages.
        rows: all annotated.
        seed: of every step, as in the released code.

    Raises:
        OptionError: a row is not annotated, or one label is too rare.
        MissingExtraError: scikit-learn is not installed.
    """
    labels = [_label(name, row) for row in rows]
    try:
        train, test = _stratified(range(len(rows)), labels, TEST_SHARE, seed)
        balanced = _balanced(train, [labels[place] for place in train], seed)
        train, validation = _stratified(balanced, [labels[place] for place in balanced], VALIDATION_SHARE, seed)
    except ValueError as error:
        problem = f"{name} has {sum(labels)} causal rows of {len(rows)}; too few of one kind to be cut"
        raise OptionError("CORPORA", problem) from error
    taken = ([rows[place] for place in places] for places in (train, validation, test))
    return Parts(name, *map(tuple, taken))


def _label(name: str, row: Row) -> int:
    if not row.is_annotated and not row.pairs:
        raise OptionError("CORPORA", f"row {row.id} of {name} is not annotated; give a corpus with labels")
    return int(row.is_causal)


def _stratified(places: Sequence[int], labels: Sequence[int], share: float, seed: int) -> tuple[list[int], list[int]]:
    """Split places; ValueError if a label is too rare."""
    try:
        from sklearn.model_selection import train_test_split
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "baselines") from error
    first, second = train_test_split(list(places), test_size=share, stratify=list(labels), random_state=seed)
    return first, second


def _balanced(places: Sequence[int], labels: Sequence[int], seed: int) -> list[int]:
    """Draw as many of the larger class as the smaller has: causal rows, then others, shuffled."""
    generator = np.random.default_rng(seed)
    classes: list[Any] = [np.array([p for p, one in zip(places, labels, strict=True) if one == k]) for k in (1, 0)]
    size = min(map(len, classes))
    drawn = [one if len(one) == size else generator.choice(one, size=size, replace=False) for one in classes]
    both = np.concatenate(drawn).astype(np.int64)
    generator.shuffle(both)
    found: list[int] = both.tolist()
    return found
