"""How encoders and adapters are trained: the values of a TOML file."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """One way to train an encoder.

    Attributes:
        learning_rate: of the optimiser, after the warm-up.
        schedule: how it falls to 0 from there, "linear" or "cosine".
        warmup: steps of the warm-up; below 1 a share of all steps.
        batch_size: rows in a step.
        weight_decay: of the optimiser.
        epochs: passes over the training rows, at most.
        patience: epochs without a better F1 on the validation rows after which training ends; without such rows, none.
        max_length: tokens of a text; the end of a longer one is cut off.
        optimizer: a name that transformers knows.
        seed: of the new weights, the order of the rows and dropout.
    """

    learning_rate: float
    schedule: str
    warmup: float
    batch_size: int
    weight_decay: float
    epochs: int
    patience: int
    max_length: int
    optimizer: str
    seed: int


@dataclass(frozen=True, slots=True)
class LoraSettings:
    """One way to train an adapter (Hu et al. 2022).

    Attributes:
        rank: of the two matrices beside each target.
        alpha: their product counts alpha / rank times.
        dropout: probability, of their input.
        targets: names of the layers they stand beside, separated by spaces.
        quantisation: of the base model while it is trained, "8bit" or "none".
        learning_rate: of the optimiser, after the warm-up.
        schedule: how it falls to 0 from there, "linear" or "cosine".
        warmup: steps of the warm-up; below 1 a share of all steps.
        batch_size: rows at a time.
        accumulation: times of these that make a step.
        clip: the longest gradient.
        weight_decay: of the optimiser.
        epochs: passes over the training rows.
        max_length: tokens of prompt and answer; a row that needs more is refused, never cut.
        optimizer: a name that transformers knows.
        seed: of the new weights, the order of the rows and dropout.
    """

    rank: int
    alpha: int
    dropout: float
    targets: str
    quantisation: str
    learning_rate: float
    schedule: str
    warmup: float
    batch_size: int
    accumulation: int
    clip: float
    weight_decay: float
    epochs: int
    max_length: int
    optimizer: str
    seed: int


def warmup_steps(warmup: float, n_rows: int, rows_in_step: int, epochs: int) -> int:
    """Return the steps of a warm-up that is given as steps, or below 1 as a share of all.

    >>> warmup_steps(100, 15000, 16, 3), warmup_steps(0.1, 61, 16, 3)
    (100, 2)
    """
    if warmup >= 1:
        return int(warmup)
    steps = math.ceil(n_rows / rows_in_step) * epochs
    return math.ceil(warmup * steps)
