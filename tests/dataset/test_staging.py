"""A run that was stopped is continued, loses the pieces in flight only, and ends in the same bytes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from corr2cause.dataset import generating, planning, staging
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.manifest import MANIFEST, SplitCount
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.staging import STAGING, unfinished
from corr2cause.errors import FileError
from tests.dataset.folders import contents
from tests.test_files import run_python

OPTIONS = GenerationOptions(n=4)
BOTH = ("jsonl", "parquet")


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 100)


@pytest.fixture
def usual(tmp_path):
    generate(OPTIONS, Target(tmp_path / "usual", BOTH))
    found = contents(tmp_path / "usual")
    assert sum("-of-" in name for name in found) > 8
    return found


def test_a_run_tells_how_much_it_finds(tmp_path, monkeypatch):
    folder, found, built = tmp_path / "data", [], []
    make_some(folder, monkeypatch, 3)
    records = [json.loads(path.read_text()) for path in (folder / STAGING).glob("*.finished.json")]
    rows = sum(count["rows"] for record in records for count in record["counts"])
    generate(OPTIONS, Target(folder, BOTH), progress=built.append, continuing=found.append)
    assert found == built[:1] == [rows]
    generate(replace(OPTIONS, seed=1), Target(tmp_path / "other", BOTH), continuing=found.append)
    assert found == [rows]


def make_some(folder, monkeypatch, most, options=OPTIONS):
    """Generate until so many pieces are made, then fail; return the names of those that were begun."""
    begun = []
    make = generating.make_piece

    def limited(options, staging, layout, piece):
        begun.append(piece.name)
        if len(begun) > most:
            raise KeyboardInterrupt
        return make(options, staging, layout, piece)

    with monkeypatch.context() as patched:
        patched.setattr(generating, "make_piece", limited)
        with suppress(KeyboardInterrupt):
            generate(options, Target(folder, BOTH))
    return begun


@pytest.mark.parametrize("pieces", [1, 3, 6])
def test_only_what_is_missing_is_made(tmp_path, monkeypatch, usual, pieces):
    folder = tmp_path / "data"
    before = make_some(folder, monkeypatch, pieces)
    assert contents(folder) == {}
    assert unfinished(folder)
    after = make_some(folder, monkeypatch, 1000)
    assert not set(before[:-1]) & set(after)
    assert contents(folder) == usual
    assert not (folder / STAGING).exists()


def test_what_was_found_counts_as_progress(tmp_path, monkeypatch, usual):
    make_some(tmp_path / "data", monkeypatch, 3)
    moved: list[int] = []
    outcome = generate(OPTIONS, Target(tmp_path / "data", BOTH), progress=moved.append)
    assert moved[0] > 0
    assert sum(moved) == sum(count.rows for count in outcome.manifest.counts)


def test_nothing_is_kept_of_a_run_that_finished_nothing(tmp_path, monkeypatch):
    make_some(tmp_path / "data", monkeypatch, 0)
    assert not (tmp_path / "data" / STAGING).exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda staging, name: (staging / f"{name}.jsonl").unlink(),
        lambda staging, name: (staging / f"{name}.parquet").write_bytes(b"half"),
        lambda staging, name: (staging / f"{name}.finished.json").write_text("{"),
        lambda staging, name: (staging / f"{name}.finished.json").write_text('{"files": [], "counts": 3}'),
        lambda staging, name: (staging / ".abc.part").write_text("of a killed worker"),
    ],
)
def test_a_damaged_piece_is_made_again(tmp_path, monkeypatch, usual, damage):
    folder = tmp_path / "data"
    names = make_some(folder, monkeypatch, 3)
    damage(folder / STAGING, names[0])
    generate(OPTIONS, Target(folder, BOTH))
    assert contents(folder) == usual
    assert sorted(os.listdir(folder)) == sorted([*usual, ".corr2cause.lock"])


def test_unfinished_work_with_other_options_is_not_lost_by_a_slip(tmp_path, monkeypatch, usual):
    folder, other = tmp_path / "data", replace(OPTIONS, seed=1)
    make_some(folder, monkeypatch, 3, other)
    with pytest.raises(FileError, match=r"work with other options lies here unfinished; .* use --force"):
        generate(OPTIONS, Target(folder, BOTH))
    assert unfinished(folder)["options"]["seed"] == 1
    generate(OPTIONS, Target(folder, BOTH, force=True))
    assert contents(folder) == usual


def test_a_run_that_was_killed_amid_the_moves_is_continued(tmp_path, monkeypatch, usual):
    folder = tmp_path / "data"
    make_some(folder, monkeypatch, 1000)
    shutil.rmtree(folder)
    make_some(folder, monkeypatch, 5)
    for path in list((folder / STAGING).glob("train-0000[01]*.jsonl")):
        shutil.move(path, folder / path.name)
    begun = make_some(folder, monkeypatch, 1000)
    assert not [name for name in begun if name.startswith(("train-00000", "train-00001"))]
    assert contents(folder) == usual


def test_a_finished_data_set_is_recognised(tmp_path, usual):
    recorded = {**OPTIONS.to_json(), "format": [*BOTH]}
    assert finished_before(tmp_path / "usual", "generate", recorded, force=False) is not None


KILLED = """
import sys
from corr2cause.dataset import planning
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
if __name__ == "__main__":
    planning.ROWS_PER_SHARD = 1000
    generate(GenerationOptions(n=5), Target(sys.argv[1], ("jsonl", "parquet")), int(sys.argv[2]))
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_at_random_moments_changes_no_byte_in_the_end(tmp_path, monkeypatch, workers):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 1000)
    options = GenerationOptions(n=5)
    generate(options, Target(tmp_path / "usual", BOTH))
    folder = tmp_path / "data"
    moments = random.Random(workers)
    known: set[str] = set()
    for _ in range(3):
        with run_python(KILLED, folder, workers) as process:
            time.sleep(0.8 + moments.random())
            process.send_signal(signal.SIGKILL)
        left = {path.name for path in (folder / STAGING).glob("*.finished.json")}
        assert known <= left or (folder / MANIFEST).exists(), "what was finished stays finished"
        known = left
    generate(options, Target(folder, BOTH))
    assert contents(folder) == contents(tmp_path / "usual")


