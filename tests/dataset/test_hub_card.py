"""The card makes a folder loadable, and says what is in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
import yaml

from corr2cause.dataset.exporting.hub_card import command, config_name, hub_card, write_hub_card
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.manifest import FileEntry, Manifest, SplitCount, read_manifest
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.schema import COLUMNS
from corr2cause.errors import FileError
from tests.dataset.test_schema import some_rows
from tests.dataset.test_writing import write

OPTIONS = {
    "n": 4,
    "min_n": 2,
    "reading": "path",
    "seed": 7,
    "format": ["jsonl", "parquet"],
    "whole_classes": False,
}


def example(*names, **options):
    files = tuple(FileEntry(name, name.split(".")[0], 10, 1000, f"{i:064x}") for i, name in enumerate(names))
    counts = (SplitCount(3, "train", 5, 600, 100), SplitCount(4, "train", 20, 3000, 500))
    return Manifest("generate", "1.2.3", {**OPTIONS, **options}, counts, files)


def head_of(card):
    _, head, _ = card.split("---\n", 2)
    return yaml.safe_load(head)


def test_the_card_names_every_loadable_split_of_one_format():
    manifest = example("train.jsonl", "train.parquet", "dev.jsonl", "dev.parquet", "reserve.parquet")
    assert head_of(hub_card(manifest, {}))["configs"] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": "train", "path": "train.parquet"},
                {"split": "validation", "path": "dev.parquet"},
            ],
        }
    ]
    lines = head_of(hub_card(example("test.jsonl", "reserve.jsonl"), {}))["configs"]
    assert lines == [{"config_name": "default", "data_files": [{"split": "test", "path": "test.jsonl"}]}]


def test_each_perturbation_is_a_configuration_of_the_same_format():
    perturbations = {
        "words": example("dev.parquet"),
        "refactor": example("test.jsonl"),
        "paraphrase": example("test.jsonl", "test.parquet"),
    }
    card = hub_card(example("test.parquet"), perturbations)
    assert [(c["config_name"], c["data_files"]) for c in head_of(card)["configs"]] == [
        ("default", [{"split": "test", "path": "test.parquet"}]),
        (
            "perturbation_by_paraphrasing",
            [{"split": "test", "path": "perturbation_by_paraphrase/test.parquet"}],
        ),
        ("perturbation_by_words", [{"split": "validation", "path": "perturbation_by_words/dev.parquet"}]),
    ]
    assert 'load_dataset("FOLDER", "perturbation_by_paraphrasing")' in card
    assert config_name("refactor") == "perturbation_by_refactorization"


def test_a_card_without_files_names_no_configuration():
    assert "configs" not in head_of(hub_card(example("reserve.parquet"), {}))


@pytest.mark.parametrize(
    ("rows", "size"),
    [(12, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (207_432, "100K<n<1M"), (38_000_000, "10M<n<100M")],
)
def test_the_size_category_is_that_of_all_rows(rows, size):
    manifest = Manifest("generate", "1", {}, (SplitCount(2, "dev", 1, rows, 0),), ())
    assert head_of(hub_card(manifest, {}))["size_categories"] == [size]


def test_the_head_has_the_fields_of_the_hub():
    head = head_of(hub_card(example("test.parquet"), {}))
    assert head["pretty_name"] == "Corr2Cause"
    assert head["license"] == "other"
    assert head["language"] == ["en"]
    assert head["task_categories"] == ["text-classification"]
    assert head["task_ids"] == ["natural-language-inference"]
    assert head["annotations_creators"] == head["language_creators"] == ["machine-generated"]
    assert head["multilinguality"] == ["monolingual"]
    assert head["source_datasets"] == ["original"]
    assert "causality" in head["tags"]


def test_the_body_tells_what_a_user_must_know():
    manifest = example("test.parquet")
    card = hub_card(manifest, {})
    for heading in (
        *("Dataset Details", "Uses", "Dataset Structure", "Dataset Creation", "Bias, Risks and Limitations"),
        "Citation",
    ):
        assert f"\n## {heading}\n" in card
    for column in COLUMNS:
        assert f"| `{column.name}` | {column.type} | " in card
        assert column.meaning in card
    assert "`path` (an indirect cause has a directed path of length two or more" in card
    assert "directed acyclic graph, faithfulness holds, there are no latent variables" in card
    assert "corr2cause 1.2.3 with seed 7" in card
    assert "| train | 4 | 20 | 3,000 | 500 |" in card
    assert "16.67% of the rows have label 1" in card
    assert manifest.files[0].sha256 in card
    assert "up to renaming" in card
    assert 'Sch{\\"o}lkopf' in card
    assert "$" not in card
    assert command(manifest) in card


def test_a_split_by_rows_is_admitted():
    card = hub_card(example("test.parquet", split_by="row"), {})
    assert "the single row, so that splits share premises" in card
    assert "no premise, nor a renamed copy" not in card


def test_the_command_can_be_run_again():
    manifest = example(whole_classes=True, dry_run=False, out="my data", fraction=0.1, source=None)
    assert command(manifest) == (
        "corr2cause generate --format jsonl --format parquet --fraction 0.1 --min-n 2 --n 4 --out 'my data' "
        "--reading path --seed 7 --whole-classes"
    )


def test_the_card_follows_the_folder(tmp_path):
    data = write(tmp_path, [("test", some_rows(9))], options={"seed": 0, "n": 4})
    first = (tmp_path / "README.md").read_text()
    assert len(head_of(first)["configs"]) == 1
    write_hub_card(tmp_path)
    assert (tmp_path / "README.md").read_text() == first
    source = {"source": data.fingerprint}
    write(tmp_path / "perturbation_by_rename", [("test", some_rows(9))], kind="perturb", options=source)
    write(
        tmp_path / "perturbation_by_words",
        [("test", some_rows(9))],
        kind="perturb",
        options={"source": "other"},
    )
    (tmp_path / "perturbation_by_reorder").mkdir()
    (tmp_path / "perturbation_by_reorder" / "test.parquet").touch()
    write_hub_card(tmp_path)
    configs = head_of((tmp_path / "README.md").read_text())["configs"]
    assert [config["config_name"] for config in configs] == ["default", "perturbation_by_rename"]
    assert (tmp_path / "README.md").read_text() == hub_card(
        data, {"rename": read_manifest(tmp_path / "perturbation_by_rename")}
    )
    # the same data made again keep their perturbations, other data do not
    write(tmp_path, [("test", some_rows(9))], options={"seed": 0, "n": 4})
    assert len(head_of((tmp_path / "README.md").read_text())["configs"]) == 2
    write(tmp_path, [("test", some_rows(9, start=1))])
    assert len(head_of((tmp_path / "README.md").read_text())["configs"]) == 1


def test_a_card_of_somebody_else_is_kept(tmp_path):
    write(tmp_path, [("test", some_rows(9))])
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(FileError, match=r"README.md: this was not written by corr2cause; move it"):
        write_hub_card(tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"


LOAD = """
import json, sys
from datasets import load_dataset
folder, *configs = sys.argv[1:]
loaded = {name: load_dataset(folder, *([name] if name else [])) for name in configs}
json.dump(
    {
        name: {
            split: {"types": {k: str(v.dtype) for k, v in rows.features.items()}, "rows": rows.to_list()}
            for split, rows in data.items()
        }
        for name, data in loaded.items()
    },
    sys.stdout,
)
"""


def load_offline(folder, cache, configs):
    """Load configurations ("" is the default one) in another process, for offline mode is set at import."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(folder), *configs],
        env={**os.environ, **offline, "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("formats", [["jsonl", "parquet"], ["jsonl"]])
def test_the_folder_loads_offline_with_all_configurations(tmp_path, formats):
    folder = tmp_path / "data"
    splits = {
        "train": some_rows(200),
        "dev": some_rows(9, 300),
        "test": some_rows(9, 400),
        "reserve": some_rows(5),
    }
    write(folder, splits.items(), formats)
    modes = {"paraphrase": some_rows(9, 500), "refactor": some_rows(9, 600)}
    for mode, rows in modes.items():
        write(folder / f"perturbation_by_{mode}", [("test", rows)], formats, kind="perturb")
    write_hub_card(folder)
    names = {mode: config_name(mode) for mode in modes}
    loaded = load_offline(folder, tmp_path / "cache", ["", *names.values()])

    assert list(loaded[""]) == ["train", "validation", "test"]
    lines = {split: (folder / f"{split}.jsonl").read_text("utf-8").splitlines() for split in ("train", "dev", "test")}
    for split, name in {"train": "train", "dev": "validation", "test": "test"}.items():
        assert loaded[""][name]["types"] == {column.name: column.type for column in COLUMNS}
        assert loaded[""][name]["rows"] == [json.loads(line) for line in lines[split]]
    for mode, rows in modes.items():
        assert list(loaded[names[mode]]) == ["test"]
        assert loaded[names[mode]]["test"]["rows"] == rows.to_pylist()


def test_shards_are_named_by_a_pattern_and_load_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr("corr2cause.dataset.planning.ROWS_PER_SHARD", 100)
    folder = tmp_path / "data"
    generate(GenerationOptions(n=4), Target(folder, ("parquet",)))
    shards = sorted(folder.glob("train-*.parquet"))
    assert len(shards) == 6
    train = head_of((folder / "README.md").read_text())["configs"][0]["data_files"][0]
    assert train == {"split": "train", "path": "train-*.parquet"}
    loaded = load_offline(folder, tmp_path / "cache", [""])[""]["train"]["rows"]
    assert [row["id"] for row in loaded] == [i for path in shards for i in pq.read_table(path)["id"].to_pylist()]


def test_a_card_says_which_rows_were_left_out():
    def text(**chosen):
        return " ".join(hub_card(example("train.parquet", **chosen), {}).split())

    complete, balanced, agreeing = text(), text(balance=True), text(only_agreeing=True)
    assert "left out" not in complete
    assert "as many have label 1 as 0 in each split" in balanced
    assert "A class that kept no row is missing." in balanced
    assert "splits and the rows that stay, and nothing else" in balanced
    assert "corr2cause generate --balance --format" in balanced
    assert "the readings direct, path and ancestral disagree are left out" in agreeing
    assert "as many have label 1" not in agreeing
