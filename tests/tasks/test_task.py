"""Items: every label re-derived from the text of the question, the same everywhere, scored without mercy."""

from __future__ import annotations

import csv
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from corr2cause import audit, explain
from corr2cause.dataset.options import GenerationOptions
from corr2cause.graphs.terms import Relation
from corr2cause.tasks import Corr2CauseConfig, Corr2CauseTask
from corr2cause.text.prompting import Style, question
from tests.cli.running import environment
from tests.dataset.rows import split_rows_of
from tests.dataset.twin import claims_of, edge_sets, edges_of, members_of, read_premise, support, surfaces

QUESTION = re.compile(
    r'Question: (?P<premise>.*)\nCan we deduct the following: (?P<claim>.*)\? Just answer "Yes" or "No\."\n\nAnswer:'
)
CONFIGS = {
    "default": Corr2CauseConfig(seed=1),
    "path, words": Corr2CauseConfig(min_n=3, reading="path", names="words"),
    "ancestral, symbols": Corr2CauseConfig(max_n=5, reading="ancestral", premise="symbolic"),
    "ordered names": Corr2CauseConfig(max_n=5, names="ordered"),
    "minimal premises": Corr2CauseConfig(max_n=5, premise="minimal"),
    "as frequent as they are": Corr2CauseConfig(min_n=2, max_n=5, balanced=False),
}
PARAMETERS = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)


@cache
def items(config: Corr2CauseConfig, number: int = 60) -> list[dict]:
    return list(islice(Corr2CauseTask(config), number))


def asked(item: dict) -> tuple[str, str]:
    """Take the question apart: premise and hypothesis."""
    found = QUESTION.fullmatch(item["question"])
    assert found, item["question"]
    return found["premise"], f"{found['claim']}."


@PARAMETERS
def test_every_label_follows_from_the_text_of_the_question(config):
    for item in items(config):
        said, found = item["metadata"], explain(*asked(item), config.reading)
        assert item["answer"] == ("Yes" if found.label else "No")
        assert said["label"] == found.label
        edges = found.to_json()["counterexample"]
        assert said["counterexample"] == (None if edges is None else ", ".join(f"{u}->{v}" for u, v in edges))


@PARAMETERS
def test_an_audit_of_all_questions_finds_nothing(config, tmp_path):
    with (tmp_path / "items.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["input", "label"])
        for item in items(config):
            premise, hypothesis = asked(item)
            writer.writerow([f"Premise: {premise}\nHypothesis: {hypothesis}", int(item["answer"] == "Yes")])
    found = audit(tmp_path / "items.csv", readings=[config.reading])
    assert found.rows == len(items(config))
    assert list(found.disagreements) == []


@pytest.mark.parametrize("reading", ["direct", "path", "ancestral"])
def test_items_say_what_the_definitions_give(reading):
    """Members by brute force over all labelled graphs, relations by their definitions: no code of the package."""
    for item in items(Corr2CauseConfig(min_n=3, max_n=4, reading=reading, seed=5), 100):
        said, (premise, hypothesis) = item["metadata"], asked(item)
        names, facts = read_premise(premise).names, read_premise(premise).facts
        x, y = (name for name in names if re.search(rf"\b{name}\b", hypothesis))
        assert (hypothesis, said["template"]) in surfaces(said["relation"], x, y)
        claim, size = (said["relation"], names.index(x), names.index(y)), len(members_of(facts))
        assert said["class_size"] == size
        assert (item["answer"] == "Yes") is (support(facts, reading)[claim] == size)
        if item["answer"] == "No":
            edges = edges_of(said["counterexample"], names)
            assert edges in edge_sets(facts)
            assert claim not in claims_of(facts.n, edges, reading)


@PARAMETERS
def test_metadata_tell_of_the_item_what_its_text_says(config):
    for index, item in enumerate(items(config)):
        said, (premise, hypothesis) = item["metadata"], asked(item)
        facts = read_premise(premise).facts
        assert set(item) == {"question", "answer", "metadata"}
        assert (said["source_dataset"], said["source_index"]) == ("corr2cause", index)
        assert (said["premise"], said["hypothesis"]) == (premise, hypothesis)
        assert (said["n"], said["n_statements"]) == (facts.n, len(facts.separated))
        assert said["class_size"] == explain(premise, hypothesis).to_json()["class_size"]
        assert re.fullmatch(rf"n{said['n']}-c\d+-\d-\d-{said['relation']}", said["id"])
        assert config.min_n <= said["n"] <= config.max_n
        assert said["difficulty"]["n"] == (config.min_n, config.max_n)
        assert json.loads(json.dumps(item))["question"] == item["question"]


@pytest.mark.parametrize("style", ["chain-of-thought", "pc-steps"])
def test_the_style_changes_the_question_and_nothing_else(style):
    usual, styled = (items(replace(CONFIGS["path, words"], style=one), 9) for one in ("zero-shot", style))
    for item, other in zip(usual, styled, strict=True):
        premise, hypothesis = asked(item)
        assert other["question"] == question(Style(style), premise, hypothesis, "path")
        assert other["question"].endswith('"Yes." or "No."')
        assert {**other, "question": item["question"]} == item


def test_the_knobs_are_obeyed():
    config = Corr2CauseConfig(
        min_class_size=2,
        max_class_size=6,
        min_statements=3,
        max_statements=20,
        relations=["is_parent", "has_collider"],
    )
    said = [item["metadata"] for item in items(config)]
    assert {one["relation"] for one in said} == {"is_parent", "has_collider"}
    assert {one["n"] for one in said} == {4, 5, 6}
    assert 2 <= min(one["class_size"] for one in said) < max(one["class_size"] for one in said) <= 6
    assert 3 <= min(one["n_statements"] for one in said) < max(one["n_statements"] for one in said) <= 20


def test_statements_are_counted_as_the_premise_lists_them():
    config = Corr2CauseConfig(max_n=5, premise="minimal", min_statements=4, max_statements=5)
    assert {item["metadata"]["n_statements"] for item in items(config)} == {4, 5}


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_a_split_is_that_of_generated_data(split):
    config = Corr2CauseConfig(min_n=4, max_n=5, split=split, split_seed=4)
    there = {row["class_id"] for row in split_rows_of(GenerationOptions(n=5, seed=4))[split]}
    found = {re.match(r"n\d-c\d+", item["metadata"]["id"])[0] for item in items(config, 100)}
    assert len(found) > 5
    assert found <= there


def test_only_agreeing_passes_over_what_depends_on_the_reading():
    def disputed(config: Corr2CauseConfig) -> int:
        labels = [
            {explain(*asked(item), reading).label for reading in ("direct", "path", "ancestral")}
            for item in items(config, 60)
        ]
        return sum(len(found) > 1 for found in labels)

    config = Corr2CauseConfig(max_n=5, relations=["is_ancestor"], reading="ancestral")
    assert disputed(config) > 5
    assert disputed(replace(config, only_agreeing=True)) == 0


def test_item_i_is_the_same_in_any_order_process_and_size():
    expected = items(CONFIGS["default"])
    task = Corr2CauseTask(Corr2CauseConfig(seed=1, size=10**15))
    assert [task[i] for i in (59, 3, 37)] == [expected[i] for i in (59, 3, 37)]
    assert task[np.int64(5)] == expected[5]
    assert pickle.loads(pickle.dumps(task))[8] == expected[8]
    assert task[-1]["metadata"]["source_index"] == 10**15 - 1
    code = (
        "import json; from corr2cause.tasks import *;"
        "print(json.dumps([Corr2CauseTask(Corr2CauseConfig(seed=1))[i] for i in (59, 3)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(PYTHONHASHSEED="9")
    )
    assert json.loads(done.stdout) == json.loads(json.dumps([expected[59], expected[3]]))


def test_the_first_item_is_known():
    """A change here changes the data of everybody who trains: note it in the changelog."""
    item = Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3, seed=42))[0]
    assert (item["metadata"]["id"], item["metadata"]["hypothesis"], item["answer"]) == FIRST


