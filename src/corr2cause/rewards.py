"""Rewards for reinforcement learning: 1 for the right answer, 0 for a wrong or an unreadable one.

Answers are read by `checking.answers.read_answer`, as `corr2cause evaluate` reads them. Needs no library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corr2cause.checking.answers import Answer, read_answer

Completion = str | Sequence[Mapping[str, Any]]
"""What a model wrote: text, or the messages of a conversation, of which the last one answers."""


def grpo_reward(completions: Sequence[Completion], label: Sequence[int], **columns: object) -> list[float]:
    """Reward completions, as `reward_funcs` of TRL's GRPOTrainer.

    Args:
        completions: of the model.
        label: 1 where the hypothesis follows, else 0; one for each completion.
        columns: all else that TRL passes; not looked at.

    Raises:
        ValueError: there is not one label for each completion, or one is neither 0 nor 1.

    >>> grpo_reward(["Yes.", "Yes and No", [{"role": "assistant", "content": "Answer: No"}]], [1, 1, 0])
    [1.0, 0.0, 1.0]
    """
    return [_reward(_text(one), truth) for one, truth in zip(completions, label, strict=True)]


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None
) -> float:
    """Reward one solution, as `custom_reward_function` of verl.

    Args:
        data_source: where the row comes from; not looked at.
        solution_str: what the model wrote.
        ground_truth: "Yes" or "No".
        extra_info: not looked at.

    Raises:
        ValueError: the ground truth is neither.

    >>> compute_score("corr2cause", "It has a common cause. Answer: no", "No")
    1.0
    """
    return _reward(solution_str, read_answer(ground_truth))


def _reward(text: str | None, truth: int) -> float:
    if truth not in (Answer.NO, Answer.YES):
        raise ValueError(f"the truth {truth!r} is neither yes nor no")
    return float(read_answer(text) == truth)


def _text(completion: Completion) -> str | None:
    if isinstance(completion, str):
        return completion
    return completion[-1].get("content") if completion else None
