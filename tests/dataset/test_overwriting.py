"""What stands in a folder is replaced only on demand, and recognised if it is what was asked for."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from corr2cause.dataset.bounds import BOUNDED, Bounds
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, SplitOptions
from corr2cause.dataset.overwriting import finished_before, stale_perturbations
from corr2cause.dataset.staging import STAGING
from corr2cause.errors import FileError
from corr2cause.graphs.terms import Reading
from tests.dataset.folders import contents, data_folder

OPTIONS = GenerationOptions(n=3)
OTHERS = {
    "n": replace(OPTIONS, n=4),
    "min_n": replace(OPTIONS, min_n=3),
    "reading": replace(OPTIONS, reading=Reading.PATH),
    "names": replace(OPTIONS, names="ordered"),
    "premise": replace(OPTIONS, premise="minimal"),
    "hypotheses": replace(OPTIONS, hypotheses="ordered"),
    "seed": replace(OPTIONS, seed=1),
    "with_steps": replace(OPTIONS, with_steps=True),
    "split_by": replace(OPTIONS, split=SplitOptions(split_by="row")),
    "split_fraction": replace(OPTIONS, split=SplitOptions(split_fraction=0.2)),
    "balance": replace(OPTIONS, balance=True),
    "only_agreeing": replace(OPTIONS, only_agreeing=True),
    "rows_per_n": replace(OPTIONS, rows_per_n=5),
    **{name: replace(OPTIONS, **{name: Bounds.parse(name, "0-9")}) for name in BOUNDED},
    "split_classes": replace(OPTIONS, split=SplitOptions(split_classes=7)),
    "split_rows": replace(OPTIONS, split=SplitOptions(split_rows=7)),
    "split_threshold": replace(OPTIONS, split=SplitOptions(split_threshold=7)),
    "whole_classes": replace(OPTIONS, split=SplitOptions(whole_classes=True)),
}


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", OPTIONS)


def test_every_option_is_tried():
    assert set(OTHERS) == {field.name for kind in (GenerationOptions, SplitOptions) for field in fields(kind)} - {
        "split"
    }


def test_the_same_options_again_are_a_no_op(folder):
    before = contents(folder)
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    outcome = generate(OPTIONS, Target(folder, ("jsonl",)))
    assert not outcome.made
    assert [count.rows for count in outcome.manifest.counts] == [6, 6, 36, 54]
    assert contents(folder) == before
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == times


@pytest.mark.parametrize("option", OTHERS)
def test_other_options_do_not_overwrite_and_are_named(folder, option):
    before = contents(folder)
    with pytest.raises(FileError) as caught:
        generate(OTHERS[option], Target(folder, ("jsonl",)))
    was, now = (options.to_json().get(option, False) for options in (OPTIONS, OTHERS[option]))
    assert f"{option} {was} instead of {now}" in caught.value.problem
    assert "--force" in caught.value.problem
    assert contents(folder) == before


@pytest.mark.parametrize("formats", [("parquet",), ("jsonl", "parquet")])
def test_other_formats_are_other_options(folder, formats):
    with pytest.raises(FileError, match="format"):
        generate(OPTIONS, Target(folder, formats))


def test_the_order_of_formats_makes_no_difference(tmp_path):
    folder = data_folder(tmp_path / "data", OPTIONS, ("jsonl", "parquet"))
    assert not generate(OPTIONS, Target(folder, ("parquet", "jsonl"))).made


@pytest.mark.parametrize("option", ["n", "min_n", "seed", "split_by", "reading"])
def test_force_leaves_just_what_the_new_options_make(folder, tmp_path, option):
    assert generate(OTHERS[option], Target(folder, ("jsonl",), force=True)).made
    assert contents(folder) == contents(data_folder(tmp_path / "fresh", OTHERS[option]))


def test_fewer_sizes_and_formats_leave_no_old_file(tmp_path):
    folder = data_folder(tmp_path / "data", replace(OPTIONS, n=4), ("jsonl", "parquet"))
    assert "train.parquet" in contents(folder)
    generate(OPTIONS, Target(folder, ("jsonl",), force=True))
    assert set(contents(folder)) == {"README.md", "manifest.json", "dev.jsonl", "test.jsonl"}


@pytest.mark.parametrize("harm", ["change", "cut", "remove"])
def test_damaged_data_are_no_finished_data(folder, harm):
    path = folder / "dev.jsonl"
    match harm:
        case "change":
            path.write_bytes(path.read_bytes().replace(b'"label": 0', b'"label": 1', 1))
        case "cut":
            path.write_bytes(path.read_bytes()[:-10])
        case "remove":
            path.unlink()
    with pytest.raises(FileError, match=r"dev\.jsonl.*--force"):
        generate(OPTIONS, Target(folder, ("jsonl",)))
    assert generate(OPTIONS, Target(folder, ("jsonl",), force=True)).made
    assert not generate(OPTIONS, Target(folder, ("jsonl",))).made


def test_another_version_is_named(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "version": "0.0.7"}))
    with pytest.raises(FileError, match=r"made by version 0\.0\.7, not .*--force"):
        generate(OPTIONS, Target(folder, ("jsonl",)))


@pytest.mark.parametrize("name", ["train.jsonl", "reserve.parquet", "dev.jsonl"])
def test_a_data_file_without_a_manifest_is_not_overwritten(tmp_path, name):
    (tmp_path / name).write_text("years of work")
    with pytest.raises(FileError, match=rf"{name}.*without a manifest.*--force"):
        generate(OPTIONS, Target(tmp_path, ("jsonl",)))
    assert contents(tmp_path) == {name: b"years of work"}


def test_other_files_in_the_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.jsonl").write_text("mine too")
    assert generate(OPTIONS, Target(tmp_path, ("jsonl",))).made
    generate(OTHERS["seed"], Target(tmp_path, ("jsonl",), force=True))
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "sub" / "train.jsonl").read_text() == "mine too"


@pytest.mark.parametrize("force", [False, True])
def test_a_readme_of_somebody_else_is_never_overwritten(tmp_path, force):
    (tmp_path / "README.md").write_text("# My project")
    with pytest.raises(FileError, match=r"README\.md.*not written by corr2cause"):
        generate(OPTIONS, Target(tmp_path, ("jsonl",), force))
    assert contents(tmp_path) == {"README.md": b"# My project"}


def test_what_a_killed_run_left_is_no_obstacle(folder, tmp_path):
    """It was killed while files took their names: some have them, the manifest is gone, staging is there."""
    (folder / "manifest.json").unlink()
    (folder / "README.md").unlink()
    (folder / STAGING).mkdir()
    (folder / STAGING / "test.jsonl").write_text("half of")
    assert generate(OTHERS["seed"], Target(folder, ("jsonl",))).made
    assert contents(folder) == contents(data_folder(tmp_path / "fresh", OTHERS["seed"]))
    assert not (folder / STAGING).exists()


def test_a_folder_that_is_absent_or_empty_is_free(tmp_path):
    assert finished_before(tmp_path / "absent", "generate", OPTIONS.to_json(), False) is None
    assert finished_before(tmp_path, "generate", OPTIONS.to_json(), False) is None


@pytest.mark.parametrize(
    "change",
    [
        {"files": []},
        {"counts": []},
        {"files": lambda files: files + files[:1]},
        {"files": lambda files: files[1:]},
        {"counts": lambda counts: [{**counts[0], "rows": -4}, *counts[1:]]},
    ],
)
def test_a_manifest_edited_by_hand_is_no_proof_that_all_is_there(folder, change):
    ((key, value),) = change.items()
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest[key] = value(manifest[key]) if callable(value) else value
    path.write_text(json.dumps(manifest))
    with pytest.raises(FileError, match="do not add up; use --force"):
        generate(OPTIONS, Target(folder, ("jsonl",)))
    assert generate(OPTIONS, Target(folder, ("jsonl",), force=True)).made
    assert not generate(OPTIONS, Target(folder, ("jsonl",))).made


def test_a_perturbation_that_is_damaged_is_stale_and_stops_nothing(folder):
    (folder / "perturbation_by_words").mkdir()
    (folder / "perturbation_by_words" / "manifest.json").write_text("{")
    (folder / "perturbation_by_hand").mkdir()
    outcome = generate(OPTIONS, Target(folder, ("jsonl",), force=True))
    assert stale_perturbations(folder, outcome.manifest) == ["perturbation_by_words"]
