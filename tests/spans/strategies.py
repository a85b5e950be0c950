"""Rows as hypothesis draws them: any text, and texts with the shape of sentences."""

from __future__ import annotations

from hypothesis import strategies as st

from corr2cause.spans.rows import Pair, Row

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SPOKEN = TEXT.filter(str.strip)
STRIPPED = SPOKEN.map(str.strip)
IDS = st.one_of(st.integers(-5, 10**20).map(str), STRIPPED)

LABELS = st.sampled_from(["Explicit", "Implicit", "Intra", "", "explcit"])

PAIRS = st.builds(Pair, TEXT, TEXT, LABELS, TEXT).filter(
    lambda pair: any(text.strip() for text in (pair.cause, pair.effect, pair.causality, pair.sententiality))
)
WHOLE_PAIRS = st.builds(Pair, STRIPPED, STRIPPED, TEXT.map(str.strip), TEXT.map(str.strip))

ROWS = st.builds(Row, IDS, SPOKEN, st.lists(PAIRS, max_size=5).map(tuple), st.one_of(st.none(), st.booleans()), TEXT)
CAUSAL_ROWS = st.builds(Row, IDS, SPOKEN, st.lists(WHOLE_PAIRS, min_size=1, max_size=4).map(tuple))

WORDS = st.sampled_from(["frost", "cracks", "the", "road", "of", "Ice", "in", "damage", "salt", "roads"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=8).map(lambda found: f"{' '.join(found).capitalize()}.")
PASSAGES = st.lists(SENTENCE, min_size=1, max_size=5).map(" ".join)
SPANS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
