"""Counts of classes, rows and positives, against counting row by row."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

from corr2cause.dataset.counting import Tally
from corr2cause.dataset.manifest import SplitCount
from corr2cause.dataset.options import GenerationOptions, SplitOptions, SplitUnit
from corr2cause.dataset.schema import ENCODED_SCHEMA, SPLITS
from tests.dataset.rows import split_rows_of, split_tables_of, tables_of


@pytest.mark.parametrize("split_by", SplitUnit)
def test_a_tally_counts_rows_one_by_one(split_by):
    options = GenerationOptions(n=4, split=SplitOptions(split_by=split_by))
    tally = Tally()
    for split, table in split_tables_of(options):
        tally.add(split, table)
    rows, positives, classes = Counter(), Counter(), {}
    for split, found in split_rows_of(options).items():
        for row in found:
            key = row["num_variables"], split
            rows[key] += 1
            positives[key] += row["label"]
            classes.setdefault(key, set()).add(row["class_id"])
    assert tally.counts == tuple(
        SplitCount(n, split, len(classes[n, split]), rows[n, split], positives[n, split])
        for n in (2, 3, 4)
        for split in SPLITS
        if rows[n, split]
    )


def test_one_table_may_hold_many_sizes():
    table = pa.concat_tables(tables_of(GenerationOptions(n=4)))
    tally = Tally()
    tally.add("dev", table)
    assert tally.counts == (
        SplitCount(2, "dev", 2, 12, 0),
        SplitCount(3, "dev", 5, 90, 3),
        SplitCount(4, "dev", 20, 720, 55),
    )


def test_no_rows_are_no_count():
    tally = Tally()
    tally.add("test", ENCODED_SCHEMA.empty_table())
    assert tally.counts == ()
