"""Draw charts: a series has a colour, and a hatch or marker and dashes by which it is told apart in grey print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corr2cause.checking.charts import AnyChart, Bars, Boxes, Points, Slopes, Steps
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
    axes = figure.add_subplot()
    axes.set_title(chart.title, fontsize=_TITLE, loc="left")
    axes.set_xlabel(chart.x_label, fontsize=_FONT)
    axes.set_ylabel(chart.y_label, fontsize=_FONT)
    axes.tick_params(labelsize=_FONT)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    match chart:
        case Bars():
            _draw_bars(axes, chart)
        case Boxes():
            _draw_boxes(axes, chart)
        case Steps():
            _draw_steps(axes, chart)
        case Points():
            _draw_points(axes, chart)
        case Slopes():
            _draw_slopes(axes, chart)
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


def _draw_steps(axes: Axes, chart: Steps) -> None:
    for k, (name, points) in enumerate(chart.series):
        look = _look(k)
        axes.step(
            *zip(*points, strict=True), where="post", label=name, color=look.colour, linestyle=look.dashes,
            marker=look.marker, linewidth=1.5, markersize=5, markeredgecolor=BLACK, markeredgewidth=0.5,
        )  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylim(0, 103)
    axes.grid(linewidth=0.4)
    _draw_legend(axes, chart.series_title)


def _draw_points(axes: Axes, chart: Points) -> None:
    places = range(len(chart.points))
    for place, point in zip(places, chart.points, strict=True):
        look = _look(0) if place else _ALL
        if point.interval:
            axes.hlines(place, *point.interval, color=look.colour, linewidth=1.6)
            axes.vlines(point.interval, place - 0.12, place + 0.12, color=look.colour, linewidth=1.6)
        axes.plot(point.value, place, marker=look.marker, color=look.colour, markersize=7)
        axes.annotate(
            f"{point.value:.1f}", (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", fontsize=_FONT,
        )  # fmt: skip
    axes.set_yticks(places, [point.name for point in chart.points])
    axes.set_ylim(len(chart.points) - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.grid(axis="x", linewidth=0.4)


def _draw_slopes(axes: Axes, chart: Slopes) -> None:
    for k, (_, before, after) in enumerate(chart.slopes):
        look, width = (_look(k - 1), 1.6) if k else (_ALL, 2.6)
        axes.plot(
            (0, 1), (before, after), color=look.colour, marker=look.marker, linestyle=look.dashes, linewidth=width,
            markersize=7, markeredgecolor=BLACK, markeredgewidth=0.5,
        )  # fmt: skip
    axes.set_xlim(-0.25, 1.5)
    axes.set_ylim(-4, 104)
    axes.set_xticks((0, 1), chart.ends)
    axes.grid(axis="y", linewidth=0.4)
    names, befores, afters = zip(*chart.slopes, strict=True)
    _label_beside(axes, 0, befores, [f"{value:.1f}" for value in befores])
    _label_beside(axes, 1, afters, [f"{value:.1f}  {name}" for name, value in zip(names, afters, strict=True)])


def _label_beside(axes: Axes, side: int, values: Sequence[float], texts: Sequence[str]) -> None:
    """Write beside the left (0) or right (1) end of each slope, with a thin line to its point where it had to move."""
    aside, outside = (-0.04, -0.1) if side == 0 else (0.04, 0.1)
    for value, place, text in zip(values, spread(values, 5.5, 0, 100), texts, strict=True):
        axes.plot((side + aside, side + outside), (value, place), color="0.5", linewidth=0.6)
        axes.text(
            side + outside * 1.1, place, text, fontsize=_FONT, va="center", ha="left" if side else "right",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip


def _draw_legend(axes: Axes, title: str) -> None:
    axes.legend(
        title=title, fontsize=_FONT, title_fontsize=_FONT, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1),
        handlelength=3, handleheight=1.3,
    )  # fmt: skip
