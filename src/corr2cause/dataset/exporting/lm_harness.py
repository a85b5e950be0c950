"""Tasks of the lm-evaluation-harness: one for each part, and a group of them all.

The folder can be moved, and needs no corr2cause where it is used: `utils.py` finds the data beside itself, where a path
in the YAML would be taken from the current folder.
"""

from __future__ import annotations

import json

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Part, Selection
from corr2cause.dataset.exporting.layouts import RowLayout
from corr2cause.text.prompting import ANSWERS

GROUP = "corr2cause"
"""The name to run everything by."""

_TEMPLATE = f"""\
custom_dataset: !function utils.load
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{prompt}}}}"
target_delimiter: " "
doc_to_choice: {json.dumps(ANSWERS)}
doc_to_target: label
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: f1
    aggregation: !function utils.f1_entailed
    higher_is_better: true
metadata:
  version: 1.0
"""

_TASK = """\
include: _corr2cause_template_yaml
task: {name}
dataset_kwargs:
  file: {file}
"""

_GROUP = """\
group: {group}
task:
{tasks}
aggregate_metric_list:
  - metric: acc
    aggregation: mean
    weight_by_size: true
metadata:
  version: 1.0
"""

_UTILS = '''\
"""What the tasks of this folder need beside their YAML."""

from pathlib import Path


def load(file, **metadata):
    """Load a Parquet file of this folder, wherever it was moved, as the split `test`."""
    import datasets

    path = Path(__file__).parent / file
    return datasets.load_dataset("parquet", data_files={"test": str(path)})


def f1_entailed(pairs):
    """Return F1 of "it follows" (label 1) from pairs of truth and prediction; 0 if that was neither true nor said."""
    pairs = list(pairs)
    hits = sum(truth == said == 1 for truth, said in pairs)
    truths, said = sum(truth == 1 for truth, _ in pairs), sum(said == 1 for _, said in pairs)
    return 2 * hits / (truths + said) if truths + said else 0.0
'''

_ABOUT = """\
Run it with the lm-evaluation-harness, 0.4.9 or newer:

    lm_eval --model hf --model_args pretrained=MODEL --include_path FOLDER --tasks corr2cause

The group `corr2cause` has these tasks, which can be run alone: {tasks}. The likelihoods of " No" and " Yes" after the
prompt are compared; accuracy, and F1 of "it follows", are reported. `--log_samples` keeps the `id` of each row.
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write data and a task for each part, and what they share."""
    names = [task_name(part) for part in selection.parts]
    for part, name in zip(selection.parts, names, strict=True):
        folder.write_part(part, {"parquet": _LAYOUT})
        folder.write_text(f"{name}.yaml", _TASK.format(name=name, file=part.file("parquet")))
    tasks = "\n".join(f"  - {name}" for name in names)
    folder.write_text("_corr2cause_template_yaml", _TEMPLATE)
    folder.write_text(f"{GROUP}.yaml", _GROUP.format(group=GROUP, tasks=tasks))
    folder.write_text("utils.py", _UTILS)
    about = _ABOUT.format(tasks=", ".join(f"`{name}`" for name in names))
    write_card(selection, folder, "parquet", ("for the lm-evaluation-harness", about))


def task_name(part: Part) -> str:
    """Name the task of a part: corr2cause_test, corr2cause_words_test."""
    return "_".join(filter(None, (GROUP, part.mode, part.split)))


def _row(item: Item) -> dict[str, str | int]:
    return {
        "id": item.id,
        "prompt": item.prompt,
        "label": item.label,
        "template": item.template,
        "class_id": item.class_id,
        "num_variables": item.num_variables,
    }


_LAYOUT = RowLayout(
    pa.schema(
        [
            ("id", pa.string()),
            ("prompt", pa.string()),
            ("label", pa.int64()),
            ("template", pa.string()),
            ("class_id", pa.string()),
            ("num_variables", pa.int64()),
        ]
    ),
    _row,
)
