"""Reading answers: whatever a model wrote, it is read or said why not."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.spans.detection_answers import read_verdict, released_verdict, verdict_of
from corr2cause.spans.extraction_answers import Status, read_pairs
from corr2cause.spans.prompting.released_parsers import released_pairs
from corr2cause.spans.rows import Pair
from corr2cause.spans.tuple_answers import canonical_label

PAIR = Pair("smoking", "lung cancer", "Explicit", "Intra")
OBJECT = '{"cause": "smoking", "effect": "lung cancer", "causality": "Explicit", "sententiality": "Intra"}'
OTHER = '{"cause": "salt", "effect": "stroke"}'
TUPLE = "Tuple 1: {Cause: smoking, Effect: lung cancer, Causality_Type: Explicit, Sententiality: Intra-sentential}"


@pytest.mark.parametrize(
    ("answer", "status", "n_pairs"),
    [
        (f'{{"pairs": [{OBJECT}]}}', "ok", 1),
        (f'```json\n{{"pairs": [{OBJECT}, {OTHER}]}}\n```', "ok", 2),
        (f"<think>first {OTHER}</think> [{OBJECT}]", "ok", 1),
        (f'maybe so </think> {{"pairs": [{OBJECT}]}}', "ok", 1),
        (f'{{Cause, Effect}}\n{{"pairs": [{OBJECT}]}} (Reason: {{x}})', "ok", 1),
        (f'{{"result": {{"pairs": [{OBJECT}]}}}}', "ok", 1),
        (f"{OBJECT}\n{OTHER}", "ok", 2),
        (f'{{"pairs": [{OBJECT}, {{"cause": "salt", "eff', "salvaged", 1),
        (f'{{"pairs": [{OBJECT},]}}', "salvaged", 1),
        (TUPLE, "ok", 1),
        (f"{TUPLE}\nTuple 2: {{Cause: salt, Effect: stro", "salvaged", 1),
        ("cause: smoking\neffect: lung cancer", "ok", 1),
        ("{'cause': 'smoking', 'effect': 'lung cancer'}", "ok", 1),
        ("{Cause: smoking, Sententiality: Inter, Type: Implicit, Effect: lung cancer}", "ok", 1),
        ('{"pairs": []}', "ok_empty", 0),
        ("[]", "ok_empty", 0),
        ("No relations extracted.", "ok_empty", 0),
        ('{"pairs": null}', "null", 0),
        ('{"pairs": ["a causes b"]}', "null", 0),
        ('{"pairs": [{"cause": " ", "effect": "x"}]}', "null", 0),
        ("I cannot say.", "null", 0),
        ("<think>never ends [" + OBJECT + "]", "null", 0),
        ("", "null", 0),
    ],
)
def test_forms_of_an_answer(answer: str, status: str, n_pairs: int) -> None:
    reading = read_pairs(answer)
    assert (reading.status, len(reading.pairs)) == (status, n_pairs)
    assert bool(reading.reason) or status in ("ok", "ok_empty")
    if n_pairs:
        assert (reading.pairs[0].cause, reading.pairs[0].effect) == ("smoking", "lung cancer")


def test_the_last_list_counts_and_the_others_are_told() -> None:
    reading = read_pairs(f'{{"pairs": [{OTHER}]}}\nText: …\n{{"pairs": [{OBJECT}]}}')
    assert reading.pairs == (PAIR,)
    assert reading.reason == "1 earlier lists or pairs passed over"


def test_pairs_without_a_side_are_left_out_and_told() -> None:
    reading = read_pairs(f'{{"pairs": [{OBJECT}, {{"cause": "salt", "effect": ""}}, "x"]}}')
    assert (reading.status, reading.pairs) == ("ok", (PAIR,))
    assert reading.reason == "2 entries without both sides left out"


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        *[("Explicit", "Explicit"), ("implicit causality", "Implicit"), ("Intra-sentential", "Intra")],
        *[("inter", "Inter"), ("M=1", "Explicit"), ("M = 0", "Implicit"), ("B=0", "Intra"), ("B=1", "Inter")],
        *[("", ""), ("unclear", "")],
    ],
)
def test_labels(label: str, meaning: str) -> None:
    assert canonical_label(label) == meaning


SPAN = st.text(st.characters(codec="utf-8", exclude_characters="{}"), min_size=1, max_size=20).filter(str.strip)
LISTS = st.lists(st.fixed_dictionaries({"cause": SPAN, "effect": SPAN}), min_size=1, max_size=4)


@given(LISTS, st.sampled_from(["", "Here they are:\n", "```json\n"]), st.booleans())
@settings(deadline=None)
def test_what_was_written_as_json_is_read_back(pairs: list[dict[str, str]], before: str, is_ascii: bool) -> None:
    answer = before + json.dumps({"pairs": pairs}, ensure_ascii=is_ascii)
    if "think>" in answer or "```" in answer.removeprefix("```"):
        return  # a span that holds the marks of thinking or fences
    reading = read_pairs(answer)
    assert reading.status is Status.OK
    assert [(pair.cause, pair.effect) for pair in reading.pairs] == [
        (pair["cause"].strip(), pair["effect"].strip()) for pair in pairs
    ]


WORD = st.text("abcdefg ", min_size=1, max_size=12).filter(str.strip)


@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=4), st.integers(0, 400))
@settings(deadline=None)
def test_a_list_that_breaks_off_keeps_its_complete_pairs(pairs: list[tuple[str, str]], cut: int) -> None:
    objects = [json.dumps({"cause": cause, "effect": effect}) for cause, effect in pairs]
    answer = '{"pairs": [' + ", ".join(objects)
    answer = answer[: max(cut, 12)]
    n_complete = sum(answer.startswith('{"pairs": [' + ", ".join(objects[: k + 1])) for k in range(len(objects)))
    reading = read_pairs(answer)
    assert len(reading.pairs) == n_complete
    assert reading.status is (Status.SALVAGED if n_complete else Status.NULL)


@given(st.lists(st.tuples(WORD, WORD, st.sampled_from(["Explicit", "Implicit"])), min_size=1, max_size=4))
@settings(deadline=None)
def test_tuples_are_read_back(pairs: list[tuple[str, str, str]]) -> None:
    lines = [
        f"Tuple {number}: {{Cause: {cause}, Effect: {effect}, Causality_Type: {kind}, Sententiality: Inter-sentential}}"
        for number, (cause, effect, kind) in enumerate(pairs, start=1)
    ]
    reading = read_pairs("\n".join(lines))
    assert reading.status is Status.OK
    assert reading.pairs == tuple(Pair(cause.strip(), effect.strip(), kind, "Inter") for cause, effect, kind in pairs)


PIECES = st.sampled_from(
    [
        *["{", "}", "[", "]", '"pairs"', ":", ",", '"cause"', '"effect"', '"a"', "null", "1e999", "Cause:", "Effect:"],
        *["<think>", "</think>", "```", "yes", "no", "0", "1", "answer:", "Tuple 1:", "\n", "\\", "\ud800", " or "],
    ]
)
MESS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60)


@given(MESS)
@settings(deadline=None, max_examples=200)
def test_no_text_breaks_the_readers_and_none_is_lost_without_a_word(text: str) -> None:
    reading = read_pairs(text)
    assert bool(reading.pairs) == (reading.status in (Status.OK, Status.SALVAGED))
    assert reading.reason or reading.status in (Status.OK, Status.OK_EMPTY)
    assert all(pair.is_whole for pair in reading.pairs)
    assert read_verdict(text) in (True, False, None)


def test_deep_and_long_answers_end() -> None:
    for text in (
        "[" * 3_000,
        '{"a":' * 5_000,
        "Cause: " * 5_000,
        "yes no " * 5_000,
        "9" * 10_000,
        "[" + "9" * 10_000,
    ):
        assert read_pairs(text).status is Status.NULL
        read_verdict(text)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Yes", True),
        ("no.", False),
        ('"1"', True),
        ("0", False),
        ("Yes, because there is no doubt.", True),
        ("Unknown", None),
        ("Eyes", None),
        ("", None),
        ("1. Identify: drug, fever. 2. No hedge found. Output: 1", True),
        ("Step 1: entities. Step 2: hedged. Verdict: no", False),
        ("Final Answer: [0]", False),
        ("<think>yes?</think> 0", False),
        ("<think>yes", None),
        ('Output: "1" or "0"', None),
        ("The answer is \\boxed{1}", True),
        ("M=1 holds, so no", False),
        ("No causal relation is stated.", False),
        ("There is no doubt", None),
        ("p = 0.1", None),
        ("not 1", None),
        ("It is 10 or 01", None),
        ("No. Wait: yes", True),
    ],
)
def test_verdicts(answer: str, verdict: bool | None) -> None:
    assert read_verdict(answer) is verdict


def test_the_released_evaluator_looks_for_yes_anywhere() -> None:
    answers = ["Yes", "No", "Unknown", "eyes", 1, None]
    assert [released_verdict(one) for one in answers] == [True, False, False, True, True, False]
    assert [verdict_of(one) for one in answers] == [True, False, None, None, True, None]
    assert [verdict_of(one) for one in (0, 2, True, [], {})] == [False, None, True, None, None]


DESTROYERS = ("*", '"', "[", "{", '[{"cause":"', "\n", "\r\n", "Cause: ", "{Cause: a, Effect: b", "no\n", "1.\n")


@pytest.mark.parametrize("piece", DESTROYERS)
def test_reading_takes_time_in_proportion_to_the_text(piece):
    def seconds(n: int) -> float:
        text = piece * (n // len(piece))
        start = time.process_time()
        read_pairs(text)
        read_verdict(text)
        return time.process_time() - start

    assert seconds(60_000) < 2


def test_pairs_after_thousands_of_brackets_and_far_into_a_text_are_read():
    for before in ("[" * 5000, "{" * 5000, '{"a": ' * 5000, "[1, 2] " * 20_000, '{"x": 1} ' * 20_000, "*" * 100_000):
        assert read_pairs(f"{before} [{OBJECT}, {OTHER}]").pairs == (PAIR, Pair("salt", "stroke"))
        assert read_pairs(f"{before} [{OBJECT}, {{").status == "salvaged"


@pytest.mark.parametrize(
    "answer",
    [
        '{"pairs": [{"cause": "smoke \\ud83d", "effect": "lungs"}]}',
        "Tuple 1: {Cause: smoke \ud83d, Effect: lungs}",
    ],
)
def test_halves_of_characters_are_replaced(answer):
    assert read_pairs(answer).pairs == (Pair("smoke \ufffd", "lungs"),)
    if answer.startswith("{"):
        assert released_pairs(answer).content == read_pairs(answer).pairs
