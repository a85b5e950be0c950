"""What two annotators, ann and bob, made of six texts, and random annotations that collide often."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from corr2cause.spans.annotating.annotators import Doubled
from corr2cause.spans.annotating.comparing import Compared, compare_rows
from corr2cause.spans.annotating.store import Store, create
from corr2cause.spans.formats.layouts import RELEASE
from corr2cause.spans.rows import Pair, Row

SLEEP = "Chronic sleep loss leads to raised blood pressure and weakens the immune response. Poor sleepers were tired"
RAIN = "Heavy rain fell for weeks. The river rose and flooded both villages"

ANN = (
    Row("1", SLEEP, (
        Pair("Chronic sleep loss", "raised blood pressure", "Explicit", "Intra"),
        Pair("Chronic sleep loss", "weakens the immune response", "Implicit", "Intra"))),
    Row("2", RAIN, (Pair("Heavy rain", "The river rose", "Implicit", "Inter"),), source="4711"),
    Row("3", "Diet and mood were examined", label=False),
    Row("4", "Smoking may increase the risk of stroke", (Pair("Smoking", "the risk of stroke", "Explicit", "Intra"),)),
    Row("5", "Frost causes cracks", (Pair("Frost", "cracks", "Explicit", "Intra"),)),
    Row("6", "Vaccination works", label=True),
)  # fmt: skip
BOB = (
    Row("1", SLEEP, (
        Pair("sleep loss", "raised blood pressure", "Explicit", "Intra"),
        Pair("Chronic sleep loss", "weakens the immune response", "Explicit", "Intra"),
        Pair("Poor sleepers", "tired", "Implicit", "Intra"))),
    Row("2", RAIN, (Pair("Heavy rain", "The river rose", "Implicit", "Intra"),), source="4711"),
    Row("3", "Diet and mood were examined", label=False),
    Row("4", "Smoking may increase the risk of stroke", label=False),
    Row("5", "Frost causes cracks", (Pair("frost", "cracks", "Explicit", "Intra"),)),
    Row("6", "Vaccination works", label=False),
)  # fmt: skip

WORDS = st.lists(st.sampled_from(["frost", "Frost", "ice", "the", "cracks"]), min_size=1, max_size=3).map(" ".join)
PAIRS = st.builds(Pair, WORDS, WORDS, st.sampled_from(["Explicit", "Implicit"]), st.sampled_from(["Intra", "Inter"]))
SIDES = st.tuples(st.lists(PAIRS, max_size=4).map(tuple), st.sampled_from([None, True, False]))
DOUBLED = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=4).map(
    lambda rows: [
        Doubled("ann", "bob", *(Row(str(number), f"text {number}", *side) for side in sides))
        for number, sides in enumerate(rows, start=1)
    ]
)


def doubled() -> list[Doubled]:
    """Return the six rows of both."""
    return [Doubled("ann", "bob", ours, theirs) for ours, theirs in zip(ANN, BOB, strict=True)]


def compared() -> list[Compared]:
    """Return the six rows side by side."""
    return compare_rows(doubled())


def store(folder: Path, rows: list[Compared] | None = None) -> Store:
    """Make a file of adjudication."""
    create(folder / "disputes.db", compared() if rows is None else rows)
    return Store(folder / "disputes.db")


def write_rows(path: Path, rows, **extra: object) -> Path:
    """Write rows in the release format, with further fields."""
    records = [RELEASE.write(row) | extra for row in rows]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_both(folder: Path) -> tuple[Path, Path]:
    """Write what both annotated."""
    return write_rows(folder / "ann.jsonl", ANN, seconds=20), write_rows(folder / "bob.jsonl", BOB)
