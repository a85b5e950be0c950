"""Prompts that put one item to a language model, and the words that it should answer with."""

from __future__ import annotations

ANSWERS = ("No", "Yes")
"""The answer that each label calls for."""

_ZERO_SHOT = 'Question: {premise}\nCan we deduct the following: {claim}? Just answer "Yes" or "No."\n\nAnswer:'


def zero_shot(premise: str, hypothesis: str) -> str:
    r"""Return the prompt of Jin et al. (2024) for autoregressive models, misspelling included.

    >>> zero_shot("A correlates with B.", "A directly causes B.").splitlines()[1]
    'Can we deduct the following: A directly causes B? Just answer "Yes" or "No."'
    """
    return _ZERO_SHOT.format(premise=premise, claim=hypothesis.removesuffix("."))
