"""A data set cut into pieces holds every row once, in files that are about as large as each other."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.dataset import planning
from corr2cause.dataset.options import GenerationOptions, Hypotheses, SplitOptions, SplitUnit
from corr2cause.dataset.planning import plan
from tests.dataset.rows import rows_of, split_rows_of

OPTIONS = GenerationOptions(n=4)


@settings(max_examples=40, deadline=None)
@given(
    size=st.integers(10, 900),
    options=st.builds(
        GenerationOptions,
        n=st.integers(2, 4),
        hypotheses=st.sampled_from(Hypotheses),
        split=st.builds(SplitOptions, split_by=st.sampled_from(SplitUnit), split_threshold=st.sampled_from([0, 500])),
    ),
)
def test_shards_hold_the_rows_of_their_split_once_and_in_order(size, options):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "ROWS_PER_SHARD", size)
        pieces = plan(options)
    assert len({piece.name for piece in pieces}) == len(pieces)
    by_split = split_rows_of(options)
    for split, rows in by_split.items():
        shards = [piece for piece in pieces if piece.split == split]
        tables = [pa.concat_tables(shard.tables(options)) for shard in shards]
        assert [row for table in tables for row in table.to_pylist()] == list(rows)
        expected = -(-len(rows) // size)
        assert len(shards) <= expected, "a shard with nothing in it is not made"
        names = [f"{split}-{index:05d}-of-{len(shards):05d}" for index in range(len(shards))]
        assert [shard.name for shard in shards] == (names if len(shards) > 1 else [split] * len(shards))
        widest = max((row["num_variables"] for row in rows), default=0) ** 2 * 6
        assert all(table.num_rows <= size + widest for table in tables)
        if len(shards) == expected:
            assert all(abs(table.num_rows - len(rows) / len(shards)) <= widest for table in tables)
    assert Counter(row["id"] for rows in by_split.values() for row in rows) == Counter(
        row["id"] for row in rows_of(options)
    )


@pytest.mark.parametrize("options", [OPTIONS, replace(OPTIONS, balance=True)])
def test_a_piece_is_the_same_wherever_it_is_sent(options):
    for piece in plan(options):
        sent = pickle.loads(pickle.dumps(piece))
        assert (sent.name, sent.split) == (piece.name, piece.split)
        for one, other in zip(sent.portions, piece.portions, strict=True):
            for field in fields(one):
                np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def test_a_data_set_of_usual_size_is_not_cut():
    assert [piece.name for piece in plan(OPTIONS)] == ["train", "dev", "test"]


def test_no_class_is_cut(monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 50)
    owner: dict[str, str] = {}
    for piece in plan(OPTIONS):
        if piece.split != "train":
            continue
        for table in piece.tables(OPTIONS):
            for name in table["class_id"].unique().to_pylist():
                assert owner.setdefault(name, piece.name) == piece.name


@pytest.mark.parametrize(
    ("rows_per_block", "blocks"), [(1, [36] * 16), (40, [36] * 16), (100, [72] * 8), (10**6, [576])]
)
def test_blocks_hold_whole_classes_and_never_a_row_twice(monkeypatch, rows_per_block, blocks):
    (portion,) = (portion for portion in plan(OPTIONS)[0].portions if portion.kept.shape[1] == 36)
    (whole,) = portion.tables(OPTIONS)
    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", rows_per_block)
    tables = list(portion.tables(OPTIONS))
    assert [table.num_rows for table in tables] == blocks
    assert pa.concat_tables(tables).to_pylist() == whole.to_pylist()
