"""The same options give the same bytes: in another process, with other hash seeds, workers and working folders."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.dataset.folders import contents

PERTURBED = ["rename"]


def made(folder: Path, *arguments: object, cwd: Path | None = None, workers: int = 1, **variables: str):
    """Generate into a folder, perturb it, and return all its bytes."""
    generated = run("generate", "--n", 4, "--out", folder, "--workers", workers, *arguments, cwd=cwd, **variables)
    assert generated.returncode == 0, generated.stderr
    for mode in PERTURBED:
        perturbed = run("perturb", "--mode", mode, "--data", folder, cwd=cwd, **variables)
        assert perturbed.returncode == 0, perturbed.stderr
    return contents(folder)


@pytest.fixture(scope="module")
def usual(tmp_path_factory) -> dict[str, bytes]:
    found = made(tmp_path_factory.mktemp("usual") / "data", PYTHONHASHSEED="0")
    assert {f"{split}.{form}" for split in ("train", "dev", "test") for form in ("jsonl", "parquet")} <= set(found)
    assert {"manifest.json", "README.md", "perturbation_by_rename/dev.parquet"} <= set(found)
    return found


def test_hash_seeds_workers_and_the_working_folder_change_no_byte(usual, tmp_path):
    elsewhere = tmp_path / "somewhere" / "else"
    elsewhere.mkdir(parents=True)
    made(Path("data"), cwd=elsewhere, workers=2, PYTHONHASHSEED="1")
    assert contents(elsewhere / "data") == usual


def test_a_second_run_changes_no_byte(usual, tmp_path):
    folder = tmp_path / "data"
    assert made(folder, PYTHONHASHSEED="random", LC_ALL="C", TZ="Asia/Tokyo") == usual
    assert run("generate", "--n", 4, "--out", folder, "--force", PYTHONHASHSEED="2").returncode == 0
    assert contents(folder) == usual


@pytest.mark.parametrize("sizes", [("--n", 5), pytest.param(("--n", 6), marks=pytest.mark.slow)])
def test_one_worker_and_two_write_the_same_bytes(tmp_path, sizes):
    for workers in (1, 2):
        done = run(
            "generate", *sizes, "--workers", workers, "--out", tmp_path / str(workers), PYTHONHASHSEED=str(workers)
        )
        assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def rows(found: dict[str, bytes]) -> dict[str, list[dict[str, object]]]:
    return {
        name: [json.loads(line) for line in data.splitlines()]
        for name, data in found.items()
        if name.endswith(".jsonl") and "/" not in name
    }


def test_seeds_differ_in_names_and_wording_but_not_in_labels(usual, tmp_path):
    other = made(tmp_path / "data", "--seed", 1)
    assert set(other) == set(usual)
    ours, theirs = ([row for part in rows(found).values() for row in part] for found in (usual, other))
    for key in ("label", "nli_label", "class_size", "holds_in", "relation", "class_id", "n_statements"):
        assert Counter(row[key] for row in ours) == Counter(row[key] for row in theirs)
    by_id = {row["id"]: row for row in theirs}
    common = [(row, by_id[row["id"]]) for row in ours if row["id"] in by_id]
    assert len(common) > 100
    for key in ("premise", "hypothesis"):
        assert sum(one[key] != two[key] for one, two in common) > len(common) / 4
    assert all(one["label"] == two["label"] for one, two in common)


def test_the_commands_of_the_card_make_the_data_again(usual, tmp_path):
    """The card promises that; with default folders, so in a folder of its own."""
    card = usual["README.md"].decode()
    commands = [shlex.split(line) for line in card.splitlines() if line.startswith("    corr2cause ")]
    assert [words[1] for words in commands] == ["generate", "perturb"]
    for words in commands:
        done = run(*words[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "data" / "corr2cause") == usual
