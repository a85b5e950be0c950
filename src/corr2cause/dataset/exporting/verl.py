"""Rows with rule-based rewards, as verl reads them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Part, Selection
from corr2cause.dataset.exporting.layouts import MESSAGES, RowLayout, user

_REWARD = '''\
"""The reward of verl: 1 for the right answer, 0 for a wrong or an unreadable one. Needs the package corr2cause."""

from corr2cause.rewards import compute_score

__all__ = ["compute_score"]
'''

_ABOUT = """\
`reward_model.ground_truth` is "Yes" or "No". `data_source` tells the data (`corr2cause`) from their perturbations
(`corr2cause/perturbation_by_…`), so that verl reports them apart. `reward.py` passes on the reward of the package:

    python -m verl.trainer.main_ppo data.train_files=FOLDER/train.parquet data.val_files=FOLDER/dev.parquet \\
        custom_reward_function.path=FOLDER/reward.py custom_reward_function.name=compute_score …
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a Parquet file for each part, and the module with the reward."""
    for part in selection.parts:
        folder.write_part(part, {"parquet": _layout(part)})
    folder.write_text("reward.py", _REWARD)
    write_card(selection, folder, "parquet", ("for verl", _ABOUT))


_EXTRA = pa.struct(
    [
        *((name, pa.string()) for name in ("split", "id")),
        ("index", pa.int64()),
        *((name, pa.string()) for name in ("nli_label", "template", "relation", "class_id")),
        ("num_variables", pa.int64()),
    ]
)

_SCHEMA = pa.schema(
    [
        ("data_source", pa.string()),
        ("prompt", MESSAGES),
        ("ability", pa.string()),
        ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
        ("extra_info", _EXTRA),
    ]
)


def _layout(part: Part) -> RowLayout:
    source = f"corr2cause/{part.config}" if part.mode else "corr2cause"

    def row(item: Item) -> dict[str, Any]:
        return {
            "data_source": source,
            "prompt": [user(item.prompt)],
            "ability": "causal_reasoning",
            "reward_model": {"style": "rule", "ground_truth": item.answer},
            "extra_info": {
                "split": part.split,
                "id": item.id,
                "index": item.place,
                "nli_label": item.nli_label,
                "template": item.template,
                "relation": item.relation,
                "class_id": item.class_id,
                "num_variables": item.num_variables,
            },
        }

    return RowLayout(_SCHEMA, row)
