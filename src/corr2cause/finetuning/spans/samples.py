"""Prompts with their true answers, as tokens: whole, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.errors import OptionError
from corr2cause.finetuning.answering import uncut
from corr2cause.finetuning.libraries import Say
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Row

IGNORED = -100
"""The label of tokens that are not learned."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A prompt and its answer.

    Attributes:
        prompt: its tokens.
        answer: its tokens, with the one that ends it.
    """

    prompt: tuple[int, ...]
    answer: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.prompt) + len(self.answer)


def make_samples(rows: Sequence[Row], kind: PromptKind, tokenizer: Any, max_length: int, say: Say) -> list[Sample]:
    """Make the sample of every row whose answer is read back as it was meant, by the parser of its kind.

    Args:
        rows: annotated.
        kind: of the prompts.
        tokenizer: of the model.
        max_length: tokens that fit.
        say: is told how many rows are left out.

    Raises:
        OptionError: a sample does not fit: cut, it would lose its text or its answer; or no row is left.
    """
    fit = [row for row in rows if kind.reads_back(row)]
    if len(fit) < len(rows):
        say(f"{len(rows) - len(fit):,} of {len(rows):,} rows are left out: their answers would not be read as meant.")
    if not fit:
        raise OptionError("TRAIN", "no row can be trained on; give a file of rows with pairs or labels")
    samples = [_sample(row, kind, tokenizer) for row in fit]
    lengths = [len(sample) for sample in samples]
    if (n_long := sum(length > max_length for length in lengths)) > 0:
        longest = max(range(len(fit)), key=lengths.__getitem__)
        frame = len(_prompt(kind.text(""), tokenizer))
        raise OptionError(
            "max_length",
            f"{n_long:,} of {len(fit):,} rows need more than {max_length:,} tokens; row {fit[longest].id} needs "
            f"{lengths[longest]:,}, of which the prompt without its text is {frame:,} ({kind}); nothing is cut: allow "
            "more, or choose a shorter strategy",
        )
    return samples


def _prompt(text: str, tokenizer: Any) -> tuple[int, ...]:
    return uncut(tokenizer(text)["input_ids"], tokenizer)


def _sample(row: Row, kind: PromptKind, tokenizer: Any) -> Sample:
    answer = tokenizer(f"\n{kind.target(row)}", add_special_tokens=False)["input_ids"]
    return Sample(_prompt(kind.text(row.sentence), tokenizer), (*answer, tokenizer.eos_token_id))


def prompt_tokens(row: Row, kind: PromptKind, tokenizer: Any) -> tuple[int, ...]:
    """Return the tokens after which a trained model answers."""
    return _prompt(kind.text(row.sentence), tokenizer)


def padded(samples: Sequence[Sample], pad: int) -> dict[str, Any]:
    """Put samples side by side, filled up on the right; only answers are learned.

    Returns:
        `input_ids`, `attention_mask` and `labels`, int64[B, L] each.
    """
    import torch

    width = max(map(len, samples))
    filled = [
        (
            [*one.prompt, *one.answer] + [pad] * (width - len(one)),
            [1] * len(one) + [0] * (width - len(one)),
            [IGNORED] * len(one.prompt) + [*one.answer] + [IGNORED] * (width - len(one)),
        )
        for one in samples
    ]
    names = ("input_ids", "attention_mask", "labels")
    return {name: torch.tensor(lines) for name, lines in zip(names, zip(*filled, strict=True), strict=True)}
