"""`verify` against data whose manifest, files and rows were changed so that each agrees with the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from corr2cause import __version__, verify
from corr2cause.checking.verifying.parts import Finding
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, PerturbationOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import FileError
from tests.dataset.folders import data_folder
from tests.judging.test_verify_command import first, rewrite


@pytest.fixture
def folder(tmp_path) -> Path:
    return data_folder(tmp_path / "data", GenerationOptions(n=4))


@pytest.fixture
def both(tmp_path) -> Path:
    return data_folder(tmp_path / "data", GenerationOptions(n=4), ("jsonl", "parquet"))


def change_manifest(folder: Path, change: Callable[[dict], object]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def drop_files(folder: Path, *names: str) -> None:
    change_manifest(folder, lambda m: m.update(files=[entry for entry in m["files"] if entry["name"] not in names]))


def drop_split(folder: Path, split: str) -> None:
    """Leave a split out of files and counts, and delete it."""
    drop_files(folder, f"{split}.jsonl")
    change_manifest(folder, lambda m: m.update(counts=[count for count in m["counts"] if count["split"] != split]))
    (folder / f"{split}.jsonl").unlink()


def set_options(folder: Path, **options: object) -> None:
    change_manifest(folder, lambda m: m["options"].update(options))


def problems(folder: Path, sample: int | None = None) -> list[str]:
    return [found.problem for found in verify(folder, sample).findings]


def test_a_split_that_the_manifest_does_not_list_is_found(folder):
    drop_files(folder, "dev.jsonl")
    assert verify(folder).findings == (
        Finding(".", None, "the manifest counts rows of the split dev, but lists no file of it"),
        Finding("dev.jsonl", None, "the manifest does not list this file; move it elsewhere"),
    )


def test_a_format_that_one_split_lacks_is_found(both):
    drop_files(both, "dev.jsonl")
    (both / "dev.jsonl").unlink()
    assert problems(both) == ["the manifest lists no jsonl file of the split dev"]


def test_a_split_that_is_gone_without_a_trace_is_found(folder):
    drop_split(folder, "dev")
    found = verify(folder).findings
    assert {one.place for one in found} == {"manifest.json"}
    assert [one.problem for one in found] == [
        f"its options give {rows} rows of {n} variables to dev, it counts 0" for n, rows in ((2, 6), (3, 36), (4, 72))
    ]


def test_a_file_that_is_listed_twice_is_found(folder):
    change_manifest(folder, lambda m: m["files"].append(m["files"][0]))
    assert "the manifest lists this file 2 times" in problems(folder)


def test_files_that_are_not_listed_are_found(folder):
    assert problems(folder) == []
    (folder / "croissant.json").touch()  # `export --to croissant` puts it there
    (folder / ".hidden").touch()
    (folder / "figures").mkdir()
    assert problems(folder) == []
    (folder / "train-00000-of-00002.jsonl").touch()
    perturb(open_dataset(folder), PerturbationOptions("refactor", ("test",)))
    (folder / "perturbation_by_refactor" / "dev.jsonl").touch()
    assert [found.place for found in verify(folder).findings] == [
        "train-00000-of-00002.jsonl",
        "perturbation_by_refactor/dev.jsonl",
    ]


def test_a_wrong_size_in_the_manifest_is_found(folder):
    size = (folder / "dev.jsonl").stat().st_size
    change_manifest(folder, lambda m: m["files"][1].update(bytes=7))
    assert verify(folder).findings == (Finding("dev.jsonl", None, f"it has {size} bytes, its manifest says 7"),)


def test_every_row_that_fits_no_schema_is_told_and_the_others_are_derived(folder):
    def spoil(rows: list[dict]) -> list[dict]:
        rows[2]["label"] = 2
        rows[5]["label"] = "one"
        del rows[7]["x"]
        rows[9]["label"] = 1 - rows[9]["label"]
        rows[11]["premise"] = None
        return rows

    rewrite(folder, "train.jsonl", spoil)
    lines = (folder / "train.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "train.jsonl").write_text("".join([*lines[:12], "{\n", *lines[13:]]), encoding="utf-8")
    found = {(one.row, one.problem) for one in verify(folder).findings if one.row}
    assert {row for row, _ in found} == {3, 6, 8, 10, 12, 13}
    assert (3, "the column label says 2, expected one of 0, 1") in found
    assert (6, "the column label says 'one', expected int64") in found
    assert (8, "the column x is missing") in found
    assert (12, "the column premise is empty") in found
    assert any(row == 13 and "this is not JSON" in problem for row, problem in found)


def test_parquet_tells_every_row_too(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4), ("parquet",))
    rows = pd.read_parquet(folder / "train.parquet")
    rows.loc[[4, 8], "label"] = 2
    rows.loc[6, "label"] = 1 - rows.loc[6, "label"]
    rows.to_parquet(folder / "train.parquet")
    assert {one.row for one in verify(folder).findings if one.row} == {5, 7, 9}


def test_wrong_steps_are_found(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, min_n=4, with_steps=True))
    rewrite(folder, "train.jsonl", lambda rows: first(rows, steps=rows[2]["steps"].replace("edge", "arrow")))
    assert verify(folder).findings == (
        Finding("train.jsonl", 3, "steps says something else than the reasoning that the text gives"),
    )


def test_steps_of_perturbed_rows_are_their_own(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, min_n=4, with_steps=True))
    perturb(open_dataset(folder), PerturbationOptions("words", ("train",)))
    assert problems(folder) == []
    original = json.loads((folder / "train.jsonl").read_text(encoding="utf-8").splitlines()[2])
    rewrite(folder / "perturbation_by_words", "train.jsonl", lambda rows: first(rows, steps=original["steps"]))
    assert problems(folder) == ["steps says something else than the reasoning that the text gives"]


def test_a_text_under_another_id_is_found(folder):
    def repeat(rows: list[dict]) -> list[dict]:
        return [*rows, {**rows[0], "id": "n4-c1-0-1-is_parent", "relation": "is_parent"}]

    rewrite(folder, "train.jsonl", repeat)
    row = json.loads((folder / "train.jsonl").read_text(encoding="utf-8").splitlines()[0])
    ids = sorted([row["id"], "n4-c1-0-1-is_parent"])
    assert f"the text of the row {ids[0]} stands under 2 ids" in problems(folder)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"format": ["parquet"]}, "its option format says ['parquet'], the data have ['jsonl']"),
        ({"n": 3}, "its options ask for no rows of 4 variables, and it counts some"),
        ({"min_n": 3}, "its options ask for no rows of 2 variables, and it counts some"),
        ({"n": 5}, "its options give 6840 rows of 5 variables to train, it counts 0"),
        ({"split_rows": 3}, "its options give 3 rows of 4 variables to dev, it counts 72"),
        ({"seed": 1}, "id is not what its options make; of the rows after it nothing is known"),
        ({"names": "words"}, "premise is not what its options make; of the rows after it nothing is known"),
        ({"premise": "symbolic"}, "premise is not what its options make; of the rows after it nothing is known"),
        ({"with_steps": True}, "the column steps is missing"),
    ],
    ids=str,
)
def test_options_that_the_data_were_not_made_with_are_found(folder, options, problem):
    set_options(folder, **options)
    assert any(problem in said for said in problems(folder))


def test_a_sample_compares_counts_only(folder):
    set_options(folder, seed=1)
    assert all("not what its options make" not in problem for problem in problems(folder, sample=5))
    set_options(folder, seed=0, n=3)
    assert "its options ask for no rows of 4 variables, and it counts some" in problems(folder, sample=5)


def test_data_of_another_version_are_not_made_again(folder):
    assert problems(folder) == []
    change_manifest(folder, lambda m: m.update(version=f"{__version__}.older"))
    set_options(folder, names="words")
    assert problems(folder) == []


@pytest.mark.parametrize("value", [None, "yes", 17])
def test_options_that_make_no_sense_are_one_line(folder, value):
    set_options(folder, names=value)
    with pytest.raises(FileError, match=r"manifest\.json: the manifest is damaged .*--names"):
        verify(folder)


def test_a_folder_that_is_no_perturbation_is_found(folder):
    (folder / "perturbation_by_x").mkdir()
    (folder / "perturbation_by_y").touch()
    assert [one.place for one in verify(folder).findings] == ["perturbation_by_x", "perturbation_by_y"]


def test_a_perturbation_alone_is_not_verified(folder):
    perturb(open_dataset(folder), PerturbationOptions("refactor", ("test",)))
    with pytest.raises(FileError, match="name the folder of the original"):
        verify(folder / "perturbation_by_refactor")


PERTURBED_OPTIONS = {
    "mode": ({"mode": "words"}, "its option mode says 'words', the data have 'refactor'"),
    "no mode": (
        {"mode": "shout"},
        "its options make no sense: --mode: 'shout' is not one of ",
    ),
    "seed": ({"seed": "x"}, "its options make no sense: --seed: 'x' should be of the type int"),
    "split": ({"split": ["dev"]}, "its option split says ['dev'], the data have ['test']"),
    "steps": ({"with_steps": True}, "its option with_steps says True, the data have False"),
}


@pytest.mark.parametrize(("options", "problem"), PERTURBED_OPTIONS.values(), ids=PERTURBED_OPTIONS)
def test_options_that_a_perturbation_was_not_made_with_are_found(folder, options, problem):
    perturb(open_dataset(folder), PerturbationOptions("refactor", ("test",)))
    assert problems(folder) == []
    set_options(folder / "perturbation_by_refactor", **options)
    assert any(problem in said for said in problems(folder))


def test_perturbed_rows_that_no_seed_makes_are_found(folder):
    perturb(open_dataset(folder), PerturbationOptions("rename", ("test",), seed=3))
    assert problems(folder) == []
    set_options(folder / "perturbation_by_rename", seed=4)
    assert problems(folder) == ["premise is not what rename with seed 4 makes; of the rows after it nothing is known"]


def test_perturbed_rows_that_are_missing_are_found(folder):
    perturb(open_dataset(folder), PerturbationOptions("refactor", ("test",)))
    part = folder / "perturbation_by_refactor"
    rewrite(part, "test.jsonl", lambda rows: rows[:-2])
    change_manifest(part, lambda m: m.update(counts=[]))
    assert "the split test lacks 2 rows of its original" in problems(folder)


def test_a_perturbation_of_the_wrong_kind_or_format_is_found(both):
    perturb(open_dataset(both), PerturbationOptions("refactor", ("test",)))
    part = both / "perturbation_by_refactor"
    change_manifest(part, lambda m: m.update(kind="generate"))
    drop_files(part, "test.jsonl")
    (part / "test.jsonl").unlink()
    assert {"its kind is generate, expected perturb", "its formats are not those of the data, jsonl, parquet"} <= set(
        problems(both)
    )


@pytest.mark.parametrize("formats", [("jsonl",), ("jsonl", "parquet")])
def test_shards_are_verified_like_whole_splits(tmp_path, monkeypatch, formats):
    monkeypatch.setattr("corr2cause.dataset.planning.ROWS_PER_SHARD", 150)
    folder = tmp_path / "data"
    generate(GenerationOptions(n=4), Target(folder, formats))
    perturb(open_dataset(folder), PerturbationOptions("rename", ("train", "test")))
    assert (folder / "train-00001-of-00004.jsonl").exists()
    assert problems(folder) == []
    rewrite(folder, "train-00001-of-00004.jsonl", lambda rows: first(rows, label=1 - rows[2]["label"]))
    assert ("train-00001-of-00004.jsonl", 3) in [(one.place, one.row) for one in verify(folder).findings]
