"""Files appear whole or not at all, and every failure is one sentence."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import signal
import stat
from contextlib import suppress

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import FileError, RowError
from corr2cause.files import (
    plain_errors,
    read_json,
    read_jsonl,
    sha256_of,
    whole_file,
    write_anew,
    write_json,
    write_jsonl,
    write_text,
)
from tests.processes import run_python


def test_a_whole_file_counts_and_hashes_what_it_holds(tmp_path):
    path = tmp_path / "a.bin"
    with whole_file(path) as out:
        out.write(b"one ")
        out.write(memoryview(b"two"))
        assert os.listdir(tmp_path) != ["a.bin"]
        assert out.tell() == 7
    assert path.read_bytes() == b"one two"
    assert out.bytes == 7
    assert out.sha256 == hashlib.sha256(b"one two").hexdigest() == sha256_of(path)
    assert os.listdir(tmp_path) == ["a.bin"]


def test_a_whole_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    write_text(tmp_path / "whole", "")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", [None, "old text"])
def test_a_failed_block_changes_nothing(tmp_path, failure, before):
    path = tmp_path / "a.txt"
    if before is not None:
        path.write_text(before)
    with suppress(failure), whole_file(path) as out:
        out.write(b"half")
        raise failure
    assert os.listdir(tmp_path) == ([] if before is None else ["a.txt"])
    assert before is None or path.read_text() == before


KILLED_WRITER = """
import sys, time
from corr2cause.files import whole_file
with whole_file(sys.argv[1]) as out:
    for _ in range(100):
        out.write(b"x" * 10_000)
    print("half-way", flush=True)
    time.sleep(60)
"""


def test_a_killed_writer_leaves_nothing_under_the_name(tmp_path):
    path = tmp_path / "a.txt"
    with run_python(KILLED_WRITER, path) as process:
        assert process.stdout.readline() == "half-way\n"
        process.send_signal(signal.SIGKILL)
    assert not path.exists()
    assert all(name.startswith(".") for name in os.listdir(tmp_path))
    write_text(path, "whole")
    assert path.read_text() == "whole"


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "text"


def test_a_device_is_never_replaced(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(FileError, match="device"), whole_file(fifo):
        pytest.fail("the block must not begin")
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_places_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    for path, words in {
        tmp_path: "a folder",
        tmp_path / "file" / "a.txt": "is a file, not a folder",
        tmp_path / "absent" / "a.txt": "there is no folder absent to put it in; make it",
        tmp_path / ("a" * 300): "too long",
    }.items():
        with pytest.raises(FileError, match=words) as caught:
            write_text(path, "text")
        assert caught.value.path == str(path)
        assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.EIO])
def test_each_system_error_becomes_a_sentence_that_says_what_to_do(code):
    with pytest.raises(FileError) as caught, plain_errors("data"):
        raise OSError(code, os.strerror(code))
    assert str(caught.value).startswith("data: ")
    assert "; " in caught.value.problem
    assert "Errno" not in str(caught.value)


# The account's limit on the size of a file makes real writes fail, as a full disk does.
LIMITED_WRITER = """
import resource, sys
from corr2cause.errors import FileError
from corr2cause.files import whole_file
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with whole_file(sys.argv[1]) as out:
        for _ in range(int(sys.argv[2])):
            out.write(b"x" * 1000)
except FileError as error:
    print(error)
