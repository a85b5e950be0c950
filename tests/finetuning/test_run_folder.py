"""Folders of runs, examples and answers, without torch."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.finetune import main

from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import FileError, OptionError
from corr2cause.files import write_json
from corr2cause.finetuning.examples import class_weights, count_truncated, read_examples
from corr2cause.finetuning.run_folder import MODEL, RECORD, claim, keep_best, record_of, write_predictions
from tests.checking.small_data import read_lines, row, write_folder
from tests.cli.running import call

CONFIGS = Path(__file__).parents[2] / "scripts" / "finetune"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [row(id=f"n2-c0-{k}", label=k % 2, nli_label="entailment" if k % 2 else "neutral") for k in range(6)]
    return write_folder(tmp_path / "data", {"train": rows[:3], "test": rows[3:]})


def test_examples_are_the_rows_of_the_split(data: Path) -> None:
    examples = read_examples(open_dataset(data), "test")
    rows = read_lines(data / "test.jsonl")
    assert [examples[k] for k in range(len(examples))] == [(r["premise"], r["hypothesis"], r["label"]) for r in rows]
    assert examples.ids == tuple(r["id"] for r in rows)
    assert len(examples.premises) == 1, "a premise that rows share is held once"


def test_predictions_are_what_evaluate_reads(data: Path, tmp_path: Path) -> None:
    examples = read_examples(open_dataset(data), "test")
    path = write_predictions(tmp_path / "run", "test", examples.ids, examples.labels)
    assert read_lines(path) == [{"id": r["id"], "prediction": r["label"]} for r in read_lines(data / "test.jsonl")]
    done = call("evaluate", path, "--data", data, "--json")
    assert json.loads(done.stdout)["overall"]["accuracy"] == 1


@given(st.lists(st.integers(0, 1), min_size=1))
def test_balanced_weights_count_both_labels_alike(labels: list[int]) -> None:
    weights = class_weights(np.array(labels), "balanced")
    cost = np.array(weights)[labels]
    assert class_weights(np.array(labels), "none") is None
    if len(set(labels)) == 2:
        assert cost.sum() == pytest.approx(len(labels))
        assert cost[np.array(labels) == 1].sum() == pytest.approx(len(labels) / 2)


def test_rows_that_are_too_long_are_counted(data: Path) -> None:
    """The premise has 6 words and the hypothesis 4, with 3 special ones 13 in each of three rows."""

    def lengths(texts):
        return np.array([len(text.split()) for text in texts])

    examples = read_examples(open_dataset(data), "test")
    assert [count_truncated(examples, lengths, 3, most) for most in (12, 13, 14)] == [3, 0, 0]
    with pytest.raises(OptionError, match="max_length: 7 leaves no room for a premise"):
        count_truncated(examples, lengths, 3, 7)


def test_a_folder_belongs_to_what_it_was_started_with(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    claim(folder, {"model": "one", "data": "x"})
    (folder / "more").mkdir()
    claim(folder, {"data": "x", "model": "one"})
    assert record_of(folder) is None
    with pytest.raises(FileError, match="a run with another model was started here"):
        claim(folder, {"model": "two", "data": "x"})
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(FileError, match="this is no folder of a run"):
        claim(tmp_path, {"model": "one"})


def test_the_best_of_a_grid_is_kept_and_the_first_of_equals(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abcd"]
    for folder, f1 in zip(folders[:3], (0.2, 0.5, 0.5), strict=True):
        (folder / MODEL).mkdir(parents=True)
        write_json(folder / RECORD, {"dev": {"f1": f1}})
    (folders[3] / MODEL).mkdir(parents=True)
    assert keep_best(folders) == folders[1]
    assert [(folder / MODEL).exists() for folder in folders] == [False, True, False, True]


def run(*arguments: object) -> str:
    """Run the script and return its error."""
    from click.testing import CliRunner

    done = CliRunner().invoke(main, [str(one) for one in arguments])
    assert done.exit_code in (1, 2)
    return done.stderr


def test_faults_are_told_in_one_line(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, paper = (CONFIGS / f"{name}.toml" for name in ("small", "paper"))
    out = tmp_path / "run"
    assert run("m", "--config", paper, "--data", data, "--out", out) == (
        f"Error: --config: {paper} is a grid of 40 combinations; add --grid\n"
    )
    assert "there is no such folder" in run("m", "--config", small, "--data", tmp_path / "nowhere", "--out", out)
    assert not out.exists()
    monkeypatch.setitem(sys.modules, "torch", None)
    assert 'pip install "corr2cause[finetune]"' in run("m", "--config", small, "--data", data, "--out", out)
    assert not out.exists()
