"""From answers to predictions: everything is counted, and answers to other prompts are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import FileError, OptionError, RowError
from corr2cause.files import write_json
from corr2cause.spans.answer_files import RunName, read_answer_file, read_predictions, timestamp_of
from corr2cause.spans.names import DETECTION, EXTRACTION, STRATEGIES
from corr2cause.spans.predictions import read_extraction
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.runs import read_run
from tests.spans.corpus import ROWS

EXTRACT, DETECT = PromptKind(EXTRACTION, "few-shot"), PromptKind(DETECTION, "zero-shot")


def write(path: Path, *answers: tuple[str, str], **more: object) -> Path:
    lines = [{"id": name, "response": text, **more} for name, text in answers]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def answered(tmp_path):
    """One answer of each status, none to row 4, and one to a row that is not there."""
    broken = '{"pairs": [{"cause": "Heavy rain", "effect": "floods"}, {"cause": "Hea'
    said = (("1", EXTRACT.target(ROWS[0])), ("2", broken), ("3", "I see."), ("9", "No relations extracted."))
    return read_answer_file(write(tmp_path / "a.jsonl", *said, finish_reason="length", request={"model": "own/big"}))


def test_statuses_are_counted_apart(answered):
    found = read_predictions(ROWS, answered, EXTRACT)
    assert found.statuses == {"ok": 1, "ok_empty": 0, "salvaged": 1, "null": 2}
    assert sum(found.statuses.values()) == len(ROWS)
    assert (found.n_cut_off, found.n_strange) == (3, 1)
    assert found.reasons["there is no answer"] == 1
    assert [len(entry["pairs"]) for entry in found.entries] == [1, 1, 0, 0]
    assert found.entries[0] == {
        "s/n": 1,
        "sentence": ROWS[0].sentence,
        "pairs": [
            {"cause": "Long frost", "effect": "cracks in the road", "causality": "Explicit", "sententiality": "Intra"}
        ],
    }


def test_verdicts_are_yes_no_or_unknown(tmp_path):
    said = (("1", "The answer is 1."), ("2", "Yes, because there is no doubt."), ("3", "Unknown"))
    found = read_predictions(ROWS, read_answer_file(write(tmp_path / "a.jsonl", *said)), DETECT)
    assert found.entries == ("Yes", "Yes", "Unknown", "Unknown")
    assert found.statuses == {"ok": 2, "ok_empty": 0, "salvaged": 0, "null": 2}
    assert found.reasons == {"it says neither yes nor no": 1, "there is no answer": 1}


@given(st.permutations(range(len(ROWS))), st.sampled_from([EXTRACT, DETECT]))
def test_the_order_of_the_answers_is_of_no_matter(tmp_path_factory, order, kind):
    path = tmp_path_factory.mktemp("a") / "a.jsonl"
    write(path, *((ROWS[place].id, kind.target(ROWS[place])) for place in order))
    found = read_predictions(ROWS, read_answer_file(path), kind)
    assert found.n_strange == found.statuses["null"] == 0
    if kind is DETECT:
        assert found.entries == tuple("Yes" if row.is_causal else "No" for row in ROWS)
    else:
        assert [entry["s/n"] for entry in found.entries] == [1, 2, 3, 4]
        assert [len(entry["pairs"]) for entry in found.entries] == [len(row.pairs) for row in ROWS]


def test_answers_to_another_prompt_are_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    write(path, ("2", "1"), prompt_sha256=DETECT.prompt(ROWS[1]).sha256)
    assert read_predictions(ROWS, read_answer_file(path), DETECT).statuses["ok"] == 1
    others = [PromptKind(DETECTION, "cot"), PromptKind(DETECTION, "zero-shot", "released"), EXTRACT]
    for other in others:
        with pytest.raises(RowError, match=r"a\.jsonl:1: this answers another prompt about row 2 than that of"):
            read_predictions(ROWS, read_answer_file(path), other)


def test_answers_about_other_rows_are_refused(tmp_path):
    with pytest.raises(OptionError, match="none of its rows is answered"):
        read_predictions(ROWS, read_answer_file(write(tmp_path / "a.jsonl", ("x", "1"))), DETECT)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"id": "1", "response": 1}\n', "a.jsonl:1: expected `id`"),
        ('{"response": "1"}\n', "a.jsonl:1: expected `id`"),
        ('{"id": "1"}\n', "a.jsonl:1: expected `id`"),
        ('{"id": "1", "response": "1"}\n{"id": "1", "response": "0"}\n', "a.jsonl:2: '1' was answered"),
        ("\n", "there is no answer in it"),
    ],
)
def test_what_is_no_file_of_answers_is_told(tmp_path, text, problem):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises((RowError, FileError), match=problem):
        read_answer_file(tmp_path / "a.jsonl")


def test_answers_of_other_programs_may_have_numbers_for_ids_and_null_for_nothing(tmp_path):
    lines = '{"id": 1, "response": "1", "model": "m"}\n{"s/n": 2, "response": null, "model": "m"}\n'
    (tmp_path / "a.jsonl").write_text(lines)
    file = read_answer_file(tmp_path / "a.jsonl")
    assert (file.model, {name: answer.text for name, answer in file.answers.items()}) == ("m", {"1": "1", "2": ""})


def test_the_model_is_what_all_lines_say(tmp_path, answered):
    assert answered.model == "own/big"
    one, other = (write(tmp_path / f"{k}.jsonl", (str(k), "1"), request={"model": f"m{k}"}) for k in (1, 2))
    (tmp_path / "both.jsonl").write_text(one.read_text() + other.read_text())
    assert read_answer_file(tmp_path / "both.jsonl").model == ""


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("task", [EXTRACTION, DETECTION])
def test_the_file_is_a_run_under_the_released_name(tmp_path, task, strategy):
    """Both the content and the name say what run it is, split X_only included."""
    kind = PromptKind(task, strategy)
    answers = write(tmp_path / "a.jsonl", *((row.id, kind.target(row)) for row in ROWS))
    found = read_predictions(ROWS, read_answer_file(answers), kind)
    name = RunName(kind, "own/some-model_7B", "X_only", "20260308_184255")
    write_json(tmp_path / name.file_name, name.to_json(found, Path("test.json")))
    run = read_run(tmp_path / name.file_name)
    assert (run.task, run.split, run.model) == (task, "X_only", "some-model_7B")
    assert (run.strategy, run.timestamp) == (strategy, "20260308_184255")
    if task == EXTRACTION:
        assert name.file_name == f"extraction_X_only_some-model_7B_{strategy}_20260308_184255.json"
        read = read_extraction(tmp_path / name.file_name)
        assert [row.pairs for row in read.rows] == [row.pairs for row in ROWS]
        assert not read.flaws


def test_the_time_is_given_or_that_of_the_source(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert timestamp_of("20260308_184255") == "20260308_184255"
    with pytest.raises(OptionError, match="give the time of the run"):
        timestamp_of(None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772995375")
    assert timestamp_of(None) == "20260308_184255"
    assert timestamp_of("20260309_000000") == "20260309_000000"
    for wrong in ("soon", "99999999999999999999"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(OptionError, match="no number of seconds"):
            timestamp_of(None)


@pytest.mark.parametrize("wrong", ["", "2026-03-08", "20260230_000000", "20260308_250000", "20260308_1842", "x"])
def test_what_is_no_time_is_told(wrong):
    with pytest.raises(OptionError, match="no time of the form YYYYMMDD_HHMMSS"):
        timestamp_of(wrong)
