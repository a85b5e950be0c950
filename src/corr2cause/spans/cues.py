"""The words that signal a causal relation, and those that take it back.

The annotators' guideline and the prompts of the models disagree on what makes a relation explicit: "reduces" is a
marker for the annotators and none for the models. So there are two lists of markers, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


def _verb(*stems: str) -> list[str]:
    """Return the forms of verbs, written stem|third person|past|-ing."""
    return [form for stem in stems for form in stem.split("|")]


_CAUSE = _verb("cause|causes|caused|causing")
_LEAD = _verb("lead to|leads to|led to|leading to")
_RESULT = _verb("result in|results in|resulted in|resulting in")

# "causal nominal expressions"
_NOMINAL = (
    *(f"causal {noun}{plural}" for plural in ("", "s") for noun in (
        "agent", "association", "connection", "contributor", "effect", "factor", "impact", "influence", "link",
        "linkage", "path", "relation", "relationship", "role")),
    "causal pathway", "causal pathways", "causality", "causation", "causally", "causative", "reason", "reasons",
    "the result of", "a result of", "the consequence of", "a consequence of",
)  # fmt: skip

GUIDELINE = (
    "because", "due to", "owing to", "as a result", "as a consequence", *_CAUSE, *_LEAD, *_RESULT,
    *_verb("result from|results from|resulted from|resulting from", "promote|promotes|promoted|promoting"),
    *_verb("reduce|reduces|reduced|reducing", "prevent|prevents|prevented|preventing"),
    *_verb("induce|induces|induced|inducing"), *_NOMINAL,
)  # fmt: skip
"""The markers of the annotation guideline, with their forms and the nouns that name causality."""

PROMPT = (*_CAUSE, *_LEAD, *_RESULT, "due to", "effect of", "effects of")
"""The markers of the prompts."""

LISTS: Mapping[str, tuple[str, ...]] = {"guideline": GUIDELINE, "prompt": PROMPT}

# verbs that pass an effect on, from the first span to the second; wider than the markers, to find hedges and denials
LINKS = (
    *_CAUSE, *_LEAD, *_RESULT, "contribute to", "contributes to", "contributed to", "contributing to",
    *_verb("promote|promotes|promoted", "reduce|reduces|reduced", "prevent|prevents|prevented"),
    *_verb("induce|induces|induced", "increase|increases|increased", "decrease|decreases|decreased"),
    *_verb("affect|affects|affected", "influence|influences|influenced", "improve|improves|improved"),
    *_verb("trigger|triggers|triggered", "drive|drives|driven", "enhance|enhances|enhanced"),
    *_verb("inhibit|inhibits|inhibited", "lower|lowers|lowered", "mediate|mediates|mediated"),
    *_verb("play a|plays a|played a", "have a|has a|had a", "exacerbate|exacerbates|exacerbated"),
)  # fmt: skip

# active verbs after which nothing but the effect comes: "X causes" <effect>
ACTIVE = (*_verb("cause|causes", "lead to|leads to|led to", "result in|results in|resulted in"), "gives rise to")

# what stands between an effect and its cause: <effect> "is caused by"
PASSIVE = (
    *(f"{verb} by" for verb in ("caused", "induced", "triggered", "provoked", "mediated", "brought about")),
    "due to", "owing to", "because of", "resulting from", "results from", "result from", "resulted from",
    "attributable to", "secondary to",
)  # fmt: skip


class Marker(NamedTuple):
    """A marker in a text: its words there, and where they stand."""

    words: str
    start: int
    end: int


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for whole phrases, the longest first, with any white space inside."""
    ordered = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return r"\b(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered) + r")\b"


_MARKERS = {name: re.compile(any_of(phrases), re.IGNORECASE) for name, phrases in LISTS.items()}


def markers(text: str, which: str = "guideline") -> list[Marker]:
    """Find the markers of one of the `LISTS`, in the order of the text; of overlapping ones the longest.

    >>> markers("Statins reduced mortality.", "guideline"), markers("Statins reduced mortality.", "prompt")
    ([Marker(words='reduced', start=8, end=15)], [])
    """
    return [Marker(found[0], *found.span()) for found in _MARKERS[which].finditer(text)]
