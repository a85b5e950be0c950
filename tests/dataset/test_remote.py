"""A data set behind a URL has the bytes of one on the disk; a stopped run goes on there too."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import fsspec
import pytest

from corr2cause.dataset import generating, planning
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.remote import is_url
from corr2cause.errors import FileError, MissingExtraError
from tests.cli.running import call
from tests.dataset.folders import contents

OPTIONS = GenerationOptions(n=4)
BOTH = ("jsonl", "parquet")
URL = "memory://bucket/data"


@pytest.fixture(autouse=True)
def store(monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 200)
    files = fsspec.filesystem("memory")
    files.store.clear()
    return files


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    folder = tmp_path_factory.mktemp("usual") / "data"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "ROWS_PER_SHARD", 200)
        generate(OPTIONS, Target(folder, BOTH))
    return contents(folder)


def held(files, root="/bucket/data"):
    return {path.removeprefix(f"{root}/"): files.cat_file(path) for path in files.find(root)}


def test_the_bytes_are_those_of_a_folder(store, usual):
    assert generate(OPTIONS, Target(URL, BOTH)).made
    assert held(store) == usual
    again = generate(OPTIONS, Target(f"{URL}/", BOTH))
    assert not again.made


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_upload_what_they_make(tmp_path, usual, workers):
    generate(OPTIONS, Target(f"file://{tmp_path}/data", BOTH), workers)
    assert contents(tmp_path / "data") == usual
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == sorted(usual)


def stop_after(monkeypatch, most, options=OPTIONS):
    begun = []
    make = generating.make_piece

    def limited(options, place, layout, piece):
        begun.append(piece.name)
        if len(begun) > most:
            raise RuntimeError
        return make(options, place, layout, piece)

    with monkeypatch.context() as patched:
        patched.setattr(generating, "make_piece", limited)
        with pytest.raises(RuntimeError):
            generate(options, Target(URL, BOTH))
    return begun[:most]


def test_a_stopped_run_goes_on(store, monkeypatch, usual):
    finished = stop_after(monkeypatch, 2)
    assert "manifest.json" not in held(store)
    store.rm_file(f"/bucket/data/.staging/{finished[0]}.jsonl")  # as if it had been lost
    made = []
    make = generating.make_piece
    monkeypatch.setattr(generating, "make_piece", lambda *args: made.append(args[-1].name) or make(*args))
    generate(OPTIONS, Target(URL, BOTH))
    assert finished[0] in made
    assert finished[1] not in made
    assert held(store) == usual


def test_other_work_needs_force(store, monkeypatch, usual):
    stop_after(monkeypatch, 2, replace(OPTIONS, seed=1))
    with pytest.raises(FileError, match="work with other options lies here unfinished"):
        generate(OPTIONS, Target(URL, BOTH))
    generate(OPTIONS, Target(URL, BOTH, force=True))
    with pytest.raises(FileError, match=r"made with other options \(seed 0 instead of 2\); use --force"):
        generate(replace(OPTIONS, seed=2), Target(URL, BOTH))
    assert held(store) == usual
    smaller = generate(replace(OPTIONS, n=3), Target(URL, ("jsonl",), force=True)).manifest
    assert set(held(store)) == {"README.md", "manifest.json", *(entry.name for entry in smaller.files)}


def test_somebody_elses_readme_is_not_lost(store):
    store.pipe_file("/bucket/data/README.md", b"# mine")
    with pytest.raises(FileError, match=r"a README\.md without a manifest is in the way"):
        generate(OPTIONS, Target(URL, BOTH))
    assert held(store) == {"README.md": b"# mine"}


@pytest.mark.parametrize("url", ["nonsense://bucket/data", "s3://bucket/data\0", "file:///proc/nowhere/data"])
def test_a_store_that_cannot_be_used_is_one_line(url):
    with pytest.raises(FileError) as caught:
        generate(GenerationOptions(n=2), Target(url, BOTH))
    assert "\n" not in str(caught.value)


def test_without_fsspec_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r'pip install "corr2cause\[remote\]"'):
        generate(OPTIONS, Target(URL, BOTH))


def test_the_command_takes_a_url(tmp_path):
    done = call("generate", "--n", 3, "--out", f"file://{tmp_path}/data", "--format", "jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert manifest["options"]["n"] == 3
    assert (
        "complete already" in call("generate", "--n", 3, "--out", f"file://{tmp_path}/data", "--format", "jsonl").stderr
    )


def test_urls_are_told_from_paths(tmp_path):
    assert is_url("s3://a/b")
    assert not is_url("a/b")
    assert not is_url(tmp_path)


@pytest.mark.parametrize("url", ["s3://", "file://", "file:///", "memory://"])
@pytest.mark.parametrize("force", [False, True])
def test_a_url_that_names_no_folder_is_refused(url, force):
    with pytest.raises(FileError, match="this URL names no folder; give one, such as s3://BUCKET/FOLDER"):
        generate(GenerationOptions(n=2), Target(url, BOTH, force))


@pytest.mark.parametrize("call", ["exists", "makedirs", "pipe_file", "put_file", "mv", "rm"])
def test_whatever_a_store_raises_is_one_line(store, monkeypatch, usual, call):
    class NoCredentialsError(Exception):
        """As the library of a store may raise: of no family that others know."""

    def refuse(*args, **kwargs):
        raise NoCredentialsError("unable to\nlocate credentials")

    with monkeypatch.context() as patched:
        patched.setattr(type(store), call, refuse)
        with pytest.raises(FileError, match=r"the store cannot be used \(unable to locate credentials\)"):
            generate(OPTIONS, Target(URL, BOTH))
    generate(OPTIONS, Target(URL, BOTH))
    assert held(store) == usual


@pytest.mark.parametrize("upload", range(8))
def test_a_failed_upload_is_made_good_by_the_next_run(store, monkeypatch, usual, upload):
    put, calls = type(store).put_file, []

    def fail_once(self, *args, **kwargs):
        calls.append(args)
        if len(calls) == upload + 1:
            raise ConnectionResetError("reset by peer")
        return put(self, *args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(type(store), "put_file", fail_once)
        with pytest.raises(FileError, match="reset by peer"):
            generate(OPTIONS, Target(URL, BOTH))
    assert "manifest.json" not in held(store)
    generate(OPTIONS, Target(URL, BOTH))
    assert held(store) == usual


def test_what_was_lost_is_told_and_made_again(store, usual):
    generate(OPTIONS, Target(URL, BOTH))
    store.rm_file("/bucket/data/test.parquet")
    with pytest.raises(FileError, match=r"memory://bucket/data/test\.parquet: this is lost or damaged; use --force"):
        generate(OPTIONS, Target(URL, BOTH))
    assert generate(OPTIONS, Target(URL, BOTH, force=True)).made
    assert held(store) == usual
    store.rm_file("/bucket/data/test.parquet")
    generate(replace(OPTIONS, n=3), Target(URL, ("jsonl",), force=True))
    assert "train-00000-of-00004.jsonl" not in held(store)


@pytest.mark.parametrize("damaged", [b"{", b'{"format": 1}', b"[]"])
def test_a_damaged_manifest_is_named_by_its_url(store, usual, damaged):
    generate(OPTIONS, Target(URL, BOTH))
    store.pipe_file("/bucket/data/manifest.json", damaged)
    with pytest.raises(FileError) as caught:
        generate(OPTIONS, Target(URL, BOTH))
    assert caught.value.path == f"{URL}/manifest.json"
    generate(OPTIONS, Target(URL, BOTH, force=True))
    assert held(store) == usual


@pytest.mark.parametrize("damage", [b"{", b"\xff", None])
def test_a_run_whose_ledger_is_damaged_or_lost_begins_anew(store, monkeypatch, usual, damage):
    stop_after(monkeypatch, 2)
    ledger = "/bucket/data/.staging/ledger.json"
    if damage is None:
        store.rm_file(ledger)
    else:
        store.pipe_file(ledger, damage)
    assert generate(OPTIONS, Target(URL, BOTH)).made
    assert held(store) == usual
