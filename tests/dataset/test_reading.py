"""What is read is what the manifest describes, and every other file is refused in plain words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corr2cause.dataset import row_files
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.row_files import read_rows
from corr2cause.dataset.schema import ENCODED_SCHEMA, SCHEMA
from corr2cause.errors import FileError, RowError
from tests.dataset.test_schema import some_rows
from tests.dataset.test_writing import write

ROWS = some_rows(250)


def flip_last_bytes(path):
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)


def write_lines(path, rows, end="\n", head=b""):
    path.write_bytes(head + "".join(json.dumps(row) + end for row in rows).encode())
    return path


@pytest.mark.parametrize("formats", [["jsonl"], ["parquet"], ["jsonl", "parquet"]])
def test_each_format_gives_the_rows_that_were_written(tmp_path, formats):
    write(tmp_path, [("train", ROWS), ("reserve", some_rows(3))], formats)
    dataset = open_dataset(tmp_path)
    assert dataset.splits == ("train", "reserve")
    table = dataset.read("train")
    assert table.schema == ENCODED_SCHEMA
    assert table.to_pylist() == ROWS.to_pylist()
    assert {column.num_chunks for column in table.columns} == {1}
    some = dataset.read("train", ["label", "id"])
    assert some.column_names == ["label", "id"]
    assert some.to_pylist() == ROWS.select(["label", "id"]).to_pylist()


def test_many_row_groups_and_blocks_of_lines_become_one_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr("corr2cause.dataset.writing.ROW_GROUP", 40)
    monkeypatch.setattr(row_files, "_ROWS_AT_ONCE", 30)
    write(tmp_path, [("train", ROWS)])
    for name in ("train.parquet", "train.jsonl"):
        table = read_rows(tmp_path / name)
        assert table.to_pylist() == ROWS.to_pylist()
        premises = table["premise"].chunk(0).dictionary.to_pylist()
        assert len(premises) == len(set(premises)) == 3


def test_parquet_is_preferred(tmp_path):
    write(tmp_path, [("dev", ROWS)])
    flip_last_bytes(tmp_path / "dev.jsonl")
    assert open_dataset(tmp_path).read("dev").num_rows == 250


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_changed_file_is_refused_when_it_is_read(tmp_path, form):
    write(tmp_path, [("dev", ROWS), ("test", ROWS)], [form])
    flip_last_bytes(tmp_path / f"dev.{form}")
    dataset = open_dataset(tmp_path)
    with pytest.raises(FileError, match=r"does not match its manifest \(sha256\): it was changed or damaged; make"):
        dataset.read("dev")
    assert dataset.read("test").num_rows == 250


def test_a_file_of_another_size_is_refused_at_once(tmp_path):
    write(tmp_path, [("dev", ROWS)])
    with (tmp_path / "dev.jsonl").open("ab") as lines:
        lines.write(b"{}\n")
    with pytest.raises(FileError, match=r"dev.jsonl: this has \d+ bytes, its manifest says \d+: it was changed"):
        open_dataset(tmp_path)


def test_a_missing_file_is_told(tmp_path):
    write(tmp_path, [("dev", ROWS)])
    (tmp_path / "dev.jsonl").unlink()
    with pytest.raises(FileError, match="missing; make the data again with --force") as caught:
        open_dataset(tmp_path)
    assert caught.value.path == str(tmp_path / "dev.jsonl")


def test_an_absent_split_is_told_with_those_that_are_there(tmp_path):
    write(tmp_path, [("dev", ROWS), ("train", ROWS)])
    with pytest.raises(FileError, match="no rows in the split 'test'; choose from: train, dev"):
        open_dataset(tmp_path).read("test")


def test_foreign_folders_are_told(tmp_path):
    with pytest.raises(FileError, match="not a data set of corr2cause"):
        open_dataset(tmp_path)
    with pytest.raises(FileError, match="no such folder"):
        open_dataset(tmp_path / "absent")


def test_the_format_is_told_by_the_content(tmp_path):
    write(tmp_path, [("dev", ROWS)])
    (tmp_path / "dev.parquet").rename(tmp_path / "lines.jsonl")
    (tmp_path / "dev.jsonl").rename(tmp_path / "table.parquet")
    assert read_rows(tmp_path / "lines.jsonl").equals(read_rows(tmp_path / "table.parquet"))


def test_lines_of_other_programs_are_read(tmp_path):
    """Windows line ends, a byte order mark, escaped letters, other columns and another order of columns."""
    rows = [{"extra": [1], **dict(reversed(row.items()))} for row in ROWS.to_pylist()]
    table = read_rows(write_lines(tmp_path / "a.jsonl", rows, "\r\n", b"\xef\xbb\xbf"))
    assert table.schema == ENCODED_SCHEMA
    assert table.to_pylist() == ROWS.to_pylist()


def test_parquet_of_pandas_is_read(tmp_path):
    """Pandas writes nullable and, from version 3 on, large strings."""
    frame = ROWS.to_pandas().astype({"premise": "str", "x": "str", "label": "int32"})
    frame["extra"] = 1.5
    frame.to_parquet(tmp_path / "a.parquet")
    table = read_rows(tmp_path / "a.parquet")
    assert table.schema == ENCODED_SCHEMA
    assert table.to_pylist() == ROWS.to_pylist()
    pq.write_table(ROWS.cast(SCHEMA).cast(pa.schema([f.with_type(large(f.type)) for f in SCHEMA])), tmp_path / "b")
    assert read_rows(tmp_path / "b").to_pylist() == ROWS.to_pylist()


def large(kind):
    return pa.large_string() if kind == pa.string() else kind


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [("label", 2, "label says 2, expected one of 0, 1"), ("premise", None, "premise is empty")],
)
def test_values_that_a_column_cannot_have_are_told_by_row(tmp_path, form, column, bad, words):
    frame = ROWS.to_pandas()
    frame.loc[41, column] = bad
    path = tmp_path / "a"
    if form == "parquet":
        frame.to_parquet(path)
    else:
        rows = ROWS.to_pylist()
        rows[41][column] = bad
        write_lines(path, rows, end="\n\n")
    with pytest.raises(RowError, match=words) as caught:
        read_rows(path)
    # of lines, empty ones are counted
    assert (caught.value.path, caught.value.row) == (str(path), 42 if form == "parquet" else 83)


@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [
        ("label", "1", "the column label says '1', expected int64"),
        ("label", True, "the column label says True, expected int64"),
        ("label", 10**400, "the column label says 10{299}…, expected int64"),
        ("class_size", 2**70, "the column class_size says .*, expected int64"),
        ("readings_agree", 1, "the column readings_agree says 1, expected bool"),
        ("hypothesis", ["A"], r"the column hypothesis says \['A'\], expected string"),
        ("hypothesis", "\ud800", "the column hypothesis says .*, expected string"),
    ],
)
def test_a_cell_of_another_type_is_told_by_line(tmp_path, column, bad, words):
    rows = ROWS.to_pylist()
    rows[7][column] = bad
    path = write_lines(tmp_path / "a.jsonl", rows, end="\n\n")
    with pytest.raises(RowError, match=words) as caught:
        read_rows(path)
    assert caught.value.row == 15, "the number of the line, empty ones counted"


def test_a_missing_column_is_told(tmp_path):
    rows = ROWS.to_pylist()
    del rows[3]["relation"]
    with pytest.raises(RowError, match=r"a\.jsonl:4: the column relation is missing"):
        read_rows(write_lines(tmp_path / "a.jsonl", rows))
    pq.write_table(ROWS.drop_columns(["relation", "x"]), tmp_path / "a.parquet")
    with pytest.raises(FileError, match="no rows of ours: relation, x is missing"):
        read_rows(tmp_path / "a.parquet")


def test_files_that_are_no_rows_are_refused(tmp_path):
    (tmp_path / "text").write_text("input,label\n")
    (tmp_path / "half").write_bytes(b"PAR1" + b"\0" * 100)
    pd.DataFrame({name: np.arange(3.5) for name in SCHEMA.names}).to_parquet(tmp_path / "numbers")
    with pytest.raises(RowError, match="text:1: this is not JSON"):
        read_rows(tmp_path / "text")
    ROWS.to_pandas().assign(label=0.5).to_parquet(tmp_path / "fractions")
    for name in ("half", "numbers", "fractions"):
        with pytest.raises(FileError, match="this Parquet file cannot be read as rows of ours") as caught:
            read_rows(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(FileError, match="a folder, not a file"):
        read_rows(tmp_path)
    with pytest.raises(FileError, match="no such file"):
        read_rows(tmp_path / "absent")
