"""inspect_ai runs the exported task, without this package."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.consumers

EVALUATE = """
import json, sys
from inspect_ai import eval
from inspect_ai.dataset import json_dataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model

data, sayings = sys.argv[1], json.loads(sys.argv[2])
samples = list(json_dataset(data))
gold = {sample.input: sample.target for sample in samples}

def answer(input, *_):
    output = ModelOutput.from_content("mockllm/model", sayings[gold[input[-1].text]])
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it downloads a tokenizer
    return output

(log,) = eval("corr2cause_task.py", model=get_model("mockllm/model", custom_outputs=answer),
              task_args={"data": data}, display="none")
print(json.dumps({
    "status": log.status, "package": "corr2cause" in sys.modules,
    "metrics": {name: metric.value for name, metric in log.results.scores[0].metrics.items()},
    "samples": [[sample.id, sample.choices, sorted(sample.metadata)] for sample in samples],
}))
"""


@pytest.mark.parametrize("data", ["test.jsonl", "perturbation_by_words/test.jsonl"])
@pytest.mark.parametrize(
    ("yes", "no", "accuracy", "f1"),
    [
        ("It must be. Answer: Yes", "**No.**", 1.0, 1.0),
        ("No.", "Yes.", 0.0, 0.0),
        ("Yes and No", "", 0.0, 0.0),
    ],
)
def test_free_answers_are_scored(exports, offline, data, yes, no, accuracy, f1):
    found = offline(EVALUATE, data, f'{{"Yes": "{yes}", "No": "{no}"}}', cwd=exports / "inspect")
    assert (found["status"], found["package"]) == ("success", False)
    assert found["metrics"] == {"accuracy": accuracy, "stderr": 0.0, "f1_entailed": f1}
    assert len({name for name, _, _ in found["samples"]}) == len(found["samples"]) == 132
    assert found["samples"][0][1] == ["No", "Yes"]
    assert {"class_id", "label", "template"} <= set(found["samples"][0][2])
