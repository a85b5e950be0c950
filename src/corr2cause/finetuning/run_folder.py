"""The folder of a run: what it was started with, what came of it, and the answers of its model."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from corr2cause.errors import FileError
from corr2cause.files import plain_errors, read_json, whole_file, write_json, write_jsonl
from corr2cause.finetuning.examples import Integers

START, RECORD, MODEL, PREDICTIONS = "start.json", "run.json", "model", "predictions"


def claim(folder: Path, start: Mapping[str, Any]) -> None:
    """Make the folder of a run, or go on with one that was started with the same.

    Args:
        folder: of the run.
        start: all that decides what comes of it, as plain values.

    Raises:
        FileError: it holds a run that was started with something else, or something that is no run.
    """
    path = folder / START
    with plain_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        if is_new and any(one.name[:1] != "." for one in folder.iterdir()):
            raise FileError(str(folder), "this is no folder of a run; choose an empty or a new one")
    if is_new:
        write_json(path, start)
    found = read_json(path)
    if found != dict(start):
        other = sorted(name for name in {*found, *start} if found.get(name) != start.get(name))
        raise FileError(
            str(folder), f"a run with another {' and '.join(other)} was started here; choose another folder"
        )


def record_of(folder: Path) -> dict[str, Any] | None:
    """Return what came of a run; None if it is not at its end."""
    path = folder / RECORD
    found: dict[str, Any] | None = read_json(path) if path.exists() else None
    return found


def write_predictions(folder: Path, name: str, ids: Sequence[str], answers: Integers) -> Path:
    """Write answers as JSON lines of `id` and `prediction` (0 or 1), which `corr2cause evaluate` reads."""
    path = folder / PREDICTIONS / f"{name}.jsonl"
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as out:
        write_jsonl(pa.table({"id": pa.array(ids, pa.string()), "prediction": pa.array(answers, pa.int64())}), out)
    return path


def keep_best(folders: Sequence[Path]) -> Path:
    """Find the run with the best F1 on dev, the first of equals, and remove the models of the others.

    Runs that are not finished are passed over; there must be one that is.
    """
    f1 = {folder: record["dev"]["f1"] for folder in folders if (record := record_of(folder))}
    best = max(f1, key=f1.__getitem__)
    for folder in f1:
        if folder != best:
            shutil.rmtree(folder / MODEL, ignore_errors=True)
    return best
