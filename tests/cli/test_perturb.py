"""`corr2cause perturb` as a person runs it."""

from __future__ import annotations

import pytest

from corr2cause.dataset.options import GenerationOptions, Mode, Names
from tests.cli.running import call, run
from tests.dataset.folders import contents, data_folder

OPTIONS = GenerationOptions(n=4)


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", OPTIONS)


def refused(*arguments: object, code: int = 1) -> str:
    """Run the command, which must fail with one line, and return it."""
    done = call("perturb", *arguments)
    assert done.returncode == code, done
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_result_is_a_table_on_stdout(folder):
    done = run("perturb", "--mode", "reorder", "--data", folder)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, empty, place = done.stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["n", "dev", "test"],
        ["---", "---", "----"],
        ["2", "6", "6"],
        ["3", "36", "54"],
        ["4", "72", "72"],
        ["all", "114", "132"],
    ]
    assert empty == ""
    assert place == (
        f'in {folder / "perturbation_by_reorder"}, to be read with load_dataset("{folder}", "perturbation_by_reorder")'
    )


def test_all_splits(folder):
    assert call("perturb", "--mode", "paraphrase", "--split", "all", "--data", folder, "--quiet").stdout == ""
    made = {name for name in contents(folder) if name.startswith("perturbation_by_paraphrase/")}
    assert made == {
        f"perturbation_by_paraphrase/{name}" for name in ("train.jsonl", "dev.jsonl", "test.jsonl", "manifest.json")
    }
    again = call("perturb", "--mode", "paraphrase", "--split", "train", "--split", "all", "--data", folder)
    assert again.stderr == f"{folder}: perturbed already with the same options; nothing to do.\n"
    assert again.returncode == 0


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_runs_and_again_is_a_no_op(folder, mode):
    first = call("perturb", "--mode", mode, "--data", folder)
    assert (first.returncode, first.stderr) == (0, "")
    before = contents(folder)
    second = call("perturb", "--mode", mode, "--data", folder)
    assert (second.returncode, second.stdout) == (0, "")
    assert "nothing to do" in second.stderr
    assert contents(folder) == before


def test_other_options_and_other_data_need_force(folder):
    assert call("perturb", "--mode", "rename", "--data", folder).returncode == 0
    before = contents(folder)
    line = refused("--mode", "rename", "--seed", 1, "--data", folder)
    assert "seed 0 instead of 1" in line
    assert "--force" in line
    assert contents(folder) == before
    assert call("perturb", "--mode", "rename", "--seed", 1, "--force", "--data", folder).returncode == 0
    assert call("generate", "--n", 4, "--format", "jsonl", "--seed", 3, "--force", "--out", folder).returncode == 0
    assert "made from other data" in refused("--mode", "rename", "--seed", 1, "--data", folder)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "this is not a data set of corr2cause"),
        (lambda folder: (folder / "manifest.json").write_text("{]"), "the manifest is damaged"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "not written by corr2cause"),
        (lambda folder: (folder / "test.jsonl").unlink(), "test.jsonl: this file of the data set is missing"),
        (lambda folder: (folder / "dev.jsonl").write_text("{}\n"), "dev.jsonl: this has 3 bytes"),
        (lambda folder: (folder / "README.md").write_text("# Mine"), "README.md: this was not written by corr2cause"),
    ],
)
def test_a_damaged_folder_is_one_line(folder, harm, says):
    harm(folder)
    assert says in refused("--mode", "words", "--data", folder)
    assert not (folder / "perturbation_by_words" / "manifest.json").exists()


def test_places_that_hold_no_data_are_one_line(tmp_path, folder):
    assert "there is no such folder" in refused("--mode", "words", "--data", tmp_path / "absent")
    assert "this is a file, not a data folder" in refused("--mode", "words", "--data", folder / "dev.jsonl")
    (tmp_path / "empty").mkdir()
    assert "not a data set of corr2cause" in refused("--mode", "words", "--data", tmp_path / "empty")


def test_what_makes_no_sense_is_one_line(tmp_path, folder):
    assert "has no rows there; it has train, dev, test" in refused(
        "--mode", "words", "--split", "reserve", "--data", folder, code=2
    )
    assert call("perturb", "--mode", "words", "--data", folder).returncode == 0
    perturbed = folder / "perturbation_by_words"
    assert "is made from another data set; name the folder of the original" in refused(
        "--mode", "rename", "--data", perturbed, code=2
    )
    words = data_folder(tmp_path / "words", GenerationOptions(n=3, names=Names.WORDS))
    assert "no mirror image in the alphabet; use letters A to Z" in refused("--mode", "refactor", "--data", words)
    symbolic = data_folder(tmp_path / "symbolic", GenerationOptions(n=3, premise="symbolic"))
    assert "symbolic already; choose another mode" in refused("--mode", "symbolic", "--data", symbolic, code=2)


@pytest.mark.parametrize("arguments", [[], ["--mode", "shout"], ["--mode", "words", "--split", "validation"]])
def test_wrong_usage_is_two(arguments):
    done = call("perturb", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_every_configuration_can_be_loaded_offline(tmp_path, monkeypatch):
    """Under the published names, each split paired with the originals by id."""
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True, raising=False)
    folder = data_folder(tmp_path / "data", OPTIONS, ("jsonl", "parquet"))
    for mode in ("paraphrase", "refactor"):
        assert call("perturb", "--mode", mode, "--data", folder).returncode == 0
    original = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in original.items()} == {"train": 576, "validation": 114, "test": 132}
    for config in ("perturbation_by_paraphrasing", "perturbation_by_refactorization"):
        perturbed = datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"))
        assert set(perturbed) == {"validation", "test"}
        for split in perturbed:
            assert perturbed[split]["id"] == original[split]["id"]
            assert perturbed[split]["label"] == original[split]["label"]
            assert perturbed[split]["hypothesis"] != original[split]["hypothesis"]
