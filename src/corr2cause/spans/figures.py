"""Figures of a corpus: pairs per row, labels, words per row, markers. The extra `plot` brings matplotlib."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corr2cause.errors import MissingExtraError, OptionError
from corr2cause.files import whole_file
from corr2cause.spans.statistics import CorpusStatistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("png", "svg")

_MARKERS = 12  # the most frequent ones that are drawn
_SCOPES = {"Intra": "0.35", "Inter": "0.7", "blank": "1.0"}  # sententiality -> grey


def plot_statistics(statistics: CorpusStatistics, path: str | Path) -> None:
    """Draw four panels: pairs per row, sentences per row, causality by sententiality, frequent markers.

    The same statistics and version of matplotlib give the same bytes.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OptionError: the file is neither .png nor .svg.
        FileError: it cannot be written.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise OptionError("--plot", f"{path} is neither a .png nor a .svg file; choose one of these")
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error
    from matplotlib.figure import Figure

    drawn = io.BytesIO()
    with mpl.rc_context({**mpl.rcParamsDefault, "svg.hashsalt": "corr2cause"}):
        figure = Figure(figsize=(9, 7), layout="constrained")
        (pairs, sentences), (labels, marks) = figure.subplots(2, 2)
        _bars(pairs, statistics.pairs_per_row, "pairs per row", "rows")
        _bars(sentences, statistics.sentences_per_row, "sentences per row", "rows")
        _draw_labels(labels, statistics)
        _draw_markers(marks, statistics.markers["guideline"])
        figure.savefig(drawn, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    with whole_file(path) as out:
        out.write(drawn.getvalue())


def _bars(axes: Axes, counts: Mapping[int, int], of: str, number: str) -> None:
    axes.bar([str(size) for size in counts], list(counts.values()), color="0.35")
    axes.set(xlabel=of, ylabel=number)


def _draw_labels(axes: Axes, statistics: CorpusStatistics) -> None:
    kinds: Sequence[str] = list(statistics.by_causality())
    below = [0] * len(kinds)
    for scope, grey in _SCOPES.items():
        heights = [statistics.labels.get((kind, scope), 0) for kind in kinds]
        if any(heights):
            axes.bar(kinds, heights, bottom=below, color=grey, edgecolor="black", label=scope)
            below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set(ylabel="pairs", ylim=(0, 1.05 * max(below, default=1) or 1))
    if kinds:
        axes.legend()


def _draw_markers(axes: Axes, counts: Mapping[str, int]) -> None:
    shown = list(counts.items())[:_MARKERS][::-1]
    axes.barh([name for name, _ in shown], [number for _, number in shown], color="0.35")
    axes.set(xlabel="occurrences of the guideline's markers")