"""


@pytest.mark.parametrize("thousands", [21, 1000])
def test_a_disk_that_fills_up_leaves_nothing(tmp_path, thousands):
    path = tmp_path / "a.txt"
    said, complained = run_python(LIMITED_WRITER, path, thousands).communicate()
    assert said == f"{path}: the file grew larger than this disk or account allows; choose another folder\n"
    assert complained == ""
    assert os.listdir(tmp_path) == []


def test_equal_values_give_equal_json_files(tmp_path):
    write_json(tmp_path / "a", {"b": [1, None], "a": "ü"})
    write_json(tmp_path / "b", {"a": "ü", "b": [1, None]})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_json(tmp_path / "a") == {"a": "ü", "b": [1, None]}


def test_damaged_json_is_told_by_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{\n"a": 1,\n"b" 2}')
    with pytest.raises(RowError) as caught:
        read_json(path)
    assert (caught.value.path, caught.value.row) == (str(path), 3)
    with pytest.raises(FileError, match="no such file"):
        read_json(tmp_path / "absent")


def test_lines_of_windows_are_read_alike(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": "\xc3\xbc"}\r\n\r\n{"a": null}\r\n{"a": 3}')
    assert list(read_jsonl(path)) == [(1, {"a": "ü"}), (3, {"a": None}), (4, {"a": 3})]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"a": 1', "not JSON"),
        (b"[1]", "expected a JSON object, found list"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": "\xff"}', "UTF-8"),
        (b'{"a": 1} {"a": 2}', "Extra data"),
        (b"[" * 200_000, "not JSON"),
        (b"9" * 5000, "not JSON"),
    ],
)
def test_a_damaged_line_is_told_by_its_number(tmp_path, line, words):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + b"\n")
    rows = read_jsonl(path)
    assert next(rows) == (1, {"a": 1})
    with pytest.raises(RowError, match=words) as caught:
        next(rows)
    assert (caught.value.path, caught.value.row) == (str(path), 2)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    [
        "NA",
        "null",
        "None",
        "true",
        '"',
        "\\",
        "\n",
        "\r\n",
        "\u2028",
        "\x00",
        "\x7f",
        "é",
        "🙂",
        '\', "a": 1}',
    ]
)
TABLES = st.lists(st.tuples(TEXTS, TEXTS | st.none(), st.integers(-(2**63), 2**63 - 1), st.booleans()))


def as_table(rows: list[tuple[str, str | None, int, bool]], names: list[str]) -> pa.Table:
    plain, optional, numbers, flags = (list(cells) for cells in zip(*rows, strict=True)) if rows else ([],) * 4
    return pa.table(
        [
            pa.array(plain, pa.string()).dictionary_encode(),
            pa.array(optional, pa.string()).dictionary_encode(),
            pa.array(numbers, pa.int64()),
            pa.array(flags, pa.bool_()),
        ],
        names=names,
    )


def jsonl_of(table: pa.Table) -> bytes:
    out = io.BytesIO()
    write_jsonl(table, out)
    return out.getvalue()


def by_definition(table: pa.Table) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()).encode()


@settings(deadline=None)
@given(TABLES, st.lists(TEXTS, min_size=4, max_size=4, unique=True))
def test_lines_equal_those_of_the_standard_library(rows, names):
    table = as_table(rows, names)
    assert jsonl_of(table) == by_definition(table)


MESSAGE = st.fixed_dictionaries({"role": TEXTS, "content": TEXTS | st.none()})
NESTED = st.fixed_dictionaries({"messages": st.none() | st.lists(MESSAGE, max_size=2), "last": st.none() | MESSAGE})


@settings(deadline=None)
@given(st.lists(NESTED, max_size=4))
def test_lines_of_lists_and_structs_equal_those_of_the_standard_library(rows):
    message = pa.struct([("role", pa.string()), ("content", pa.string())])
    table = pa.Table.from_pylist(rows, schema=pa.schema([("messages", pa.list_(message)), ("last", message)]))
    assert jsonl_of(table) == by_definition(table)


@settings(deadline=None)  # no timed test: the first example imports Arrow's functions
@given(TABLES, TABLES)
def test_chunks_with_other_dictionaries_are_one_table(first, second):
    names = ["id", "counterexample", "label", "agree"]
    table = pa.concat_tables([as_table(first, names), as_table(second, names)])
    assert jsonl_of(table) == by_definition(table)
    sliced = table.slice(1)
    assert jsonl_of(sliced) == by_definition(sliced)


@pytest.mark.parametrize("n_rows", [999, 1000, 1001, 2500])
def test_long_tables_are_written_in_blocks(n_rows):
    texts = [f"premise {row // 90} – " * 20 for row in range(n_rows)]
    table = pa.table({"premise": pa.array(texts).dictionary_encode(), "row": list(range(n_rows))})
    assert jsonl_of(table) == by_definition(table)


def test_a_text_is_written_anew_only_if_it_says_something_else_and_that_is_wanted(tmp_path):
    path = tmp_path / "a.txt"
    assert write_anew(path, lambda: ["ä", "\n"], force=False)
    assert not write_anew(path, lambda: ["ä", "\n"], force=False)
    with pytest.raises(FileError, match="says something else; use --force"):
        write_anew(path, lambda: ["b\n"], force=False)
    assert path.read_text(encoding="utf-8") == "ä\n"
    assert write_anew(path, lambda: ["b\n"], force=True)
    assert path.read_text() == "b\n"
