"""A small data set with perturbations, its exports, and how a stranger reads the labels out of each."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq

from corr2cause.dataset.exporting.exporting import ExportOptions, export
from corr2cause.dataset.exporting.targets import TARGETS
from corr2cause.dataset.options import GenerationOptions, Mode, PerturbationOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from tests.dataset.folders import data_folder

ALL = ("train", "dev", "test")
PARTS = (
    *ALL,
    *("perturbation_by_paraphrase/dev", "perturbation_by_paraphrase/test"),
    *(f"perturbation_by_words/{split}" for split in ALL),
)
"""The parts of `small_data`, by the path that their files have without an ending."""

BINARY = tuple(name for name in TARGETS if name not in ("nli", "croissant", "hub-card"))
YES_NO = {"No": 0, "Yes": 1}


def small_data(folder: Path, formats: tuple[str, ...] = ("jsonl",)) -> Path:
    """Make four variables, a perturbation of dev and test, and one of everything."""
    data_folder(folder, GenerationOptions(n=4), formats)
    for mode, splits in ((Mode.PARAPHRASE, ("dev", "test")), (Mode.WORDS, ALL)):
        perturb(open_dataset(folder), PerturbationOptions(mode, splits))
    return folder


def export_to(data: Path, target: str, folder: Path, *splits: str, **options: object) -> Path:
    """Export, and return the folder."""
    export(open_dataset(data), ExportOptions(target, splits, **options), folder)
    return folder


def json_lines(path: Path) -> list[dict]:
    """Read JSON lines, of which none may be blank."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def csv_rows(path: Path) -> list[dict]:
    """Read CSV in the plainest way."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def parquet_rows(path: Path) -> list[dict]:
    """Read Parquet in the plainest way."""
    return pq.read_table(path).to_pylist()


def _ending(reader: Callable[[Path], list[dict]]) -> str:
    return {json_lines: "jsonl", csv_rows: "csv", parquet_rows: "parquet"}[reader]


READERS: dict[str, tuple[Callable[[Path], list[dict]], Callable[[dict], int]]] = {
    "published": (csv_rows, lambda row: int(row["label"])),
    "nli": (parquet_rows, lambda row: int(row["label"] == 0)),
    "chat": (json_lines, lambda row: YES_NO[row["messages"][1]["content"]]),
    "sft": (json_lines, lambda row: YES_NO[row["completion"].strip()]),
    "grpo": (parquet_rows, lambda row: row["label"]),
    "verl": (parquet_rows, lambda row: YES_NO[row["reward_model"]["ground_truth"]]),
    "lm-eval": (parquet_rows, lambda row: row["label"]),
    "inspect": (json_lines, lambda row: YES_NO[row["target"]]),
    "croissant": (json_lines, lambda row: row["label"]),
    "hub-card": (json_lines, lambda row: row["label"]),
}
"""For each target, how its rows are read and what the label of a row is."""


def rows_of(target: str, folder: Path, part: str) -> list[dict]:
    """Read the rows of a part."""
    reader, _ = READERS[target]
    return reader(folder / f"{part}.{_ending(reader)}")


def labels_of(target: str, folder: Path, part: str) -> list[int]:
    """Read the binary labels of a part."""
    _, label = READERS[target]
    return [label(row) for row in rows_of(target, folder, part)]


def texts_in(value: object) -> Iterator[str]:
    """Yield every string in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)
