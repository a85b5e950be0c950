"""A data set is written whole or not at all, in the same bytes however its rows come."""

from __future__ import annotations

import json
import os
import shutil
import signal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corr2cause.dataset import staging, writing
from corr2cause.dataset.manifest import MANIFEST, SplitCount, read_manifest
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.schema import ENCODED_SCHEMA, SCHEMA
from corr2cause.dataset.staging import STAGING
from corr2cause.dataset.writing import ROW_GROUP, DatasetWriter
from corr2cause.errors import FileError
from corr2cause.files import sha256_of
from tests.dataset.test_schema import some_rows
from tests.test_files import run_python

OPTIONS = {"n": 4, "reading": "direct", "seed": 0}


def write(folder, tables, formats=("jsonl", "parquet"), kind="generate", options=OPTIONS):
    """Write a data set of (split, table) pairs."""
    with DatasetWriter(folder, formats) as writer:
        for split, table in tables:
            writer.write(split, table)
        return writer.commit(kind, "1.0", options, [SplitCount(4, split, 1, t.num_rows, 0) for split, t in tables])


def visible(folder):
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in visible(folder)}


def test_both_formats_hold_the_rows_that_were_written(tmp_path):
    train, test = some_rows(200), some_rows(33, start=1000)
    manifest = write(tmp_path, [("train", train), ("test", test)])
    assert visible(tmp_path) == [
        *("README.md", "manifest.json", "test.jsonl", "test.parquet", "train.jsonl", "train.parquet")
    ]
    for split, table in {"train": train, "test": test}.items():
        lines = (tmp_path / f"{split}.jsonl").read_text("utf-8").splitlines()
        assert lines == [json.dumps(row, ensure_ascii=False) for row in table.to_pylist()]
        assert pq.read_table(tmp_path / f"{split}.parquet").to_pylist() == table.to_pylist()
    assert read_manifest(tmp_path) == manifest
    assert [(e.name, e.split, e.rows) for e in manifest.files] == [
        ("train.jsonl", "train", 200),
        ("train.parquet", "train", 200),
        ("test.jsonl", "test", 33),
        ("test.parquet", "test", 33),
    ]
    for entry in manifest.files:
        assert entry.bytes == (tmp_path / entry.name).stat().st_size
        assert entry.sha256 == sha256_of(tmp_path / entry.name)


def test_parquet_readers_find_plain_strings(tmp_path):
    write(tmp_path, [("test", some_rows(100))], ["parquet"])
    path = tmp_path / "test.parquet"
    assert pq.read_schema(path) == SCHEMA
    assert not pq.read_schema(path).metadata
    frame = pd.read_parquet(path)
    assert frame["premise"].tolist() == some_rows(100)["premise"].to_pylist()
    assert frame["label"].dtype == "int64"
    assert not isinstance(frame["premise"].dtype, pd.CategoricalDtype)