FIRST = ("n3-c4-1-2-is_parent", "A directly causes B.", "No")


def test_neighbouring_seeds_share_nothing_but_what_chance_gives():
    """Of 200 items each about six variables, a question has one chance in some ten thousands to come again."""
    asked_of = [[item["question"] for item in items(Corr2CauseConfig(min_n=6, seed=seed), 200)] for seed in (42, 43)]
    assert len(set(asked_of[0]) & set(asked_of[1])) <= 2
    assert all(len(set(questions)) > 195 for questions in asked_of)
    ids = [[item["metadata"]["id"] for item in items(Corr2CauseConfig(min_n=6, seed=seed), 200)] for seed in (42, 43)]
    for shift in range(-3, 4):
        assert sum(ids[0][i] == ids[1][i + shift] for i in range(3, 197)) <= 2


@pytest.mark.parametrize("index", [20, -21, 10**9])
def test_there_is_no_item_beyond_the_size(index):
    task = Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3, size=20))
    assert len(task) == len(list(task)) == 20
    with pytest.raises(IndexError):
        _ = task[index]


def test_two_iterations_do_not_disturb_each_other():
    task = Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3, size=5))
    assert [one == other for one, other in zip(task, task, strict=True)] == [True] * 5


@pytest.mark.parametrize(
    ("said", "yes", "no"),
    [
        ("Yes", 1.0, 0.0),
        ("no.", 0.0, 1.0),
        ("**Answer:** Yes", 1.0, 0.0),
        ("<think>No? No, yes.</think>\nNo", 0.0, 1.0),
        (r"\boxed{Yes}", 1.0, 0.0),
        ("Yes and No", 0.0, 0.0),
        ("Yes, no, maybe", 0.0, 0.0),
        ("", 0.0, 0.0),
        ("I cannot tell", 0.0, 0.0),
        ("<think>Yes", 0.0, 0.0),
        (None, 0.0, 0.0),
        (1, 0.0, 0.0),
        (["Yes"], 0.0, 0.0),
    ],
)
def test_scores(said, yes, no):
    task = Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3))
    assert task.score_answer(said, {"answer": "Yes"}) == yes
    assert task.score_answer(said, {"answer": "No"}) == no


@PARAMETERS
def test_the_truth_scores_full_marks_and_its_opposite_none(config):
    task = Corr2CauseTask(config)
    for item in items(config):
        assert task.score_answer(item["answer"], item) == 1.0
        assert task.score_answer({"Yes": "No", "No": "Yes"}[item["answer"]], item) == 0.0


def test_all_relations_and_both_answers_come():
    said = Counter((item["metadata"]["relation"], item["answer"]) for item in items(CONFIGS["default"], 150))
    assert set(said) == {(relation.value, answer) for relation in Relation for answer in ("Yes", "No")}


@pytest.mark.slow
def test_seven_variables_are_exact_too():
    config = Corr2CauseConfig(min_n=7, max_n=7)
    for item in items(config, 60):
        assert explain(*asked(item)).label == item["metadata"]["label"]
