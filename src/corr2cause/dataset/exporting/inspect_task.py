"""Samples of inspect_ai, and a task that scores free answers to them.

The folder needs no corr2cause where it is used: the reader of answers, which needs no library, is copied into it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import RowLayout
from corr2cause.text.prompting import ANSWERS

TASK = "corr2cause_task.py"
"""Name of the file with the task."""

_READER = "corr2cause_answers.py"

_TASK = '''\
"""Corr2Cause as a task of inspect_ai: does a causal claim follow from statistical relations?"""

import sys
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import SampleScore, Score, accuracy, metric, scorer, stderr
from inspect_ai.solver import generate

FOLDER = Path(__file__).resolve().parent
sys.path.append(str(FOLDER))

from corr2cause_answers import Answer, read_answer  # noqa: E402  (it lies beside this file)


@task
def corr2cause(data="{data}"):
    """Ask each question once and read the free answer; `data` is a file of this folder."""
    return Task(dataset=json_dataset(str(FOLDER / data)), solver=generate(), scorer=yes_or_no())


@metric
def f1_entailed():
    """F1 of "it follows": 0 if that was neither true nor said."""

    def f1(scores: list[SampleScore]) -> float:  # inspect_ai reads this type
        pairs = [(one.score.metadata["truth"], one.score.metadata["said"]) for one in scores]
        hits = sum(truth == said == Answer.YES for truth, said in pairs)
        claims = sum((truth == Answer.YES) + (said == Answer.YES) for truth, said in pairs)
        return 2 * hits / claims if claims else 0.0

    return f1


@scorer(metrics=[accuracy(), stderr(cluster="class_id"), f1_entailed()])
def yes_or_no():
    """Read yes, no or neither out of all that was written; neither is wrong."""

    async def score(state, target):
        truth, said = read_answer(target.text), read_answer(state.output.completion)
        return Score(
            value=float(truth == said),
            answer=said.name.capitalize(),
            explanation=state.output.completion,
            metadata={{"truth": int(truth), "said": int(said)}},
        )

    return score
'''

_ABOUT = """\
Run it with inspect_ai, which takes the path from the current folder:

    inspect eval FOLDER/{task} --model MODEL
    inspect eval FOLDER/{task} --model MODEL -T data={last}

Free answers are read by the rule of `corr2cause evaluate`, a copy of which lies here (`{reader}`). Standard errors are
clustered by equivalence class, since the rows of one premise are not independent.
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write the samples of each part, the task and the reader of answers."""
    for part in selection.parts:
        folder.write_part(part, {"jsonl": _LAYOUT})
    names = [part.file("jsonl") for part in selection.parts]
    folder.write_text(TASK, _TASK.format(data=names[0]))
    folder.write_text(_READER, files("corr2cause").joinpath("checking", "answers.py").read_text(encoding="utf-8"))
    about = _ABOUT.format(task=TASK, last=names[-1], reader=_READER)
    write_card(selection, folder, "jsonl", ("for inspect_ai", about))


_METADATA = {
    **dict.fromkeys(("nli_label", "template", "relation", "class_id"), pa.string()),
    **dict.fromkeys(("label", "num_variables", "class_size"), pa.int64()),
}


def _row(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "input": item.prompt,
        "target": item.answer,
        "choices": ANSWERS,
        "metadata": {name: getattr(item, name) for name in _METADATA},
    }


_LAYOUT = RowLayout(
    pa.schema(
        [
            ("id", pa.string()),
            ("input", pa.string()),
            ("target", pa.string()),
            ("choices", pa.list_(pa.string())),
            ("metadata", pa.struct(list(_METADATA.items()))),
        ]
    ),
    _row,
)