def test_strings_are_stored_once_on_disk(tmp_path):
    """Long premises matter: many writers store over 1 MB of distinct values in plain encoding."""
    premises = [str(row // 10) * 20_000 for row in range(2_000)]
    write(tmp_path, [("train", some_rows(2_000, premise=premises))], ["parquet"])
    group = pq.ParquetFile(tmp_path / "train.parquet").metadata.row_group(0)
    stored = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    for name, column in stored.items():
        assert column.compression == "ZSTD"
        assert column.has_dictionary_page or name == "readings_agree"
    distinct = sum(map(len, set(premises)))
    assert distinct < stored["premise"].total_uncompressed_size < 1.01 * distinct


def test_bytes_do_not_depend_on_how_the_rows_were_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "ROW_GROUP", 100)
    rows = some_rows(450)
    pieces = [rows.slice(start, length) for start, length in [(0, 1), (1, 98), (99, 2), (101, 300), (401, 49)]]
    again = [some_rows(45, start=45 * block) for block in range(10)]  # each with dictionaries of its own
    expected = write(tmp_path / "a", [("train", rows)])
    assert write(tmp_path / "b", [("train", piece) for piece in pieces]).files == expected.files
    assert write(tmp_path / "c", [("train", piece) for piece in again]).files == expected.files
    metadata = pq.ParquetFile(tmp_path / "a" / "train.parquet").metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [100] * 4 + [50]
    # a row group holds the values of its own rows only
    ids = metadata.row_group(4).column(0)
    assert ids.statistics.min == "n4-row400"
    assert ids.total_uncompressed_size < 50 * len("n4-row400") * 2


def test_bytes_do_not_depend_on_the_dictionaries_in_memory(tmp_path):
    rows = some_rows(200)
    premises = rows["premise"].to_pylist()
    twice = ["unused", *reversed(premises)]  # unused, repeated and badly ordered values
    choice = pa.array([len(premises) - row for row in range(len(premises))], pa.int32())
    other = pa.DictionaryArray.from_arrays(choice, pa.array(twice))
    same = rows.set_column(1, ENCODED_SCHEMA.field("premise"), other)
    assert same.to_pylist() == rows.to_pylist()
    expected = write(tmp_path / "a", [("train", rows)])
    assert write(tmp_path / "b", [("train", same)]).files == expected.files


def test_rows_wait_for_one_row_group_at_most(tmp_path):
    block = some_rows(10_000)
    with DatasetWriter(tmp_path, ["parquet"]) as writer:
        for _ in range(ROW_GROUP // 10_000 + 1):
            writer.write("train", block)
        grown = [path.stat().st_size for path in (tmp_path / STAGING).iterdir()]
        assert min(grown) > 10_000, "the first row group is on its way to the disk"


def test_a_split_without_rows_has_no_file(tmp_path):
    manifest = write(tmp_path, [("train", some_rows(0)), ("test", some_rows(1))])
    assert manifest.splits == ("test",)
    assert visible(tmp_path) == ["README.md", "manifest.json", "test.jsonl", "test.parquet"]


@pytest.mark.parametrize("formats", [["jsonl"], ["parquet"], ["parquet", "jsonl"]])
def test_only_the_wanted_formats_are_written(tmp_path, formats):
    write(tmp_path, [("test", some_rows(1))], formats)
    assert visible(tmp_path) == ["README.md", "manifest.json", *sorted(f"test.{form}" for form in formats)]


def test_new_data_replace_old_data_whole(tmp_path):
    write(tmp_path, [("train", some_rows(9)), ("reserve", some_rows(5))])
    (tmp_path / "notes.txt").write_text("mine")
    write(tmp_path, [("train", some_rows(9, start=9))], ["parquet"])
    assert visible(tmp_path) == ["README.md", "manifest.json", "notes.txt", "train.parquet"]
    assert open_dataset(tmp_path).read("train").to_pylist() == some_rows(9, start=9).to_pylist()


@pytest.mark.parametrize("damage", ["{", '{"program": "other"}'])
def test_a_damaged_data_set_can_be_written_over(tmp_path, damage):
    write(tmp_path, [("train", some_rows(9))])
    (tmp_path / MANIFEST).write_text(damage)
    manifest = write(tmp_path, [("train", some_rows(4))])
    assert open_dataset(tmp_path).manifest == manifest


@pytest.mark.parametrize("last_step", ["write_text", "write_manifest"])
def test_a_disk_that_fills_up_at_the_end_leaves_the_old_data(tmp_path, monkeypatch, last_step):
    write(tmp_path, [("train", some_rows(9))])
    before = contents(tmp_path)

    def fill_up(*_):
        raise FileError("disk", "full")

    monkeypatch.setattr(staging, last_step, fill_up)
    with pytest.raises(FileError, match="disk: full"):
        write(tmp_path, [("train", some_rows(4))])
    assert contents(tmp_path) == before


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, None])
def test_without_commit_nothing_changes(tmp_path, failure):
    write(tmp_path, [("train", some_rows(9))])
    before = contents(tmp_path)
    try:
        with DatasetWriter(tmp_path) as writer:
            writer.write("train", some_rows(60_000))
            writer.write("test", some_rows(5))
            if failure:
                raise failure
    except (RuntimeError, KeyboardInterrupt):
        pass
    assert contents(tmp_path) == before
    assert not (tmp_path / STAGING).exists()


