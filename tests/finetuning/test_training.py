"""The whole way with a small model: it learns, goes on after a kill, and evaluate reads its answers.

Needs torch and transformers (extra `finetune`); nothing is downloaded and no GPU is needed.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from tests.checking.small_data import read_lines
from tests.cli.running import call, environment
from tests.finetuning.test_settings import small

pytestmark = pytest.mark.consumers
pytest.importorskip("transformers", reason="the extra `finetune` is not installed")

ROOT = Path(__file__).parents[2]
LIGHT = {"max_length": 48, "epochs": 3, "batch_size": 16}


def start(script: str, *arguments: object) -> subprocess.Popen:
    command = [sys.executable, str(ROOT / "scripts" / script), *map(str, arguments)]
    variables = environment(HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS="1")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables)


def finish(process: subprocess.Popen, code: int = 0) -> tuple[str, str]:
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == code, stderr
    return stdout, stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four variables in order, so that the names betray the direction, and the same reversed."""
    folder = tmp_path_factory.mktemp("data") / "four"
    ordered = ("--n", 4, "--names", "ordered", "--hypotheses", "ordered", "--quiet")
    assert call("generate", *ordered, "--out", folder).returncode == 0
    assert call("perturb", "--mode", "refactor", "--data", folder, "--quiet").returncode == 0
    return folder


@pytest.fixture(scope="module")
def model(data: Path) -> Path:
    folder = data.parent / "small"
    _, stderr = finish(start("small_model.py", folder, "--data", data))
    assert stderr.endswith(" weights.\n")
    return folder


@pytest.fixture(scope="module")
def ran(data: Path, model: Path) -> tuple[Path, str]:
    """A run of three epochs: its folder and what it said."""
    out = data.parent / "run"
    config = small(data.parent / "light.toml", **LIGHT)
    stdout, stderr = finish(start("finetune.py", model, "--config", config, "--data", data, "--out", out))
    assert stdout == f"{out}\n"
    return out, stderr


def test_a_run_is_recorded(ran: tuple[Path, str], data: Path) -> None:
    out, said = ran
    record = json.loads((out / "run.json").read_text())
    f1 = [epoch["f1"] for epoch in record["epochs"]]
    assert [epoch["epoch"] for epoch in record["epochs"]] == [1, 2, 3]
    assert record["best_epoch"] == 1 + f1.index(max(f1))
    assert record["dev"]["f1"] == max(f1)
    losses = [epoch["train_loss"] for epoch in record["epochs"]]
    assert losses[-1] < losses[0]
    assert record["parts"]["train"]["rows"] == len(read_lines(data / "train.jsonl"))
    assert (record["device"], record["precision"]) == ("cpu", "fp32")
    assert {"torch", "transformers", "python", "corr2cause"} == set(record["versions"])
    assert "of 1,152 rows are longer than 48 tokens; their premises are cut." in said
    assert f"F1 {100 * max(f1):.2f} on dev after epoch {record['best_epoch']}." in said
    assert not (out / "checkpoints").exists()


