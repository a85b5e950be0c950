"""`corr2cause count`: how many graphs and classes there are, with the proof that none is missing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from corr2cause.cli.making import require_cluster
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import as_duration
from corr2cause.dataset.options import MIN_VARIABLES
from corr2cause.errors import FileError, OptionError
from corr2cause.graphs.terms import MAX_COUNTED

if TYPE_CHECKING:
    from corr2cause.graphs.census import Census


@click.command()
@click.option(
    "--n", default=7, show_default=True, type=click.IntRange(MIN_VARIABLES, MAX_COUNTED), help="Number of variables."
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes that count.  [default: one per core]")
@click.option("--scheduler", metavar="ADDRESS", help="Count on the Dask cluster of this scheduler (tcp://HOST:PORT).")
@click.option(
    "--scratch",
    type=NAMED_PATH,
    help="Folder for intermediate results, from which a stopped count goes on (0.8 GB for --n 8); a cluster needs one "
    "that all of it shares.  [default: a temporary folder]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def count(n: int, workers: int | None, scheduler: str | None, scratch: Path | None, as_json: bool, quiet: bool) -> None:
    """Count the DAGs and the Markov equivalence classes of --n variables, up to renaming.

    The proof of completeness: the sum of n!/|Aut(CPDAG)| over the classes is the number of labelled classes, which
    others have counted (OEIS A007984). Nothing but the representatives of n-1 variables is held by one process.

    \b
    Example:
      corr2cause count --n 6
      corr2cause count --n 8 --scratch count-8
    """
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.discovering import n_pieces, take_census
    from corr2cause.execution import available_cores
    from corr2cause.graphs.equivalence import LABELLED_CLASSES

    if scheduler is not None and not scratch:
        raise OptionError("--scratch", "a cluster needs a folder that all its workers share; name one")
    require_cluster(scheduler, workers)
    started = time.perf_counter()
    with _folder(scratch) as folder, progress_bar(n_pieces(n), " pieces", quiet) as progress:
        found = take_census(n, folder, scheduler or workers or available_cores(), progress)
    seconds, known = time.perf_counter() - started, LABELLED_CLASSES[n - 1]
    complete = found.labelled_classes == known
    if as_json:
        values = {
            "n": n,
            "dags": found.dags,
            "edges": found.edges,
            "classes": found.classes,
            "labelled_classes": found.labelled_classes,
            "known_labelled_classes": known,
            "complete": complete,
            "seconds": seconds,
        }
        click.echo(json.dumps(values, indent=2))
    else:
        _echo_table(n, found, known)
        click.echo(f"Counted in {as_duration(seconds)}.", err=True)
    if not complete:
        raise FileError(str(scratch or "count"), "classes are missing: a file of this folder is damaged; empty it")


def _echo_table(n: int, found: Census, known: int) -> None:
    header = ["n", "DAGs", "edges per DAG", "classes", "DAGs per class", "labelled classes", "OEIS A007984", "complete"]
    row: list[Cell] = [
        n,
        found.dags,
        found.edges / found.dags,
        found.classes,
        found.dags / found.classes,
        found.labelled_classes,
        known,
        "yes" if found.labelled_classes == known else "NO",
    ]
    click.echo(as_text(header, [row]))


@contextmanager
def _folder(scratch: Path | None) -> Iterator[Path]:
    """Yield the folder for intermediate results; one that nobody named goes afterwards."""
    if scratch is not None:
        yield scratch
        return
    with TemporaryDirectory(prefix="corr2cause-count-") as folder:
        yield Path(folder)
