"""Splits: sizes of the published ones, the released order call by call, nothing lost and nothing twice."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import OptionError
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.splitting import detection_split, extraction_split, indices, source_split, validation_subset
from tests.spans.published import TRAIN, needs_published
from tests.spans.strategies import ROWS

PAIR = Pair("a", "b", "Explicit", "Intra")


def test_detection_has_the_published_sizes():
    """Paper, 4.2: 30,000 rows, 3,945 of them causal, stratified 50:50."""
    rows = [Row(str(k), "text", label=k % 30_000 < 3945) for k in range(30_000)]
    splits = detection_split(rows)
    assert {name: (len(part), sum(row.is_causal for row in part)) for name, part in splits.items()} == {
        "train": (15_000, 1972),
        "test": (15_000, 1973),
    }


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 3))
def test_detection_halves_both_labels_and_loses_nothing(labels, seed):
    rows = [Row(str(k), "text", label=label) for k, label in enumerate(labels)]
    splits = detection_split(rows, seed)
    train, test = splits["train"], splits["test"]
    assert sorted([*train, *test], key=lambda row: int(row.id)) == rows
    assert [int(row.id) for row in train] == sorted(int(row.id) for row in train)
    assert len(train) == len(rows) // 2
    for label in (True, False):
        sides = [sum(row.label is label for row in side) for side in (train, test)]
        assert abs(sides[0] - sides[1]) <= 1


def test_seeds_differ_and_one_seed_is_the_same_again():
    rows = [Row(str(k), "text", label=k % 5 == 0) for k in range(100)]
    drawn = [indices(detection_split(rows, seed)) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=40), st.integers(0, 3))
def test_no_source_is_on_both_sides_and_sides_are_halves_up_to_one_source(kinds, seed):
    rows = [Row(str(k), "text", label=label, source=f"s{source}") for k, (source, label) in enumerate(kinds)]
    splits = source_split(rows, seed)
    sides = [{row.source for row in splits[side]} for side in ("train", "test")]
    assert not sides[0] & sides[1]
    assert sorted(splits["train"] + splits["test"], key=lambda row: int(row.id)) == rows
    largest = max((sum(row.source == name for row in rows) for name in sides[0] | sides[1]), default=0)
    assert 0 <= len(splits["test"]) - len(splits["train"]) <= 2 * (2 * largest)


def test_a_split_by_source_needs_sources():
    with pytest.raises(OptionError, match="--by-source: row 1 has no source"):
        source_split([Row("1", "text", label=True)])


def causal_rows(n_multi: int, n_single: int) -> list[Row]:
    """Return rows of several pairs and of one, in mixed order, with some that are not causal between them."""
    kinds = [2] * n_multi + [1] * n_single + [0] * 9
    random.Random(7).shuffle(kinds)
    return [Row(str(k), "text", (PAIR,) * kind) for k, kind in enumerate(kinds)]


def test_the_released_order_is_that_of_the_published_script():
    """Spec of the script: seed 42; shuffle X; shuffle Y; halves; shuffle both joined sides, in that order."""
    rows = causal_rows(31, 44)
    several = [row.id for row in rows if len(row.pairs) > 1]
    single = [row.id for row in rows if len(row.pairs) == 1]
    before = random.getstate()
    random.seed(42)
    random.shuffle(several)
    random.shuffle(single)
    train, test = several[:15] + single[:22], several[15:] + single[22:]
    random.shuffle(train)
    random.shuffle(test)
    random.setstate(before)
    assert indices(extraction_split(rows, "released")) == {
        "X_train": several[:15], "X_test": several[15:], "Y_train": single[:22], "Y_test": single[22:],
        "combined_train": train, "combined_test": test,
    }  # fmt: skip
    assert random.getstate() == before


@needs_published
def test_replaying_puts_rows_of_one_and_of_several_pairs_where_the_published_train_file_has_them():
    """All 1,972 places agree; by chance that has a probability below 10^-500."""
    rows = [Row(str(k), "text", (PAIR,) * (2 if k < 1532 else 1)) for k in range(1532 + 2413)]
    splits = extraction_split(rows, "released")
    assert [len(splits[name]) for name in ("combined_train", "combined_test")] == [1972, 1973]
    published = read_corpus(TRAIN).rows
    assert [len(row.pairs) > 1 for row in splits["combined_train"]] == [len(row.pairs) > 1 for row in published]


@settings(max_examples=50)
@given(st.lists(ROWS, max_size=8, unique_by=lambda row: row.id), st.sampled_from(["described", "released"]))
def test_extraction_halves_both_clusters_and_loses_no_causal_row(rows, profile):
    splits = extraction_split(rows, profile)
    causal = {row.id: sum(pair.is_whole for pair in row.pairs) for row in rows if any(p.is_whole for p in row.pairs)}
    for cluster, ids in (
        ("X", [i for i, n in causal.items() if n > 1]),
        ("Y", [i for i, n in causal.items() if n == 1]),
    ):
        parts = [[row.id for row in splits[f"{cluster}_{side}"]] for side in ("train", "test")]
        assert sorted(parts[0] + parts[1]) == sorted(ids)
        assert len(parts[0]) == len(ids) // 2
    for side in ("train", "test"):
        joined = [row.id for row in splits[f"combined_{side}"]]
        assert sorted(joined) == sorted(row.id for c in "XY" for row in splits[f"{c}_{side}"])


def test_the_described_order_depends_on_the_seed_alone():
    rows = causal_rows(20, 20)
    one, same, other = (indices(extraction_split(rows, "described", seed)) for seed in (0, 0, 1))
    assert one == same != other


def test_ids_that_occur_twice_and_rows_without_a_label_are_refused():
    with pytest.raises(OptionError, match="the id 1 occurs 2 times"):
        extraction_split([Row("1", "a", (PAIR,)), Row("1", "b", (PAIR,))])
    with pytest.raises(OptionError, match="row 2 is not annotated"):
        detection_split([Row("1", "a", label=True), Row("2", "b")])


def test_a_validation_subset_is_drawn_in_order():
    rows = [Row(str(k), "text", label=False) for k in range(50)]
    drawn = validation_subset(rows, 20)
    assert len({row.id for row in drawn}) == 20
    assert [int(row.id) for row in drawn] == sorted(int(row.id) for row in drawn)
    assert validation_subset(rows, 50) == rows
    for n in (0, 51):
        with pytest.raises(OptionError, match="--validation"):
            validation_subset(rows, n)
