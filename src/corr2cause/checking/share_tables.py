"""Shortcuts that look one thing up: how often a hypothesis followed, in training, where it was the same.

Each function here learns from training rows and returns what scores others: by the share of positives among the
training rows of the same cell, or among all of them if that cell is new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corr2cause.checking.labelled_texts import LabelledTexts, TextColumn
from corr2cause.checking.thresholds import Floats
from corr2cause.checking.tokens import count_tokens
from corr2cause.text.facts import Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise

Scorer = Callable[[LabelledTexts], Floats]
"""Scores R rows, float64[R]: the higher, the more is a hypothesis believed to follow."""

_LENGTH_BINS = 20


def template_shares(train: LabelledTexts) -> Scorer:
    """Look up what the hypothesis claims, whatever it claims that of."""
    return _by_hypothesis(train, lambda text: parse_hypothesis(text)[0].claim)


def alphabetical_shares(train: LabelledTexts) -> Scorer:
    """Look up what the hypothesis claims, and whether it names two variables in alphabetical order."""

    def cell(text: str) -> Hashable:
        hypothesis = parse_hypothesis(text)[0]
        return hypothesis.claim, hypothesis.first < hypothesis.second

    return _by_hypothesis(train, cell)


def pair_shares(train: LabelledTexts) -> Scorer:
    """Look up what the hypothesis claims, and what the premise says of just these two variables.

    That is one of three: they are independent, or only given others, or no independence of them is stated.
    """
    table = _share_table(_pair_cells(train), train.labels)
    return lambda rows: table.look_up(_pair_cells(rows))


def length_shares(train: LabelledTexts) -> Scorer:
    """Look up the number of tokens of the premise, in bins that hold about as many training rows each."""
    lengths = _lengths(train.premise)
    inner = np.quantile(lengths, np.arange(1, _LENGTH_BINS) / _LENGTH_BINS) if len(lengths) else np.zeros(0)

    def bins(column: TextColumn) -> list[Hashable]:
        return list(np.searchsorted(inner, _lengths(column), side="right").tolist())

    table = _share_table(bins(train.premise), train.labels)
    return lambda rows: table.look_up(bins(rows.premise))


def _pair_cells(rows: LabelledTexts) -> list[Hashable]:
    """Return (claim, whether an independence of the pair is unconditional, or None if there is none) of each row."""
    hypotheses = [parse_hypothesis(text)[0] for text in rows.hypothesis.texts]
    stated = [_independent_pairs(parse_premise(text)[0]) for text in rows.premise.texts]
    claims = [(one.claim, frozenset((one.first, one.second))) for one in hypotheses]
    cells: list[Hashable] = []
    for premise, hypothesis in zip(rows.premise.codes.tolist(), rows.hypothesis.codes.tolist(), strict=True):
        claim, pair = claims[hypothesis]
        cells.append((claim, stated[premise].get(pair)))
    return cells


def _independent_pairs(premise: Premise) -> dict[frozenset[str], bool]:
    """Return the pairs that are independent given some set, and whether they are so given nothing."""
    found: dict[frozenset[str], bool] = {}
    for one in premise.independences:
        pair = frozenset((premise.names[one.first], premise.names[one.second]))
        found[pair] = found.get(pair, False) or not one.given
    return found


def _by_hypothesis(train: LabelledTexts, cell: Callable[[str], Hashable]) -> Scorer:
    def cells(column: TextColumn) -> list[Hashable]:
        of_texts = list(map(cell, column.texts))
        return [of_texts[code] for code in column.codes.tolist()]

    table = _share_table(cells(train.hypothesis), train.labels)
    return lambda rows: table.look_up(cells(rows.hypothesis))


@dataclass(frozen=True, slots=True)
class _ShareTable:
    shares: dict[Hashable, float]
    overall: float

    def look_up(self, cells: Sequence[Hashable]) -> Floats:
        return np.fromiter((self.shares.get(cell, self.overall) for cell in cells), np.float64, len(cells))


def _share_table(cells: Sequence[Hashable], labels: npt.NDArray[np.int64]) -> _ShareTable:
    """Count the share of positives in each cell."""
    distinct: dict[Hashable, int] = {}
    codes = np.fromiter((distinct.setdefault(cell, len(distinct)) for cell in cells), np.int64, len(cells))
    shares = np.bincount(codes, weights=labels) / np.bincount(codes)
    return _ShareTable(dict(zip(distinct, shares.tolist(), strict=True)), float(labels.mean()))


def _lengths(column: TextColumn) -> npt.NDArray[np.int64]:
    return count_tokens(column.texts).lengths[column.codes]