def test_the_ledger_says_what_is_being_made(tmp_path, monkeypatch):
    make_some(tmp_path / "data", monkeypatch, 2)
    ledger = json.loads((tmp_path / "data" / STAGING / "ledger.json").read_text())
    assert ledger["options"]["n"] == 4
    path = min((tmp_path / "data" / STAGING).glob("*.finished.json"))
    name = path.name.removesuffix(".finished.json")
    files = json.loads(path.read_text())["files"]
    assert [entry["name"] for entry in files] == [f"{name}.jsonl", f"{name}.parquet"]


def test_a_moved_file_is_not_fetched_back_from_a_complete_data_set(tmp_path, monkeypatch, usual):
    """With the manifest there, the folder belongs to a data set that is whole."""
    folder = tmp_path / "data"
    generate(OPTIONS, Target(folder, BOTH))
    make_some_over(folder, monkeypatch)
    (folder / STAGING / "train-00000-of-00006.jsonl").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(generating, "make_piece", stop)
        with suppress(KeyboardInterrupt):
            generate(OPTIONS, Target(folder, BOTH, force=True))
    assert contents(folder) == usual


def make_some_over(folder, monkeypatch):
    """Begin the same data set again over a complete one, and stop after some pieces."""
    make = generating.make_piece
    begun = []

    def limited(*arguments):
        begun.append(arguments)
        return make(*arguments) if len(begun) <= 3 else stop()

    with monkeypatch.context() as patched:
        patched.setattr(generating, "make_piece", limited)
        with suppress(KeyboardInterrupt):
            generate(OPTIONS, Target(folder, BOTH, force=True))
    assert (folder / STAGING / "train-00000-of-00006.jsonl").exists()


def stop(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("workers", "expected"), [(1, 1), (2, 2), (9, 3), ("tcp://host:1", "tcp://host:1")])
def test_no_more_workers_start_than_there_are_pieces(tmp_path, monkeypatch, workers, expected):
    asked = []

    def inline(function, items, workers, progress):
        asked.append(workers)
        yield from map(function, items)

    monkeypatch.setattr(staging, "ordered_map", inline)
    written = staging.Written((), ())
    with staging.Staging(tmp_path) as place:
        place.finished["b"] = written
        pieces = {name: name for name in "abcd"}
        found = staging.make_missing(place, pieces, lambda name: written, workers, lambda rows: None)
        assert found == [written] * 4
        place.finished = dict.fromkeys(pieces, written)
        staging.make_missing(place, pieces, lambda name: written, workers, lambda rows: None)
    assert asked == [expected, min(workers, 1) if isinstance(workers, int) else workers]


def test_counts_of_pieces_add_up_by_size_and_split():
    pieces = [
        staging.Written((), (SplitCount(4, "test", 1, 10, 2), SplitCount(4, "train", 2, 20, 3))),
        staging.Written((), (SplitCount(3, "test", 5, 50, 6), SplitCount(4, "train", 7, 70, 8))),
    ]
    counts, files = staging.gather(pieces)
    assert counts == (
        SplitCount(3, "test", 5, 50, 6),
        SplitCount(4, "train", 9, 90, 11),
        SplitCount(4, "test", 1, 10, 2),
    )
    assert files == ()
