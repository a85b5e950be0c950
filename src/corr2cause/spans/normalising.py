"""How spans are compared: named ways to bring two spellings of a span together.

The scripts that were released with PubMedCausal hold four normalisers, which give four different counts of exact
matches; so each has a name here, and every score says which one it used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

Normaliser = Callable[[str], str]

_ARTICLE = re.compile(r"^(?:the|a|an)\s+")
_EDGES = ".,;:!?\"'-()[]{}"
_EDGES_BUT_BRACKETS = ".,;:!?\"'-()"


def verbatim(span: str) -> str:
    """Keep the span but for white space at its ends and the width of that within: a strict match."""
    return " ".join(span.split())


def plain(span: str) -> str:
    """Lower case, no white space at the ends (`evaluation/extraction_metrics.py`)."""
    return span.lower().strip()


def table(span: str) -> str:
    """Lower case, one leading article and punctuation at the ends taken off (`run_re_evaluate.py`: Tables 5, 16, 17).

    It is not idempotent, and the released code applies it twice for token overlap and for single spans, once for
    exact pairs.

    >>> table("The a X."), table(table("The a X."))
    ('a x', 'x')
    """
    return _bare(span, _EDGES)


def brackets(span: str) -> str:
    """As `table`, but square and curly brackets stay (`run_causal_infer.py`: Tables 19 to 24)."""
    return _bare(span, _EDGES_BUT_BRACKETS)


def collapsed(span: str) -> str:
    """As `table`, with white space within made single (the scripts of the ablation and of the error buckets)."""
    return " ".join(table(span).split())


@lru_cache(maxsize=1 << 16)
def stable(span: str) -> str:
    """As `collapsed`, again and again until nothing changes: two spellings of a span never part by a second look.

    >>> stable("The a  X."), stable(stable("The a  X."))
    ('x', 'x')
    """
    while (bare := collapsed(span)) != span:
        span = bare
    return span


def _bare(span: str, edges: str) -> str:
    return _ARTICLE.sub("", span.lower().strip()).strip(edges).strip()


NORMALISERS: Mapping[str, Normaliser] = {one.__name__: one for one in (verbatim, plain, table, brackets, collapsed)} | {
    "stable": stable
}
"""Every normaliser by its name."""


def twice(normaliser: Normaliser) -> Normaliser:
    """Apply a normaliser to what it gave."""
    return lambda span: normaliser(normaliser(span))
