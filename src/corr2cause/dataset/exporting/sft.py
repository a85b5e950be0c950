"""Prompt and completion as plain text, for the supervised fine-tuning of models without a chat template."""

from __future__ import annotations

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import RowLayout
from corr2cause.dataset.exporting.phrasing import Completion

_COMPLETIONS = {
    False: """\
`prompt` ends with "Answer:" and `completion` is " Yes" or " No", with the space that most tokenizers take as a part of
the word.""",
    True: """\
`prompt` asks for reasoning; `completion` begins on a new line and is {completion}.""",
}

_SAID = {
    Completion.ANSWER: '"Yes" or "No"',
    Completion.STEPS: 'the numbered steps from premise to answer, the last line "Therefore: Yes." or "Therefore: No."',
}

_ABOUT = """\
{completions} For models with a chat template, export to `chat`.

    from datasets import load_dataset
    from trl import SFTTrainer

    SFTTrainer("MODEL", train_dataset=load_dataset("FOLDER", split="train")).train()
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a JSONL file for each part."""
    for part in selection.parts:
        folder.write_part(part, {"jsonl": _LAYOUT})
    phrasing = selection.phrasing
    completions = _COMPLETIONS[phrasing.style.is_reasoned].format(completion=_SAID[phrasing.completion])
    about = _ABOUT.format(completions=completions)
    write_card(selection, folder, "jsonl", ("for supervised fine-tuning", about))


def _row(item: Item) -> dict[str, str]:
    between = "\n" if item.phrasing.style.is_reasoned else " "
    return {"prompt": item.prompt, "completion": f"{between}{item.completion}"}


_LAYOUT = RowLayout(pa.schema([("prompt", pa.string()), ("completion", pa.string())]), _row)
