"""`corr2cause baselines` from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from corr2cause.checking.baselines import BASELINES
from corr2cause.cli.baselines import NAMES
from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call, environment, run
from tests.dataset.folders import contents, data_folder

GUESSES = ("majority", "always-yes", "uniform", "proportional")
CHOSEN = tuple(word for name in (*GUESSES, "alphabetical") for word in ("--only", name))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the default data set of four variables."""
    data_folder(tmp_path / "data/corr2cause", GenerationOptions(n=4), ("parquet",))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_names_of_the_command_are_those_of_the_baselines() -> None:
    assert tuple(BASELINES) == NAMES
    shown = call("baselines", "--help").stdout
    assert all(f"      {name}" in shown or f"    {name}  " in shown for name in NAMES)


def test_evaluate_gives_the_same_scores(folder: Path) -> None:
    done = call("baselines", "--out", "out", "--json", "--split", "dev", *CHOSEN)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["split"], list(found["baselines"])) == ("dev", [*GUESSES, "alphabetical"])
    assert sorted(path.name for path in (folder / "out").iterdir()) == sorted(f"{n}.jsonl" for n in found["baselines"])
    for name, score in found["baselines"].items():
        judged = json.loads(call("evaluate", f"out/{name}.jsonl", "--split", "dev", "--json").stdout)["overall"]
        assert {key: score[key] for key in judged} == judged
        assert (score["dev_f1"] is None) == (name in GUESSES)
    assert found["baselines"]["alphabetical"]["dev_f1"] == found["baselines"]["alphabetical"]["f1"] > 0


def test_a_table_for_people(folder: Path) -> None:
    done = call("baselines", *CHOSEN)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Baselines on test of data/corr2cause"
    assert [line.split()[0] for line in lines[5:]] == [*GUESSES, "alphabetical"]
    assert lines[5].split()[1:8] == ["132", "1", "6", "0", "0.00", "0.00", "0.00"]
    assert not (folder / "out").exists()


def test_all_of_them_in_any_process_with_the_same_bytes(folder: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    done = run("baselines", "--out", "one", PYTHONHASHSEED="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert call("baselines", "--out", "two").stdout == done.stdout
    assert contents(folder / "one") == contents(folder / "two")
    assert len(contents(folder / "one")) == len(NAMES)


def test_no_answers_are_replaced_unasked(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out/uniform.jsonl").write_text("mine")
    refused = call("baselines", "--out", "out", *CHOSEN)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Error: out/uniform.jsonl: this is there already; --force replaces it, or choose another --out\n"
    )
    assert contents(folder / "out") == {"uniform.jsonl": b"mine"}
    assert call("baselines", "--out", "out", "--only", "majority").returncode == 0
    assert call("baselines", "--out", "out", "--force", *CHOSEN).returncode == 0
    assert contents(folder / "out")["uniform.jsonl"].startswith(b'{"id": "n')


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["nowhere"], 1, "nowhere: there is no such folder"),
        (["data/corr2cause/test.parquet"], 1, "this is a file, not a data folder"),
        (["--split", "validation"], 1, "no rows in the split 'validation'; choose from: train, dev, test"),
        (["--out", "data/corr2cause/test.parquet", "--only", "majority"], 1, "a file of this name is in the way"),
        (["--only", "coin"], 2, "'coin' is not one of 'majority'"),
        (["--out", ""], 2, "it is empty"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_does_not_fit_is_told(arguments: list[str], code: int, expected: str) -> None:
    done = call("baselines", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert expected in done.stderr


def test_without_the_extra_nothing_is_written_and_its_name_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    done = call("baselines", "--out", "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ('Error: scikit-learn is not installed; get it with: pip install "corr2cause[baselines]"\n')
    assert not (folder / "out").exists()


def test_the_modules_import_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "pandas", "tqdm", "sklearn", "scipy")
    script = (
        "import sys, corr2cause.cli.baselines, corr2cause.cli.shortcuts; "
        f"print([module for module in {heavy} if module in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
