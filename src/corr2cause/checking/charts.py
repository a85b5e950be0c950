"""What the charts of `stats` and `evaluate` show: the numbers behind each of them, and their words. No drawing here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corr2cause.checking.items import BINS, bin_names

if TYPE_CHECKING:
    from corr2cause.bootstrap import Interval
    from corr2cause.checking.evaluation import Evaluation, Score
    from corr2cause.checking.graph_statistics import GraphRow
    from corr2cause.checking.robustness import Comparison, Robustness
    from corr2cause.checking.statistics import DatasetStatistics, PremiseLengths


@dataclass(frozen=True, slots=True)
class Chart:
    """What every chart has.

    Attributes:
        name: of its files, without suffix.
        title: one line.
        x_label: what the horizontal axis shows, with the unit.
        y_label: so for the vertical one.
    """

    name: str
    title: str
    x_label: str
    y_label: str


@dataclass(frozen=True, slots=True)
class Bars(Chart):
    """Groups of bars; each series has a value for each group, or none where there is nothing."""

    groups: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]
    series_title: str


@dataclass(frozen=True, slots=True)
class Box:
    """A distribution: least value, quartiles, greatest value, and mean."""

    name: str
    least: float
    lower: float
    median: float
    upper: float
    most: float
    mean: float


@dataclass(frozen=True, slots=True)
class Boxes(Chart):
    """Distributions, side by side."""

    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """An estimate and its interval, if it has one."""

    name: str
    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Points(Chart):
    """Estimates, one below the other."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Slopes(Chart):
    """Pairs of values (name, before, after), and beside them their differences; `ends` names the two sides."""

    ends: tuple[str, str]
    slopes: tuple[tuple[str, float, float], ...]
    differences: tuple[Point, ...]
    differences_label: str


AnyChart = Bars | Boxes | Points | Slopes


def statistics_charts(graphs: Sequence[GraphRow], dataset: DatasetStatistics) -> tuple[AnyChart, ...]:
    """Return the charts of a data set; without those that would show nothing."""
    charts = positives(dataset), premise_lengths(dataset), class_sizes(graphs)
    return charts[: 2 * bool(dataset.sizes)] + charts[2:] * bool(graphs)


def evaluation_charts(evaluation: Evaluation, robustness: Mapping[str, Robustness]) -> tuple[AnyChart, ...]:
    """Return the charts of a model's answers; none if nothing follows, since then there is no F1.

    Args:
        evaluation: of the answers to the rows as they stand.
        robustness: against each file of answers to perturbed rows, by name, which is in the name of the chart if there
            are several.
    """
    if not evaluation.overall.counts.positives:
        return ()
    changes = [robustness_by_relation(one, name * (len(robustness) > 1)) for name, one in robustness.items()]
    return (f1_by_relation(evaluation), *changes)


def positives(dataset: DatasetStatistics) -> Bars:
    """Show which share of the hypotheses about each relation follows, for each number of variables."""
    rows = [(str(n), [row for row in dataset.relations if row.n == n]) for n in dataset.sizes]
    return Bars(
        name="positives",
        title="Hypotheses that follow from their premise",
        x_label="relation",
        y_label="positive rows (%)",
        groups=tuple(dict.fromkeys(_words(row.relation) for row in dataset.relations)),
        series=tuple((n, tuple(row.positive_percent for row in relations)) for n, relations in rows),
        series_title="variables",
    )


def premise_lengths(dataset: DatasetStatistics) -> Boxes:
    """Show how long premises are, for each number of variables."""
    return Boxes(
        name="premise-length",
        title="Length of the premises of all rows",
        x_label="variables",
        y_label="tokens",
        boxes=tuple(_box(lengths) for lengths in dataset.premise_lengths if lengths.n != "all"),
    )


def _box(lengths: PremiseLengths) -> Box:
    tokens, rows = np.array(lengths.counts).T
    marks = np.percentile(tokens, [0, 25, 50, 75, 100], weights=rows, method="inverted_cdf")
    least, lower, median, upper, most = marks.tolist()
    return Box(str(lengths.n), least, lower, median, upper, most, mean=float(np.average(tokens, weights=rows)))


def class_sizes(graphs: Sequence[GraphRow]) -> Bars:
    """Show how many graphs equivalence classes have, for each number of variables, in the bins of `evaluate`."""
    return Bars(
        name="class-size",
        title="Size of the Markov equivalence classes",
        x_label="graphs in the class",
        y_label="classes (%)",
        groups=bin_names("class_size"),
        series=tuple((str(row.n), _class_percents(row)) for row in graphs),
        series_title="variables",
    )


def _class_percents(row: GraphRow) -> tuple[float | None, ...]:
    """Return the per cent of the classes in each bin, or None where there are none."""
    sizes, numbers = zip(*row.class_sizes, strict=True)
    found, _ = np.histogram(sizes, (*BINS["class_size"], np.inf), weights=numbers)
    return tuple(100 * number / row.classes or None for number in found.tolist())


def f1_by_relation(evaluation: Evaluation) -> Points:
    """Show the F1 of all rows and of each relation of which some follow, with the intervals of the bootstrap."""
    relations = (score for part in evaluation.breakdowns if part.name == "by_relation" for score in part.scores)
    return Points(
        name="f1-by-relation",
        title="F1 by relation, with 95 % intervals over classes",
        x_label="F1 (%)",
        y_label="",
        points=tuple(_f1(score) for score in (evaluation.overall, *relations) if score.counts.positives),
    )


def _f1(score: Score) -> Point:
    return Point(_words(score.name), 100 * score.counts.f1, _percent(score.intervals.f1 if score.intervals else None))


def _percent(interval: Interval | None) -> tuple[float, float] | None:
    return (100 * interval.low, 100 * interval.high) if interval else None


def robustness_by_relation(robustness: Robustness, against: str = "") -> Slopes:
    """Show the F1 of the answers to the original and to the perturbed rows, for all and for each relation.

    Args:
        robustness: the comparisons.
        against: tells the perturbed answers from others.
    """
    shown = [one for one in (robustness.overall, *robustness.by_relation) if one.original.counts.positives]
    return Slopes(
        name="-".join(["robustness", *re.findall(r"\w+", against)]),
        title=f"F1 by relation before and after the perturbation{against and f': {against}'}",
        x_label="rows",
        y_label="F1 (%)",
        ends=("original", "perturbed"),
        slopes=tuple((_words(one.name), 100 * one.original.counts.f1, 100 * one.perturbed.counts.f1) for one in shown),
        differences=tuple(_difference(one) for one in shown),
        differences_label="perturbed minus original (points of F1, 95 %)",
    )


def _difference(one: Comparison) -> Point:
    interval = _percent(one.differences.f1 if one.differences else None)
    return Point(_words(one.name), 100 * one.difference("f1"), interval)


def _words(name: str) -> str:
    return name.replace("_", " ")
