"""What commands that make a data set tell: what to expect, how a stopped run goes on, what was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import as_duration, as_size, counted
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.dataset.estimating import Estimate
    from corr2cause.dataset.generating import Outcome


def echo_estimate(found: Sequence[Estimate], formats: Sequence[str], workers: int) -> None:
    """Print what a run would make and take."""
    from corr2cause.dataset.estimating import peak_memory

    rows: list[list[Cell]] = [[e.n, e.classes, e.rows, as_size(e.bytes), as_duration(e.seconds)] for e in found]
    total: list[Cell] = [
        "all",
        sum(e.classes for e in found),
        sum(e.rows for e in found),
        as_size(sum(e.bytes for e in found)),
        as_duration(sum(e.seconds for e in found)),
    ]
    click.echo(as_text(["n", "classes", "rows", "size", "time"], [*rows, total]))
    if memory := peak_memory(sum(e.rows for e in found), workers):
        processes = "one process" if workers == 1 else f"{workers} workers and the process that directs them"
        click.echo(f"Memory of {processes}: about {as_size(memory)}.", err=True)
    click.echo(f"Nothing was written. Size (of {' and '.join(formats)}) and time come from a sample.", err=True)


def require_cluster(scheduler: str | None, workers: int | None) -> None:
    """See that a cluster that was named can work, before anything else is done, and that only one kind of worker is."""
    from corr2cause.cli.progress import note
    from corr2cause.execution import require_workers

    if scheduler is not None:
        if workers is not None:
            raise OptionError("--workers", "the workers are those of the cluster; leave this out, or --scheduler")
        require_workers(scheduler, lambda: note("No worker has joined the cluster yet; waiting for one."))


@contextmanager
def telling_how_to_go_on(out: Path | str) -> Iterator[None]:
    """Say, when the block fails or is interrupted, whether finished pieces are kept."""
    from corr2cause.dataset.staging import unfinished

    try:
        yield
    except BaseException as stop:
        if isinstance(out, Path) and unfinished(out):
            click.echo("What is finished is kept: the same command goes on from there.", err=True)
        elif isinstance(stop, SystemExit | KeyboardInterrupt):
            click.echo("No file was finished yet: the same command begins anew.", err=True)
        raise


def tell_what_was_made(out: Path | str, outcome: Outcome, summary: str) -> None:
    """Print the summary, if there is one, the files, and what no longer belongs to them."""
    from corr2cause.dataset.overwriting import stale_perturbations

    if not outcome.made:
        click.echo(f"{out}: complete already, made with the same options; nothing to do.", err=True)
    elif summary:
        size = as_size(sum(entry.bytes for entry in outcome.manifest.files))
        click.echo(f"{summary}\n\n{counted(len(outcome.manifest.files), 'file')}, {size}, in {out}")
    for path in stale_perturbations(out, outcome.manifest) if isinstance(out, Path) else ():
        click.echo(f"{out}/{path} was not made from these data; make it again with --force, or remove it.", err=True)
