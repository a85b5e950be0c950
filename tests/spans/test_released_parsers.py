"""The parsers of the released code, case by case as they were seen to behave."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.spans.answer_files import read_answer_file, read_predictions
from corr2cause.spans.extraction_answers import Status, read_pairs
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.prompting.released_parsers import RELEASED_PARSERS, released_pairs, released_verdict
from corr2cause.spans.rows import Pair
from tests.cli.running import call
from tests.spans.corpus import ROWS

ONE = '{"pairs": [{"cause": "frost", "effect": "cracks", "causality": "Explicit", "sententiality": "Intra"}]}'
PAIR = Pair("frost", "cracks", "Explicit", "Intra")


@pytest.mark.parametrize(
    ("text", "status", "n_pairs"),
    [
        (ONE, Status.OK, 1),
        (f"```json\n{ONE}\n```", Status.OK, 1),
        (f"{ONE}\nInput text: more\n{ONE}", Status.NULL, 0),
        (f"{ONE} (Reason: {{x}})", Status.NULL, 0),
        (f"{{Cause, Effect}}\n{ONE}", Status.NULL, 0),
        (ONE[:-12], Status.NULL, 0),
        (f"[{ONE[10:-2]}]", Status.NULL, 0),
        ('{"pairs": null}', Status.NULL, 0),
        ('{"pairs": []}', Status.OK_EMPTY, 0),
        ('{"pairs": ["a causes b"]}', Status.OK_EMPTY, 0),
        ("No relations extracted.", Status.NULL, 0),
        ("}{", Status.NULL, 0),
        (None, Status.NULL, 0),
        ("{" * 100_000 + "}", Status.NULL, 0),
    ],
)
def test_pairs_as_the_page_has_them(text, status, n_pairs):
    found = released_pairs(text)
    assert (found.status, found.content) == (status, (PAIR,) * n_pairs)
    assert bool(found.reason) == (status == Status.NULL or text == '{"pairs": ["a causes b"]}')


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Yes", True),
        (" no. ", False),
        ("Yes, it does", True),
        ("Yes, because there is no doubt.", None),  # both, and "doubt." is neither
        ("No effect is known. Answer: yes", True),
        ("Nobody knows; in the end yes", True),
        ("Yes or no? Answer: no. Answer: yes", True),
        ("Yes or no? Answer: of course yes indeed", None),  # only ten letters are looked at
        ("Unknown", False),
        ("Eyes were examined", True),
        ("1", None),
        ("", None),
        (None, None),
    ],
)
def test_verdicts_as_the_page_has_them(text, verdict):
    found = released_verdict(text)
    assert found.content is verdict
    assert found.status == (Status.NULL if verdict is None else Status.OK)


@given(st.text() | st.text("{}[]\"':, pairscuefnoy\n"))
def test_any_text_is_read(text):
    assert released_pairs(text).status in Status
    assert released_verdict(text).content in (True, False, None)


@given(st.sampled_from([ONE, f"so: {ONE}", f"```\n{ONE}```"]))
def test_what_the_released_code_finds_is_found_with_care_too(text):
    assert released_pairs(text).content == read_pairs(text).pairs


def test_the_command_reads_with_either(tmp_path):
    kind = PromptKind("extraction", "few-shot", "released")
    answers, data = tmp_path / "a.jsonl", tmp_path / "rows.json"
    lines = [{"id": row.id, "response": f"<think>{{}}</think>{kind.target(row)}"} for row in ROWS]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    file = read_answer_file(answers)
    assert read_predictions(ROWS, file, kind).statuses["ok"] == 3
    assert read_predictions(ROWS, file, kind, RELEASED_PARSERS["extraction"]).statuses["null"] == 4
    data.write_text(json.dumps([{"s/n": int(row.id), "sentence": row.sentence, "label": 1} for row in ROWS]))
    options = (
        "--task",
        "extraction",
        "--strategy",
        "few-shot",
        "--model",
        "m",
        "--timestamp",
        "20260308_184255",
        "--json",
    )
    for parser, n_null in (("careful", 0), ("released", 4)):
        words = (answers, "--data", data, *options, "--parser", parser, "--out", tmp_path / f"{parser}.json")
        assert json.loads(call("spans", "predictions", *words).stdout)["statuses"]["null"] == n_null
