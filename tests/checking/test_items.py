"""The rows that are answered, and their groups."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from corr2cause.checking.items import BINS, Items, read_items
from corr2cause.errors import FileError, OptionError, RowError
from tests.checking.small_data import row, write_folder, write_lines

ROWS = [
    row(id="r1", class_id="n2-c9", label=1, relation="has_collider", nli_label="entailment"),
    row(id="r2", class_id="n2-c10", num_variables=5, readings_agree=False, class_size=7, n_statements=39, n_edges=12),
    row(id="r3", class_id="n2-c9", num_variables=10, class_size=720, n_statements=80, n_edges=8),
]
NAMES = ["by_relation", "by_n", "by_reading_agreement", "by_difficulty", "by_difficulty", "by_difficulty"]


def group_names(items: Items, place: int) -> list[list[str]]:
    """Return the names of the groups of one row."""
    return [[name for name, chosen in one.groups() if chosen[place]] for one in items.groupings]


@pytest.fixture(params=["jsonl file", "parquet file", "folder"])
def items(tmp_path: Path, request: pytest.FixtureRequest) -> Items:
    if request.param == "jsonl file":
        return read_items(write_lines(tmp_path / "rows", ROWS))
    folder = write_folder(tmp_path / "data", {"test": ROWS, "dev": [row(id="other")]}, ("parquet",))
    assert read_items(folder, "dev").ids == ("other",)
    return read_items(folder / "test.parquet" if request.param == "parquet file" else folder)


def test_rows_and_groups(items: Items) -> None:
    assert items.ids == ("r1", "r2", "r3")
    assert items.labels.tolist() == [1, 0, 0]
    assert items.classes.tolist() == [1, 0, 1]  # places among the sorted names
    assert [one.name for one in items.groupings] == NAMES
    easy = [["class_size 2"], ["n_statements 0-9"], ["n_edges 0-4"]]
    assert group_names(items, 0) == [["has_collider"], ["2"], ["agree"], *easy]
    middle = [["class_size 7-24"], ["n_statements 20-39"], ["n_edges 12+"]]
    assert group_names(items, 1) == [["is_parent"], ["5"], ["disagree"], *middle]
    hard = [["class_size 25+"], ["n_statements 80+"], ["n_edges 8-9"]]
    assert group_names(items, 2) == [["is_parent"], ["10"], ["agree"], *hard]
    assert [name for name, _ in items.groupings[1].groups()] == ["2", "5", "10"]


def test_every_value_lies_in_the_bin_that_says_so(tmp_path: Path) -> None:
    values = range(1, 100)
    rows = [row(id=f"r{value}", **dict.fromkeys(BINS, value)) for value in values]
    items = read_items(write_lines(tmp_path / "rows", rows))
    for grouping in items.groupings[3:]:
        for name, chosen in grouping.groups():
            low, _, high = name.split(" ")[1].partition("-")
            least = int(low.rstrip("+"))
            most = max(values) if low.endswith("+") else int(high or low)
            assert [value for value, there in zip(values, chosen, strict=True) if there] == [
                value for value in values if least <= value <= most
            ]


def test_some_rows_can_be_taken(items: Items) -> None:
    some = items.take(np.array([2, 0]))
    assert (some.ids, some.labels.tolist(), some.classes.tolist()) == (("r3", "r1"), [0, 1], [1, 1])
    assert group_names(some, 0) == group_names(items, 2)


def test_the_order_of_the_rows_does_not_change_the_number_of_a_class(tmp_path: Path) -> None:
    rows = [row(id=f"r{place}", class_id=f"n6-c{place % 13}") for place in range(50)]
    in_order = read_items(write_lines(tmp_path / "rows", rows))
    random.Random(0).shuffle(rows)
    shuffled = read_items(write_lines(tmp_path / "rows", rows))
    assert dict(zip(in_order.ids, in_order.classes.tolist(), strict=True)) == dict(
        zip(shuffled.ids, shuffled.classes.tolist(), strict=True)
    )


def test_what_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", {"train": ROWS})
    with pytest.raises(FileError, match="no rows in the split 'test'; choose from: train"):
        read_items(folder)
    with pytest.raises(OptionError, match=r"--split: .*train.jsonl is one file and has no splits"):
        read_items(folder / "train.jsonl", "train")
    with pytest.raises(FileError, match="some rows have the same id"):
        read_items(write_lines(tmp_path / "rows", [ROWS[0], ROWS[0]]))
    with pytest.raises(RowError, match="rows:1: the column label says 2"):
        read_items(write_lines(tmp_path / "rows", [row(label=2)]))
    with pytest.raises(FileError, match="nowhere"):
        read_items(tmp_path / "nowhere")


def test_no_rows(tmp_path: Path) -> None:
    items = read_items(write_lines(tmp_path / "rows", []))
    assert items.ids == ()
    assert [list(one.groups()) for one in items.groupings] == [[]] * 6
