"""Prompts, targets and parsers belong together: what a prompt asks for, a target says and the parser reads."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.spans.cues import GUIDELINE, PROMPT, markers
from corr2cause.spans.detection_answers import read_verdict
from corr2cause.spans.extraction_answers import Status, read_pairs
from corr2cause.spans.names import DESCRIBED, DETECTION, EXTRACTION, RELEASED, STRATEGIES, TASKS
from corr2cause.spans.prompting import wording
from corr2cause.spans.prompting.examples import FEW_SHOT, RELEASED_DETECTION, WORKED_EXTRACTION
from corr2cause.spans.prompting.forms import FORMS, sound_pairs
from corr2cause.spans.prompting.prompts import PromptKind, make_prompts
from corr2cause.spans.prompting.strategies import TABLE
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.sentences import sentences
from corr2cause.spans.validation import findings
from tests.spans.corpus import ROWS
from tests.spans.strategies import CAUSAL_ROWS, SPANS

KINDS = [PromptKind(task, strategy, profile) for task, profile in TABLE for strategy in STRATEGIES]
PROFILES = (DESCRIBED, RELEASED)
SENTENCE = "Sleep loss dulls attention"


def kinds(task, profile=DESCRIBED):
    return {strategy: PromptKind(task, strategy, profile).text(SENTENCE) for strategy in STRATEGIES}


def test_the_tables_are_whole():
    assert set(FORMS) == set(TABLE) == {(task, profile) for task in TASKS for profile in PROFILES}
    assert all(tuple(strategies) == STRATEGIES for strategies in TABLE.values())
    assert len({kind.text(SENTENCE) for kind in KINDS}) == len(KINDS) == 24


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_prompt_is_raw_text_that_asks_for_its_form_and_ends_with_the_text(kind):
    row = Row("7", SENTENCE)
    (message,) = kind.prompt(row).messages
    assert message.role == "user"
    assert kind.form.request in message.content
    assert re.search(rf"\nInput text: {SENTENCE}\n(Output|Reasoning|Reasoning, then the output):\Z", message.content)
    assert message.content.count(SENTENCE) == 1
    assert "\n\n\n" not in message.content


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_targets_are_read_back_by_the_parsers_of_both_profiles(kind):
    """Flaw 13: a model that learned "1" under a parser for "Yes" has recall 0."""
    for row in ROWS:
        for profile in PROFILES:
            assert FORMS[kind.task, profile].read(kind.target(row)).content == kind.form.meant(row)
        assert kind.reads_back(row)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_follows_each_example_is_its_true_answer(kind):
    """Cut a prompt at its examples, and read what stands there as if a model had said it."""
    shown = TABLE[kind.task, kind.profile][kind.strategy].examples
    *blocks, asked = kind.text(SENTENCE).split("\n\nInput text: ")
    assert len(blocks) - 1 == len(shown) or not shown
    for example, block in zip(shown, blocks[1:], strict=True):
        sentence, _, answer = block.partition("\n")
        assert sentence == example.row.sentence
        assert ("Reasoning:" in answer) == bool(example.reasoning)
        said = answer.removesuffix("\n\nTask").rpartition("utput:\n")[2]
        assert kind.form.read(said).content == kind.form.meant(example.row)
    assert asked.startswith(SENTENCE)


def test_the_examples_show_what_the_paper_says_that_its_examples_show():
    split, hedged, chain, joint = (example.row for example in FEW_SHOT)
    assert len({pair.cause for pair in split.pairs}) == 1
    assert len(split.pairs) == 2
    assert not hedged.pairs
    assert re.search(r"\bpropose\b.*\bmight\b", hedged.sentence)
    assert len(list(sentences(chain.sentence))) == 2
    assert [pair.causality for pair in chain.pairs] == ["Implicit"] * 2
    assert sorted(pair.sententiality for pair in chain.pairs) == ["Inter", "Intra"]
    assert chain.pairs[0].effect == chain.pairs[1].cause
    assert [" and " in pair.cause for pair in joint.pairs] == [True]
    (passive,) = WORKED_EXTRACTION.row.pairs
    assert "was slowed by daily exercise" in WORKED_EXTRACTION.row.sentence
    assert (passive.cause, passive.causality) == ("daily exercise", "Implicit")


def test_the_verdicts_of_the_examples():
    """Page: 1, 0, 1, the first three of extraction; the code's are Yes, No, Yes and others."""
    shown = {profile: TABLE[DETECTION, profile]["few-shot"].examples for profile in PROFILES}
    assert shown[DESCRIBED] == TABLE[EXTRACTION, DESCRIBED]["few-shot"].examples[:3]
    for profile, verdicts in {DESCRIBED: ["1", "0", "1"], RELEASED: ["Yes", "No", "Yes"]}.items():
        assert [FORMS[DETECTION, profile].write(example.row) for example in shown[profile]] == verdicts
    assert not {one.row.sentence for one in shown[DESCRIBED]} & {one.row.sentence for one in shown[RELEASED]}
    assert all(one.reasoning and "\n" not in one.reasoning for one in RELEASED_DETECTION)


