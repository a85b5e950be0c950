"""The scores of detection as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corr2cause.cli.spans.judging import as_range
from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.spans.detection import DetectionScore


def to_tables(found: DetectionScore) -> str:
    """Lay out the scores, the confusion counts, and the kinds of rows that are missed."""
    from corr2cause.counts import share
    from corr2cause.spans.detection import METRICS, macro

    counts, both = found.counts, macro(found.counts)
    n_unreadable = found.unreadable_causal + found.unreadable_other
    head = f"Profile {found.profile}; {counts.total:,} rows, {counts.positives:,} causal; {n_unreadable:,} unreadable."
    intervals = found.intervals or {}
    rows: list[list[Cell]] = [
        [name, 100 * getattr(counts, name), as_range(intervals.get(name)), 100 * both[name] if name in both else None]
        for name in METRICS
    ]
    confusion: list[list[Cell]] = [
        ["causal", counts.hits, counts.misses, found.unreadable_causal],
        ["not causal", counts.false_alarms, counts.correct_rejections, found.unreadable_other],
    ]
    parts = [
        head,
        "Causal class (%)\n\n" + as_text(["metric", "causal class", "95 %", "mean of both"], rows),
        "Answers (unreadable ones count as no)\n\n"
        + as_text(["row is", "yes", "no", "of these unreadable"], confusion),
    ]
    if found.groups:
        kinds: list[list[Cell]] = [
            [
                *(one.name, one.found + one.missed, one.found, 100 * share(one.found, one.found + one.missed)),
                *(100 * one.base_rate, 100 * one.miss_rate),
            ]
            for one in found.groups
        ]
        header = ["causal rows with", "rows", "found", "recall", "share of causal", "share of missed"]
        parts.append("What is missed (%)\n\n" + as_text(header, kinds))
    return "\n\n".join(parts)