def test_an_interrupted_commit_is_recognisably_incomplete(tmp_path, monkeypatch):
    write(tmp_path, [("train", some_rows(9))])

    replace = staging.Path.replace

    def interrupt(path, target):
        if target == tmp_path / MANIFEST:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(staging.Path, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, [("train", some_rows(4))])
    with pytest.raises(FileError, match="interrupted"):
        open_dataset(tmp_path)
    assert not (tmp_path / STAGING).exists()
    assert pq.read_table(tmp_path / "train.parquet").num_rows == 4
    write(tmp_path, [("train", some_rows(4))])
    assert open_dataset(tmp_path).read("train").num_rows == 4


@pytest.mark.parametrize("name", ["README.md", "test.jsonl"])
def test_a_folder_in_the_way_of_a_file_costs_nothing(tmp_path, name):
    write(tmp_path, [("train", some_rows(9))])
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    with pytest.raises(FileError) as caught:
        write(tmp_path, [("train", some_rows(4)), ("test", some_rows(2))])
    assert caught.value.path == str(tmp_path / name)
    assert open_dataset(tmp_path).read("train").num_rows == 9


def test_ctrl_c_amid_the_moves_is_answered_after_them(tmp_path, monkeypatch):
    write(tmp_path, [("train", some_rows(9))])
    replace = staging.Path.replace

    def interrupt(path, target):
        if target.parent == tmp_path:  # not yet in the staging folder
            signal.raise_signal(signal.SIGINT)
        return replace(path, target)

    monkeypatch.setattr(staging.Path, "replace", interrupt)
    with DatasetWriter(tmp_path) as writer:
        writer.write("train", some_rows(4))
        with pytest.raises(KeyboardInterrupt):
            writer.commit("generate", "1.0", OPTIONS, [])
    assert open_dataset(tmp_path).read("train").num_rows == 4


def test_files_take_their_names_between_the_old_manifest_and_the_new(tmp_path, monkeypatch):
    write(tmp_path, [("train", some_rows(9)), ("test", some_rows(3))])
    seen = []
    replace, unlink = staging.Path.replace, staging.Path.unlink

    def spied_replace(path, target):
        seen.append(target.name)
        return replace(path, target)

    def spied_unlink(path, **options):
        if not path.name.startswith("."):
            seen.append(f"-{path.name}")
        return unlink(path, **options)

    with DatasetWriter(tmp_path, ["jsonl"]) as writer:
        writer.write("train", some_rows(4))
        monkeypatch.setattr(staging.Path, "replace", spied_replace)
        monkeypatch.setattr(staging.Path, "unlink", spied_unlink)
        writer.commit("generate", "1.0", OPTIONS, [])
    staged = seen.index("-manifest.json")
    assert seen[:staged] == ["train.jsonl", "README.md", "manifest.json"], "finished in the staging folder"
    removed = {"-train.parquet", "-test.jsonl", "-test.parquet"}
    assert set(seen[staged + 1 : staged + 4]) == removed
    assert seen[staged + 4 :] == ["train.jsonl", "README.md", "manifest.json"]


KILLED_WRITER = """
import sys, time
from corr2cause.dataset.writing import DatasetWriter
from tests.dataset.test_schema import some_rows
with DatasetWriter(sys.argv[1]) as writer:
    writer.write("train", some_rows(60_000))
    writer.write("test", some_rows(5))
    print("half-way", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("old_rows", [0, 9])
def test_a_killed_run_leaves_what_was_there_and_the_next_one_works(tmp_path, old_rows):
    if old_rows:
        write(tmp_path, [("train", some_rows(old_rows))])
    before = contents(tmp_path)
    with run_python(KILLED_WRITER, tmp_path) as process:
        assert process.stdout.readline() == "half-way\n"
        with pytest.raises(FileError, match="another corr2cause is writing here"), DatasetWriter(tmp_path):
            pytest.fail("two writers")
        assert (tmp_path / STAGING).exists(), "the refused writer did not clear the staging of the other"
        process.send_signal(signal.SIGKILL)
    assert contents(tmp_path) == before
    write(tmp_path, [("test", some_rows(5))], ["jsonl"])
    assert visible(tmp_path) == ["README.md", "manifest.json", "test.jsonl"]
    assert not (tmp_path / STAGING).exists()


INTERRUPTED_WRITER = """
import sys
from corr2cause.dataset.writing import DatasetWriter
from tests.dataset.test_schema import some_rows
rows = some_rows(50_000)
with DatasetWriter(sys.argv[1]) as writer:
    print("writing", flush=True)
    while True:
        writer.write("train", rows)
