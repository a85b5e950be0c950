"""The manifest: stable bytes, and a plain word for each way in which it can be wrong."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from corr2cause.dataset.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    SplitCount,
    read_manifest,
    row_options,
    write_manifest,
)
from corr2cause.dataset.options import GenerationOptions
from corr2cause.errors import FileError

EXAMPLE = Manifest(
    kind="generate",
    version="1.2.3",
    options={
        "n": 4,
        "seed": 0,
        "format": ["jsonl"],
        "whole_classes": False,
        "fraction": 0.1,
        "names": "shuffled",
    },
    counts=(SplitCount(4, "train", 16, 576, 44), SplitCount(4, "test", 2, 72, 5)),
    files=(
        FileEntry("test.jsonl", "test", 72, 9000, "ab" * 32),
        FileEntry("train.jsonl", "train", 576, 1, "c" * 64),
    ),
)


def test_what_was_written_is_read(tmp_path):
    write_manifest(tmp_path, EXAMPLE)
    assert os.listdir(tmp_path) == [MANIFEST]
    assert read_manifest(tmp_path) == EXAMPLE
    assert read_manifest(str(tmp_path)).splits == ("train", "test")


def test_equal_manifests_are_equal_bytes(tmp_path):
    shuffled = replace(EXAMPLE, options=dict(reversed(EXAMPLE.options.items())))
    for name, manifest in {"a": EXAMPLE, "b": shuffled}.items():
        (tmp_path / name).mkdir()
        write_manifest(tmp_path / name, manifest)
    assert (tmp_path / "a" / MANIFEST).read_bytes() == (tmp_path / "b" / MANIFEST).read_bytes()
    assert shuffled.fingerprint == EXAMPLE.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"version": "1.2.4"},
        {"options": {**EXAMPLE.options, "seed": 1}},
        {"files": EXAMPLE.files[:1]},
        {"counts": ()},
    ],
)
def test_other_data_have_another_fingerprint(change):
    assert replace(EXAMPLE, **change).fingerprint != EXAMPLE.fingerprint


def test_folders_without_a_manifest(tmp_path):
    (tmp_path / "file").touch()
    for path, words in {
        tmp_path / "absent": "no such folder",
        tmp_path / "file": "is a file, not a data folder",
        tmp_path: "no manifest.json here: this is not a data set of corr2cause, or its writing was interr",
    }.items():
        with pytest.raises(FileError, match=words) as caught:
            read_manifest(path)
        assert caught.value.path == str(path)


def change(**changes):
    return lambda found: {**found, **changes}


def change_file(**changes):
    return lambda found: {**found, "files": [{**found["files"][0], **changes}]}


def change_count(**changes):
    return lambda found: {**found, "counts": [{**found["counts"][0], **changes}]}


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda found: [found], "not written by corr2cause"),
        (change(program="other"), "not written by corr2cause"),
        (lambda _: {"name": "web app", "version": "1"}, "not written by corr2cause"),
        (change(format=2), "format 2, newer than this program knows .1.; update corr2cause"),
        (change(format=None), "it gives no format"),
        (change(kind="invent"), "the kind 'invent' is unknown"),
        (change(options=[]), "it gives no options"),
        (change(files={}), "it gives no files"),
        (change(version=3), "it gives no version"),
        (change(counts=[7]), "7 should give n, split, classes, rows, positives"),
        (change_count(rows="576"), "should give"),
        (change_count(rows=True), "should give"),
        (change_count(colour="red"), "should give"),
        (change_count(split="exam"), "the split 'exam' is unknown"),
        (change_file(name="../test.jsonl"), "is no name of a data file"),
        (change_file(name="train.jsonl"), "is no name of a data file"),
        (change_file(name="/etc/passwd"), "is no name of a data file"),
        (change_file(split="exam"), "the split 'exam' is unknown"),
    ],
)
def test_a_damaged_or_foreign_manifest_is_told_in_plain_words(tmp_path, damage, words):
    write_manifest(tmp_path, EXAMPLE)
    path = tmp_path / MANIFEST
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    with pytest.raises(FileError, match=words) as caught:
        read_manifest(tmp_path)
    assert caught.value.path == str(path)
    assert "\n" not in str(caught.value)


def test_half_a_manifest_is_damaged(tmp_path):
    write_manifest(tmp_path, EXAMPLE)
    path = tmp_path / MANIFEST
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileError, match=r"damaged \(line .*make the data again with --force"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("change", [{"reading": "none"}, {"reading": ["path"]}, {"n": "4"}, {"n": 99}, {"seed": 0.5}])
def test_options_edited_by_hand_are_damage_of_the_manifest(tmp_path, change):
    good = GenerationOptions(n=4)
    assert row_options(tmp_path, replace(EXAMPLE, options=good.to_json())) == good
    with pytest.raises(FileError, match=r"manifest.json: the manifest is damaged \(") as caught:
        row_options(tmp_path, replace(EXAMPLE, options={**good.to_json(), **change}))
    assert caught.value.path == str(tmp_path / MANIFEST)


def test_options_that_are_absent_are_damage_of_the_manifest(tmp_path):
    with pytest.raises(FileError, match="there is no value of"):
        row_options(tmp_path, replace(EXAMPLE, options={}))
