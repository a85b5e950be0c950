"""Draw charts: a series has a colour, and a hatch or marker and dashes by which it is told apart in grey print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corr2cause.checking.charts import AnyChart, Bars, Boxes, Point, Points, Slopes
from corr2cause.checking.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, YELLOW
from corr2cause.checking.layout import spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, YELLOW)
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "oo")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (3, 1)), (0, (7, 2)), (0, (2, 2)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Look:
    """How one series looks."""

    colour: str
    hatch: str
    marker: str
    dashes: Any


def _look(k: int) -> _Look:
    """Return how the series of number k looks: where colours begin anew, the rest is shifted against them."""
    other = (k + k // len(_COLOURS)) % len(_COLOURS)
    return _Look(_COLOURS[k % len(_COLOURS)], _HATCHES[other], _MARKERS[other], _DASHES[other])


_ALL = _Look(BLACK, "", "D", "-")  # all rows together, the first of points and slopes

_WIDTH, _HEIGHT = 7.0, 4.0  # inches
_TITLE, _FONT = 11.0, 9.0  # points


def draw_chart(chart: AnyChart) -> Figure:
    """Draw a chart on a figure of its own."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    n_axes = 2 if isinstance(chart, Slopes) else 1
    axes, *others = figure.subplots(1, n_axes, squeeze=False)[0]
    axes.set_title(chart.title, fontsize=_TITLE, loc="left")
    axes.set_xlabel(chart.x_label, fontsize=_FONT)
    axes.set_ylabel(chart.y_label, fontsize=_FONT)
    for each in (axes, *others):
        each.tick_params(labelsize=_FONT)
        each.spines[["top", "right"]].set_visible(False)
        each.set_axisbelow(True)
    match chart:
        case Bars():
            _draw_bars(axes, chart)
        case Boxes():
            _draw_boxes(axes, chart)
        case Points():
            _draw_points(axes, chart)
        case Slopes():
            others[0].set_xlabel(chart.differences_label, fontsize=_FONT)
            _draw_slopes(axes, others[0], chart)
    return figure


def _draw_bars(axes: Axes, chart: Bars) -> None:
    width = 0.84 / max(1, len(chart.series))
    for k, (name, values) in enumerate(chart.series):
        places = [group + (k - (len(chart.series) - 1) / 2) * width for group in range(len(chart.groups))]
        heights = [value or 0.0 for value in values]
        look = _look(k)
        axes.bar(
            places, heights, width, label=name, color=look.colour, hatch=look.hatch, edgecolor=BLACK, linewidth=0.6
        )  # fmt: skip
    axes.set_xticks(range(len(chart.groups)), [group.replace(" ", "\n") for group in chart.groups])
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y", linewidth=0.4)
    _draw_legend(axes, chart.series_title)


def _draw_boxes(axes: Axes, chart: Boxes) -> None:
    boxes = [
        {"whislo": box.least, "q1": box.lower, "med": box.median, "q3": box.upper, "whishi": box.most, "mean": box.mean}
        for box in chart.boxes
    ]
    axes.bxp(
        boxes,
        showfliers=False,
        showmeans=True,
        patch_artist=True,
        boxprops={"facecolor": SKY, "edgecolor": BLACK},
        medianprops={"color": BLACK, "linewidth": 1.8},
        meanprops={"marker": "D", "markerfacecolor": VERMILION, "markeredgecolor": BLACK, "markersize": 5},
    )
    axes.set_xticks(range(1, len(boxes) + 1), [box.name for box in chart.boxes])
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(axis="y", linewidth=0.4)
    note = "box: quartiles and median;  whiskers: shortest and longest;  diamond: mean"
    axes.set_xlabel(f"{chart.x_label}\n({note})", fontsize=_FONT)


def _draw_points(axes: Axes, chart: Points) -> None:
    _draw_estimates(axes, chart.points, [_look(0) if k else _ALL for k in range(len(chart.points))])
    _write_beside(axes, [f"{point.value:.1f}" for point in chart.points])


def _draw_estimates(axes: Axes, points: Sequence[Point], looks: Sequence[_Look]) -> None:
    """Draw estimates with their intervals, one below the other, on an axis that just holds them."""
    places = range(len(points))
    for place, point, look in zip(places, points, looks, strict=True):
        if point.interval:
            axes.hlines(place, *point.interval, color=look.colour, linewidth=1.6)
            axes.vlines(point.interval, place - 0.12, place + 0.12, color=look.colour, linewidth=1.6)
        axes.plot(
            point.value, place, marker=look.marker, color=look.colour, markersize=7, markeredgecolor=BLACK,
            markeredgewidth=0.5, linestyle="none",
        )  # fmt: skip
    axes.set_yticks(places, [point.name for point in points])
    axes.set_ylim(len(points) - 0.5, -0.5)
    axes.set_xlim(_limits([bound for point in points for bound in (point.value, *(point.interval or ()))]))
    axes.grid(axis="x", linewidth=0.4)


def _write_beside(axes: Axes, texts: Sequence[str]) -> None:
    """Write a text to the right of each line of estimates."""
    for place, text in enumerate(texts):
        axes.annotate(
            text, (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points",
            va="center", fontsize=_FONT,
        )  # fmt: skip


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis in per cent: just outside the values, and at least ten points apart."""
    middle, half = (min(values) + max(values)) / 2, max(5.0, (max(values) - min(values)) / 2)
    return middle - 1.06 * half, middle + 1.06 * half


def _draw_slopes(axes: Axes, beside: Axes, chart: Slopes) -> None:
    looks = [_look(k - 1) if k else _ALL for k in range(len(chart.slopes))]
    _, befores, afters = zip(*chart.slopes, strict=True)
    for k, (look, before, after) in enumerate(zip(looks, befores, afters, strict=True)):
        axes.plot(
            (0, 1), (before, after), color=look.colour, marker=look.marker, linestyle=look.dashes,
            linewidth=1.6 if k else 2.6, markersize=7, markeredgecolor=BLACK, markeredgewidth=0.5,
        )  # fmt: skip
    axes.set_xlim(-0.5, 1.5)
    axes.set_ylim(_limits((*befores, *afters)))
    axes.set_xticks((0, 1), chart.ends)
    axes.grid(axis="y", linewidth=0.4)
    _label_beside(axes, 0, befores)
    _label_beside(axes, 1, afters)
    beside.axvline(0, color=BLACK, linewidth=0.8)
    _draw_estimates(beside, chart.differences, looks)
    _write_beside(beside, [f"{point.value:+.1f}" for point in chart.differences])


def _label_beside(axes: Axes, side: int, values: Sequence[float]) -> None:
    """Write beside the left (0) or right (1) end of each slope, with a thin line to its point where it had to move."""
    aside, outside = (-0.06, -0.14) if side == 0 else (0.06, 0.14)
    least, most = axes.get_ylim()
    margin, gap = 0.03 * (most - least), 0.055 * (most - least)
    for value, place in zip(values, spread(values, gap, least + margin, most - margin), strict=True):
        axes.plot((side + aside, side + outside), (value, place), color="0.5", linewidth=0.6)
        axes.text(
            side + outside * 1.1, place, f"{value:.1f}", fontsize=_FONT, va="center", ha="left" if side else "right",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip


def _draw_legend(axes: Axes, title: str) -> None:
    axes.legend(
        title=title, fontsize=_FONT, title_fontsize=_FONT, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1),
        handlelength=3, handleheight=1.3,
    )  # fmt: skip
