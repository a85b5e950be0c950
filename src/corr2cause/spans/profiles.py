"""The two ways to judge extraction: as the paper describes it, and as its released code does it.

Where they differ, the page docs/spans.md says why. Every printed figure names its profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corr2cause.spans.matching import Candidates, Credits, Flags, Scheme, assigned, best, hits_of_any, hits_one_to_one
from corr2cause.spans.names import DESCRIBED, RELEASED
from corr2cause.spans.normalising import (
    NORMALISERS,
    Normaliser,
    collapsed,
    plain,
    table,
    twice,
    verbatim,
)
from corr2cause.spans.overlap import Overlap, released_token_f1, token_f1

SIDE_LINE = 0.75
"""Token F1, or cosine, from which on a side or a pair counts as found."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How spans are compared, paired off and counted.

    Attributes:
        name: `described` or `released`.
        exact_pair: normaliser of the two spans of a pair before exact comparison.
        exact_span: normaliser of a single span before exact comparison.
        tokens: normaliser before the tokens are taken.
        embedded: normaliser before a span is embedded.
        labelled: normaliser of the pairs whose labels are compared.
        bucketed: normaliser of spans before they are compared for the error buckets.
        bucketed_tokens: the same before their tokens are taken.
        overlap: token F1 of two spans.
        scheme: how soft scores become credits.
        hits: how equal pairs become credits.
        cosine_line: the mean cosine from which on a matched pair is found; None takes the cosine itself as credit.
        typed_ids: whether the ids 1 and "1" differ.
    """

    name: str
    exact_pair: Normaliser
    exact_span: Normaliser
    tokens: Normaliser
    embedded: Normaliser
    labelled: Normaliser
    bucketed: Normaliser
    bucketed_tokens: Normaliser
    overlap: Overlap
    scheme: Scheme
    hits: Callable[[Candidates, Flags], Credits]
    cosine_line: float | None
    typed_ids: bool


def described(normaliser: str = "stable") -> Profile:
    """Return the profile that follows the text of the paper, with one of the named normalisers."""
    chosen = NORMALISERS[normaliser]
    return Profile(
        name=DESCRIBED,
        exact_pair=chosen,
        exact_span=chosen,
        tokens=chosen,
        embedded=verbatim,  # the model is a cased one
        labelled=chosen,
        bucketed=chosen,
        bucketed_tokens=chosen,
        overlap=token_f1,
        scheme=assigned,
        hits=hits_one_to_one,
        cosine_line=SIDE_LINE,
        typed_ids=False,
    )


_TABLE_TWICE = twice(table)

_RELEASED = Profile(
    name=RELEASED,
    exact_pair=table,
    exact_span=_TABLE_TWICE,
    tokens=_TABLE_TWICE,
    embedded=table,
    labelled=plain,
    bucketed=collapsed,
    bucketed_tokens=twice(collapsed),
    overlap=released_token_f1,
    scheme=best,
    hits=hits_of_any,
    cosine_line=None,
    typed_ids=True,
)

PROFILES: Mapping[str, Profile] = {DESCRIBED: described(), RELEASED: _RELEASED}
"""Both profiles by name."""
