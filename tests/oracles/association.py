"""Pointwise mutual information by definition: probabilities counted by looking at every row again and again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Rows = Sequence[tuple[list[str], int]]
"""The tokens and the label of each row."""


def holds(tokens: list[str], ngram: list[str]) -> bool:
    """Say whether the tokens contain the n-gram in one piece."""
    return any(tokens[start : start + len(ngram)] == ngram for start in range(len(tokens)))


def pmi(rows: Rows, ngram: list[str], label: int) -> float:
    """Return log2 of p(n-gram, label) / (p(n-gram) p(label))."""
    both = Fraction(len([row for row in rows if holds(row[0], ngram) and row[1] == label]), len(rows))
    with_ngram = Fraction(len([row for row in rows if holds(row[0], ngram)]), len(rows))
    with_label = Fraction(len([row for row in rows if row[1] == label]), len(rows))
    return math.log2(both / (with_ngram * with_label)) if both else -math.inf


def all_ngrams(rows: Rows, longest: int) -> set[tuple[str, ...]]:
    """Return every n-gram of one to `longest` tokens."""
    return {
        tuple(tokens[start : start + n])
        for tokens, _ in rows
        for n in range(1, longest + 1)
        for start in range(len(tokens) - n + 1)
    }