def test_the_labels_of_the_examples_follow_the_definitions_of_the_prompt():
    """Explicit where a marker of the prompt's list stands in the text, not the annotators' longer list."""
    for example in (*FEW_SHOT, WORKED_EXTRACTION, *RELEASED_DETECTION):
        found = bool(markers(example.row.sentence, "prompt"))
        assert {pair.causality for pair in example.row.pairs} <= {"Explicit" if found else "Implicit"}
    errors = [
        one.rule
        for place, example in enumerate(FEW_SHOT)
        for one in findings([example.row], [place])
        if one.severity == "error"
    ]
    assert errors == []


def test_the_markers_of_the_prompt_are_those_of_the_list():
    line = next(line for line in wording.AXES.splitlines() if "M=1" in line)
    named = re.findall(r'"([a-z ]+)"', line)
    assert set(named) <= set(PROMPT)
    assert "reduces" in GUIDELINE
    assert "reduces" not in PROMPT
    stems = {word[:4] for word in named}
    assert {word[:4] for word in PROMPT} - stems <= {"led ", "caus"}


@pytest.mark.parametrize(
    ("task", "strategy", "pattern", "number"),
    [
        (EXTRACTION, "cot", r"^\d\. ", 6),
        (DETECTION, "cot", r"^\d\. ", 3),
        (EXTRACTION, "least-to-most", r"^Step \d, ", 4),
        (DETECTION, "least-to-most", r"^Step \d, ", 3),
        (EXTRACTION, "react", r"^Thought \d: ", 4),
        (DETECTION, "react", r"^Thought \d: ", 3),
    ],
)
def test_the_steps_are_as_many_as_the_paper_has(task, strategy, pattern, number):
    for profile in PROFILES:
        assert len(re.findall(pattern, kinds(task, profile)[strategy], re.MULTILINE)) == number
        others = set(STRATEGIES) - {strategy}
        assert not any(re.search(pattern, kinds(task, profile)[other], re.MULTILINE) for other in others)


def test_the_definition_stands_where_the_page_says():
    has = {
        (task, profile, strategy): wording.DEFINITION in text
        for task in TASKS
        for profile in PROFILES
        for strategy, text in kinds(task, profile).items()
    }
    without = {(DETECTION, RELEASED, strategy) for strategy in STRATEGIES if strategy != "least-to-most"}
    assert {key for key, is_there in has.items() if not is_there} == without
    assert all(wording.AXES in text for text in kinds(EXTRACTION).values())
    assert not any(wording.AXES in text for text in kinds(DETECTION).values())


