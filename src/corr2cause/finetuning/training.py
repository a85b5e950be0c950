"""Train a classifier and let it answer. The door to torch and transformers, which the extra `finetune` brings."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause import __version__
from corr2cause.checking.evaluation import METRICS, kinds_of
from corr2cause.counts import Counts
from corr2cause.errors import FileError, MissingExtraError, OptionError, RowError
from corr2cause.files import read_json
from corr2cause.finetuning.examples import Example, Examples, Integers, class_weights, count_truncated
from corr2cause.finetuning.settings import Settings

CHECKPOINTS = "checkpoints"

_DROPOUTS = (
    *("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout"),  # BERT, RoBERTa
    *("dropout", "attention_dropout", "seq_classif_dropout", "hidden_dropout"),  # DistilBERT, BART, LLaMA
    *("resid_pdrop", "embd_pdrop", "attn_pdrop"),  # GPT-2
)
"""What models call the probability of dropout."""

_ANSWERS_AT_ONCE = 64

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Part:
    """What a model is trained on or chosen by: rows, and how many of them are too long for it."""

    rows: int
    truncated: int


def require_libraries() -> None:
    """Import what is needed, and silence it: what it warns of is meant (a new head, long texts).

    Raises:
        MissingExtraError: torch, transformers or accelerate is not installed.
    """
    for library in ("torch", "transformers", "accelerate"):
        try:
            importlib.import_module(library)
        except ImportError as error:
            raise MissingExtraError(library, "finetune") from error
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()  # of loading and saving


def fit(settings: Settings, model: str, parts: tuple[Examples, Examples], folder: Path, say: Say) -> dict[str, Any]:
    """Train on the first part, and keep the epoch with the best F1 on the second in `folder`/model.

    A run that was killed goes on from the last whole checkpoint in `folder`/checkpoints, which go when all is done.
    Half precision is used on a GPU only (bfloat16 where it can, else float16).

    Args:
        settings: how to train.
        model: a folder, or a name that transformers can load.
        parts: training rows and dev rows.
        folder: of the run.
        say: is told how many rows are truncated.

    Returns:
        A record of the run, as plain values.

    Raises:
        FileError: the model cannot be loaded.
        OptionError: the model has no dropout, or no place for a premise.
    """
    import torch
    import transformers

    tokenizer = _load(transformers.AutoTokenizer, model)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    length = min(settings.max_length, tokenizer.model_max_length)
    truncated = [
        _tell_truncated(one, tokenizer, length, name, say) for name, one in zip(("train", "dev"), parts, strict=True)
    ]
    weights = class_weights(parts[0].labels, settings.class_weights)
    trainer = transformers.Trainer(
        model=_new_model(settings, model, tokenizer),
        args=_arguments(settings, folder / CHECKPOINTS),
        data_collator=lambda examples: _encode(tokenizer, examples, length),
        train_dataset=parts[0],
        eval_dataset=parts[1],
        compute_metrics=lambda found: _scores(found.label_ids, found.predictions.argmax(axis=-1)),
        compute_loss_func=_loss(weights),
        callbacks=[transformers.EarlyStoppingCallback(early_stopping_patience=settings.patience)],
    )
    trainer.remove_callback(transformers.PrinterCallback)  # it prints to stdout
    trainer.train(resume_from_checkpoint=_last_checkpoint(folder / CHECKPOINTS))
    _save(trainer.model, tokenizer, folder / "model")
    shutil.rmtree(folder / CHECKPOINTS)
    return {
        "parts": {
            name: asdict(Part(len(one), n)) for name, one, n in zip(("train", "dev"), parts, truncated, strict=True)
        },
        "max_length": length,
        "class_weights": weights,
        **_epochs(trainer.state.log_history),
        "device": str(trainer.args.device),
        "precision": "bf16" if trainer.args.bf16 else "fp16" if trainer.args.fp16 else "fp32",
        "versions": {
            "corr2cause": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        },
    }


def answer(folder: Path, examples: Examples, max_length: int, name: str, say: Say) -> Integers:
    """Let the model in a folder answer: int64[R], 1 for what it says follows."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = _load(AutoTokenizer, str(folder))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = _load(AutoModelForSequenceClassification, str(folder)).to(device).eval()
    _tell_truncated(examples, tokenizer, max_length, name, say)
    answers = []
    with torch.inference_mode():
        for start in range(0, len(examples), _ANSWERS_AT_ONCE):
            rows = range(start, min(start + _ANSWERS_AT_ONCE, len(examples)))
            batch = _encode(tokenizer, [examples[row] for row in rows], max_length)
            del batch["labels"]
            logits = model(**{key: values.to(device) for key, values in batch.items()}).logits
            answers.append(logits.argmax(dim=-1).cpu().numpy())
    return np.concatenate(answers)


