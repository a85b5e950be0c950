"""`corr2cause generate`: make the data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.row_options import row_options, split_options, target_options
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import as_duration, as_size
from corr2cause.dataset.options import MIN_VARIABLES, GenerationOptions, SplitUnit
from corr2cause.graphs.terms import MAX_ENUMERATED

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest

_SIZE = click.IntRange(MIN_VARIABLES, MAX_ENUMERATED)


@click.command()
@click.option("--n", default=6, show_default=True, type=_SIZE, help="Largest number of variables.")
@click.option("--min-n", default=MIN_VARIABLES, show_default=True, type=_SIZE, help="Smallest number of variables.")
@row_options()
@split_options()
@target_options("data/corr2cause")
@click.option("--dry-run", is_flag=True, help="Only say how many rows, bytes and seconds to expect.")
@click.option("--force", is_flag=True, help="Replace what was made with other options.")
@click.option("--quiet", is_flag=True, help="Show no progress and no summary.")
def generate(
    out: Path, formats: tuple[str, ...], workers: int | None, dry_run: bool, force: bool, quiet: bool, **chosen: Any
) -> None:
    """Generate the complete, exactly labelled data set.

    Every Markov equivalence class of --min-n to --n variables, up to renaming, with every hypothesis about it. A label
    is 1 iff the hypothesis holds in all members of the class. Rows go into train, dev, test and reserve (the rest of
    the dev and test classes).

    \b
    Example:
      corr2cause generate --n 6
      corr2cause generate --n 4 --names ordered --reading path --out data/as-published
    """
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.generating import Target, default_workers, row_count
    from corr2cause.dataset.generating import generate as run
    from corr2cause.dataset.overwriting import stale_perturbations

    options = GenerationOptions.from_json(chosen)
    workers = workers or default_workers(options)
    if dry_run:
        _echo_estimate(options, formats, workers)
        return
    if options.split.split_by is SplitUnit.ROW:
        click.echo("Warning: with --split-by row, train, dev and test share premises.", err=True)
    target = Target(out, formats, force)
    with progress_bar(row_count(options), "rows", quiet) as progress:
        outcome = run(options, target, workers, progress)
    if not outcome.made:
        click.echo(f"{out}: complete already, made with the same options; nothing to do.", err=True)
    elif not quiet:
        click.echo(_summary(options, outcome.manifest))
        size = as_size(sum(entry.bytes for entry in outcome.manifest.files))
        click.echo(f"\n{len(outcome.manifest.files)} files, {size}, in {out}")
    for name in stale_perturbations(out, outcome.manifest):
        click.echo(f"{out / name} was not made from these data; make it again with --force, or remove it.", err=True)


def _echo_estimate(options: GenerationOptions, formats: tuple[str, ...], workers: int) -> None:
    from corr2cause.dataset.estimating import estimate

    found = estimate(options, formats, workers)
    rows: list[list[Cell]] = [[e.n, e.classes, e.rows, as_size(e.bytes), as_duration(e.seconds)] for e in found]
    total: list[Cell] = [
        "all",
        sum(e.classes for e in found),
        sum(e.rows for e in found),
        as_size(sum(e.bytes for e in found)),
        as_duration(sum(e.seconds for e in found)),
    ]
    click.echo(as_text(["n", "classes", "rows", "size", "time"], [*rows, total]))
    click.echo(f"Nothing was written. Size (of {' and '.join(formats)}) and time come from a sample.", err=True)


def _summary(options: GenerationOptions, manifest: Manifest) -> str:
    """Lay out what was made: per size and in all, classes, members, rows, positives and split sizes."""
    from corr2cause.dataset.generating import summarise
    from corr2cause.dataset.schema import SPLITS

    header = ["n", "classes", "members", "rows", "positives", "% positive", *SPLITS]
    rows = [
        [row.n, row.classes, row.members, row.rows, row.positives, 100 * row.positives / row.rows, *row.split_rows]
        for row in summarise(options, manifest)
    ]
    return as_text(header, rows)
