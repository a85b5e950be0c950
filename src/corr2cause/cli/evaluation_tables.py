"""What `corr2cause evaluate` prints: tables for people and papers, a CSV table, an object for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from corr2cause.cli.tables import Cell, as_latex, as_text
from corr2cause.counts import Counts

if TYPE_CHECKING:
    from corr2cause.bootstrap import Interval
    from corr2cause.checking.evaluation import Evaluation, Intervals, Score
    from corr2cause.checking.robustness import Comparison, Robustness

METRICS = {"precision": "precision", "recall": "recall", "f1": "F1", "accuracy": "accuracy"}
_KINDS = tuple(field.name for field in fields(Counts))
_RATIOS = (*METRICS, "consistency")

_CSV_COLUMNS = (
    *("grouping", "group", "answers", "against", "n", "n_positives", "n_classes", "n_unreadable", *_KINDS),
    *(f"{ratio}{part}" for ratio in _RATIOS for part in ("", "_low", "_high")),
)

_TITLES = {
    "by_relation": "relation",
    "by_n": "variables",
    "by_reading_agreement": "readings",
    "by_difficulty": "difficulty",
}

_CONSISTENT = "(consistent: the same readable answer to both)"

_Table = tuple[str, list[str], list[list[Cell]]]
"""Title, header, rows."""


def to_json(evaluation: Evaluation, robustness: Mapping[str, Robustness]) -> str:
    """Return one object; with a perturbed file, `robustness` too, and with several, `robustness_by_file` by name."""
    found = evaluation.to_json()
    by_file = {name: one.to_json() for name, one in robustness.items()}
    if len(by_file) == 1:
        (found["robustness"],) = by_file.values()
    elif by_file:
        found["robustness_by_file"] = by_file
    return json.dumps(found, indent=2)


def to_csv(evaluation: Evaluation, robustness: Mapping[str, Robustness]) -> str:
    """Return a line for each group, and for each perturbed file one of its answers and one of the difference."""
    compared: dict[tuple[str, str], dict[str, Comparison]] = {}
    for name, of_file in robustness.items():
        compared.setdefault(("overall", "all"), {})[name] = of_file.overall
        for one in of_file.by_relation:
            compared.setdefault(("by_relation", one.name), {})[name] = one
    scores = [("overall", evaluation.overall)]
    scores += [(part.name, score) for part in evaluation.breakdowns for score in part.scores]
    out = io.StringIO()
    lines = csv.DictWriter(out, _CSV_COLUMNS, lineterminator="\n")
    lines.writeheader()
    for grouping, score in scores:
        place = {"grouping": grouping, "group": score.name}
        lines.writerow(place | {"answers": "original"} | _score_record(score))
        for name, comparison in compared.get((grouping, score.name), {}).items():
            place["against"] = name
            lines.writerow(place | {"answers": "perturbed"} | _score_record(comparison.perturbed))
            lines.writerow(place | {"answers": "difference"} | _difference_record(comparison))
    return out.getvalue()


def _score_record(score: Score) -> dict[str, Any]:
    counts = score.counts
    record = _size_record(score) | {"n_unreadable": counts.unreadable, **asdict(counts)}
    for metric in METRICS:
        bounds = _bounds(score.intervals, metric)
        record |= _ratio_record(metric, getattr(counts, metric), bounds)
    return record


def _difference_record(comparison: Comparison) -> dict[str, Any]:
    record = _size_record(comparison.original)
    for metric in METRICS:
        bounds = _bounds(comparison.differences, metric)
        record |= _ratio_record(metric, comparison.difference(metric), bounds)
    return record | _ratio_record("consistency", comparison.consistency, comparison.consistency_interval)


def _size_record(score: Score) -> dict[str, Any]:
    return {"n": score.counts.total, "n_positives": score.counts.positives, "n_classes": score.n_classes}


def _ratio_record(name: str, value: float, bounds: Interval | None) -> dict[str, float]:
    record = {name: value}
    if bounds:
        record |= {f"{name}_low": bounds.low, f"{name}_high": bounds.high}
    return record


def to_tables(evaluation: Evaluation, robustness: Mapping[str, Robustness], latex: bool) -> str:
    """Return titled tables for people, or tables in LaTeX, where the title is a comment."""
    tables = list(_evaluation_tables(evaluation))
    if len(robustness) > 1:
        found = [(name, one.overall) for name, one in robustness.items()]
        tables.append((f"Robustness of all rows {_CONSISTENT}", *_comparison_table("against", found)))
    for name, one in robustness.items():
        tables += _robustness_tables(one, f" against {name}" if len(robustness) > 1 else "")
    if latex:
        return "\n\n".join(f"% {title}\n{as_latex(header, rows)}" for title, header, rows in tables)
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
    """Return header and rows of a table with a line for each score; metrics in per cent.

    Where nothing follows, precision, recall and F1 say nothing, and a dash stands for them.
    """
    header = [title, "rows", "positives", "classes", "unreadable"]
    header += ["precision", "recall", "F1", "95 %", "accuracy", "95 %"]
    rows: list[list[Cell]] = [
        [
            *(score.name, score.counts.total, score.counts.positives, score.n_classes, score.counts.unreadable),
            *_of_positives(score),
            *(100 * score.counts.accuracy, show_interval(_bounds(score.intervals, "accuracy"))),
        ]
        for score in scores
    ]
    return header, rows


def _of_positives(score: Score) -> list[Cell]:
    counts = score.counts
    if not counts.positives:
        return [None] * 4
    return [
        *(100 * counts.precision, 100 * counts.recall, 100 * counts.f1),
        show_interval(_bounds(score.intervals, "f1")),
    ]


def _robustness_tables(robustness: Robustness, against: str) -> Iterable[_Table]:
    overall = robustness.overall
    metrics: list[list[Cell]] = [[title, *_change(overall, metric)] for metric, title in METRICS.items()]
    yield f"Robustness{against}", ["metric", "original", "perturbed", "difference", "95 %"], metrics
    found = [(one.name, one) for one in (overall, *robustness.by_relation)]
    yield f"Robustness by relation{against} {_CONSISTENT}", *_comparison_table("relation", found)


def _comparison_table(kind: str, compared: Iterable[tuple[str, Comparison]]) -> tuple[list[str], list[list[Cell]]]:
    """Return header and rows: what was compared, by name, with the changes of F1 and accuracy."""
    header = [kind, "rows", "positives", "F1", "perturbed", "difference", "95 %"]
    header += ["accuracy", "perturbed", "difference", "consistent", "95 %"]
    rows: list[list[Cell]] = [
        [
            *(name, one.original.counts.total, one.original.counts.positives),
            *(*_change(one, "f1"), *_change(one, "accuracy")[:3]),
            *(100 * one.consistency, show_interval(one.consistency_interval)),
        ]
        for name, one in compared
    ]
    return header, rows


def _change(comparison: Comparison, metric: str) -> list[Cell]:
    """Return both values, their difference and its interval; dashes where nothing follows."""
    if metric != "accuracy" and not comparison.original.counts.positives:
        return [None] * 4
    original, perturbed = (getattr(one.counts, metric) for one in (comparison.original, comparison.perturbed))
    return [
        100 * original,
        100 * perturbed,
        100 * comparison.difference(metric),
        show_interval(_bounds(comparison.differences, metric)),
    ]


def _bounds(intervals: Intervals | None, metric: str) -> Interval | None:
    return getattr(intervals, metric) if intervals else None


def show_interval(bounds: Interval | None) -> str | None:
    """Write an interval in per cent."""
    return f"{100 * bounds.low:.2f} to {100 * bounds.high:.2f}" if bounds else None
