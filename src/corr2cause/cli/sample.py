"""`corr2cause sample`: classes of more variables than can be enumerated, drawn uniformly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.making import echo_estimate, require_cluster, tell_what_was_made, telling_how_to_go_on
from corr2cause.cli.row_options import bound_options, choice, making_options, row_options, split_options
from corr2cause.cli.tables import as_text
from corr2cause.dataset.options import MIN_VARIABLES, SplitUnit
from corr2cause.dataset.sample_options import Distribution, SampleOptions
from corr2cause.graphs.terms import MAX_SEPARATED

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest

_DEFAULTS = SampleOptions()

_FATES = {
    "draws": "draws",
    "taken": "taken",
    "passed_over": "passed over",
    "too_large": "too large",
    "unfit": "out of bounds",
    "repeated": "repeated",
}


@click.command()
@click.option(
    "--n",
    default=_DEFAULTS.n,
    show_default=True,
    type=click.IntRange(MIN_VARIABLES, MAX_SEPARATED),
    help="Number of variables.",
)
@click.option(
    "--classes", default=_DEFAULTS.classes, show_default=True, help="How many classes, distinct up to renaming."
)
@click.option(
    "--distribution",
    type=choice(Distribution),
    default=_DEFAULTS.distribution.value,
    show_default=True,
    help="What is uniform: classes up to renaming, or labelled DAGs, whose classes are then taken.",
)
@bound_options()
@click.option(
    "--max-class-size",
    default=_DEFAULTS.max_class_size,
    show_default=True,
    help="Refuse, and count, classes of more members: every label looks at all of them.",
)
@row_options(
    seeded="draws, names, wording and splits",
    usual_premise="full below 8 variables, minimal from 8 on: full premises grow as n^2 2^(n-2)",
)
@split_options()
@making_options("data/sample")
@click.option("--force", is_flag=True, help="Replace what was made with other options.")
@click.option("--quiet", is_flag=True, help="Show no progress and no summary.")
def sample(
    out: Path | str,
    formats: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    dry_run: bool,
    force: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Draw Markov equivalence classes of many variables, exactly labelled.

    Uniformly by counting, not by a random walk: every class up to renaming has the same chance, or with --distribution
    dags every labelled DAG. Bounds are kept by drawing again, so that what fits is uniform too; half of the pairs are
    adjacent in most graphs, and bounds far from that take long. Labels look at all members of a class, as those of
    `generate` do. A longer sample begins with the classes of a shorter one. A run that was stopped goes on where it was
    when the same command is given again.

    \b
    Example:
      corr2cause sample --n 9 --classes 1000
      corr2cause sample --n 12 --classes 100 --class-size 10-1000 --out data/ambiguous
    """
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.estimating import estimate_sample
    from corr2cause.dataset.generating import Target, default_workers
    from corr2cause.dataset.sampling import row_count
    from corr2cause.dataset.sampling import sample as run

    options = SampleOptions.from_json(chosen)
    if not dry_run:
        require_cluster(scheduler, workers)
    workers = workers or default_workers(row_count(options))
    if dry_run:
        echo_estimate([estimate_sample(options, formats, workers)], formats, workers)
        return
    if options.split.split_by is SplitUnit.ROW:
        click.echo("Warning: with --split-by row, train, dev and test share premises.", err=True)
    with (
        telling_how_to_go_on(out),
        progress_bar(options.classes, "classes", quiet) as drawn,
        progress_bar(row_count(options), "rows", quiet) as progress,
    ):
        outcome = run(options, Target(out, formats, force), scheduler or workers, drawn, progress)
    tell_what_was_made(out, outcome, "" if quiet else _summary(options, outcome.manifest))


def _summary(options: SampleOptions, manifest: Manifest) -> str:
    """Lay out what was made, and what became of the draws."""
    from corr2cause.dataset.schema import SPLITS

    rows, positives = (sum(getattr(count, name) for count in manifest.counts) for name in ("rows", "positives"))
    split_rows = [sum(count.rows for count in manifest.counts if count.split == split) for split in SPLITS]
    drawing = manifest.drawing
    header = ["n", "classes", "members", "rows", "positives", "% positive", *SPLITS]
    table = as_text(
        header,
        [[options.n, options.classes, drawing["members"], rows, positives, 100 * positives / rows, *split_rows]],
    )
    fates = as_text(list(_FATES.values()), [[drawing[fate] for fate in _FATES]])
    return f"{table}\n\n{fates}"
