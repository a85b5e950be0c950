"""Prompt and completion as plain text, for the supervised fine-tuning of models without a chat template."""

from __future__ import annotations

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import RowLayout

_ABOUT = """\
`prompt` ends with "Answer:" and `completion` is " Yes" or " No", with the space that most tokenizers take as a part of
the word. For models with a chat template, export to `chat`.

    from datasets import load_dataset
    from trl import SFTTrainer

    SFTTrainer("MODEL", train_dataset=load_dataset("FOLDER", split="train")).train()
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a JSONL file for each part."""
    for part in selection.parts:
        folder.write_part(part, {"jsonl": _LAYOUT})
    write_card(selection, folder, "jsonl", ("for supervised fine-tuning", _ABOUT))


def _row(item: Item) -> dict[str, str]:
    return {"prompt": item.prompt, "completion": f" {item.answer}"}


_LAYOUT = RowLayout(pa.schema([("prompt", pa.string()), ("completion", pa.string())]), _row)
