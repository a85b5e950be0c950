"""Measure time, memory and bytes of whole data sets against the number of variables, and draw docs/scaling.svg.

    python scripts/measure_scaling.py            # 4 to 7 variables: one worker, two, and a Dask cluster of two
    python scripts/measure_scaling.py --most 6

Prints the table of docs/scaling.md. It needs the `test` extra, and some minutes on a machine that does nothing else.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import distributed
import psutil
from benchmark import best_of, run

from corr2cause.checking.drawing import BLUE, ORANGE, VERMILION, drawn
from corr2cause.dataset.manifest import read_manifest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS = {"one worker": (BLUE, "o", "-"), "two workers": (ORANGE, "s", "--"), "Dask, two workers": (VERMILION, "^", ":")}


@dataclass(frozen=True)
class Figures:
    """What one run took."""

    setting: str
    n: int
    rows: int
    seconds: float
    megabytes: float
    bytes: int


def measure(n: int, setting: str, words: list[str], helpers: list[psutil.Process]) -> Figures:
    """Make all rows of n variables twice, as Parquet, and keep the shorter time."""
    with tempfile.TemporaryDirectory() as folder:
        memory = []

        def once() -> float:
            options = ["--n", str(n), "--min-n", str(n), "--format", "parquet", "--out", folder]
            done = run(["generate", *options, "--force", "--quiet", *words], helpers)
            memory.append(done.megabytes)
            return done.seconds

        seconds = best_of(2, once)
        manifest = read_manifest(folder)
        size = sum(entry.bytes for entry in manifest.files)
        return Figures(setting, n, sum(count.rows for count in manifest.counts), seconds, max(memory), size)


@contextmanager
def cluster() -> Iterator[tuple[str, list[psutil.Process]]]:
    """Start a scheduler with two workers on this machine; yield its address and all its processes."""
    local: Any = distributed.LocalCluster
    with local(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made.scheduler_address, psutil.Process().children()


def draw(found: list[Figures]) -> Figure:
    """Draw the three curves side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    panels: dict[str, Callable[[Figures], float]] = {
        "Time in seconds": lambda one: one.seconds,
        "Memory of all processes in MB": lambda one: one.megabytes,
        "Parquet in bytes per row": lambda one: one.bytes / one.rows,
    }
    for place, (title, read) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(1, len(panels), place)
        for setting, (colour, marker, dashes) in LOOKS.items():
            points = [(one.n, read(one)) for one in found if one.setting == setting]
            axes.plot(*zip(*points, strict=True), color=colour, marker=marker, linestyle=dashes, label=setting)
        axes.set_title(title, fontsize=10, loc="left")
        axes.set_xlabel("variables")
        axes.set_xticks(sorted({one.n for one in found}))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(bottom=0)
    figure.axes[0].set_yscale("log")
    figure.axes[1].legend(fontsize=8, frameon=False)
    return figure


@click.command()
@click.option("--least", default=4, show_default=True, help="Fewest variables.")
@click.option("--most", default=7, show_default=True, help="Most variables.")
@click.option("--out", default="docs/scaling.svg", show_default=True, type=click.Path(path_type=Path))
def main(least: int, most: int, out: Path) -> None:
    """Measure, print a table, draw."""
    sizes = range(least, most + 1)
    found = [measure(n, "one worker", ["--workers", "1"], []) for n in sizes]
    found += [measure(n, "two workers", ["--workers", "2"], []) for n in sizes]
    with cluster() as (address, processes):
        found += [measure(n, "Dask, two workers", ["--scheduler", address], processes) for n in sizes]
    click.echo("| variables | rows | setting | time | memory | bytes | bytes a row |\n|--:|--:|---|--:|--:|--:|--:|")
    for one in sorted(found, key=lambda one: one.n):
        per_row = one.bytes / one.rows
        click.echo(
            f"| {one.n} | {one.rows:,} | {one.setting} | {one.seconds:.1f} s | {one.megabytes:,.0f} MB | "
            f"{one.bytes / 1e6:,.1f} MB | {per_row:.1f} |"
        )
    out.write_bytes(drawn(lambda: draw(found), "svg"))


if __name__ == "__main__":
    main()