"""


def test_ctrl_c_in_the_middle_of_a_row_group_leaves_nothing(tmp_path):
    with run_python(INTERRUPTED_WRITER, tmp_path) as process:
        assert process.stdout.readline() == "writing\n"
        while not any(path.stat().st_size for path in (tmp_path / STAGING).glob(".*.part")):
            pass
        process.send_signal(signal.SIGINT)
        _, complained = process.communicate()
    assert complained.splitlines()[-1] == "KeyboardInterrupt"
    assert "Exception ignored" not in complained
    assert visible(tmp_path) == []
    assert not (tmp_path / STAGING).exists()


# The account's limit on the size of a file makes real writes fail, as a full disk does.
LIMITED_WRITER = """
import gc, resource, sys
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.errors import FileError
from tests.dataset.test_schema import some_rows
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    with DatasetWriter(sys.argv[1], [sys.argv[2]]) as writer:
        for start in range(0, 100_000, 25_000):
            writer.write("train", some_rows(25_000, start))
        writer.commit("generate", "1.0", {}, [])
except FileError as error:
    print(error)
gc.collect()
"""


@pytest.mark.parametrize(("form", "limit"), [("jsonl", 100_000), ("parquet", 100_000), ("parquet", "footer")])
def test_a_full_disk_is_one_sentence_and_changes_nothing(tmp_path, form, limit):
    if limit == "footer":
        whole = write(tmp_path / "whole", [("train", some_rows(100_000))], ["parquet"])
        limit = whole.files[0].bytes - 100
    folder = tmp_path / "data"
    said, complained = run_python(LIMITED_WRITER, folder, form, limit).communicate()
    assert complained == ""
    assert "train" in said
    assert said.endswith(": the file grew larger than this disk or account allows; choose another folder\n")
    assert said.count("\n") == 1
    assert visible(folder) == []
    assert not (folder / STAGING).exists()


def test_a_readme_of_somebody_else_is_not_lost(tmp_path):
    (tmp_path / "README.md").write_text("# My project")
    with pytest.raises(FileError, match="not written by corr2cause"), DatasetWriter(tmp_path):
        pytest.fail("the block must not begin")
    assert contents(tmp_path) == {"README.md": b"# My project"}
    assert not (tmp_path / STAGING).exists()


def test_a_place_that_is_no_folder_is_told(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / STAGING).touch()
    for path in (tmp_path / "file", tmp_path / "file" / "data", tmp_path):
        with pytest.raises(FileError) as caught, DatasetWriter(path):
            pytest.fail("the block must not begin")
        assert caught.value.path == str(path)


def test_rows_that_break_the_schema_are_refused(tmp_path):
    rows = some_rows(3)
    with DatasetWriter(tmp_path) as writer:
        with pytest.raises(ValueError, match="unknown split 'exam'"):
            writer.write("exam", rows)
        with pytest.raises(ValueError, match="names"):
            writer.write("train", rows.rename_columns({"label": "answer"}))
        with pytest.raises(ValueError, match="null"):
            writer.write("train", some_rows(3, label=[0, None, 1]))
    assert visible(tmp_path) == []


def test_a_folder_that_moves_can_still_be_read(tmp_path):
    write(tmp_path / "a", [("dev", some_rows(9))])
    shutil.move(tmp_path / "a", tmp_path / "b")
    assert open_dataset(tmp_path / "b").read("dev").num_rows == 9


def test_a_perturbation_leaves_the_card_to_its_data_set(tmp_path):
    write(tmp_path, [("dev", some_rows(9))], kind="perturb")
    assert visible(tmp_path) == ["dev.jsonl", "dev.parquet", "manifest.json"]