def test_evaluate_reads_the_answers(ran: tuple[Path, str], data: Path) -> None:
    out, _ = ran
    files = sorted(path.name for path in (out / "predictions").iterdir())
    assert files == ["perturbation_by_refactor.jsonl", "test.jsonl"]
    original, perturbed = out / "predictions/test.jsonl", out / "predictions/perturbation_by_refactor.jsonl"
    done = call("evaluate", original, "--data", data, "--against", perturbed, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["overall"]["n"] == len(read_lines(data / "test.jsonl"))


def test_truncated_rows_are_counted_by_definition(ran: tuple[Path, str], data: Path, model: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    record = json.loads((ran[0] / "run.json").read_text())
    for split in ("train", "dev"):
        rows = read_lines(data / f"{split}.jsonl")
        lengths = [len(tokenizer(r["premise"], r["hypothesis"])["input_ids"]) for r in rows]
        assert record["parts"][split]["truncated"] == sum(length > 48 for length in lengths) > 0


def test_the_saved_model_is_the_best_epoch(ran: tuple[Path, str], data: Path) -> None:
    """Ask the saved model about dev, one row after the other, with nothing of ours: the F1 is that of the record."""
    import torch
    from sklearn.metrics import f1_score
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(ran[0] / "model")
    model = AutoModelForSequenceClassification.from_pretrained(ran[0] / "model").eval()
    rows = read_lines(data / "dev.jsonl")
    said = []
    for one in rows:
        pair = tokenizer(one["premise"], one["hypothesis"], truncation="only_first", max_length=48, return_tensors="pt")
        with torch.no_grad():
            said.append(int(model(**pair).logits.argmax()))
    f1 = f1_score([one["label"] for one in rows], said, zero_division=0)
    assert f1 == pytest.approx(json.loads((ran[0] / "run.json").read_text())["dev"]["f1"])


def test_a_killed_run_goes_on_and_ends_as_if_nothing_had_been(ran: tuple[Path, str], data: Path, model: Path) -> None:
    out = data.parent / "killed"
    arguments = (model, "--config", data.parent / "light.toml", "--data", data, "--out", out)
    process = start("finetune.py", *arguments)
    while process.poll() is None and not list(out.glob("checkpoints/*/trainer_state.json")):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it was over before it could be killed"
    half = out / "checkpoints" / "checkpoint-999999"  # the kill could have come in the middle of writing one
    half.mkdir()
    (half / "trainer_state.json").write_text("{")
    finish(start("finetune.py", *arguments))
    assert json.loads((out / "run.json").read_text()) == json.loads((ran[0] / "run.json").read_text())
    for name in ("test", "perturbation_by_refactor"):
        path = f"predictions/{name}.jsonl"
        assert (out / path).read_bytes() == (ran[0] / path).read_bytes()


def test_a_finished_run_is_not_done_again(ran: tuple[Path, str], data: Path, model: Path) -> None:
    before = (ran[0] / "run.json").stat().st_mtime_ns
    arguments = ("--data", data, "--out", ran[0], "--config")
    _, said = finish(start("finetune.py", model, *arguments, data.parent / "light.toml"))
    assert (ran[0] / "run.json").stat().st_mtime_ns == before
    assert "train:" not in said
    other = small(data.parent / "other.toml", **LIGHT | {"seed": 1})
    _, said = finish(start("finetune.py", model, *arguments, other), code=1)
    assert said == f"Error: {ran[0]}: a run with another settings was started here; choose another folder\n"


def test_a_grid_keeps_its_best_run(data: Path, model: Path) -> None:
    out = data.parent / "grid"
    axes = {"learning_rate": [1e-3, 1e-9], "seed": [0, 1]}
    config = small(data.parent / "grid.toml", **LIGHT | {"epochs": 1} | axes)
    stdout, _ = finish(start("finetune.py", model, "--config", config, "--data", data, "--out", out, "--grid"))
    table = json.loads((out / "grid.json").read_text())
    assert len(table["runs"]) == 4
    f1 = {name: run["dev"]["f1"] for name, run in table["runs"].items()}
    assert f1[table["best"]] == max(f1.values())
    assert stdout == f"{out / table['best']}\n"
    assert [path.parent.name for path in out.glob("*/model")] == [table["best"]]
    assert [path.parents[1].name for path in out.glob("*/predictions/test.jsonl")] == [table["best"]]


def test_what_is_no_model_is_told(data: Path, tmp_path: Path) -> None:
    config = data.parent / "light.toml"
    small(config, **LIGHT)
    _, said = finish(start("finetune.py", tmp_path, "--config", config, "--data", data, "--out", tmp_path / "run"), 1)
    assert said.startswith(f"Error: {tmp_path}: transformers cannot load this (")
    assert said.count("\n") == 1


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The `bash` block of the how-to, run where scripts/ is that of the repository: its folder and what it printed."""
    folder = tmp_path_factory.mktemp("example")
    (code,) = re.findall(r"^```bash\n(.*?)^```$", (ROOT / "docs/how-to.md").read_text(), re.MULTILINE | re.DOTALL)
    (folder / "scripts").symlink_to(ROOT / "scripts")
    (folder / "bin").mkdir()
    for name, command in (("corr2cause", '-m corr2cause "$@"'), ("python", '"$@"')):
        (folder / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {command}\n')
        (folder / "bin" / name).chmod(0o755)
    variables = environment(HF_HUB_OFFLINE="1", PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    done = subprocess.run(["sh", "-e", "-c", code], cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_the_example_of_the_how_to_runs(example: tuple[Path, str]) -> None:
    assert "Robustness by relation" in example[1]


def test_it_learns_what_ordered_names_betray(example: tuple[Path, str]) -> None:
    """In order, no variable causes an earlier one: the model says so of test rows, whose classes it never saw."""
    folder = example[0]
    test, dev = (pd.read_parquet(folder / f"data/ordered/{split}.parquet") for split in ("test", "dev"))
    said = {one["id"]: one["prediction"] for one in read_lines(folder / "runs/small/predictions/test.jsonl")}
    pairs = test.hypothesis.str.extract(r"^(.) directly causes (.)\.$").dropna()
    is_backwards = pairs[0] > pairs[1]
    answers = test.loc[pairs.index, "id"].map(said)
    assert is_backwards.sum() > 50
    assert answers[is_backwards].mean() < 0.15
    assert answers[~is_backwards].mean() > 0.35
    always_yes = 2 * dev.label.mean() / (1 + dev.label.mean())
    record = json.loads((folder / "runs/small/run.json").read_text())
    assert record["dev"]["f1"] > always_yes + 0.15
