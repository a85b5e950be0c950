"""Prompts with what their answers are rewarded by, for GRPO with TRL."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import MESSAGES, RowLayout, user

_STRINGS = ("id", "answer", "nli_label", "template", "relation", "class_id")
_INTEGERS = ("label", "num_variables", "class_size")

_ABOUT = """\
`prompt` is a list of messages. The other columns reach the reward function as lists: `answer` ("Yes" or "No"), `label`
(1 or 0) and what one may want to weigh or to watch, such as `template` and `num_variables`.

    from corr2cause.rewards import grpo_reward
    from datasets import load_dataset
    from trl import GRPOTrainer

    GRPOTrainer("MODEL", reward_funcs=grpo_reward, train_dataset=load_dataset("FOLDER", split="train")).train()
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a Parquet file for each part."""
    for part in selection.parts:
        folder.write_part(part, {"parquet": _LAYOUT})
    write_card(selection, folder, "parquet", ("for GRPO", _ABOUT))


def _row(item: Item) -> dict[str, Any]:
    return {"prompt": [user(item.prompt)], **{name: getattr(item, name) for name in (*_STRINGS, *_INTEGERS)}}


_LAYOUT = RowLayout(
    pa.schema(
        [
            ("prompt", MESSAGES),
            *((name, pa.string()) for name in _STRINGS),
            *((name, pa.int64()) for name in _INTEGERS),
        ]
    ),
    _row,
)
