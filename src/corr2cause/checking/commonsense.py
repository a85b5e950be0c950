"""Answers from common sense alone: what the bank of stories says of the quantities, whatever the premise says."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

import numpy as np

from corr2cause.checking.labelled_texts import LabelledTexts
from corr2cause.checking.predictions import Answers
from corr2cause.text.facts import Hypothesis
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.stories.bank import commonsense
from corr2cause.text.wording import Claim

Pairs = Set[tuple[str, str]]


def commonsense_answers(texts: LabelledTexts) -> Answers:
    """Answer rows as if the pairs of the bank among the variables of a premise were the edges of the true graph.

    Of other variables than those of stories nothing is known, so that the answer is no.

    Args:
        texts: R rows of ours.

    Returns:
        int8[R]: 1 for yes, 0 for no.  About 0.3 ms for each distinct premise.

    Raises:
        ParseError: a text is not one of ours.
    """
    names = [parse_premise(text)[0].names for text in texts.premise.texts]
    hypotheses = [parse_hypothesis(text)[0] for text in texts.hypothesis.texts]
    rows = zip(texts.premise.codes.tolist(), texts.hypothesis.codes.tolist(), strict=True)
    return np.array([is_common_sense(hypotheses[claimed], names[given]) for given, claimed in rows], dtype=np.int8)


def is_common_sense(hypothesis: Hypothesis, names: tuple[str, ...]) -> bool:
    """Whether a claim holds in the graph of the bank's pairs among some names, in the reading `direct`.

    >>> is_common_sense(
    ...     Hypothesis(Claim.INDIRECT, "rainfall", "number of fish"),
    ...     ("rainfall", "soil erosion", "water pollution", "number of fish"),
    ... )
    True
    """
    pairs = _pairs_among(names)
    first, second = hypothesis.first, hypothesis.second
    match hypothesis.claim:
        case Claim.DIRECT:
            return (first, second) in pairs
        case Claim.INDIRECT:
            return (first, second) not in pairs and second in _reached(first, pairs)
        case Claim.COLLIDER:
            return any((first, name) in pairs and (second, name) in pairs for name in names)
        case Claim.CONFOUNDER:
            return any((name, first) in pairs and (name, second) in pairs for name in names)


@lru_cache(maxsize=4096)
def _pairs_among(names: tuple[str, ...]) -> Pairs:
    return {(cause, effect) for cause in names for effect in names if (cause, effect) in commonsense()}


def _reached(start: str, pairs: Pairs) -> set[str]:
    """Return all that a directed path leads to."""
    found, new = set[str](), {start}
    while new:
        new = {effect for cause, effect in pairs if cause in new} - found
        found |= new
    return found
