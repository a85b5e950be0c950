"""Classifiers of two labels: a new head on any encoder, and what a trained one says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause.errors import OptionError
from corr2cause.finetuning.examples import Integers
from corr2cause.finetuning.libraries import ANSWERS_AT_ONCE, load

_DROPOUTS = (
    *("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout"),  # BERT, RoBERTa
    *("dropout", "attention_dropout", "seq_classif_dropout", "hidden_dropout"),  # DistilBERT, BART, LLaMA
    *("resid_pdrop", "embd_pdrop", "attn_pdrop"),  # GPT-2
)
"""What models call the probability of dropout."""


def new_classifier(model: str, tokenizer: Any, seed: int, dropout: float | None) -> Any:
    """Load a model with a new head of two labels, whatever its old one was.

    Args:
        model: a folder, or a name that transformers can load.
        tokenizer: of the model.
        seed: of the new weights.
        dropout: everywhere in the model; None for what it comes with.

    Raises:
        FileError: it cannot be loaded.
        OptionError: it has no dropout whose name is known.
    """
    from transformers import AutoConfig, AutoModelForSequenceClassification, set_seed

    config = load(AutoConfig, model, num_labels=2, id2label={0: "no", 1: "yes"}, label2id={"no": 0, "yes": 1})
    if dropout is not None:
        names = [name for name in _DROPOUTS if hasattr(config, name)]
        if not names:
            kind = config.model_type
            raise OptionError("dropout", f"{model} is of the kind {kind}, whose dropout has an unknown name")
        for name in names:
            setattr(config, name, dropout)
    config.pad_token_id = tokenizer.pad_token_id
    set_seed(seed)  # the head is drawn at random
    return load(AutoModelForSequenceClassification, model, config=config, ignore_mismatched_sizes=True)


def classify(folder: Path, n_rows: int, encode: Callable[[range], dict[str, Any]]) -> Integers:
    """Let the model in a folder answer: int64[R], its likelier label for each row.

    Args:
        folder: of the model.
        n_rows: R.
        encode: makes the tensors of some rows, labels left out.
    """
    import torch
    from transformers import AutoModelForSequenceClassification

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load(AutoModelForSequenceClassification, str(folder)).to(device).eval()
    answers = []
    with torch.inference_mode():
        for start in range(0, n_rows, ANSWERS_AT_ONCE):
            batch = encode(range(start, min(start + ANSWERS_AT_ONCE, n_rows)))
            logits = model(**{key: values.to(device) for key, values in batch.items()}).logits
            answers.append(logits.argmax(dim=-1).cpu().numpy())
    return np.concatenate(answers)