def test_the_tuple_form_is_that_of_the_paper():
    row = Row(
        "1", "x", (Pair(" Frost ", '"cracks",', "explcit", "intra-sentential"), Pair("Ice", "falls", "", "Inter"))
    )
    assert FORMS[EXTRACTION, DESCRIBED].write(row).splitlines() == [
        "Tuple 1: {Cause: Frost, Effect: cracks, Causality_Type: Explicit, Sententiality: Intra-sentential}",
        "Tuple 2: {Cause: Ice, Effect: falls, Sententiality: Inter-sentential}",
    ]
    halves = Row("1", "x", (Pair("half", " "), Pair("", "half")))
    assert FORMS[EXTRACTION, DESCRIBED].write(halves) == "No relations extracted."
    assert FORMS[EXTRACTION, RELEASED].write(halves) == '{"pairs": []}'
    assert json.loads(FORMS[EXTRACTION, RELEASED].write(row)) == {
        "pairs": [
            {"cause": "Frost", "effect": '"cracks",', "causality": "Explicit", "sententiality": "Intra"},
            {"cause": "Ice", "effect": "falls", "causality": "", "sententiality": "Inter"},
        ]
    }


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_target_follows_its_prompt(kind):
    """After "Reasoning:" comes none that could be learned, so the final output is named; elsewhere it comes at once."""
    is_after_reasoning = kind.text(SENTENCE).endswith("\nReasoning:")
    assert is_after_reasoning == (kind.strategy == "cot-fewshot")
    answer = kind.form.write(ROWS[0])
    assert kind.target(ROWS[0]) == (f"Final output:\n{answer}" if is_after_reasoning else answer)


LABELS = {"causality": ["Explicit", "Implicit", ""], "sententiality": ["Intra", "Inter", ""]}
LABELLED = st.builds(Pair, SPANS, SPANS, *(st.sampled_from(labels) for labels in LABELS.values()))
LABELLED_ROWS = st.builds(Row, st.just("1"), st.just("text"), st.lists(LABELLED, max_size=8).map(tuple))


@given(LABELLED_ROWS, st.sampled_from(KINDS))
def test_target_and_parser_are_inverse(row, kind):
    """What stands in a row comes back, pair by pair, whatever the prompt."""
    found = kind.form.read(kind.target(row))
    assert found.content == (row.pairs if kind.task == EXTRACTION else bool(row.pairs))
    assert found.status == (Status.OK if row.pairs or kind.task == DETECTION else Status.OK_EMPTY)


@given(CAUSAL_ROWS)
def test_any_text_survives_as_json_but_for_fences_and_thinking(row):
    form = FORMS[EXTRACTION, RELEASED]
    text = form.write(row)
    assert "\n" not in text
    if not re.search(r"```|<think>|</think>", text, re.IGNORECASE):
        assert form.read(text).content == sound_pairs(row)


@given(CAUSAL_ROWS, st.sampled_from(KINDS))
def test_a_target_that_does_not_read_back_is_known(row, kind):
    """Compare with the parsers themselves: `reads_back` is true just if nothing is lost or changed."""
    text = kind.target(row)
    if kind.task == DETECTION:
        assert kind.reads_back(row) == (read_verdict(text) is row.is_causal) == True  # noqa: E712
    else:
        found = [(pair.cause, pair.effect) for pair in read_pairs(text).pairs]
        meant = [(pair.cause, pair.effect) for pair in kind.form.meant(row)]
        assert kind.reads_back(row) <= (found == meant)


def test_a_brace_inside_a_span_does_not_read_back_as_a_tuple():
    row = Row("1", "x", (Pair("set {a} of genes", "illness", "Explicit", "Intra"),))
    assert not PromptKind(EXTRACTION, "zero-shot", DESCRIBED).reads_back(row)
    assert PromptKind(EXTRACTION, "zero-shot", RELEASED).reads_back(row)


def test_prompts_keep_ids_and_order():
    kind = PromptKind(DETECTION, "zero-shot")
    assert [prompt.id for prompt in make_prompts(ROWS, kind)] == [row.id for row in ROWS]
