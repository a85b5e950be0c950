"""The scores of extraction as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from corr2cause.cli.spans.judging import as_range
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import counted

if TYPE_CHECKING:
    from corr2cause.spans.extraction import ExtractionScore
    from corr2cause.spans.rows import Pair
    from corr2cause.spans.tiers import Rates

_Table = tuple[str, list[str], list[list[Cell]]]

_RATES = ["precision", "recall", "F1"]


def to_tables(found: ExtractionScore, statuses: Mapping[str, int]) -> str:
    """Lay out every table, one below the other, in per cent."""
    parts = [_head(found, statuses)]
    parts += [f"{title}\n\n{as_text(header, rows)}" for title, header, rows in _tables(found) if rows]
    return "\n\n".join([*parts, *_examples(found)])


def _head(found: ExtractionScore, statuses: Mapping[str, int]) -> str:
    joined = found.joined
    sizes = ", ".join(
        (
            counted(len(joined.rows), "row"),
            counted(len(joined.gold), "gold pair"),
            counted(len(joined.predicted), "predicted pair"),
        )
    )
    lines = [f"Profile {found.profile.name}; {sizes}; cosines by {found.embedder or 'nothing'}."]
    if statuses:
        lines.append(
            "Answers: " + ", ".join(f"{number:,} {status}" for status, number in sorted(statuses.items())) + "."
        )
    return "\n".join(lines)


def _tables(found: ExtractionScore) -> Iterable[_Table]:
    yield "Scores (%)", ["tier", "level", *_RATES, "95 %", "row mean F1"], list(_score_rows(found))
    yield "Buckets", ["bucket", "pairs"], [[bucket, number] for bucket, number in found.buckets.items() if number]
    yield "Labels of pairs whose spans are exact (%)", ["class", "gold", *_RATES], list(_label_rows(found))
    tiers = list(found.tiers)
    yield (
        "Extraction of each class, label included: F1 (%)",
        ["class", "gold", "predicted", *tiers],
        [_f1_row(name, rates) for name, rates in found.typed.items()],
    )
    yield (
        "Recall of each gold class, whatever the predicted label (%)",
        ["class", "gold", *tiers],
        [
            [name, rates["exact"].n_gold, *_percent(*(rates[tier].recall for tier in tiers))]
            for name, rates in found.recall_by_label.items()
        ],
    )
    for grouping, groups in found.breakdowns.items():
        yield (
            f"By {grouping}: F1 of pairs (%)",
            [grouping, "gold", "predicted", *tiers],
            [
                [
                    name,
                    rates["exact"].n_gold,
                    rates["exact"].n_predicted,
                    *_percent(*(rates[tier].f1 for tier in tiers)),
                ]
                for name, rates in groups.items()
            ],
        )
    yield (
        "Labels of pairs that match (%)",
        ["subset", "label", "pairs", "correct", "accuracy", "macro F1", "weighted F1"],
        [
            [
                *(subset, task, one.n_pairs, one.n_correct),
                *_percent(one.accuracy, one.macro_f1(), one.weighted_f1()),
            ]
            for subset, tasks in found.ablation.items()
            for task, one in tasks.items()
        ],
    )
    switching = found.switching
    yield "Switched (%)", ["switched", "of", "rate"], [[switching.n_switched, switching.n_of, 100 * switching.rate]]


def _score_rows(found: ExtractionScore) -> Iterable[list[Cell]]:
    for tier, levels in found.tiers.items():
        for level, one in levels.items():
            rates = one.rates
            bounds = as_range(one.intervals[2]) if one.intervals else None
            yield [tier, level, *_percent(rates.precision, rates.recall, rates.f1), bounds, 100 * one.macro[2]]


def _label_rows(found: ExtractionScore) -> Iterable[list[Cell]]:
    for one in found.labels.values():
        for name, counts in one.classes().items():
            yield [name, counts.positives, *_percent(counts.precision, counts.recall, counts.f1)]


def _f1_row(name: str, rates: Mapping[str, Rates]) -> list[Cell]:
    exact = rates["exact"]
    return [name, exact.n_gold, exact.n_predicted, *_percent(*(one.f1 for one in rates.values()))]


def _percent(*shares: float) -> list[float]:
    return [100 * share for share in shares]


def _examples(found: ExtractionScore) -> Iterable[str]:
    for bucket, listed in found.cases.items():
        lines = [
            f"  row {case.row}: {_arrow(case.predicted)}   gold: {_arrow(case.gold)}"
            for case in listed
            if bucket != "exact"
        ]
        if lines:
            yield "\n".join([f"Examples: {bucket}", "", *lines])


def _arrow(pair: Pair | None) -> str:
    return f"{pair.cause} → {pair.effect}" if pair else "–"
