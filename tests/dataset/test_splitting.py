"""The splits against a twin written from section 4 of the specification, and what it promises."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.dataset.options import GenerationOptions, Hypotheses, Names, PremiseStyle, SplitOptions, SplitUnit
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import assign
from corr2cause.graphs.terms import Reading
from tests.dataset.rows import split_rows_of, split_tables_of
from tests.known import ENTAILED_COUNTS, GRAPH_COUNTS

SHAPES = [(GRAPH_COUNTS[known.n - 1].classes, 3 * known.n * (known.n - 1)) for known in ENTAILED_COUNTS]

shapes = st.tuples(st.integers(2, 60), st.integers(1, 40))
fractions = st.integers(1, 500).map(lambda thousandths: thousandths / 1000)
class_options = st.builds(
    SplitOptions,
    split_fraction=fractions,
    split_classes=st.integers(1, 40),
    split_rows=st.integers(1, 900),
    split_threshold=st.integers(0, 900),
    whole_classes=st.booleans(),
)
row_options = st.builds(
    SplitOptions,
    split_by=st.just(SplitUnit.ROW),
    split_fraction=fractions,
    split_rows=st.integers(1, 900),
    split_threshold=st.integers(0, 900),
)


def assigned(options: SplitOptions, shape: tuple[int, int], seed: int = 0, n: int = 6) -> np.ndarray:
    split = np.array(SPLITS)[assign(options, seed, n, shape)]
    assert split.shape == shape
    return split


def part(fraction: float, total: int) -> int:
    """The fraction as it is written, times the total, rounded down."""
    return math.floor(Decimal(repr(fraction)) * total)


def wanted(options: SplitOptions, shape: tuple[int, int]) -> dict[str, tuple[int, list[int]]]:
    """Section 4: for test and dev, the number of classes and how many rows each of them gives, most first."""
    n_classes, per_class = shape
    n_rows = n_classes * per_class
    if n_rows < options.split_threshold:  # no training part: dealt to test and dev in turn, whole
        return {
            "test": (math.ceil(n_classes / 2), [per_class] * math.ceil(n_classes / 2)),
            "dev": (n_classes // 2, [per_class] * (n_classes // 2)),
        }
    classes = max(1, min(part(options.split_fraction, n_classes), options.split_classes))
    rows = min(part(options.split_fraction, n_rows), options.split_rows)
    if options.whole_classes:  # all rows of as many classes as the row cap allows
        classes = max(1, min(classes, rows // per_class))
        return {split: (classes, [per_class] * classes) for split in ("test", "dev")}
    rows = min(rows, classes * per_class)
    shares = [0] * classes
    for k in range(rows):  # spread evenly: one after the other
        shares[k % classes] += 1
    return dict.fromkeys(("test", "dev"), (classes, shares))


@settings(max_examples=300, deadline=None)
@given(class_options, shapes, st.integers(), st.integers(2, 7))
def test_classes_are_split_as_specified(options, shape, seed, n):
    split = assigned(options, shape, seed, n)
    of_class = [Counter(row) for row in split.tolist()]
    taken = {name: [c for c, found in enumerate(of_class) if found[name]] for name in ("train", "dev", "test")}
    assert not any(set(taken[one]) & set(taken[other]) for one, other in combinations(taken, 2))
    for name, (classes, shares) in wanted(options, shape).items():
        assert sorted((of_class[c][name] for c in taken[name]), reverse=True) == [share for share in shares if share]
        assert all(of_class[c][name] + of_class[c]["reserve"] == shape[1] for c in taken[name])
        assert len(taken[name]) <= classes
    n_chosen = sum(classes for classes, _ in wanted(options, shape).values())
    in_train = [found for found in of_class if found["train"]]
    assert all(found == {"train": shape[1]} for found in in_train)
    assert len(in_train) == shape[0] - n_chosen
    if options.whole_classes:
        assert "reserve" not in split
    assert sum(sum(found.values()) for found in of_class) == shape[0] * shape[1]


@settings(max_examples=200, deadline=None)
@given(row_options, shapes, st.integers())
def test_rows_are_split_as_specified(options, shape, seed):
    found = Counter(assigned(options, shape, seed).ravel().tolist())
    total = shape[0] * shape[1]
    if total < options.split_threshold:
        assert found == Counter({"test": math.ceil(total / 2), "dev": total // 2})
    else:
        rows = max(1, min(part(options.split_fraction, total), options.split_rows))
        assert (found["test"], found["dev"]) == (rows, min(rows, total - rows))
        assert found["train"] == total - found["test"] - found["dev"]
    assert found["reserve"] == 0


@pytest.mark.parametrize(
    ("fraction", "total", "expected"),
    [(0.29, 100, 29), (0.07, 100, 7), (0.1, 30, 3), (0.3, 10, 3), (0.5, 7, 3), (0.28, 25, 7), (0.01, 2900, 29)],
)
def test_fractions_are_taken_exactly(fraction, total, expected):
    """0.29 * 100 is 28.999999999999996 in floating point."""
    options = SplitOptions(split_fraction=fraction, split_classes=10**6, split_rows=10**6, split_threshold=0)
    split = assigned(options, (total, 4))
    assert sum("test" in row for row in split.tolist()) == expected
    assert (split == "test").sum() == (split == "dev").sum() == min(part(fraction, 4 * total), 4 * expected)


@pytest.mark.parametrize(("threshold", "has_train"), [(720, True), (721, False), (0, True)])
def test_a_size_with_as_many_rows_as_the_threshold_has_a_training_part(threshold, has_train):
    split = assigned(SplitOptions(split_threshold=threshold), (20, 36))
    assert ("train" in split) is has_train


def test_split_sizes_of_the_default_data_set():
    """Six variables: 100 classes each and 500 rows each, so 17,000 in reserve; all rows are somewhere."""
    sizes = {
        known.n: Counter(assigned(SplitOptions(), shape, n=known.n).ravel().tolist())
        for known, shape in zip(ENTAILED_COUNTS, SHAPES, strict=True)
    }
    assert sizes[2] == {"test": 6, "dev": 6}
    assert sizes[3] == {"test": 54, "dev": 36}
    assert sizes[4] == {"test": 72, "dev": 72, "train": 576}
    assert sizes[5] == {"test": 500, "dev": 500, "reserve": 680, "train": 6_840}
    assert sizes[6] == {"test": 500, "dev": 500, "reserve": 17_000, "train": 180_090}
    assert sum(size.total() for size in sizes.values()) == 207_432


def test_there_are_at_least_a_hundred_test_premises_and_none_is_shared():
    premises: dict[str, set[str]] = {split: set() for split in SPLITS}
    classes: dict[str, set[str]] = {split: set() for split in SPLITS}
    for split, table in split_tables_of(GenerationOptions(n=6)):
        premises[split].update(table["premise"].unique().to_pylist())
        classes[split].update(table["class_id"].unique().to_pylist())
    assert len(premises["test"]) >= 100
    for found in (premises, classes):
        assert not any(found[one] & found[other] for one, other in combinations(("train", "dev", "test"), 2))
        assert found["reserve"] <= found["dev"] | found["test"]


def places(**chosen: object) -> dict[str, frozenset[str]]:
    """In which of train, dev and test rows of each class of five variables lie."""
    rows = split_rows_of(GenerationOptions(**chosen))  # type: ignore[arg-type]
    found: dict[str, set[str]] = {}
    for split in ("train", "dev", "test"):
        for row in rows[split]:
            if row["num_variables"] == 5:
                found.setdefault(row["class_id"], set()).add(split)
    assert len(found) == 142
    return {class_id: frozenset(splits) for class_id, splits in found.items()}


@pytest.mark.parametrize(
    "other",
    [
        {"min_n": 5},
        {"min_n": 4},
        {"reading": Reading.PATH},
        {"names": Names.ORDERED},
        {"names": Names.WORDS},
        {"premise": PremiseStyle.MINIMAL},
        {"hypotheses": Hypotheses.ORDERED},
    ],
    ids=str,
)
def test_the_split_of_a_class_depends_on_seed_size_and_rank_alone(other):
    assert places(n=5, **other) == places(n=5)


@pytest.mark.slow
def test_the_split_of_a_class_does_not_change_when_larger_sizes_are_added():
    assert places(n=6) == places(n=5)


def test_another_seed_splits_otherwise():
    assert places(n=5, seed=1) != places(n=5)
    chosen = [set(np.flatnonzero((assigned(SplitOptions(), SHAPES[4], seed) == "test").any(1))) for seed in range(4)]
    assert all(len(one & other) < 20 for one, other in combinations(chosen, 2))  # 4.5 of 100 by chance


def test_sizes_are_split_independently():
    chosen = [set(np.flatnonzero((assigned(SplitOptions(), (2201, 90), n=n) == "test").any(1))) for n in (5, 6, 7)]
    assert all(len(one & other) < 20 for one, other in combinations(chosen, 2))


def test_the_rows_taken_from_a_class_are_chosen_anew_in_each():
    split = assigned(SplitOptions(), SHAPES[4])
    taken = {tuple(np.flatnonzero(row == "test")) for row in split if "test" in row}
    assert len(taken) > 90
    assert {len(rows) for rows in taken} == {5}
    assert len({question for rows in taken for question in rows}) > 80  # all of the ninety have a chance


def test_another_seed_takes_other_rows_of_the_same_class():
    one, other = (assigned(SplitOptions(), SHAPES[3], seed) != "reserve" for seed in (0, 1))
    held_out = [(assigned(SplitOptions(), SHAPES[3], seed) == "reserve").any(axis=1) for seed in (0, 1)]
    common = np.flatnonzero(held_out[0] & held_out[1])
    assert len(common) > 1
    assert all((one[rank] != other[rank]).any() for rank in common)


def test_classes_are_not_chosen_by_their_rank():
    """The mean rank of the test classes over many seeds is that of all classes."""
    ranks = [np.flatnonzero((assigned(SplitOptions(), SHAPES[4], seed) == "test").any(1)).mean() for seed in range(30)]
    assert abs(np.mean(ranks) - 1100) < 60  # the standard error is about 12
