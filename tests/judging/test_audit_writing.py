"""What `audit` writes, what it never replaces, and when `--strict` is content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call
from tests.dataset.folders import data_folder


@pytest.fixture
def by_reading(tmp_path) -> dict[str, Path]:
    """Data folders that differ in the reading."""
    return {
        reading: data_folder(tmp_path / reading, GenerationOptions(n=4, min_n=4, reading=reading))
        for reading in ("direct", "path")
    }


@pytest.fixture
def file(by_reading) -> Path:
    return by_reading["path"] / "test.jsonl"


@pytest.mark.parametrize("option", ["--out", "--report"])
def test_what_stands_there_is_replaced_with_force_only(file, tmp_path, option):
    target = tmp_path / "mine.txt"
    target.write_text("my notes", encoding="utf-8")
    done = call("audit", file, "--reading", "direct", option, target)
    assert (done.returncode, target.read_text(encoding="utf-8")) == (1, "my notes")
    assert done.stderr.splitlines() == [
        f"Error: {target}: this is there already; use --force to replace it, or choose another name"
    ]
    assert call("audit", file, "--reading", "direct", option, target, "--force").returncode == 0
    assert "my notes" not in target.read_text(encoding="utf-8")


def test_copies_in_a_folder_replace_nothing(by_reading, tmp_path):
    out = tmp_path / "corrected"
    files = by_reading["direct"] / "test.jsonl", by_reading["path"] / "dev.jsonl"
    assert call("audit", *files, "--reading", "direct", "--out", out).returncode == 0
    before = (out / "test.jsonl").stat().st_mtime_ns
    assert call("audit", *files, "--reading", "direct", "--out", out).returncode == 1
    assert (out / "test.jsonl").stat().st_mtime_ns == before


@pytest.mark.parametrize(("force", "code"), [((), 1), (("--force",), 2)])
def test_a_copy_never_replaces_another_audited_file(by_reading, force, code):
    first, second = by_reading["direct"] / "test.jsonl", by_reading["path"] / "dev.jsonl"
    before = second.read_bytes()
    done = call("audit", first, second, "--reading", "direct", "--out", second.parent, *force)
    assert (done.returncode, second.read_bytes()) == (code, before)


def test_a_report_in_the_place_of_a_copy_is_refused(file, tmp_path):
    other = file.with_name("dev.jsonl")
    done = call(
        "audit", file, other, "--reading", "path", "--out", tmp_path / "o", "--report", tmp_path / "o/dev.jsonl"
    )
    assert done.returncode == 2
    assert "--report would replace another file" in done.stderr


def test_a_reading_named_twice_is_one(file, tmp_path):
    twice = ("--reading", "path", "--reading", "path")
    assert call("audit", file, *twice, "--out", tmp_path / "copy.jsonl").returncode == 0
    assert (tmp_path / "copy.jsonl").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("words", [("",), ("FILE", "--out", ""), ("FILE", "--report", "")])
def test_an_empty_name_is_no_name(file, words):
    done = call("audit", *(file if word == "FILE" else word for word in words))
    assert done.returncode == 2
    assert "it is empty; name a file or a folder" in done.stderr


def test_strict_wants_one_reading_for_all_files(by_reading):
    direct, path = (by_reading[reading] / "train.jsonl" for reading in ("direct", "path"))
    assert [call("audit", file, "--strict").returncode for file in (direct, path)] == [0, 0]
    assert call("audit", direct, path, "--strict").returncode == 1
    assert call("audit", direct, direct.with_name("dev.jsonl"), "--strict").returncode == 0
    assert call("audit", path, "--strict", "--reading", "direct").returncode == 1
    assert call("audit", path, "--strict", "--reading", "direct", "--reading", "path").returncode == 0


def test_texts_at_fault_come_on_one_clean_line(file, tmp_path):
    row = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    bad = {**row, "premise": row["premise"] + " \x1b[31mA\nlikes B.\x07 " + "and so on " * 50}
    odd = tmp_path / "odd.jsonl"
    odd.write_text(json.dumps(bad) + "\n", encoding="utf-8")
    report = tmp_path / "report.jsonl"
    done = call("audit", odd, "--json", "--report", report)
    (told,) = json.loads(done.stdout)["undecided"]
    (written,) = map(json.loads, report.read_text(encoding="utf-8").splitlines())
    assert told == {name: value for name, value in written.items() if name != "file"}
    assert told["why"] == "unreadable"
    assert told["sentence"].isprintable()
    assert len(told["sentence"]) == 161
