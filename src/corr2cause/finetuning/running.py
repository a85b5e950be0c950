"""Runs: train one combination of settings or all of a grid, keep the best model, and write down what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corr2cause.dataset.manifest import MANIFEST
from corr2cause.dataset.overwriting import stale_perturbations
from corr2cause.dataset.reading import Dataset, open_dataset
from corr2cause.dataset.variant_folders import perturbed_folders
from corr2cause.files import read_json, write_json
from corr2cause.finetuning.examples import read_examples
from corr2cause.finetuning.libraries import Say, require_libraries
from corr2cause.finetuning.model_card import ENTAILMENT, write_model_card
from corr2cause.finetuning.run_folder import MODEL, RECORD, claim, keep_best, record_of, write_predictions
from corr2cause.finetuning.settings import Combination, Settings
from corr2cause.finetuning.training import answer, fit
from corr2cause.locks import folder_lock

GRID = "grid.json"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned, by what.

    Attributes:
        dataset: with the splits train and dev; the best model answers its test split and the perturbed ones.
        model: a folder, or a name that transformers can load.
        say: is told what happens.
    """

    dataset: Dataset
    model: str
    say: Say


def finetune(task: Task, combinations: Sequence[Combination], folder: Path) -> Path:
    """Train every combination, keep the model of the best, and write its answers to `predictions` in its folder.

    What is finished already is not done again. The files of a run are described in docs/how-to.md.

    Args:
        task: what to learn.
        combinations: settings to train with; more than one are a grid, with a folder for each in `folder`.
        folder: of the run or of the grid.

    Returns:
        The folder of the best run.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        FileError: the data, the model or the folder cannot be used, or another process is at work there.
        OptionError: the model and the settings do not fit.
    """
    require_libraries()
    start = {"model": task.model, "data": task.dataset.manifest.fingerprint}
    with folder_lock(folder):
        if len(combinations) == 1:
            best = folder
            _train(task, combinations[0].settings, folder, start)
        else:
            claim(folder, start | {"grid": [one.name for one in combinations]})
            best = _search(task, combinations, folder, start)
        for name, dataset in _answered(task):
            _predict(task, best, name, dataset)
    return best


def _search(task: Task, combinations: Sequence[Combination], folder: Path, start: dict[str, Any]) -> Path:
    folders = [folder / one.name for one in combinations]
    best = folders[0]
    for number, (one, place) in enumerate(zip(combinations, folders, strict=True), start=1):
        task.say(f"{number} of {len(folders)}: {one.name}")
        _train(task, one.settings, place, start)
        best = keep_best(folders)
    records = {place.name: read_json(place / RECORD) for place in folders}
    runs = {name: {key: record[key] for key in ("settings", "dev", "best_epoch")} for name, record in records.items()}
    write_json(folder / GRID, {"best": best.name, "runs": runs})
    return best


def _train(task: Task, settings: Settings, folder: Path, start: dict[str, Any]) -> None:
    claim(folder, start | {"settings": asdict(settings)})
    record = record_of(folder)
    if record is None:
        parts = read_examples(task.dataset, "train"), read_examples(task.dataset, "dev")
        record = start | {"settings": asdict(settings)} | fit(settings, task.model, parts, folder, task.say)
        write_model_card(folder, ENTAILMENT, record)
        write_json(folder / RECORD, record)
    task.say(f"{folder}: F1 {100 * record['dev']['f1']:.2f} on dev after epoch {record['best_epoch']}.")


def _answered(task: Task) -> Iterator[tuple[str, Dataset]]:
    """Yield the data sets whose test split is answered: the data themselves, and their perturbations."""
    dataset = task.dataset
    yield "test", dataset
    stale = stale_perturbations(dataset.folder, dataset.manifest)
    for path in perturbed_folders(dataset.folder):
        if not (path / MANIFEST).exists():
            continue
        if path.name in stale:
            task.say(f"{path}: passed over, since it was not made from these data; perturb them again.")
        else:
            yield path.name, open_dataset(path)


def _predict(task: Task, folder: Path, name: str, dataset: Dataset) -> None:
    if "test" not in dataset.splits:
        task.say(f"{dataset.folder}: passed over, since it has no test split.")
        return
    examples = read_examples(dataset, "test")
    max_length = read_json(folder / RECORD)["max_length"]
    answers = answer(folder / MODEL, examples, max_length, name, task.say)
    task.say(f"{write_predictions(folder, name, examples.ids, answers)}: {len(answers):,} answers.")
