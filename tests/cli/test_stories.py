"""`corr2cause stories` and what takes its folders, as a person runs them."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call
from tests.dataset.folders import contents, data_folder

OPTIONS = GenerationOptions(n=4)


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", OPTIONS)


def test_what_was_told_and_what_was_left_out_is_a_table(folder):
    done = call("stories", folder, "--mode", "anti")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, empty, place = done.stdout.splitlines()
    assert lines[0].split() == ["n", "split", "classes", "told", "rows", "positives"]
    assert [line.split() for line in lines[2:]] == [
        ["2", "dev", "1", "0", "0", "0"],
        ["2", "test", "1", "0", "0", "0"],
        ["3", "dev", "2", "1", "18", "3"],
        ["3", "test", "3", "0", "0", "0"],
        ["4", "dev", "2", "0", "0", "0"],
        ["4", "test", "2", "0", "0", "0"],
        ["all", "dev", "5", "1", "18", "3"],
        ["all", "test", "6", "0", "0", "0"],
    ]
    assert empty == ""
    assert place == f'in {folder / "stories_anti"}, to be read with load_dataset("{folder}", "stories_anti")'


def test_programs_get_json(folder):
    counts = json.loads(call("stories", folder, "--mode", "nonce", "--split", "test", "--json").stdout)
    assert [(row["n"], row["classes"], row["told"]) for row in counts] == [(2, 1, 1), (3, 3, 3), (4, 2, 2)]
    again = call("stories", folder, "--mode", "nonce", "--split", "test", "--json")
    assert json.loads(again.stdout) == counts
    assert again.stderr == f"{folder}: told already with the same options; nothing to do.\n"


def test_the_same_bytes_for_any_number_of_workers(folder, tmp_path):
    call("stories", folder, "--mode", "everyday", "--split", "all", "--quiet")
    other = data_folder(tmp_path / "other", OPTIONS)
    call("stories", other, "--mode", "everyday", "--split", "all", "--workers", "2", "--quiet")
    assert contents(folder) == contents(other)


def test_errors_are_one_line(folder, tmp_path):
    for code, arguments in (
        (2, ("--mode", "congruent", "--split", "test", folder)),
        (2, ("--mode", "nonce", "--split", "reserve", folder)),
        (1, ("--mode", "nonce", tmp_path / "nowhere")),
    ):
        done = call("stories", *arguments)
        assert (done.returncode, done.stdout) == (code, "")
        assert done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
    assert call("stories", folder).returncode == 2


def test_audit_explain_and_stats_read_stories(folder, tmp_path):
    call("stories", folder, "--mode", "everyday", "--quiet")
    told = folder / "stories_everyday"
    audited = call("audit", told / "dev.jsonl", "--reading", "direct", "--strict")
    assert audited.returncode == 0
    row = next(row for row in map(json.loads, (told / "dev.jsonl").open()) if row["label"] == 1)
    explained = call("explain", "--data", told, "--id", row["id"])
    assert explained.returncode == 0
    assert explained.stdout.rstrip().endswith("Yes.")
    assert f"{row['x']}->" in explained.stdout or f"->{row['x']}" in explained.stdout
    text = call("explain", "--premise", row["premise"], "--hypothesis", row["hypothesis"], "--steps")
    assert text.stdout.rstrip().endswith("Yes.")
    assert call("stats", told).returncode == 0


def test_exports_and_prompts_take_stories(folder, tmp_path):
    call("stories", folder, "--mode", "nonce", "--quiet")
    call("export", folder, "--to", "lm-eval", "--out", tmp_path / "lm")
    assert (tmp_path / "lm/corr2cause_stories_nonce_test.yaml").exists()
    exported = pq.read_table(tmp_path / "lm/stories_nonce/test.parquet")
    assert exported.num_rows == len((folder / "stories_nonce/test.jsonl").read_text().splitlines())
    call("export", folder, "--to", "nli", "--split", "test", "--out", tmp_path / "nli")
    assert "config_name: stories_nonce" in (tmp_path / "nli/README.md").read_text()
    prompts = call("prompts", folder / "stories_nonce", "--split", "dev").stdout.splitlines()
    assert "Can we deduct the following: " in json.loads(prompts[0])["messages"][0]["content"]


def test_robustness_from_symbols_to_stories(folder, tmp_path):
    call("stories", folder, "--mode", "anti", "--split", "dev", "--quiet")
    for name, place in {"symbols": folder, "stories": folder / "stories_anti"}.items():
        rows = [json.loads(line) for line in (place / "dev.jsonl").open()]
        answers = [{"id": row["id"], "prediction": row["label"]} for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in answers))
    done = call(
        *("evaluate", tmp_path / "symbols.jsonl", "--against", tmp_path / "stories.jsonl"),
        *("--data", folder / "stories_anti", "--split", "dev", "--partial", "--json"),
    )
    found = json.loads(done.stdout)["robustness"]["overall"]
    assert (found["n"], found["perturbed"]["f1"], found["consistency"]) == (18, 1, 1)


def test_stories_of_stories_are_refused(folder):
    call("stories", folder, "--mode", "nonce", "--quiet")
    done = call("stories", folder / "stories_nonce", "--mode", "anti")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("Error: DATA: ")
    assert done.stderr.endswith("stories_nonce is made from another data set; name the folder of the original\n")
