"""Figures of explanations: the CPDAG, and beside it a graph of the class in which the hypothesis fails."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from corr2cause.checking.drawing import DPI, FORMATS, drawn
from corr2cause.checking.explanation import Explanation
from corr2cause.checking.layout import NODE_RADIUS, Layout, Point, circle
from corr2cause.checking.panels import Panel, Style, caption, panels
from corr2cause.errors import OptionError
from corr2cause.files import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT, _SMALL = 11.0, 9.0  # points
_NAME_LENGTH = 16  # characters of a name on one line
_MARGIN, _GAP, _LINE = 0.3, 0.6, 0.18  # inches: around, between graphs, for a line of small text
_LEAST_COLUMN = 3.2  # inches, for a title
_CHARACTER = 0.08  # inches, more than a character of small text takes on average
_HEAD = 0.15  # inches


def plot_explanation(explanation: Explanation, path: str | Path) -> None:
    """Draw the CPDAG and, if the hypothesis does not follow, a graph in which it fails, side by side.

    Compelled edges are solid arrows and reversible ones dashed; the two variables of the hypothesis are filled. The
    same explanation and version of matplotlib give the same bytes.

    Args:
        explanation: what to draw.
        path: a .png or .svg file.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OptionError: the file is of another kind.
        FileError: it cannot be written.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise OptionError("--plot", f"{path} is neither a .png nor a .svg file; choose one of these")
    picture = drawn(lambda: draw(explanation), form)
    with whole_file(path) as out:
        out.write(picture)


def draw(explanation: Explanation) -> Figure:
    """Draw an explanation on a figure, in whose only axes a unit is an inch."""
    from matplotlib.figure import Figure

    shown = panels(explanation)
    figure = Figure(dpi=DPI)
    layout = circle([_wrapped(name, _NAME_LENGTH) for name in explanation.way.names], _Measure(figure))
    column = max(layout.width, _LEAST_COLUMN)
    width = 2 * _MARGIN + len(shown) * column + (len(shown) - 1) * _GAP
    heading = _wrapped(caption(explanation), int((width - 2 * _MARGIN) / _CHARACTER))
    titles = [_wrapped(panel.title, int(column / _CHARACTER)) for panel in shown]
    styles = dict.fromkeys(style for panel in shown for style, edges in panel.edges if edges)
    heading_height, title_height = (_LINE * (1 + max(text.count("\n") for text in t)) for t in ([heading], titles))
    legend_height = _LINE * (len(styles) + 1)
    height = 4 * _MARGIN + _HEAD + heading_height + title_height + layout.height + legend_height
    axes = _inches(figure, width, height)
    _write(axes, (_MARGIN, height - _MARGIN - heading_height), heading, "bottom")
    top = height - 2 * _MARGIN - heading_height - title_height
    for place, (panel, title) in enumerate(zip(shown, titles, strict=True)):
        left = _MARGIN + place * (column + _GAP)
        _write(axes, (left + column / 2, top), title, "bottom", is_title=True)
        corner = left + (column - layout.width) / 2, top - _HEAD - layout.height
        _draw_graph(axes, panel, layout.moved(corner), explanation)
    _draw_legend(axes, tuple(styles), _MARGIN + legend_height)
    return figure


class _Measure:
    """Measures texts as they will be drawn: width and height in inches."""

    def __init__(self, figure: Figure) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        FigureCanvasAgg(figure)
        self._figure = figure

    def __call__(self, text: str) -> Point:
        drawn = self._figure.text(0, 0, text, fontsize=_FONT, parse_math=False)
        box = drawn.get_window_extent()
        drawn.remove()
        return float(box.width) / DPI, float(box.height) / DPI


def _inches(figure: Figure, width: float, height: float) -> Axes:
    figure.set_size_inches(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    return axes


def _wrapped(text: str, length: int) -> str:
    return "\n".join("\n".join(textwrap.wrap(line, length)) for line in text.splitlines())


def _write(
    axes: Axes, place: Point, text: str, va: Literal["bottom", "center_baseline"], is_title: bool = False
) -> None:
    ha: Literal["left", "center"] = "center" if is_title else "left"
    weight = "bold" if is_title else "normal"
    axes.text(*place, text, fontsize=_SMALL, ha=ha, va=va, weight=weight, parse_math=False, linespacing=1.15)


def _draw_graph(axes: Axes, panel: Panel, layout: Layout, explanation: Explanation) -> None:
    from matplotlib.patches import Circle

    names = explanation.way.names
    place = dict(zip(names, layout.nodes, strict=True))
    for style, edges in panel.edges:
        for cause, effect in edges:
            _draw_edge(axes, place[cause], place[effect], style)
    for name, node, label in zip(names, layout.nodes, layout.labels, strict=True):
        is_asked = name in (explanation.claim.first, explanation.claim.second)
        axes.add_patch(Circle(node, NODE_RADIUS, facecolor="black" if is_asked else "white", edgecolor="black"))
        axes.text(*label.centre, label.text, fontsize=_FONT, ha="center", va="center", parse_math=False)


def _draw_edge(axes: Axes, start: Point, end: Point, style: Style, gap: float = NODE_RADIUS) -> None:
    """Draw from rim to rim of two nodes, with the head touching the second."""
    from matplotlib.patches import Polygon

    length = math.dist(start, end)
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def at(distance: float, aside: float = 0) -> Point:
        return start[0] + distance * along[0] - aside * along[1], start[1] + distance * along[1] + aside * along[0]

    tip = length - gap
    stop = tip - _HEAD / 2 if style.has_head else tip
    line: Sequence[tuple[float, float]] = [at(gap), at(stop)]
    dashes = (0, (4, 2)) if style.is_dashed else "solid"
    axes.plot(*zip(*line, strict=True), color=style.colour, linestyle=dashes, linewidth=1.6, solid_capstyle="butt")
    if style.has_head:
        corners = [at(tip), at(tip - _HEAD, _HEAD / 3), at(tip - _HEAD, -_HEAD / 3)]
        axes.add_patch(Polygon(corners, facecolor=style.colour, edgecolor="none"))


def _draw_legend(axes: Axes, styles: tuple[Style, ...], top: float) -> None:
    from matplotlib.patches import Circle

    sample, text = 0.5, 0.6  # inches from the margin
    for row, style in enumerate(styles):
        y = top - (row + 0.5) * _LINE
        _draw_edge(axes, (_MARGIN, y), (_MARGIN + sample, y), style, gap=0)
        _write(axes, (_MARGIN + text, y), style.meaning, "center_baseline")
    y = top - (len(styles) + 0.5) * _LINE
    axes.add_patch(Circle((_MARGIN + sample / 2, y), 0.06, facecolor="black"))
    _write(axes, (_MARGIN + text, y), "variable of the hypothesis", "center_baseline")
