"""The published columns: four as CSV; and, as JSON, the three classes."""

from __future__ import annotations

import pyarrow as pa

from corr2cause.dataset.exporting.card import write_card
from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.items import Item, Selection
from corr2cause.dataset.exporting.layouts import RowLayout

_ABOUT = """\
`*.csv` has the columns of the published files: `input` ("Premise: …", and below it "Hypothesis: …"), `label` (1 if the
hypothesis follows), `num_variables`, `template`. `*.json` is a list of objects with `premise`, `hypothesis`, `relation`
(entailment, neutral or contradiction) and `id`, which names the row for `corr2cause evaluate`. Perturbed rows have the
binary label too, not the three numbers of the published perturbations.

    from datasets import load_dataset

    data = load_dataset("FOLDER")
"""


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Write a CSV and a JSON file for each part."""
    for part in selection.parts:
        folder.write_part(part, {"csv": _FOUR_COLUMNS, "json": _THREE_CLASSES})
    features = [{"name": field.name, "dtype": str(field.type)} for field in _FOUR_COLUMNS.schema]
    write_card(selection, folder, "csv", ("in the published form", _ABOUT), features)


def _four_columns(item: Item) -> dict[str, str | int]:
    return {
        "input": f"Premise: {item.premise}\nHypothesis: {item.hypothesis}",
        "label": item.label,
        "num_variables": item.num_variables,
        "template": item.template,
    }


def _three_classes(item: Item) -> dict[str, str]:
    return {"premise": item.premise, "hypothesis": item.hypothesis, "relation": item.nli_label, "id": item.id}


_FOUR_COLUMNS = RowLayout(
    pa.schema(
        [("input", pa.string()), ("label", pa.int64()), ("num_variables", pa.int64()), ("template", pa.string())]
    ),
    _four_columns,
)
_THREE_CLASSES = RowLayout(
    pa.schema([(name, pa.string()) for name in ("premise", "hypothesis", "relation", "id")]), _three_classes
)
