"""How alike the spans of every pairing are: equal, by tokens, by cosine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corr2cause.spans.embedding import Embedder
from corr2cause.spans.joining import Joined
from corr2cause.spans.matching import Candidates, Flags, Floats, Places, candidates
from corr2cause.spans.normalising import Normaliser
from corr2cause.spans.overlap import Overlap, tokens_of
from corr2cause.spans.profiles import Profile

LEVELS = ("pair", "cause", "effect")
SIDES = ("cause", "effect")

_AT_ONCE = 8_000  # pairings whose vectors are held at one time: some 30 MB of hashed ones


@dataclass(frozen=True)
class Spellings:
    """The spans of one side under one normaliser, as numbers: equal numbers, equal spans.

    Attributes:
        texts: every different normalised span.
        predicted: int64[P]; places among the texts.
        gold: int64[G].
    """

    texts: tuple[str, ...]
    predicted: Places
    gold: Places


@dataclass(frozen=True)
class Comparison:
    """Everything that the tiers are computed from; each array has one value for each of the C candidates.

    Attributes:
        joined: the pairs.
        candidates: their pairings within rows.
        equal: whether they are exactly alike, for each level.
        token: token F1, for each level; of a pair the mean of its sides.
        cosine: the same of cosines; empty without an embedder.
    """

    joined: Joined
    candidates: Candidates
    equal: Mapping[str, Flags]
    token: Mapping[str, Floats]
    cosine: Mapping[str, Floats]


def compare(joined: Joined, profile: Profile, embedder: Embedder | None) -> Comparison:
    """Compare every predicted pair with every gold pair of its row.

    Returns:
        The scores of all C pairings.  About 5 µs for each, and 2 µs more for hashed cosines.
    """
    of = candidates(joined.predicted_row, joined.gold_row, len(joined.rows))
    equal = {side: equal_spans(of, spellings(joined, side, profile.exact_span)) for side in SIDES}
    once = [equal_spans(of, spellings(joined, side, profile.exact_pair)) for side in SIDES]
    equal["pair"] = once[0] & once[1]
    token = token_scores(joined, of, profile.tokens, profile.overlap)
    cosine: dict[str, Floats] = {}
    if embedder:
        for side in SIDES:
            cosine[side] = _cosines(of, spellings(joined, side, profile.embedded), embedder)
            if profile.cosine_line is not None:
                cosine[side][equal[side]] = 1.0  # an exact match is a match by cosine, whatever its articles
        cosine["pair"] = (cosine["cause"] + cosine["effect"]) / 2
    return Comparison(joined, of, equal, token, cosine)


def spellings(joined: Joined, side: str, normaliser: Normaliser) -> Spellings:
    """Number the spans of one side as a normaliser leaves them."""
    numbers: dict[str, int] = {}
    spans = [getattr(pair, side) for pairs in (joined.predicted, joined.gold) for pair in pairs]
    normalised = {span: normaliser(span) for span in set(spans)}
    places = np.array([numbers.setdefault(normalised[span], len(numbers)) for span in spans], dtype=np.int64)
    n_predicted = len(joined.predicted)
    return Spellings(tuple(numbers), places[:n_predicted], places[n_predicted:])


def equal_spans(of: Candidates, spans: Spellings) -> Flags:
    """Say of each pairing whether its spans are the same."""
    return np.asarray(spans.predicted[of.predicted] == spans.gold[of.gold])


def token_scores(joined: Joined, of: Candidates, normaliser: Normaliser, overlap: Overlap) -> dict[str, Floats]:
    """Return token F1 of each pairing for each level; of a pair the mean of its sides."""
    found = {side: _overlaps(of, spellings(joined, side, normaliser), overlap) for side in SIDES}
    found["pair"] = (found["cause"] + found["effect"]) / 2
    return found


def token_scores_swapped(joined: Joined, of: Candidates, normaliser: Normaliser, overlap: Overlap) -> Floats:
    """Return the lower of F1(predicted cause, gold effect) and F1(predicted effect, gold cause) of each pairing."""
    causes, effects = (_tokens(joined, side, normaliser) for side in SIDES)
    n = len(joined.predicted)
    return np.array(
        [
            min(overlap(causes[one], effects[n + other]), overlap(effects[one], causes[n + other]))
            for one, other in zip(of.predicted.tolist(), of.gold.tolist(), strict=True)
        ],
        dtype=np.float64,
    )


def _tokens(joined: Joined, side: str, normaliser: Normaliser) -> list[Mapping[str, int]]:
    spans = [getattr(pair, side) for pairs in (joined.predicted, joined.gold) for pair in pairs]
    counted = {span: tokens_of(normaliser(span)) for span in set(spans)}
    return [counted[span] for span in spans]


def _overlaps(of: Candidates, spans: Spellings, overlap: Overlap) -> Floats:
    tokens = [tokens_of(text) for text in spans.texts]
    left, right = spans.predicted[of.predicted].tolist(), spans.gold[of.gold].tolist()
    return np.array(
        [1.0 if one == other else overlap(tokens[one], tokens[other]) for one, other in zip(left, right, strict=True)],
        dtype=np.float64,
    )


def _cosines(of: Candidates, spans: Spellings, embedder: Embedder) -> Floats:
    """Return the cosine of each pairing; 1 where the texts are the same, else 0 where a vector is zero."""
    left, right = spans.predicted[of.predicted], spans.gold[of.gold]
    parts = [
        _cosines_at_once(left[start : start + _AT_ONCE], right[start : start + _AT_ONCE], spans.texts, embedder)
        for start in range(0, len(left), _AT_ONCE)
    ]
    found = np.concatenate([*parts, np.zeros(0)])
    found[left == right] = 1.0
    return found


def _cosines_at_once(left: Places, right: Places, texts: Sequence[str], embedder: Embedder) -> npt.NDArray[np.float64]:
    needed, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    vectors = embedder.embed([texts[place] for place in needed.tolist()])
    squares = np.einsum("nd,nd->n", vectors, vectors).astype(np.float64)
    one, other = places[: len(left)], places[len(left) :]
    products = np.einsum("nd,nd->n", vectors[one], vectors[other]).astype(np.float64)
    norms = np.sqrt(squares[one] * squares[other])
    found: Floats = np.divide(products, norms, out=np.zeros(len(left)), where=norms > 0)
    return found
