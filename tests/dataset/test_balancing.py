"""Balanced data: exactly even in every cell, chosen by chance alone, whatever the workers; read from the rows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause import streams
from corr2cause.dataset import balancing, planning
from corr2cause.dataset.balancing import LEFT_OUT, NO_CELL, even_out, leave_out, uneven_cells
from corr2cause.dataset.estimating import estimate
from corr2cause.dataset.generating import Target, generate, row_count
from corr2cause.dataset.options import GenerationOptions, Hypotheses
from corr2cause.dataset.questions import Question, questions
from corr2cause.dataset.schema import SPLITS
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import Relation
from tests.dataset.folders import contents, data_folder
from tests.dataset.rows import rows_of, split_rows_of
from tests.dataset.twin import read_premise
from tests.known import ENTAILED_COUNTS

OPTIONS = {
    "default": GenerationOptions(n=5),
    "agreeing": GenerationOptions(n=5, only_agreeing=True),
    "ordered names": GenerationOptions(n=5, names="ordered", reading="path", seed=3),
    "words, both directions": GenerationOptions(n=4, names="words", hypotheses=Hypotheses.ORDERED, reading="ancestral"),
}


def cell_of(split: str, row: dict, ordered: bool) -> tuple[object, ...]:
    """Name the cell of a row: what can be seen of the sentence, but for the very names if they are shuffled."""
    listed, said = read_premise(row["premise"]).names, row["hypothesis"]
    first = next(name for name in listed if name in (row["x"], row["y"]))
    second = row["y"] if first == row["x"] else row["x"]
    words = re.findall(r"\w+", said)
    in_order = words.index(first) < words.index(second)
    return split, row["num_variables"], row["template"], in_order, (first, second) if ordered else ()


@pytest.mark.parametrize("complete", OPTIONS.values(), ids=OPTIONS)
def test_every_cell_has_as_many_rows_of_either_label_and_loses_no_more_than_it_must(complete):
    balanced = split_rows_of(replace(complete, balance=True))
    everything = split_rows_of(replace(complete, only_agreeing=False))
    if complete.only_agreeing:
        everything = {split: [row for row in rows if row["readings_agree"]] for split, rows in everything.items()}
    ordered = complete.names == "ordered"
    for split in SPLITS:
        by_id = {row["id"]: row for row in everything[split]}
        assert all(by_id[row["id"]] == row for row in balanced[split]), "rows and ids are those of the complete data"
        before = Counter((cell_of(split, row, ordered), row["label"]) for row in everything[split])
        after = Counter((cell_of(split, row, ordered), row["label"]) for row in balanced[split])
        for cell in {cell for cell, _ in before}:
            assert after[cell, 0] == after[cell, 1] == min(before[cell, 0], before[cell, 1])


def test_only_agreeing_keeps_just_the_rows_on_which_the_readings_agree():
    options = GenerationOptions(n=5)
    expected = {
        split: tuple(row for row in rows if row["readings_agree"]) for split, rows in split_rows_of(options).items()
    }
    assert split_rows_of(replace(options, only_agreeing=True)) == expected
    assert 0 < sum(map(len, expected.values())) < 9_342


def test_ordered_names_leave_no_later_letter_to_cause_an_earlier_one():
    """Such a claim never follows, so its cells vanish; with them goes what the letters gave away."""
    rows = [row for rows in split_rows_of(replace(OPTIONS["ordered names"], balance=True)).values() for row in rows]
    assert {row["relation"] for row in rows} == {"is_parent", "is_ancestor", "has_collider", "has_confounder"}


def test_no_positive_of_six_variables_is_lost_and_every_cell_is_even(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=6, min_n=6, balance=True), ("parquet",))
    rows = [row for path in folder.glob("*.parquet") for row in pq.read_table(path).to_pylist()]
    splits = [path.stem for path in folder.glob("*.parquet") for _ in range(pq.read_metadata(path).num_rows)]
    positives = next(known.direct for known in ENTAILED_COUNTS if known.n == 6)
    assert (len(rows), sum(row["label"] for row in rows)) == (2 * positives, positives)
    balance: Counter[tuple[object, ...]] = Counter()
    for split, row in zip(splits, rows, strict=True):
        in_order = row["hypothesis"].find(row["x"]) < row["hypothesis"].find(row["y"])
        balance[split, row["template"], in_order] += 1 if row["label"] else -1
    assert len(balance) == 40, "four splits, ten forms"
    assert set(balance.values()) == {0}


def test_neither_workers_nor_blocks_change_a_byte(tmp_path, monkeypatch):
    options = GenerationOptions(n=5, balance=True, only_agreeing=True)
    one = contents(data_folder(tmp_path / "one", options))
    generate(options, Target(tmp_path / "two", ("jsonl",)), workers=2)
    assert contents(tmp_path / "two") == one
    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", 1_000)
    monkeypatch.setattr(balancing, "_CLASSES_AT_ONCE", 7)
    planning.deal.cache_clear()
    generate(options, Target(tmp_path / "small", ("jsonl",)))
    assert contents(tmp_path / "small") == one


def kept_negatives(seed: int) -> list[int]:
    """Of the classes of five variables in which node 2 need not cause node 4, return the ranks whose row is kept.

    With ordered names and one split for all, so that nothing but the choice depends on the seed.
    """
    options = GenerationOptions(n=5, min_n=5, names="ordered", balance=True, seed=seed)
    place = questions(5, options.hypotheses).index(Question(Relation.IS_PARENT, 2, 4))
    split = leave_out(options, 5, np.zeros((142, 60), dtype=np.uint8))
    positive = {rank for rank in range(142) if f"n5-c{rank}-3-5-is_parent" in entailed_ids()}
    return [rank for rank in range(142) if split[rank, place] != LEFT_OUT and rank not in positive]


@cache
def entailed_ids() -> set[str]:
    return {row["id"] for row in rows_of(GenerationOptions(n=5, min_n=5, names="ordered")) if row["label"]}


def test_chance_decides_which_rows_stay_and_the_seed_decides_chance():
    kept_by_seed = [kept_negatives(seed) for seed in range(40)]
    assert len(set(map(tuple, kept_by_seed))) == 40
    uses = Counter(rank for ranks in kept_by_seed for rank in ranks)
    n_positives = sum(one.endswith("-3-5-is_parent") for one in entailed_ids())
    assert {len(ranks) for ranks in kept_by_seed} == {n_positives}
    share = n_positives / (142 - n_positives)
    assert len(uses) == 142 - n_positives
    assert max(uses.values()) < 40 * share + 5 * (40 * share * (1 - share)) ** 0.5


def test_what_stays_is_a_fair_draw_of_what_was_there():
    """Of the rows of the more frequent label each stays with one chance, over seeds."""
    cell = np.zeros(40, dtype=np.uint16)
    label = np.arange(40) < 10
    uses = np.zeros(40)
    for seed in range(2_000):
        uses += even_out(cell, label, np.random.default_rng(seed).integers(2**63, size=40, dtype=np.uint64))
    assert (uses[label] == 2_000).all()
    assert abs(uses[~label] / 2_000 - 1 / 3).max() < 0.05


rows_of_cells = st.lists(
    st.tuples(st.sampled_from([0, 1, 700, int(NO_CELL)]), st.booleans(), st.integers(0, 5)), min_size=1
)


@given(rows_of_cells)
def test_even_out_by_definition(rows):
    cell, label, draw = zip(*rows, strict=True)
    chosen = even_out(np.array([cell], np.uint16), np.array([label]), np.array([draw], np.uint64))[0]
    expected = set()
    for one in set(cell) - {int(NO_CELL)}:
        groups = [
            sorted((draw[i], i) for i in range(len(rows)) if cell[i] == one and label[i] == value) for value in (0, 1)
        ]
        size = min(map(len, groups))
        expected |= {i for group in groups for _, i in group[:size]}
    assert set(np.flatnonzero(chosen).tolist()) == expected


def test_uneven_cells_are_named():
    table = pa.table(
        {
            "num_variables": [3, 3, 4, 4, 4],
            "template": pa.array(["child", "child", "child", "child", "parent"]).dictionary_encode(),
            "label": [1, 0, 1, 1, 0],
        }
    )
    assert uneven_cells(table) == [(4, "child"), (4, "parent")]


def test_two_variables_leave_nothing_and_that_is_said(tmp_path):
    with pytest.raises(OptionError, match="--balance: no row is left"):
        generate(GenerationOptions(n=2, balance=True), Target(tmp_path, ("jsonl",)))
    assert contents(tmp_path) == {}


def test_an_estimate_counts_the_rows_that_stay():
    options = GenerationOptions(n=5, balance=True)
    rows = [row for rows in split_rows_of(options).values() for row in rows]
    counts = Counter(row["num_variables"] for row in rows)
    assert [e.rows for e in estimate(options, ("jsonl",), workers=1)] == [counts[n] for n in options.sizes]
    assert row_count(options) == len(rows)


def test_the_rows_that_stay_are_those_with_the_lowest_draw():
    """By the definition in the module: a draw is a hash of (seed, "balance", n, rank), one word for each question."""
    options = GenerationOptions(n=4, min_n=4, seed=5)
    split_of = {row["id"]: split for split, rows in split_rows_of(options).items() for row in rows}
    rows = rows_of(options)
    per_class = len(questions(4, Hypotheses.UNORDERED))
    draws = streams.words(5, "balance", 4, rows=range(len(rows) // per_class), columns=per_class).ravel().tolist()
    groups: dict[tuple[object, ...], list[tuple[int, str]]] = {}
    for row, draw in zip(rows, draws, strict=True):
        cell = cell_of(split_of[row["id"]], row, ordered=False)
        groups.setdefault((cell, row["label"]), []).append((draw, row["id"]))
    expected = {
        name
        for (cell, _), members in groups.items()
        for _, name in sorted(members)[: min(len(groups.get((cell, label), [])) for label in (0, 1))]
    }
    balanced = split_rows_of(replace(options, balance=True))
    assert {row["id"] for rows in balanced.values() for row in rows} == expected
    assert len(expected) > 50
