"""`verify` against stories that were changed so that each row still agrees with its own text and with the manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.checking.verification import verify
from corr2cause.dataset.options import GenerationOptions, StoryOptions
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.storytelling import stories
from corr2cause.text.stories.wording import SEVERAL_SETS
from tests.dataset.folders import data_folder
from tests.judging.test_verify_command import rewrite
from tests.judging.test_verify_manifest import change_manifest, drop_split, set_options


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4))
    for mode in ("everyday", "anti"):
        stories(open_dataset(folder), StoryOptions(mode, ("train", "dev")))
    return folder


def problems(folder: Path, sample: int | None = None) -> list[str]:
    return [f"{found.place}: {found.problem}" for found in verify(folder, sample).findings]


def recount(stories_folder: Path) -> None:
    """Let the manifest count what is there."""
    rows = [json.loads(line) for line in (stories_folder / "train.jsonl").open(encoding="utf-8")]

    def count(manifest: dict) -> None:
        for one in manifest["counts"]:
            if one["split"] == "train":
                mine = [row for row in rows if row["num_variables"] == one["n"]]
                one.update(
                    classes=len({row["class_id"] for row in mine}),
                    rows=len(mine),
                    positives=sum(row["label"] for row in mine),
                )

    change_manifest(stories_folder, count)


def test_stories_are_verified_as_they_are(folder):
    assert problems(folder) == []


def test_a_class_that_could_have_been_told_is_missed(folder):
    rewrite(folder / "stories_anti", "train.jsonl", lambda rows: rows[:-18])
    recount(folder / "stories_anti")
    (found,) = problems(folder)
    assert found.startswith("stories_anti: anti with seed 0 makes ")
    assert "rows of the split train" in found


def test_other_quantities_than_the_mode_casts_are_found(folder):
    everyday = {row["id"]: row for row in map(json.loads, (folder / "stories_everyday/train.jsonl").open())}
    rewrite(folder / "stories_anti", "train.jsonl", lambda rows: [everyday[row["id"]] for row in rows])
    assert problems(folder) == [
        "stories_anti/train.jsonl: premise is not what anti with seed 0 makes; of the rows after it nothing is known"
    ]


def test_a_split_that_is_gone_without_a_trace_is_found(folder):
    drop_split(folder / "stories_everyday", "dev")
    assert problems(folder) == ["stories_everyday: everyday with seed 0 makes 114 rows of the split dev, it has 0"]


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("seed", 1, "is not what everyday with seed 1 makes"),
        ("statements", "minimal", "is not what everyday with seed 0 makes"),
        ("statements", "some", "its options make no sense: --statements: 'some' is not one of full, minimal"),
        ("seed", "0", "its options make no sense: --seed: '0' should be of the type int"),
        ("split", ["tset"], "its options make no sense: --split: ['tset'] should be some of"),
        ("mode", "nonce", "its option mode says 'nonce', the data have 'everyday'"),
        ("with_steps", True, "its option with_steps says True, the data have False"),
    ],
)
def test_options_that_the_stories_were_not_told_with_are_found(folder, option, value, problem):
    set_options(folder / "stories_everyday", **{option: value})
    assert any(problem in said for said in problems(folder))


def test_a_sample_of_stories_is_not_told_again(folder):
    set_options(folder / "stories_everyday", seed=1)
    assert problems(folder, sample=20) == []


def test_a_class_that_is_told_of_others_is_found(folder, tmp_path):
    elsewhere = data_folder(tmp_path / "elsewhere", GenerationOptions(n=4))
    stories(open_dataset(elsewhere), StoryOptions("everyday", ("train",), seed=1))
    other = [json.loads(line) for line in (elsewhere / "stories_everyday/train.jsonl").open(encoding="utf-8")]
    rewrite(folder / "stories_everyday", "train.jsonl", lambda rows: [*rows[:-18], *other[-18:]])
    (found,) = verify(folder).findings
    assert (found.place, found.row) == ("stories_everyday/train.jsonl", len(other) - 17)
    assert found.problem.startswith("premise is not what everyday with seed 0 makes")


def test_a_label_and_a_set_that_were_changed_are_found(folder):
    def change(rows: list[dict]) -> list[dict]:
        place = next(k for k, row in enumerate(rows) if SEVERAL_SETS in row["premise"])
        before, _, after = rows[place]["premise"].partition(SEVERAL_SETS)
        shorter = f"{before}{after.partition('; ')[0]}.{after.partition('.')[2]}"
        labelled = {**rows[0], "label": 1 - rows[0]["label"]}
        return [labelled, *rows[1:place], {**rows[place], "premise": shorter}, *rows[place + 1 :]]

    rewrite(folder / "stories_everyday", "train.jsonl", change)
    found = [one for one in verify(folder).findings if one.row]
    assert any(one.row == 1 and "label says" in one.problem for one in found)
    assert any(one.row > 1 and ("n_statements says" in one.problem or "no label" in one.problem) for one in found)