def _load(kind: Any, model: str, **more: Any) -> Any:
    try:
        return kind.from_pretrained(model, **more)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise FileError(model, f"transformers cannot load this ({reason})") from error


def _new_model(settings: Settings, model: str, tokenizer: Any) -> Any:
    """Load a model with a new head of two labels, whatever its old one was."""
    from transformers import AutoConfig, AutoModelForSequenceClassification, set_seed

    config = _load(AutoConfig, model, num_labels=2, id2label={0: "no", 1: "yes"}, label2id={"no": 0, "yes": 1})
    dropouts = [name for name in _DROPOUTS if hasattr(config, name)]
    if not dropouts:
        raise OptionError("dropout", f"{model} is of the kind {config.model_type}, whose dropout has an unknown name")
    for name in dropouts:
        setattr(config, name, settings.dropout)
    config.pad_token_id = tokenizer.pad_token_id
    set_seed(settings.seed)  # the head is drawn at random
    return _load(AutoModelForSequenceClassification, model, config=config, ignore_mismatched_sizes=True)


def _arguments(settings: Settings, folder: Path) -> Any:
    import torch
    from transformers import TrainingArguments

    on_gpu = torch.cuda.is_available()
    has_bfloat16 = on_gpu and torch.cuda.is_bf16_supported()
    return TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=settings.epochs,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        optim=settings.optimizer,
        per_device_train_batch_size=settings.batch_size,
        per_device_eval_batch_size=_ANSWERS_AT_ONCE,
        eval_strategy="epoch",
        save_strategy="epoch",
        logging_strategy="epoch",
        save_total_limit=1,  # and the best one
        load_best_model_at_end=True,
        metric_for_best_model="f1",
        greater_is_better=True,
        restore_callback_states_from_checkpoint=True,
        average_tokens_across_devices=False,  # the loss is a mean over rows
        remove_unused_columns=False,
        bf16=has_bfloat16,
        fp16=on_gpu and not has_bfloat16,
        seed=settings.seed,
        data_seed=settings.seed,
        report_to="none",
        dataloader_pin_memory=on_gpu,
        disable_tqdm=sys.stderr is None or not sys.stderr.isatty(),
    )


def _loss(weights: tuple[float, float] | None) -> Callable[..., Any]:
    import torch

    def loss(outputs: Any, labels: Any, **_: Any) -> Any:
        logits = outputs["logits"].float()
        costs = None if weights is None else torch.tensor(weights, device=logits.device)
        return torch.nn.functional.cross_entropy(logits, labels, weight=costs)

    return loss


def _encode(tokenizer: Any, examples: Sequence[Example], length: int) -> dict[str, Any]:
    import torch

    premises, hypotheses, labels = zip(*examples, strict=True)
    cut = {"truncation": "only_first", "max_length": length}  # the hypothesis stays whole
    batch = tokenizer([*premises], [*hypotheses], padding=True, return_tensors="pt", **cut)
    return {**batch, "labels": torch.tensor(labels)}


def _tell_truncated(examples: Examples, tokenizer: Any, length: int, name: str, say: Say) -> int:
    def lengths(texts: Iterable[str]) -> Integers:
        return np.array(
            [len(ids) for ids in tokenizer([*texts], add_special_tokens=False)["input_ids"]], dtype=np.int64
        )

    truncated = count_truncated(examples, lengths, tokenizer.num_special_tokens_to_add(pair=True), length)
    say(f"{name}: {truncated:,} of {len(examples):,} rows are longer than {length} tokens; their premises are cut.")
    return truncated


def _scores(labels: Integers, answers: Integers) -> dict[str, float]:
    counts = Counts(*np.bincount(kinds_of(labels, answers.astype(np.int8)), minlength=6).tolist())
    return {metric: getattr(counts, metric) for metric in METRICS}


def _epochs(history: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Return the scores on dev after each epoch, and the first of the best epochs, which is the one that was kept."""
    losses = {round(entry["epoch"]): entry["loss"] for entry in history if "loss" in entry}
    epochs = [
        {"epoch": round(entry["epoch"]), "train_loss": losses[round(entry["epoch"])]}
        | {metric: entry[f"eval_{metric}"] for metric in METRICS}
        for entry in history
        if "eval_f1" in entry
    ]
    best = max(epochs, key=lambda epoch: epoch["f1"])
    return {"epochs": epochs, "best_epoch": best["epoch"], "dev": {metric: best[metric] for metric in METRICS}}


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


def _save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save a model so that its folder is whole or absent."""
    part = folder.with_name(f".{folder.name}.part")
    for old in (part, folder):
        shutil.rmtree(old, ignore_errors=True)
    model.save_pretrained(part)
    tokenizer.save_pretrained(part)
    part.rename(folder)
