"""Splits of a corpus: detection 50:50 by label, extraction 50:50 by complexity, validation, each as ids and rows.

Two profiles: `described` is what the paper's text says, with random words that are the same everywhere; `released`
shuffles with Python's generator from seed 42, call by call as the published script does, so that the same input gives
the published order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

from corr2cause.errors import OptionError
from corr2cause.spans.formats.writing import converted
from corr2cause.spans.rows import Row

Profile = Literal["described", "released"]
Splits = dict[str, list[Row]]
"""The rows of each split, by name."""

RELEASED_SEED = 42

_Item = TypeVar("_Item")
_Shuffle = Callable[[list[Row], str], None]


def detection_split(rows: Sequence[Row], seed: int = 0) -> Splits:
    """Split rows 50:50, stratified on the label; each side keeps the order of the rows.

    Of an odd number the smaller half goes to train, of all rows and of the causal ones; so 3,945 causal rows of
    30,000 are cut into 1,972 and 1,973, as the published ones are. Neither script nor seed of those were published.

    Raises:
        OptionError: a row is not annotated, or two have one id.
    """
    _check_ids(rows)
    _check_labels(rows)
    causal = [place for place, row in enumerate(rows) if row.is_causal]
    other = [place for place, row in enumerate(rows) if not row.is_causal]
    n_causal = len(causal) // 2
    shares = {"causal": (causal, n_causal), "other": (other, len(rows) // 2 - n_causal)}
    train = {
        place for name, (places, share) in shares.items() for place in _drawn(places, share, seed, "detection", name)
    }
    return {
        "train": [row for place, row in enumerate(rows) if place in train],
        "test": [row for place, row in enumerate(rows) if place not in train],
    }


def source_split(rows: Sequence[Row], seed: int = 0) -> Splits:
    """Split rows about 50:50 so that no source, such as an abstract, is on both sides.

    Sources with a causal row are halved, and those without, each in random order until train has half of their rows.

    Raises:
        OptionError: a row is not annotated or has no source, or two have one id.
    """
    _check_ids(rows)
    _check_labels(rows)
    sources: dict[str, list[Row]] = {}
    for row in rows:
        if not row.source:
            raise OptionError(
                "--by-source", f"row {row.id} has no source; leave the option out, or give files with them"
            )
        sources.setdefault(row.source, []).append(row)
    train: set[str] = set()
    for is_causal in (True, False):
        group = [name for name, found in sources.items() if any(row.is_causal for row in found) == is_causal]
        half, n = sum(len(sources[name]) for name in group) // 2, 0
        for name in _drawn(group, len(group), seed, "source", str(is_causal)):
            if n + len(sources[name]) <= half:
                train.add(name)
                n += len(sources[name])
    return {
        "train": [row for row in rows if row.source in train],
        "test": [row for row in rows if row.source not in train],
    }


def extraction_split(rows: Sequence[Row], profile: Profile = "described", seed: int = 0) -> Splits:
    """Split the rows with whole pairs 50:50, those of several pairs (X) and of one (Y) by themselves, and join them.

    Args:
        rows: for the released order, all rows of the published train file and then of its test file.
        profile: `released` shuffles with Python's generator seeded with 42 and ignores `seed`.
        seed: of the described split.

    Returns:
        `X_train`, `X_test`, `Y_train`, `Y_test`, `combined_train`, `combined_test`; train has the smaller half.

    Raises:
        OptionError: two rows have one id.
    """
    _check_ids(rows)
    kept = list(converted(rows, "extraction").rows)
    several = [row for row in kept if len(row.pairs) > 1]
    single = [row for row in kept if len(row.pairs) == 1]
    shuffle = _released_shuffle() if profile == "released" else _shuffle_by(seed)
    shuffle(several, "X")
    shuffle(single, "Y")
    splits = {
        "X_train": several[: len(several) // 2],
        "X_test": several[len(several) // 2 :],
        "Y_train": single[: len(single) // 2],
        "Y_test": single[len(single) // 2 :],
    }
    for side in ("train", "test"):
        joined = splits[f"X_{side}"] + splits[f"Y_{side}"]
        shuffle(joined, side)
        splits[f"combined_{side}"] = joined
    return splits


def validation_subset(rows: Sequence[Row], n: int, seed: int = 0) -> list[Row]:
    """Draw n rows of a test split, in their order.

    Raises:
        OptionError: there are fewer rows.
    """
    if not 1 <= n <= len(rows):
        raise OptionError("--validation", f"{n:,} of {len(rows):,} rows cannot be drawn; give 1 to {len(rows):,}")
    drawn = set(_drawn(range(len(rows)), n, seed, "validation"))
    return [row for place, row in enumerate(rows) if place in drawn]


def indices(splits: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Return the ids of each split, in its order."""
    return {name: [row.id for row in rows] for name, rows in splits.items()}


def _released_shuffle() -> _Shuffle:
    generator = random.Random(RELEASED_SEED)
    return lambda rows, name: generator.shuffle(rows)


def _shuffle_by(seed: int) -> _Shuffle:
    def shuffle(rows: list[Row], name: str) -> None:
        rows[:] = _drawn(list(rows), len(rows), seed, "extraction", name)

    return shuffle


def _drawn(items: Sequence[_Item], n: int, seed: int, *purpose: str) -> list[_Item]:
    """Draw n of some items, in random order."""
    from corr2cause.streams import permutations  # not at the top: it brings NumPy

    order = permutations(seed, "spans", "split", *purpose, rows=range(1), length=len(items))[0, :n]
    return [items[place] for place in order.tolist()]


def _check_ids(rows: Sequence[Row]) -> None:
    counts = Counter(row.id for row in rows)
    if repeated := [name for name, number in counts.items() if number > 1]:
        raise OptionError("FILE", f"the id {repeated[0]} occurs {counts[repeated[0]]} times; ids must tell rows apart")


def _check_labels(rows: Sequence[Row]) -> None:
    if bare := next((row for row in rows if not row.is_annotated), None):
        raise OptionError("FILE", f"row {bare.id} is not annotated, so that its label is unknown")
