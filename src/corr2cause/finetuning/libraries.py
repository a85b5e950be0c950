"""What every training shares of torch and transformers: loading, arguments, checkpoints, saving, records."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause import __version__
from corr2cause.checking.evaluation import METRICS, kinds_of
from corr2cause.counts import Counts
from corr2cause.errors import FileError, MissingExtraError, RowError
from corr2cause.files import read_json
from corr2cause.finetuning.examples import Integers
from corr2cause.finetuning.run_folder import MODEL

CHECKPOINTS = "checkpoints"
ANSWERS_AT_ONCE = 64

Say = Callable[[str], object]


def require_libraries(*more: str, extra: str = "finetune") -> None:
    """Import what is needed, and silence it: what it warns of is meant (a new head, long texts).

    Args:
        more: libraries beside torch, transformers and accelerate.
        extra: that brings all of them.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    for library in ("torch", "transformers", "accelerate", *more):
        try:
            importlib.import_module(library)
        except ImportError as error:
            raise MissingExtraError(library, extra) from error
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()  # of loading and saving
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")  # peft has to heed it, not we


def load(kind: Any, model: str, **more: Any) -> Any:
    """Load a model, a tokenizer or a configuration.

    Raises:
        FileError: there is none of that name.
    """
    try:
        return kind.from_pretrained(model, **more)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise FileError(model, f"transformers cannot load this ({reason})") from error


def load_tokenizer(model: str) -> Any:
    """Load a tokenizer that can pad."""
    from transformers import AutoTokenizer

    tokenizer = load(AutoTokenizer, model)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


def arguments(folder: Path, seed: int, **chosen: Any) -> Any:
    """Return arguments of a trainer: a checkpoint and a loss for each epoch, half precision on a GPU, no noise.

    Half precision is bfloat16 where the GPU has it, else float16.
    """
    import torch
    from transformers import TrainingArguments

    on_gpu = torch.cuda.is_available()
    has_bfloat16 = on_gpu and torch.cuda.is_bf16_supported()
    return TrainingArguments(
        output_dir=str(folder),
        per_device_eval_batch_size=ANSWERS_AT_ONCE,
        save_strategy="epoch",
        logging_strategy="epoch",
        save_total_limit=1,  # and the best one
        restore_callback_states_from_checkpoint=True,
        average_tokens_across_devices=False,  # the loss is a mean over rows
        remove_unused_columns=False,
        bf16=has_bfloat16,
        fp16=on_gpu and not has_bfloat16,
        seed=seed,
        data_seed=seed,
        report_to="none",
        dataloader_pin_memory=on_gpu,
        disable_tqdm=sys.stderr is None or not sys.stderr.isatty(),
        **chosen,
    )


def best_by_f1() -> dict[str, Any]:
    """Return the arguments that keep the epoch with the best F1."""
    return {
        "eval_strategy": "epoch",
        "load_best_model_at_end": True,
        "metric_for_best_model": "f1",
        "greater_is_better": True,
    }


def train(trainer: Any, folder: Path) -> None:
    """Train, from the last whole checkpoint in `folder`/checkpoints on if there is one."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)  # it prints to stdout
    trainer.train(resume_from_checkpoint=_last_checkpoint(folder / CHECKPOINTS))


def keep(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save a model in `folder`/model, which is whole or absent, and remove the checkpoints."""
    target = folder / MODEL
    part = folder / ".model.part"
    for old in (part, target):
        shutil.rmtree(old, ignore_errors=True)
    model.save_pretrained(part)
    tokenizer.save_pretrained(part)
    part.rename(target)
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)


def scores(found: Any) -> dict[str, float]:
    """Score the logits that a trainer found."""
    labels, answers = found.label_ids, found.predictions.argmax(axis=-1)
    counts = Counts(*np.bincount(kinds_of(labels, answers.astype(np.int8)), minlength=6).tolist())
    return {metric: getattr(counts, metric) for metric in METRICS}


def epochs_of(history: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """Return the loss of each epoch, and its scores on dev if there are any."""
    scored = {round(entry["epoch"]): entry for entry in history if "eval_f1" in entry}
    return [
        {"epoch": round(entry["epoch"]), "train_loss": entry["loss"]}
        | {metric: scored[round(entry["epoch"])][f"eval_{metric}"] for metric in METRICS if scored}
        for entry in history
        if "loss" in entry
    ]


def best_epoch(epochs: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Return the first of the best epochs, which is the one that was kept, and its scores."""
    best = max(epochs, key=lambda epoch: epoch["f1"])
    return {"best_epoch": best["epoch"], "dev": {metric: best[metric] for metric in METRICS}}


def machine(trainer: Any) -> dict[str, Any]:
    """Return what a run was done with."""
    import torch
    import transformers

    return {
        "device": str(trainer.args.device),
        "precision": "bf16" if trainer.args.bf16 else "fp16" if trainer.args.fp16 else "fp32",
        "versions": {
            "corr2cause": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        },
    }


def token_lengths(tokenizer: Any, texts: Sequence[str]) -> Integers:
    """Count the tokens of each text by itself, without special ones."""
    return np.array([len(ids) for ids in tokenizer([*texts], add_special_tokens=False)["input_ids"]], dtype=np.int64)


def _last_checkpoint(folder: Path) -> str | None:
    """Find the last checkpoint that was written to its end: transformers writes the state of the trainer last."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    for checkpoint in found:
        try:
            read_json(checkpoint / "trainer_state.json")
        except (FileError, RowError):
            shutil.rmtree(checkpoint)
        else:
            return str(checkpoint)
    return None
