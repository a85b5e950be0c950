"""Train a classifier and let it answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corr2cause.finetuning.classifiers import classify, new_classifier
from corr2cause.finetuning.examples import Example, Examples, Integers, class_weights, count_truncated
from corr2cause.finetuning.libraries import (
    CHECKPOINTS,
    Say,
    arguments,
    best_by_f1,
    best_epoch,
    epochs_of,
    keep,
    load_tokenizer,
    machine,
    scores,
    token_lengths,
    train,
)
from corr2cause.finetuning.settings import Settings


@dataclass(frozen=True, slots=True)
class Part:
    """What a model is trained on or chosen by: rows, and how many of them are too long for it."""

    rows: int
    truncated: int


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
    import transformers

    tokenizer = load_tokenizer(model)
    length = min(settings.max_length, tokenizer.model_max_length)
    truncated = [
        _tell_truncated(one, tokenizer, length, name, say) for name, one in zip(("train", "dev"), parts, strict=True)
    ]
    weights = class_weights(parts[0].labels, settings.class_weights)
    trainer = transformers.Trainer(
        model=new_classifier(model, tokenizer, settings.seed, settings.dropout),
        args=_arguments(settings, folder / CHECKPOINTS),
        data_collator=lambda examples: _encode(tokenizer, examples, length),
        train_dataset=parts[0],
        eval_dataset=parts[1],
        compute_metrics=scores,
        compute_loss_func=_loss(weights),
        callbacks=[transformers.EarlyStoppingCallback(early_stopping_patience=settings.patience)],
    )
    train(trainer, folder)
    keep(trainer.model, tokenizer, folder)
    epochs = epochs_of(trainer.state.log_history)
    return {
        "parts": {
            name: asdict(Part(len(one), n)) for name, one, n in zip(("train", "dev"), parts, truncated, strict=True)
        },
        "max_length": length,
        "class_weights": weights,
        "epochs": epochs,
        **best_epoch(epochs),
        **machine(trainer),
    }


def answer(folder: Path, examples: Examples, max_length: int, name: str, say: Say) -> Integers:
    """Let the model in a folder answer: int64[R], 1 for what it says follows."""
    tokenizer = load_tokenizer(str(folder))
    _tell_truncated(examples, tokenizer, max_length, name, say)

    def encode(rows: range) -> dict[str, Any]:
        batch = _encode(tokenizer, [examples[row] for row in rows], max_length)
        del batch["labels"]
        return batch

    return classify(folder, len(examples), encode)


def _arguments(settings: Settings, folder: Path) -> Any:
    return arguments(
        folder,
        settings.seed,
        num_train_epochs=settings.epochs,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        optim=settings.optimizer,
        per_device_train_batch_size=settings.batch_size,
        **best_by_f1(),
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
    def lengths(texts: Sequence[str]) -> Integers:
        return token_lengths(tokenizer, texts)

    truncated = count_truncated(examples, lengths, tokenizer.num_special_tokens_to_add(pair=True), length)
    say(f"{name}: {truncated:,} of {len(examples):,} rows are longer than {length} tokens; their premises are cut.")
    return truncated
