"""Perturbed folders: which rows, what is recorded, what is refused, and what the data card then says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, Mode, Names, PerturbationOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.rephrasing import rephrase
from corr2cause.dataset.schema import SPLITS
from corr2cause.errors import FileError, NamingError, OptionError
from corr2cause.locks import folder_lock
from tests.dataset.folders import contents, data_folder

OPTIONS = GenerationOptions(n=4)
CONFIGS = {
    Mode.PARAPHRASE: "perturbation_by_paraphrasing",
    Mode.REFACTOR: "perturbation_by_refactorization",
    Mode.RENAME: "perturbation_by_rename",
    Mode.WORDS: "perturbation_by_words",
    Mode.REORDER: "perturbation_by_reorder",
    Mode.SYMBOLIC: "perturbation_by_symbolic",
}


@pytest.fixture(params=[("jsonl",), ("parquet",), ("jsonl", "parquet")], ids="+".join)
def any_folder(request, tmp_path):
    return data_folder(tmp_path / "data", OPTIONS, request.param)


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", OPTIONS)


def run(folder: Path, mode: Mode = Mode.WORDS, splits=("test", "dev"), seed: int = 0, force: bool = False):
    return perturb(open_dataset(folder), PerturbationOptions(mode, splits, seed), force)


def configs(folder: Path) -> dict[str, dict[str, str]]:
    head = (folder / "README.md").read_text().split("---\n")[1]
    return {
        config["config_name"]: {file["split"]: file["path"] for file in config["data_files"]}
        for config in yaml.safe_load(head)["configs"]
    }


@pytest.mark.parametrize("mode", Mode)
def test_each_split_holds_its_rows_rephrased(any_folder, mode):
    outcome = run(any_folder, mode)
    assert outcome.made
    source, made = open_dataset(any_folder), open_dataset(any_folder / f"perturbation_by_{mode}")
    assert made.splits == ("dev", "test")
    for split in made.splits:
        assert made.read(split).to_pylist() == rephrase(source.read(split), mode, 0).to_pylist()
        assert made.read(split)["id"].to_pylist() == source.read(split)["id"].to_pylist()
    suffixes = {path.suffix for path in any_folder.iterdir() if path.stem in SPLITS}
    assert {path.suffix for path in made.folder.iterdir() if path.stem in SPLITS} == suffixes


def test_the_card_lists_each_perturbation_under_its_published_name(any_folder):
    before = configs(any_folder)
    assert set(before) == {"default"}
    form = "parquet" if (any_folder / "dev.parquet").exists() else "jsonl"
    for mode in Mode:
        run(any_folder, mode)
    after = configs(any_folder)
    assert set(after) == {"default", *CONFIGS.values()}
    assert after["default"] == before["default"]
    for mode, name in CONFIGS.items():
        assert after[name] == {
            "validation": f"perturbation_by_{mode}/dev.{form}",
            "test": f"perturbation_by_{mode}/test.{form}",
        }
        assert all((any_folder / path).is_file() for path in after[name].values())


def test_the_originals_are_not_touched(folder):
    before = contents(folder)
    run(folder)
    after = contents(folder)
    assert {name: found for name, found in after.items() if name in before and name != "README.md"} == {
        name: found for name, found in before.items() if name != "README.md"
    }


def test_all_splits_may_be_perturbed(folder):
    source = open_dataset(folder)
    outcome = run(folder, splits=source.splits)
    assert outcome.manifest.splits == source.splits == ("train", "dev", "test")
    assert sum(count.rows for count in outcome.manifest.counts) == 822
    assert outcome.manifest.counts == source.manifest.counts


def test_splits_that_the_data_lack_are_passed_over(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=2))
    assert run(folder, splits=("train", "test")).manifest.splits == ("test",)
    with pytest.raises(OptionError, match=r"--split.*no rows there; it has dev, test"):
        run(folder, splits=("train", "reserve"))


def test_the_same_options_again_are_a_no_op(folder):
    run(folder)
    before = contents(folder)
    outcome = run(folder, splits=("dev", "test"))  # the order of the splits is none of the options
    assert not outcome.made
    assert contents(folder) == before


@pytest.mark.parametrize("other", [{"seed": 1}, {"splits": ("dev",)}])
def test_other_options_are_refused_without_force(folder, other):
    run(folder)
    before = contents(folder)
    with pytest.raises(FileError, match=r"perturbation_by_words: .*(seed 0 instead of 1|split).*--force"):
        run(folder, **other)
    assert contents(folder) == before
    assert run(folder, **other, force=True).made
    assert not run(folder, **other).made


def test_a_source_that_has_changed_needs_force(folder):
    """The perturbation of other data is not taken for this one, and the card does not offer it."""
    run(folder)
    generate(GenerationOptions(n=4, seed=1), Target(folder, ("jsonl",), force=True))
    assert set(configs(folder)) == {"default"}
    with pytest.raises(FileError, match=r"made from other data.*--force"):
        run(folder)
    assert run(folder, force=True).made
    assert set(configs(folder)) == {"default", "perturbation_by_words"}


def test_the_card_is_mended_where_a_run_was_stopped_before_it(folder):
    bare = (folder / "README.md").read_bytes()
    run(folder)
    (folder / "README.md").write_bytes(bare)
    assert not run(folder).made
    assert set(configs(folder)) == {"default", "perturbation_by_words"}


def test_a_card_of_somebody_else_is_refused_before_anything_is_written(folder):
    (folder / "README.md").write_text("# Mine")
    with pytest.raises(FileError, match=r"README\.md.*not written by corr2cause"):
        run(folder)
    assert not (folder / "perturbation_by_words").exists()
    assert (folder / "README.md").read_text() == "# Mine"


def test_two_perturbations_at_once_do_not_lose_each_other_in_the_card(folder):
    with folder_lock(folder), pytest.raises(FileError, match="another corr2cause is writing here"):
        run(folder)
    assert not (folder / "perturbation_by_words").exists()


def test_a_perturbation_of_a_perturbation_is_refused(folder):
    run(folder)
    with pytest.raises(
        OptionError,
        match=r"--data: .*perturbation_by_words is made from another data set; name the folder of the original",
    ):
        run(folder / "perturbation_by_words", Mode.REORDER)


def test_generating_into_a_perturbation_is_refused(folder):
    run(folder)
    with pytest.raises(FileError, match=r"holds a perturbed data set.*--force"):
        generate(OPTIONS, Target(folder / "perturbation_by_words", ("jsonl",)))


def test_damaged_data_are_not_perturbed(folder):
    path = folder / "test.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"label": 0', b'"label": 1', 1))
    with pytest.raises(FileError, match=r"test\.jsonl.*does not match its manifest"):
        run(folder)
    assert not (folder / "perturbation_by_words" / "manifest.json").exists()
    assert set(configs(folder)) == {"default"}


def test_words_have_no_mirror_image(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3, names=Names.WORDS))
    with pytest.raises(NamingError, match="use letters A to Z"):
        run(folder, Mode.REFACTOR)
    assert set(configs(folder)) == {"default"}


def test_what_is_recorded(folder):
    source = open_dataset(folder)
    run(folder, Mode.RENAME, ("test",), seed=7)
    manifest = json.loads((folder / "perturbation_by_rename" / "manifest.json").read_text())
    assert manifest["kind"] == "perturb"
    assert manifest["options"] == {
        "mode": "rename",
        "split": ["test"],
        "seed": 7,
        "source": source.manifest.fingerprint,
        "with_steps": False,
    }


def test_progress_reaches_the_number_of_rows(folder):
    moved: list[int] = []
    perturb(open_dataset(folder), PerturbationOptions(Mode.REORDER, ("test", "dev")), progress=moved.append)
    assert sum(moved) == sum(c.rows for c in open_dataset(folder).manifest.counts if c.split != "train")


@pytest.mark.parametrize("splits", ["dev", ("dev", "validation"), ("all",)])
def test_splits_are_those_of_the_schema(folder, splits):
    before = contents(folder)
    with pytest.raises(OptionError, match=r"--split: .* should be some of train, dev, test, reserve"):
        run(folder, splits=splits)
    assert contents(folder) == before
