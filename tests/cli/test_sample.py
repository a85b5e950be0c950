"""`corr2cause sample`, from outside, and the other commands on what it makes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import call, run
from tests.dataset.folders import contents

SMALL = ("--n", 8, "--classes", 30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("sampled") / "data"
    done = call("sample", *SMALL, "--out", path)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def test_the_summary_counts_rows_and_draws(tmp_path):
    done = call("sample", *SMALL, "--format", "jsonl", "--max-class-size", 8, "--out", tmp_path / "data")
    drawing = json.loads((tmp_path / "data" / "manifest.json").read_text())["drawing"]
    numbers = [re.findall(r"[\d,.]+", line) for line in done.stdout.splitlines()]
    assert ["8", "30", f"{drawing['members']:,}", "5,040"] == next(line[:4] for line in numbers if len(line) > 6)
    told = [str(drawing[key]) for key in ("draws", "taken", "passed_over", "too_large", "unfit", "repeated")]
    assert told in numbers
    assert drawing["too_large"] > 0


def test_the_same_again_does_nothing_and_other_options_need_force(folder):
    before = contents(folder)
    assert "nothing to do" in call("sample", *SMALL, "--out", folder).stderr
    other = call("sample", *SMALL, "--seed", 1, "--out", folder)
    assert (other.returncode, "seed 0 instead of 1" in other.stderr) == (1, True)
    generated = call("generate", "--n", 3, "--out", folder)
    assert (generated.returncode, "holds a sampled data set" in generated.stderr) == (1, True)
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--edges", "9-3"), 2, "--edges: '9-3' begins above its end"),
        (("--density", "many"), 2, "--density: 'many' is not of the form LO-HI"),
        (("--n", 13), 2, "13 is not in the range 2<=x<=12"),
        (("--classes", 0), 2, "--classes: 0 is too small"),
        (("--class-size", "9-10", "--max-class-size", 8), 2, "--class-size: 9-10 begins above 8"),
    ],
)
def test_wrong_usage_is_one_line(tmp_path, arguments, code, said):
    done = call("sample", "--out", tmp_path / "data", *arguments)
    assert (done.returncode, said in done.stderr) == (code, True)
    assert not (tmp_path / "data").exists()


def test_a_hopeless_sample_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("corr2cause.dataset.drawing._IN_VAIN", 200)
    done = call("sample", "--n", 3, "--classes", 6, "--out", tmp_path / "data")
    assert done.returncode == 1
    assert re.match(r"Error: \d+ draws gave 5 of 6 classes, the last 200 of them none; ask for fewer", done.stderr)
    assert contents(tmp_path) == {}


def test_hash_seeds_and_workers_change_no_byte(folder, tmp_path):
    done = run("sample", *SMALL, "--workers", 2, "--out", tmp_path / "data", PYTHONHASHSEED="7")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "data") == contents(folder)


def test_stats_prove_nothing_of_a_sample(folder):
    done = call("stats", folder)
    assert done.returncode == 0
    assert "The classes of 8 variables are a sample: there is no completeness to prove." in done.stderr
    assert "complete" not in done.stdout
    assert re.search(r"^8 +5,040 ", done.stdout, re.MULTILINE)
    found = json.loads(call("stats", folder, "--json").stdout)
    assert (found["graphs"], found["sampled"]) == ([], [8])


def test_stats_of_a_file_of_few_variables_prove_nothing_either(tmp_path):
    assert call("sample", "--n", 4, "--classes", 9, "--format", "jsonl", "--out", tmp_path).returncode == 0
    assert json.loads(call("stats", tmp_path / "test.jsonl", "--json").stdout)["graphs"] == []


def test_verify_and_perturb_work_as_on_other_data(tmp_path):
    path = tmp_path / "data"
    call("sample", "--n", 9, "--classes", 8, "--format", "jsonl", "--out", path)
    for mode in ("paraphrase", "refactor", "words", "reorder"):
        done = call("perturb", "--mode", mode, "--data", path, "--split", "all")
        assert done.returncode == 0, done.stderr
    done = call("verify", path, "--sample", 60, "--json")
    assert json.loads(done.stdout)["findings"] == []
    assert done.returncode == 0
    assert "perturbation_by_paraphrasing" in (path / "README.md").read_text()


@pytest.mark.parametrize("change", [("n8-s", "n8-sf"), ("n8-s", "n9-s"), ("n8-s.", "n8-s0")])
def test_verify_finds_a_class_of_another_name(tmp_path, change):
    assert call("sample", "--n", 8, "--classes", 40, "--format", "jsonl", "--out", tmp_path).returncode == 0
    lines = (tmp_path / "test.jsonl").read_text().splitlines()
    changed = [re.sub(*change, line) for line in lines]
    assert changed != lines
    (tmp_path / "test.jsonl").write_text("\n".join(changed) + "\n")
    found = json.loads(call("verify", tmp_path, "--json").stdout)["findings"]
    assert any(re.match("(class_id says|id )", one["problem"]) for one in found)


def test_the_other_commands_read_the_rows(folder):
    (row, *_) = map(json.loads, (folder / "test.jsonl").read_text().splitlines())
    explained = call("explain", "--data", folder, "--id", row["id"], "--json")
    assert json.loads(explained.stdout)["label"] == row["label"]
    judged = call("evaluate", folder / "test.jsonl", "--data", folder, "--json")
    assert judged.returncode == 0, judged.stderr
    audited = call("audit", folder / "test.jsonl", "--strict")
    assert audited.returncode == 0, audited.stdout


def test_the_card_says_where_the_classes_come_from(folder, tmp_path):
    card = " ".join((folder / "README.md").read_text().split())
    assert "classes of 8 variables are drawn uniformly from all of them, up to renaming and without repetition" in card
    assert "The seed decides draws, names, wording and splits" in card
    done = call("sample", *SMALL, "--distribution", "dags", "--edges", "10-14", "--quiet", "--out", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    card = " ".join((tmp_path / "README.md").read_text().split())
    assert "drawn uniformly from all labelled ones of 8 variables" in card
    assert "only those with 10-14 edges are taken" in card


def test_the_command_of_the_card_makes_the_data_again(folder, tmp_path):
    (line,) = [line for line in (folder / "README.md").read_text().splitlines() if line.startswith("    corr2cause ")]
    assert call(*line.split()[1:], "--out", tmp_path / "again").returncode == 0
    assert contents(tmp_path / "again") == contents(folder)


def test_exports_and_prompts_take_a_sample_and_its_perturbations(tmp_path):
    path = tmp_path / "data"
    assert call("sample", "--n", 8, "--classes", 20, "--out", path).returncode == 0
    assert call("perturb", "--mode", "paraphrase", "--data", path).returncode == 0
    for target in ("nli", "hub-card"):
        done = call("export", path, "--to", target, "--out", path if target == "hub-card" else tmp_path / target)
        assert done.returncode == 0, done.stderr
    assert [file for file in (tmp_path / "nli").rglob("*") if "paraphras" in str(file)]
    (prompt, *_) = call("prompts", path).stdout.splitlines()
    assert json.loads(prompt)["id"].startswith("n8-s")
