"""`corr2cause export` as a person runs it."""

from __future__ import annotations

import csv
import json

import pytest

from corr2cause.dataset.exporting.targets import TARGETS
from tests.cli.running import call, run
from tests.dataset.exports import PARTS, labels_of, small_data
from tests.dataset.folders import contents


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return small_data(tmp_path_factory.mktemp("data") / "corr2cause")


def refused(*arguments: object, code: int = 1) -> str:
    """Run the command, which must fail with one line, and return it."""
    done = call("export", *arguments)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert done.stderr.count("Error: ") == 1
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_help_has_a_line_for_each_target():
    shown = call("export", "--help").stdout
    for target in TARGETS.values():
        assert f"  {target.name} " in shown
        assert target.summary in shown


def test_the_result_is_a_table_on_stdout(data, tmp_path):
    done = run("export", data, "--to", "chat", "--split", "test", "--out", tmp_path / "chat")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, empty, place = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [
        ["README.md", "–"],
        ["perturbation_by_paraphrase/test.jsonl", "132"],
        ["perturbation_by_words/test.jsonl", "132"],
        ["test.jsonl", "132"],
    ]
    assert (empty, place) == ("", f"in {tmp_path / 'chat'}")
    again = run("export", data, "--to", "chat", "--split", "test", "--out", tmp_path / "chat")
    assert again.returncode == 0
    assert again.stderr == f"{tmp_path / 'chat'}: exported already with the same options; nothing to do.\n"


def test_data_corr2cause_is_the_default(data, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corr2cause").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    assert call("export", "--to", "sft", "--out", "out", "--quiet").stdout == ""
    assert "train.jsonl" in contents(tmp_path / "out")


def test_all_splits(data, tmp_path):
    assert call("export", data, "--to", "inspect", "--split", "all", "--out", tmp_path / "out").returncode == 0
    assert {f"{part}.jsonl" for part in PARTS} < set(contents(tmp_path / "out"))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("part", ["test", "perturbation_by_words/test"])
def test_the_gold_answers_of_every_export_score_in_full(data, tmp_path, target, part):
    assert call("export", data, "--to", target, "--split", "test", "--out", tmp_path / "out").returncode == 0
    ids = [json.loads(line)["id"] for line in (data / f"{part}.jsonl").read_text().splitlines()]
    labels = labels_of(target, tmp_path / "out", part)
    with (tmp_path / "gold.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "response"])
        rows.writerows((name, "Answer: Yes" if label else "No.") for name, label in zip(ids, labels, strict=True))
    scores = json.loads(call("evaluate", tmp_path / "gold.csv", "--data", data, "--json", "--replicates", 0).stdout)
    assert scores["overall"]["accuracy"] == scores["overall"]["f1"] == 1.0


@pytest.mark.parametrize(("target", "file"), [("published", "test.json"), ("nli", "test.parquet")])
def test_exports_with_ids_are_judged_by_evaluate_as_they_are(data, tmp_path, target, file):
    """Three classes in words; in numbers, evaluate rightly refuses to guess their order."""
    call("export", data, "--to", target, "--out", tmp_path / "out")
    column = "relation" if target == "published" else "label"
    done = call("evaluate", tmp_path / "out" / file, "--data", data, "--answer-column", column, "--json")
    if target == "nli":
        assert "neither 0 nor 1; write the class in words" in done.stderr
    else:
        assert json.loads(done.stdout)["overall"]["f1"] == 1.0


def test_audit_reads_the_published_form(data, tmp_path):
    call("export", data, "--to", "published", "--out", tmp_path / "out")
    for file in ("test.csv", "test.json", "perturbation_by_words/test.csv"):
        done = call("audit", tmp_path / "out" / file, "--reading", "direct", "--strict")
        assert done.returncode == 0, done
        assert "as published" in done.stdout or "as in the published JSON form" in done.stdout


def test_the_day_of_publication(data, tmp_path, monkeypatch):
    def day(*arguments):
        call("export", data, "--to", "croissant", "--out", tmp_path / "out", "--force", *arguments)
        return json.loads((tmp_path / "out/croissant.json").read_text()).get("datePublished")

    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert day() is None
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1715040000")
    assert day() == "2024-05-07"
    assert day("--date", "2023-01-31") == "2023-01-31"
    for wrong in ("soon", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        assert "should be a number of seconds since 1970" in refused(
            data, "--to", "croissant", "--out", tmp_path / "none", code=2
        )


def test_what_makes_no_sense_is_one_line(data, tmp_path):
    out = tmp_path / "out"
    assert "'word'" in refused(data, "--to", "word", "--out", out, code=2)
    assert "Missing option '--out'" in refused(data, "--to", "nli", code=2)
    assert "it is empty" in refused(data, "--to", "nli", "--out", "", code=2)
    assert "--date is for --to croissant" in refused(data, "--to", "nli", "--date", "2024-05-07", "--out", out, code=2)
    assert "should be a day" in refused(data, "--to", "croissant", "--date", "2024-13-01", "--out", out, code=2)
    assert "nli does not leave it open; it is for chat, sft, grpo, verl" in refused(
        data, "--to", "nli", "--style", "pc-steps", "--out", out, code=2
    )
    steps = ("--completion", "steps", "--out", out)
    assert "grpo holds no completions; it is for chat, sft" in refused(data, "--to", "grpo", *steps, code=2)
    assert "asks for yes or no alone; add --style" in refused(data, "--to", "sft", *steps, code=2)
    assert "has no rows there" in refused(data, "--to", "nli", "--split", "reserve", "--out", out, code=2)
    assert "holds a data set; choose another folder" in refused(data, "--to", "nli", "--out", data, code=2)
    assert "there is no such folder" in refused(tmp_path / "absent", "--to", "nli", "--out", out)
    assert not out.exists()
    out.mkdir()
    (out / "mine").touch()
    assert "there are other files here" in refused(data, "--to", "nli", "--out", out)
