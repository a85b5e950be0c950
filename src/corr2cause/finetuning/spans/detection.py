"""Train an encoder to tell causal texts from others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corr2cause.finetuning.classifiers import classify, new_classifier
from corr2cause.finetuning.examples import Integers
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
from corr2cause.finetuning.spans.settings import EncoderSettings, warmup_steps
from corr2cause.spans.rows import Row

Rows = Sequence[Row]


def fit_encoder(
    settings: EncoderSettings, model: str, parts: tuple[Rows, Rows], folder: Path, say: Say
) -> dict[str, Any]:
    """Train on the first part and keep the model in `folder`/model.

    With validation rows the epoch with their best F1 is kept, and training may end early; without any, the last one.
    A killed run goes on from its last whole checkpoint.

    Args:
        settings: how to train.
        model: a folder, or a name that transformers can load.
        parts: training rows, and validation rows, which may be none.
        folder: of the run.
        say: is told how many rows are cut.

    Returns:
        A record of the run, as plain values.

    Raises:
        FileError: the model cannot be loaded.
    """
    import transformers

    tokenizer = load_tokenizer(model)
    length = min(settings.max_length, tokenizer.model_max_length)
    rows, validation = parts
    chosen: dict[str, Any] = best_by_f1() if validation else {}
    stopping = transformers.EarlyStoppingCallback(early_stopping_patience=settings.patience)
    cut = {name: _tell_cut(part, tokenizer, length, name, say) for name, part in _named(parts)}
    trainer = transformers.Trainer(
        model=new_classifier(model, tokenizer, settings.seed, dropout=None),
        args=arguments(
            folder / CHECKPOINTS,
            settings.seed,
            num_train_epochs=settings.epochs,
            learning_rate=settings.learning_rate,
            lr_scheduler_type=settings.schedule,
            warmup_steps=warmup_steps(settings.warmup, len(rows), settings.batch_size, settings.epochs),
            weight_decay=settings.weight_decay,
            optim=settings.optimizer,
            per_device_train_batch_size=settings.batch_size,
            **chosen,
        ),
        data_collator=lambda batch: _encode(tokenizer, batch, length),
        train_dataset=[*rows],
        eval_dataset=[*validation] or None,
        compute_metrics=scores,
        callbacks=[stopping] if validation else [],
    )
    train(trainer, folder)
    keep(trainer.model, tokenizer, folder)
    epochs = epochs_of(trainer.state.log_history)
    return {
        "parts": {name: {"rows": len(part), "truncated": cut[name]} for name, part in _named(parts)},
        "max_length": length,
        "epochs": epochs,
        **(best_epoch(epochs) if validation else {}),
        **machine(trainer),
    }


def detect(folder: Path, rows: Rows, max_length: int, say: Say) -> Integers:
    """Let the model in a folder say which texts state a cause: int64[R]."""
    tokenizer = load_tokenizer(str(folder))
    _tell_cut(rows, tokenizer, max_length, "test", say)

    def encode(places: range) -> dict[str, Any]:
        batch = _encode(tokenizer, [rows[place] for place in places], max_length)
        del batch["labels"]
        return batch

    return classify(folder, len(rows), encode)


def _named(parts: tuple[Rows, Rows]) -> list[tuple[str, Rows]]:
    return [(name, part) for name, part in zip(("train", "validation"), parts, strict=True) if part]


def _encode(tokenizer: Any, rows: Rows, length: int) -> dict[str, Any]:
    import torch

    texts = [row.sentence for row in rows]
    batch = tokenizer(texts, padding=True, return_tensors="pt", truncation=True, max_length=length)
    return {**batch, "labels": torch.tensor([int(row.is_causal) for row in rows])}


def _tell_cut(rows: Rows, tokenizer: Any, length: int, name: str, say: Say) -> int:
    room = length - tokenizer.num_special_tokens_to_add()
    n_cut = int((token_lengths(tokenizer, [row.sentence for row in rows]) > room).sum())
    say(f"{name}: {n_cut:,} of {len(rows):,} rows are longer than {length} tokens; their ends are cut.")
    return n_cut
