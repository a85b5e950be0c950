"""Runs on span corpora: train once, write down what was done, and let the model answer the test rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corr2cause.asking.answer_file import appended
from corr2cause.asking.session import Job, standing
from corr2cause.asking.settings import Sampling
from corr2cause.files import plain_errors, sha256_of, write_json
from corr2cause.finetuning.libraries import Say, require_libraries
from corr2cause.finetuning.model_card import DETECTION, EXTRACTION, Purpose, write_model_card
from corr2cause.finetuning.run_folder import MODEL, PREDICTIONS, RECORD, claim, record_of
from corr2cause.finetuning.spans.detection import detect, fit_encoder
from corr2cause.finetuning.spans.lora import answers, fit_adapter
from corr2cause.finetuning.spans.settings import EncoderSettings, LoraSettings
from corr2cause.locks import file_lock, folder_lock
from corr2cause.spans.formats.cells import id_for_file
from corr2cause.spans.gold import Gold, read_gold
from corr2cause.spans.models import registry
from corr2cause.spans.prompting.prompts import PromptKind

Progress = Callable[[int], AbstractContextManager[Callable[[int], object]]]
"""Shows how far some work is that has so many steps; yields what moves it on."""

TUNED = "-FT"
"""What the name of a model ends with once it was trained, as in the paper's tables."""

_VERDICTS = ("No", "Yes")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned, by what.

    Attributes:
        model: a folder, or a name that transformers can load.
        train: file of rows.
        test: file of rows that the trained model answers; None for none.
        say: is told what happens.
    """

    model: str
    train: Path
    test: Path | None
    say: Say


def run_encoder(task: Task, settings: EncoderSettings, validation: Path | None, folder: Path) -> None:
    """Train an encoder for detection, and write what it says of the test rows as a run that `spans score` reads.

    What is finished already is not done again.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        FileError: the data, the model or the folder cannot be used, or another process is at work there.
    """
    require_libraries()
    sources = {"train": task.train} | ({"validation": validation} if validation else {})
    parts = read_gold(task.train).rows, read_gold(validation).rows if validation else ()
    start = {"settings": asdict(settings)}

    def fit() -> dict[str, Any]:
        return fit_encoder(settings, task.model, parts, folder, task.say)

    record = _run(task, folder, start, sources, fit, DETECTION)
    if task.test:
        gold = read_gold(task.test)
        said = detect(folder / MODEL, gold.rows, record["max_length"], task.say)
        path = _place(folder, task.test, ".json")
        head = {"model": Path(task.model).name, "prompt_strategy": "encoder", "split_type": task.test.stem}
        ids = [id_for_file(row.id) for row in gold.rows]
        write_json(path, head | {"ids": ids, "predictions": [_VERDICTS[one] for one in said.tolist()]})
        task.say(f"{path}: {len(said):,} verdicts.")


def run_adapter(task: Task, settings: LoraSettings, kind: PromptKind, folder: Path, progress: Progress) -> None:
    """Train an adapter, and write what it answers about the test rows as `corr2cause ask` would.

    What is finished already is not done again; an answer is in its file as soon as it is given.

    Raises:
        MissingExtraError: torch, transformers or peft is not installed.
        FileError: the data, the model or the folder cannot be used, or another process is at work there.
        OptionError: a row does not fit, or the settings do not.
    """
    require_libraries("peft", extra="lora")
    rows = read_gold(task.train).rows
    start = {"settings": asdict(settings), "prompts": asdict(kind)}
    sources = {"train": task.train}

    def fit() -> dict[str, Any]:
        return fit_adapter(settings, task.model, kind, rows, folder, task.say)

    _run(task, folder, start, sources, fit, EXTRACTION)
    if task.test:
        _answer(task, read_gold(task.test), kind, folder, progress)


def _run(
    task: Task,
    folder: Path,
    start: dict[str, Any],
    sources: Mapping[str, Path],
    fit: Callable[[], dict[str, Any]],
    purpose: Purpose,
) -> dict[str, Any]:
    """Train unless that was done, and return the record."""
    start |= {"model": task.model, "data": {name: sha256_of(path) for name, path in sources.items()}}
    with folder_lock(folder):
        claim(folder, start)
        record = record_of(folder)
        if record is None:
            record = start | fit()
            write_model_card(folder, purpose, record)
            write_json(folder / RECORD, record)
    task.say(f"{folder}: trained; the last loss is {record['epochs'][-1]['train_loss']:.4f}.")
    return record


def _answer(task: Task, gold: Gold, kind: PromptKind, folder: Path, progress: Progress) -> None:
    decoding = registry(kind.profile).decoding
    name = f"{task.model.rstrip('/')}{TUNED}"
    sampling = Sampling(name, decoding.max_new_tokens[kind.task], decoding.temperature, decoding.extra)
    prompts = {row.id: kind.prompt(row) for row in gold.rows}
    path = _place(folder, gold.path, ".answers.jsonl")
    with file_lock(path), progress(len(prompts)) as done:
        before = standing(Job(tuple(prompts.values()), sampling, path))
        done(before.n_answered)
        waiting = {prompt.id for prompt in before.waiting}
        if rows := [row for row in gold.rows if row.id in waiting]:
            with appended(path, sampling) as file:
                for row, reply in answers(folder / MODEL, task.model, kind, rows):
                    file.append(prompts[row], reply)
                    done(1)
    task.say(f"{path}: {len(prompts):,} answers.")


def _place(folder: Path, test: Path, ending: str) -> Path:
    path = folder / PREDICTIONS / f"{test.stem}{ending}"
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path
