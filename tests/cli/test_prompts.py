"""`corr2cause prompts` as a person runs it."""

from __future__ import annotations

import json

import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call
from tests.dataset.folders import data_folder


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", GenerationOptions(n=3))


def test_prompts_go_to_standard_output_or_into_a_file(folder, tmp_path):
    shown = call("prompts", folder, "--style", "chain-of-thought")
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    rows = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    out = tmp_path / "prompts.jsonl"
    done = call("prompts", folder, "--style", "chain-of-thought", "--out", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"{out}: written.\n")
    assert out.read_text() == shown.stdout


def test_a_file_is_not_replaced_unless_forced(folder, tmp_path):
    out = tmp_path / "prompts.jsonl"
    call("prompts", folder, "--out", out)
    before = out.read_bytes()
    assert "nothing to do" in call("prompts", folder, "--out", out).stderr
    refused = call("prompts", folder, "--style", "pc-steps", "--out", out)
    assert (refused.returncode, out.read_bytes()) == (1, before)
    assert refused.stderr.startswith(f"Error: {out}: this file says something else")
    assert call("prompts", folder, "--style", "pc-steps", "--out", out, "--force").returncode == 0
    assert out.read_bytes() != before


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--shots", "2"), 2, "Error: --shots: zero-shot shows no examples; choose another --style\n"),
        (("--style", "few-shot"), 2, "has no train split to take examples from; name another folder\n"),
        (("--split", "tset"), 1, "no rows in the split 'tset'"),
    ],
)
def test_what_cannot_be_done_is_one_line(folder, options, code, said):
    done = call("prompts", folder, *options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert said in done.stderr


def test_the_rows_are_not_replaced_by_their_prompts(folder, tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_bytes((folder / "test.jsonl").read_bytes())
    done = call("prompts", file, "--out", file, "--force")
    assert (done.returncode, file.read_bytes()) == (2, (folder / "test.jsonl").read_bytes())
    assert "would replace what is read" in done.stderr
