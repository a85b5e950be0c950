"""Small corpora for judging: rows of (gold, predicted) pairs, drawn from words that collide often."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from corr2cause.spans.joining import Joined, join
from corr2cause.spans.predictions import PredictedRow
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Pair, Row

WORDS = ("the", "a", "an", "A", "The", "x", "y", "risk", "Risk.", '"x"', "(y)", "...", "lung", "cancer", "-", "of")
SPANS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join) | st.sampled_from(["x  y", " x", "[x]"])
CAUSALITY = st.sampled_from(["Explicit", "Implicit", "explicit", ""])
SENTENTIALITY = st.sampled_from(["Intra", "Inter", "intra", ""])
PAIRS = st.tuples(SPANS, SPANS, CAUSALITY, SENTENTIALITY)
ROWS = st.tuples(st.lists(PAIRS, min_size=1, max_size=4), st.lists(PAIRS, max_size=4)).flatmap(
    lambda row: st.tuples(st.just(row[0]), st.permutations(row[1] + row[0][: len(row[1])]).map(lambda all_: all_[:5]))
)
CORPORA = st.lists(ROWS, min_size=1, max_size=6)


def gold_rows(corpus) -> list[Row]:
    """Return the gold rows, numbered from 1."""
    return [
        Row(str(number), f"text {number}", tuple(Pair(*pair) for pair in gold))
        for number, (gold, _) in enumerate(corpus, start=1)
    ]


def joined(corpus, profile: str = "described") -> Joined:
    """Lay the predictions of a corpus beside its gold rows."""
    predicted = [
        PredictedRow(number, "", tuple(Pair(*pair) for pair in pairs))
        for number, (_, pairs) in enumerate(corpus, start=1)
    ]
    typed_ids = list(range(1, len(corpus) + 1)) if PROFILES[profile].typed_ids else None
    return join(gold_rows(corpus), predicted, typed_ids)


def as_records(corpus, side: int) -> list[dict[str, object]]:
    """Return the prepared rows of one side: 0 gold, 1 predicted."""
    keys = ("cause", "effect", "causality", "sententiality")
    return [
        {
            "s/n": number,
            "sentence": f"text {number}",
            "pairs": [dict(zip(keys, pair, strict=True)) for pair in row[side]],
            "num_pairs": len(row[side]),
        }
        for number, row in enumerate(corpus, start=1)
    ]


def write_json(path: Path, value: object) -> Path:
    """Write a JSON file."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_files(folder: Path, corpus, **head: str) -> tuple[Path, Path]:
    """Write a gold file and a run."""
    gold = write_json(folder / "gold.json", as_records(corpus, 0))
    run = write_json(folder / "run.json", {**head, "predictions": as_records(corpus, 1)})
    return gold, run
