"""Rows made by hand, and folders of them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.schema import ENCODED_SCHEMA, SCHEMA
from corr2cause.dataset.writing import DatasetWriter

Row = dict[str, object]


def row(**changes: object) -> Row:
    """Make a row that the schema allows; only what a test is about need be said."""
    return {
        "id": "n2-c0-1-2-is_parent",
        "premise": "Suppose there are A and B.",
        "hypothesis": "A directly causes B.",
        "label": 0,
        "nli_label": "neutral",
        "num_variables": 2,
        "relation": "is_parent",
        "template": "parent",
        "x": "A",
        "y": "B",
        "class_id": "n2-c0",
        "class_size": 2,
        "holds_in": 1,
        "counterexample": "B->A",
        "readings_agree": True,
        "n_edges": 1,
        "n_statements": 0,
        "n_compelled": 0,
        **changes,
    }


def write_folder(folder: Path, splits: dict[str, list[Row]], formats: tuple[str, ...] = ("jsonl",)) -> Path:
    """Write a complete data folder of these rows."""
    with DatasetWriter(folder, formats) as writer:
        for split, rows in splits.items():
            writer.write(split, pa.Table.from_pylist(rows, schema=SCHEMA).cast(ENCODED_SCHEMA))
        writer.commit("generate", "0.1.0", GenerationOptions().to_json(), [])
    return folder


def write_lines(path: Path, rows: list[Row]) -> Path:
    """Write a plain JSON lines file of these rows."""
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return path


def read_lines(path: Path) -> list[Row]:
    """Read a JSON lines file in the plainest way."""
    return [json.loads(line) for line in path.read_text().splitlines()]
