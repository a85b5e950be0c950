"""Train an adapter (LoRA) on prompts and true answers, and let it answer. The door to peft, of the extra `lora`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corr2cause.asking.replies import Reply
from corr2cause.errors import OptionError
from corr2cause.finetuning.answering import continuations
from corr2cause.finetuning.libraries import (
    CHECKPOINTS,
    Say,
    arguments,
    epochs_of,
    keep,
    load,
    load_tokenizer,
    machine,
    train,
)
from corr2cause.finetuning.spans.samples import make_samples, padded, prompt_tokens
from corr2cause.finetuning.spans.settings import LoraSettings, warmup_steps
from corr2cause.spans.models import registry
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Row


def fit_adapter(
    settings: LoraSettings, model: str, kind: PromptKind, rows: Sequence[Row], folder: Path, say: Say
) -> dict[str, Any]:
    """Train an adapter for a model and keep it in `folder`/model.

    Prompts are raw text, as in the paper, and only the answers are learned. A killed run goes on from its last whole
    checkpoint.

    Args:
        settings: how to train.
        model: a folder, or a name that transformers can load.
        kind: of the prompts and answers.
        rows: annotated.
        folder: of the run.
        say: is told what is left out, and how many weights are trained.

    Returns:
        A record of the run, as plain values.

    Raises:
        FileError: the model cannot be loaded.
        OptionError: a row does not fit, a target layer is unknown, or 8 bits are asked for where none can be had.
    """
    import transformers

    tokenizer = load_tokenizer(model)
    length = min(settings.max_length, tokenizer.model_max_length)
    samples = make_samples(rows, kind, tokenizer, length, say)
    adapted = _adapted(settings, model)
    trainable, total = adapted.get_nb_trainable_parameters()
    say(f"{trainable:,} of {total:,} weights are trained, on {len(samples):,} rows.")
    rows_in_step = settings.batch_size * settings.accumulation
    trainer = transformers.Trainer(
        model=adapted,
        args=arguments(
            folder / CHECKPOINTS,
            settings.seed,
            num_train_epochs=settings.epochs,
            learning_rate=settings.learning_rate,
            lr_scheduler_type=settings.schedule,
            warmup_steps=warmup_steps(settings.warmup, len(samples), rows_in_step, settings.epochs),
            weight_decay=settings.weight_decay,
            optim=settings.optimizer,
            per_device_train_batch_size=settings.batch_size,
            gradient_accumulation_steps=settings.accumulation,
            max_grad_norm=settings.clip,
        ),
        data_collator=lambda batch: padded(batch, tokenizer.pad_token_id),
        train_dataset=samples,
    )
    train(trainer, folder)
    keep(trainer.model, tokenizer, folder)
    return {
        "rows": len(samples),
        "left_out": len(rows) - len(samples),
        "longest": max(map(len, samples)),
        "max_length": length,
        "trainable_weights": trainable,
        "epochs": epochs_of(trainer.state.log_history),
        **machine(trainer),
    }


def _adapted(settings: LoraSettings, model: str) -> Any:
    import peft
    from transformers import AutoModelForCausalLM, set_seed

    base = load(AutoModelForCausalLM, model, **_quantisation(settings))
    if settings.quantisation == "8bit":
        base = peft.prepare_model_for_kbit_training(base)
    set_seed(settings.seed)  # one of the two matrices is drawn at random
    config = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=settings.targets.split(),
        bias="none",
        task_type="CAUSAL_LM",
    )
    try:
        return peft.get_peft_model(base, config)
    except ValueError as error:
        layers = sorted({name.rpartition(".")[2] for name, _ in base.named_modules() if name})
        problem = f"{model} has no layers called {settings.targets}; it has {', '.join(layers)}"
        raise OptionError("targets", problem) from error


def _quantisation(settings: LoraSettings) -> dict[str, Any]:
    if settings.quantisation == "none":
        return {}
    import torch
    from transformers import BitsAndBytesConfig
    from transformers.utils import is_bitsandbytes_available

    if not torch.cuda.is_available() or not is_bitsandbytes_available():
        raise OptionError("quantisation", '"8bit" needs a GPU and the library bitsandbytes; choose "none"')
    return {"quantization_config": BitsAndBytesConfig(load_in_8bit=True)}


def answers(folder: Path, model: str, kind: PromptKind, rows: Sequence[Row]) -> Iterator[tuple[str, Reply]]:
    """Let the adapter in a folder answer prompts about rows, greedily.

    Args:
        folder: of the adapter.
        model: that it was trained for.
        kind: of the prompts; its profile says how long answers may be, and the penalty on repetition.
        rows: to ask about.

    Yields:
        Id and answer; `length` as the reason of its end if it is as long as it may be.
    """
    import peft
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(str(folder))
    adapted = peft.PeftModel.from_pretrained(load(AutoModelForCausalLM, model), str(folder))
    decoding = registry(kind.profile).decoding
    prompts = [prompt_tokens(row, kind, tokenizer) for row in rows]
    options = {"max_new_tokens": decoding.max_new_tokens[kind.task], **decoding.extra}
    yield from zip((row.id for row in rows), continuations(adapted, tokenizer, prompts, options), strict=True)
