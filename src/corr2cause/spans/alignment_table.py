"""Each predicted pair beside the gold pair that it is nearest to, as a table: twenty columns, as released."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from corr2cause.files import write_text
from corr2cause.spans.extraction import ExtractionScore
from corr2cause.spans.label_scores import class_of
from corr2cause.spans.rows import Pair

COLUMNS = (
    "s/n",
    "sample_index",
    "sentence",
    "pred_pair_index",
    *(f"pred_{name}" for name in ("cause", "effect", "causality", "sententiality")),
    "best_gold_pair_index",
    *(f"gold_{name}" for name in ("cause", "effect", "causality", "sententiality")),
    "exact_match",
    "soft_token_overlap_match",
    "soft_pair_score",
    *(f"{whose}_{label}_norm" for whose in ("pred", "gold") for label in ("causality", "sententiality")),
)


def write_alignment(path: Path, found: ExtractionScore) -> None:
    """Write the table as CSV, whole or not at all; a row without gold pairs leaves its gold columns empty."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    joined, beside = found.joined, found.bucketed
    first_predicted = np.searchsorted(joined.predicted_row, np.arange(len(joined.rows)))
    first_gold = np.searchsorted(joined.gold_row, np.arange(len(joined.rows)))
    for place, (pair, row) in enumerate(zip(joined.predicted, joined.predicted_row.tolist(), strict=True)):
        partner = int(beside.partner[place])
        gold = joined.gold[partner] if partner >= 0 else None
        writer.writerow(
            [
                *(joined.rows[row].id, row, joined.rows[row].sentence, place - first_predicted[row]),
                *_cells(pair),
                partner - first_gold[row] if gold else "",
                *(_cells(gold) if gold else [""] * 4),
                *(bool(beside.is_equal[place]), bool(beside.score[place] > 0), float(beside.score[place])),
                *(class_of(one, found.profile) for one in (pair.causality, pair.sententiality)),
                *((class_of(one, found.profile) for one in (gold.causality, gold.sententiality)) if gold else ("", "")),
            ]
        )
    write_text(path, lines.getvalue())


def _cells(pair: Pair) -> list[str]:
    return [pair.cause, pair.effect, pair.causality, pair.sententiality]
