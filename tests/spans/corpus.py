"""A small corpus of our own sentences, in the formats that tests need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from corr2cause.spans.rows import Pair, Row

ROWS = (
    Row("1", "Long frost causes cracks in the road. Salt makes it worse", (
        Pair("Long frost", "cracks in the road", "Explicit", "Intra"),)),
    Row("2", "Heavy rain led to floods and landslides", (
        Pair("Heavy rain", "floods", "Explicit", "Intra"), Pair("Heavy rain", "landslides", "Explicit", "Intra"))),
    Row("3", "The harvest was poor. Prices rose in every town", (
        Pair("The harvest was poor", "Prices rose in every town", "Implicit", "Inter"),)),
    Row("4", "Bees were counted in two orchards. The counts were alike"),
)  # fmt: skip


def raw_record(number: object, sentence: str, *pairs: tuple[str, str, str, str]) -> dict[str, Any]:
    """Return a record of 16 slots; a pair is cause, effect, sententiality, causality."""
    record: dict[str, Any] = {"s/n": number, "Sentence": sentence}
    for slot in range(1, 17):
        cells = pairs[slot - 1] if slot <= len(pairs) else ("", "", "", "")
        for name, cell in zip(("Cause", "Effect", "Sententiality", "Causality"), cells, strict=True):
            record[f"{name} {slot}"] = cell
    return record


def write(path: Path, value: object) -> Path:
    """Write a JSON value, or a text as it is."""
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path
