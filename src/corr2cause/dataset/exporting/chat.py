"""Conversations: the question of the user, the answer of the assistant, and nothing else."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import MESSAGES, RowLayout, assistant, user
from corr2cause.dataset.exporting.phrasing import Completion

_ABOUT = """\
Each line is `{"messages": [{"role": "user", …}, {"role": "assistant", "content": $content}]}`, as services and
libraries that fine-tune chat models take it. The rows stand in the order of the data set, so that answers to them, one
a line, can be given to `corr2cause evaluate`.

    from datasets import load_dataset

    data = load_dataset("FOLDER")
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a JSONL file for each part."""
    for part in selection.parts:
        folder.write_part(part, {"jsonl": _LAYOUT})
    says_steps = selection.phrasing.completion is Completion.STEPS
    content = '"1. The premise …\\n2. …\\nTherefore: Yes."' if says_steps else '"Yes" or "No"'
    write_card(selection, folder, "jsonl", ("as conversations", _ABOUT.replace("$content", content)))


def _row(item: Item) -> dict[str, Any]:
    return {"messages": [user(item.prompt), assistant(item.completion)]}


_LAYOUT = RowLayout(pa.schema([("messages", MESSAGES)]), _row)
