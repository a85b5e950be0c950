"""From rows to scores over a server that replays: prompts, ask, predictions, score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.asking.prompts import read_prompts
from corr2cause.spans.formats.writing import converted, write_corpus
from corr2cause.spans.prompting.prompts import PromptKind
from tests.cli.running import call, run
from tests.servers import completion, running_server
from tests.spans.corpus import ROWS

TIME = ("--timestamp", "20260308_184255")


@pytest.fixture
def corpus(tmp_path) -> Path:
    write_corpus(tmp_path / "rows.jsonl", converted(ROWS, "release").rows, "release")
    return tmp_path / "rows.jsonl"


def kind_options(kind: PromptKind):
    return "--task", kind.task, "--strategy", kind.strategy, "--profile", kind.profile


def answered(corpus: Path, kind: PromptKind, recorded: dict[str, str]) -> Path:
    """Put the rows as prompts, and ask a server that says to each text what was recorded."""
    prompts = corpus.with_name("prompts.jsonl")
    assert call("spans", "prompts", corpus, *kind_options(kind), "--out", prompts, "--force").returncode == 0
    said = {kind.text(row.sentence): recorded[row.id] for row in ROWS}
    with running_server(lambda prompt, times: completion(said[prompt])) as server:
        done = call("ask", prompts, "--model", "own/m", "--base-url", server.url, "--temperature", 0, "--quiet")
    assert done.returncode == 0, done.stderr
    return corpus.with_name("prompts.answers.jsonl")


@pytest.mark.parametrize("profile", ["described", "released"])
@pytest.mark.parametrize("strategy", ["zero-shot", "few-shot", "cot", "cot-fewshot", "least-to-most", "react"])
def test_who_says_the_truth_scores_one_in_extraction(corpus, strategy, profile):
    kind = PromptKind("extraction", strategy, profile)
    answers = answered(corpus, kind, {row.id: f"Let me think.\n{kind.target(row)}" for row in ROWS})
    run_file = corpus.with_name("run.json")
    done = call("spans", "predictions", answers, "--data", corpus, *kind_options(kind), *TIME, "--out", run_file)
    assert done.returncode == 0, done.stderr
    scored = call("spans", "score", "extraction", "--gold", corpus, "--predictions", run_file, "--json")
    found = json.loads(scored.stdout)
    assert found["exact"]["pair"]["f1"] == 1
    assert not found["flaws"]
    assert json.loads(run_file.read_text())["model"] == "m"


@pytest.mark.parametrize("profile", ["described", "released"])
def test_verdicts_go_the_whole_way(corpus, profile):
    """One causal row is called none, one answer says nothing: F1 of 1 hit and 2 misses is 2/4."""
    kind = PromptKind("detection", "few-shot", profile)
    said = {row.id: kind.target(row) for row in ROWS} | {"2": kind.target(ROWS[3]), "3": "I cannot tell."}
    run_file = corpus.with_name("run.json")
    answers = answered(corpus, kind, said)
    done = call(
        "spans", "predictions", answers, "--data", corpus, *kind_options(kind), *TIME, "--out", run_file, "--json"
    )
    assert json.loads(done.stdout)["statuses"] == {"ok": 3, "ok_empty": 0, "salvaged": 0, "null": 1}
    scored = call("spans", "score", "detection", "--gold", corpus, "--predictions", run_file, "--json")
    found = json.loads(scored.stdout)
    assert (found["f1"], found["unreadable"]) == (0.5, 1)
    assert found["confusion"] == {"tp": 1, "fp": 0, "fn": 2, "tn": 1}
    assert json.loads(run_file.read_text())["predictions"] == ["Yes", "No", "Unknown", "No"]
    turned = corpus.with_name("turned.json")
    write_corpus(turned, ROWS[::-1], "release")
    for gold in (corpus, turned):  # rows meet by id, so that their order decides nothing
        again = call("spans", "score", "detection", "--gold", gold, "--predictions", run_file, "--json")
        assert (json.loads(again.stdout)["confusion"], again.stderr) == (found["confusion"], "")


def test_the_prompts_are_what_ask_reads(corpus):
    out, kind = corpus.with_name("p.jsonl"), PromptKind("extraction", "react")
    done = call("spans", "prompts", corpus, *kind_options(kind), "--out", out)
    assert (done.returncode, done.stdout) == (0, "")
    assert read_prompts(out) == tuple(kind.prompt(row) for row in ROWS)
    assert f"{out}: written." in done.stderr
    assert "4 prompts; the longest, of row 1, has " in done.stderr
    shown = call("spans", "prompts", corpus, *kind_options(kind))
    assert shown.stdout == out.read_text()
    again = call("spans", "prompts", corpus, *kind_options(kind), "--out", out)
    assert "nothing to do" in again.stderr
    other = call("spans", "prompts", corpus, "--task", "detection", "--strategy", "cot", "--out", out)
    assert (other.returncode, "use --force" in other.stderr) == (1, True)


def test_prompts_that_do_not_fit_are_not_written(corpus):
    """Flaw 14: a cut prompt has lost its text or the place for the answer."""
    out = corpus.with_name("p.jsonl")
    words = ("spans", "prompts", corpus, "--task", "extraction", "--strategy", "few-shot", "--out", out)
    done = run(*words, "--max-tokens", 930)
    assert (done.returncode, done.stdout, out.exists()) == (2, "", False)
    assert done.stderr.startswith("Error: --max-tokens: 930 are allowed (estimated), and ")
    assert done.stderr.count("\n") == 1
    assert call(*words, "--max-tokens", 2048).returncode == 0


def test_the_name_of_the_file_is_that_of_the_released_runs(corpus, monkeypatch):
    monkeypatch.chdir(corpus.parent)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772995375")
    lines = (json.dumps({"id": row.id, "response": "1"}) + "\n" for row in ROWS)
    Path("a.jsonl").write_text("".join(lines))
    words = ("spans", "predictions", "a.jsonl", "--data", corpus, "--task", "detection", "--strategy", "cot")
    done = call(*words)
    assert (done.returncode, "--model: a.jsonl does not name one model" in done.stderr) == (2, True)
    done = call(*words, "--model", "own/m")
    assert done.stderr == "detection_m_cot_20260308_184255.json: 4 predictions.\n"
    assert "ok" in done.stdout
    first = Path("detection_m_cot_20260308_184255.json").read_bytes()
    assert call(*words, "--model", "own/m").returncode == 1
    assert call(*words, "--model", "own/m", "--force").returncode == 0
    assert Path("detection_m_cot_20260308_184255.json").read_bytes() == first


def test_answers_to_other_prompts_are_one_line_with_file_and_row(corpus):
    kind = PromptKind("detection", "few-shot")
    answers = answered(corpus, kind, {row.id: "1" for row in ROWS})
    words = ("spans", "predictions", answers, "--data", corpus, "--task", "detection", "--strategy", "cot", *TIME)
    done = run(*words, cwd=corpus.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {answers}:")
    assert "answers another prompt" in done.stderr
    assert done.stderr.count("\n") == 1
