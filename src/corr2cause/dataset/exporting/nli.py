"""Natural language inference: premise, hypothesis and one of three labels, numbered as in MNLI."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import RowLayout
from corr2cause.dataset.schema import NLI_LABELS

_TEXTS = ("id", "premise", "hypothesis")

_ABOUT = """\
`label` is 0 for entailment (the hypothesis holds in every graph that the premise allows), 1 for neutral (in some), 2
for contradiction (in none). JSON lines and Parquet hold the same rows; `id` names a row for `corr2cause evaluate`.

    from datasets import load_dataset

    data = load_dataset("FOLDER")
    names = data["test"].features["label"].names
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a JSONL and a Parquet file for each part, and the names of the labels into the card."""
    for part in selection.parts:
        folder.write_part(part, {"jsonl": _LAYOUT, "parquet": _LAYOUT})
    label = {"class_label": {"names": {str(number): name for number, name in enumerate(NLI_LABELS)}}}
    features: list[dict[str, Any]] = [{"name": name, "dtype": "string"} for name in _TEXTS]
    features.append({"name": "label", "dtype": label})
    write_card(selection, folder, "parquet", ("for natural language inference", _ABOUT), features)


def _row(item: Item) -> dict[str, str | int]:
    label = NLI_LABELS.index(item.nli_label)
    return {"id": item.id, "premise": item.premise, "hypothesis": item.hypothesis, "label": label}


_LAYOUT = RowLayout(pa.schema([*((name, pa.string()) for name in _TEXTS), ("label", pa.int64())]), _row)
