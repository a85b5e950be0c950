"""What `corr2cause evaluate` prints: tables for people and papers, a CSV table, an object for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from corr2cause.cli.tables import Cell, as_latex, as_text
from corr2cause.counts import Counts

if TYPE_CHECKING:
    from corr2cause.bootstrap import Interval
    from corr2cause.checking.evaluation import Evaluation, Intervals, Score
    from corr2cause.checking.robustness import Comparison, Robustness

_METRICS = {"precision": "precision", "recall": "recall", "f1": "F1", "accuracy": "accuracy"}
_KINDS = tuple(field.name for field in fields(Counts))
_RATIOS = (*_METRICS, "consistency")

_CSV_COLUMNS = (
    *("grouping", "group", "answers", "n", "n_classes", "n_unreadable", *_KINDS),
    *(f"{ratio}{part}" for ratio in _RATIOS for part in ("", "_low", "_high")),
)

_TITLES = {
    "by_relation": "relation",
    "by_n": "variables",
    "by_reading_agreement": "readings",
    "by_difficulty": "difficulty",
}

_Table = tuple[str, list[str], list[list[Cell]]]
"""Title, header, rows."""


def to_json(evaluation: Evaluation, robustness: Robustness | None) -> str:
    """Return one object; with two files of answers it has a key `robustness` too."""
    found = evaluation.to_json()
    if robustness:
        found["robustness"] = robustness.to_json()
    return json.dumps(found, indent=2)


def to_csv(evaluation: Evaluation, robustness: Robustness | None) -> str:
    """Return a line for each group; with two files of answers, one for the perturbed ones and the difference too."""
    compared = {}
    if robustness:
        compared = {("overall", "all"): robustness.overall}
        compared |= {("by_relation", one.name): one for one in robustness.by_relation}
    scores = [("overall", evaluation.overall)]
    scores += [(part.name, score) for part in evaluation.breakdowns for score in part.scores]
    out = io.StringIO()
    lines = csv.DictWriter(out, _CSV_COLUMNS, lineterminator="\n")
    lines.writeheader()
    for grouping, score in scores:
        place = {"grouping": grouping, "group": score.name}
        lines.writerow(place | {"answers": "original"} | _score_record(score))
        if comparison := compared.get((grouping, score.name)):
            lines.writerow(place | {"answers": "perturbed"} | _score_record(comparison.perturbed))
            lines.writerow(place | {"answers": "difference"} | _difference_record(comparison))
    return out.getvalue()


def _score_record(score: Score) -> dict[str, Any]:
    counts = score.counts
    record = {"n": counts.total, "n_classes": score.n_classes, "n_unreadable": counts.unreadable, **asdict(counts)}
    for metric in _METRICS:
        bounds = _bounds(score.intervals, metric)
        record |= _ratio_record(metric, getattr(counts, metric), bounds)
    return record


def _difference_record(comparison: Comparison) -> dict[str, Any]:
    original = comparison.original
    record: dict[str, Any] = {"n": original.counts.total, "n_classes": original.n_classes}
    for metric in _METRICS:
        bounds = _bounds(comparison.differences, metric)
        record |= _ratio_record(metric, comparison.difference(metric), bounds)
    return record | _ratio_record("consistency", comparison.consistency, comparison.consistency_interval)


def _ratio_record(name: str, value: float, bounds: Interval | None) -> dict[str, float]:
    record = {name: value}
    if bounds:
        record |= {f"{name}_low": bounds.low, f"{name}_high": bounds.high}
    return record


def to_tables(evaluation: Evaluation, robustness: Robustness | None, latex: bool) -> str:
    """Return titled tables for people, or the bare tables in LaTeX."""
    tables = [*_evaluation_tables(evaluation), *(_robustness_tables(robustness) if robustness else ())]
    if latex:
        return "\n\n".join(as_latex(header, rows) for _, header, rows in tables)
    return "\n\n".join(f"{title}\n\n{as_text(header, rows)}" for title, header, rows in tables)


def _evaluation_tables(evaluation: Evaluation) -> Iterable[_Table]:
    counts = evaluation.overall.counts
    yield (
        "All rows (precision, recall and F1 of what follows; everything in per cent, with 95 % intervals over classes)",
        *scores_table("", [evaluation.overall]),
    )
    yield (
        "Answers by label",
        ["label", "yes", "no", "unreadable"],
        [
            ["follows", counts.hits, counts.misses, counts.unreadable_positives],
            ["does not follow", counts.false_alarms, counts.correct_rejections, counts.unreadable_negatives],
        ],
    )
    for name, title in _TITLES.items():
        scores = [score for part in evaluation.breakdowns if part.name == name for score in part.scores]
        if scores:
            yield f"By {title}", *scores_table(title, scores)


def scores_table(title: str, scores: Sequence[Score]) -> tuple[list[str], list[list[Cell]]]:
    """Return header and rows of a table with a line for each score; metrics in per cent."""
    header = [title, "rows", "classes", "unreadable", "precision", "recall", "F1", "95 %", "accuracy", "95 %"]
    rows: list[list[Cell]] = [
        [
            *(score.name, score.counts.total, score.n_classes, score.counts.unreadable),
            *(100 * score.counts.precision, 100 * score.counts.recall),
            *(100 * score.counts.f1, show_interval(_bounds(score.intervals, "f1"))),
            *(100 * score.counts.accuracy, show_interval(_bounds(score.intervals, "accuracy"))),
        ]
        for score in scores
    ]
    return header, rows


def _robustness_tables(robustness: Robustness) -> Iterable[_Table]:
    overall = robustness.overall
    metrics: list[list[Cell]] = [
        [title, *_change(overall, metric), show_interval(_bounds(overall.differences, metric))]
        for metric, title in _METRICS.items()
    ]
    yield "Robustness", ["metric", "original", "perturbed", "difference", "95 %"], metrics
    header = ["relation", "rows", "F1", "perturbed", "difference", "95 %"]
    header += ["accuracy", "perturbed", "difference", "consistent", "95 %"]
    rows: list[list[Cell]] = [
        [
            *(one.name, one.original.counts.total),
            *(*_change(one, "f1"), show_interval(_bounds(one.differences, "f1"))),
            *_change(one, "accuracy"),
            *(100 * one.consistency, show_interval(one.consistency_interval)),
        ]
        for one in (overall, *robustness.by_relation)
    ]
    yield "Robustness by relation (consistent: the same readable answer to both)", header, rows


def _change(comparison: Comparison, metric: str) -> list[float]:
    original, perturbed = (getattr(one.counts, metric) for one in (comparison.original, comparison.perturbed))
    return [100 * original, 100 * perturbed, 100 * comparison.difference(metric)]


def _bounds(intervals: Intervals | None, metric: str) -> Interval | None:
    return getattr(intervals, metric) if intervals else None


def show_interval(bounds: Interval | None) -> str | None:
    """Write an interval in per cent."""
    return f"{100 * bounds.low:.2f} to {100 * bounds.high:.2f}" if bounds else None
