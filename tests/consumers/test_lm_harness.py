"""The lm-evaluation-harness runs the exported tasks."""

from __future__ import annotations

import re
import shutil
import sys

import pytest

from tests.consumers.conftest import shell

pytestmark = pytest.mark.consumers

ORACLE = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Oracle(LM):
    def loglikelihood(self, requests):
        gold = [(" No", " Yes")[request.doc["label"]] for request in requests]
        return [(0.0 if (request.args[1] == g) == (sys.argv[2] == "gold") else -9.0, False)
                for request, g in zip(requests, gold)]
    loglikelihood_rolling = generate_until = None

manager = TaskManager(include_path=sys.argv[1], include_defaults=False)
found = simple_evaluate(model=Oracle(), tasks=["corr2cause"], task_manager=manager)
print(json.dumps({
    "results": {name: [values["acc,none"], float(values.get("f1,none", -1))]
                for name, values in found["results"].items()},
    "ids": {name: [sample["doc"]["id"] for sample in samples] for name, samples in found["samples"].items()},
    "prompt": found["samples"]["corr2cause_test"][0]["arguments"][0],
}))
"""

TASKS = ["corr2cause_test", "corr2cause_paraphrase_test", "corr2cause_words_test"]


def test_a_gold_oracle_scores_one_and_its_opposite_nothing_wherever_the_folder_lies(exports, offline, tmp_path):
    moved = shutil.copytree(exports / "lm-eval", tmp_path / "moved")
    found = offline(ORACLE, moved, "gold")
    assert found["results"] == {**{task: [1.0, 1.0] for task in TASKS}, "corr2cause": [1.0, -1]}
    assert found["ids"]["corr2cause_test"] == found["ids"]["corr2cause_words_test"]
    prompt, answer = found["prompt"]
    assert prompt.startswith("Question: Suppose there is a closed system")
    assert prompt.endswith('? Just answer "Yes" or "No."\n\nAnswer:')
    assert answer == " No"
    assert offline(ORACLE, moved, "opposite")["results"]["corr2cause"] == [0.0, -1]


def test_the_command_lines_of_the_harness(exports, tmp_path):
    arguments = ["--include_path", str(exports / "lm-eval"), "--tasks", "corr2cause"]
    harness = [sys.executable, "-m", "lm_eval"]
    assert "All tasks found and valid" in shell([*harness, "validate", *arguments], tmp_path, tmp_path).stdout
    table = shell([*harness, "run", "--model", "dummy", *arguments], tmp_path, tmp_path).stdout
    for task in TASKS:
        assert re.search(rf"- {task} *\|.*\|acc ", table)
