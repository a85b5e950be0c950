"""`corr2cause perturb`: the same items in other words or with other names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.tables import Cell, as_text
from corr2cause.dataset.options import Mode, PerturbationOptions

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest


@click.command()
@click.option(
    "--mode",
    required=True,
    type=click.Choice([mode.value for mode in Mode]),
    help="What to change.",
)
@click.option(
    "--data",
    default="data/corr2cause",
    show_default=True,
    type=NAMED_PATH,
    help="Folder of the data set.",
)
@click.option(
    "--split",
    "splits",
    multiple=True,
    type=click.Choice(["train", "dev", "test", "reserve", "all"]),
    default=("test", "dev"),
    show_default=True,
    help="Which rows to perturb; may be given more than once.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the names and orders that are drawn.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Processes that perturb; useful where splits are cut into shards.",
)
@click.option("--force", is_flag=True, help="Replace what was made with other options.")
@click.option("--quiet", is_flag=True, help="Show no progress and no result.")
def perturb(mode: str, data: Path, splits: tuple[str, ...], seed: int, workers: int, force: bool, quiet: bool) -> None:
    """Reword the rows of a data set; labels and ids stay.

    \b
      paraphrase  other words for the hypothesis
      refactor    the alphabet reversed: Z for A, Y for B
      rename      letters drawn at random for each premise
      words       nouns drawn at random for each premise
      reorder     the statements of each premise in random order
      symbolic    the statements in symbols

    They go into DATA/perturbation_by_MODE and become a further configuration of the data set.

    \b
    Example:
      corr2cause perturb --mode paraphrase
      corr2cause perturb --mode words --split all --data data/corr2cause
    """
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.exporting.hub_card import config_name
    from corr2cause.dataset.perturbing import perturb as run
    from corr2cause.dataset.reading import open_dataset
    from corr2cause.dataset.variant_folders import folder_name

    source = open_dataset(data)
    options = PerturbationOptions(Mode(mode), source.splits if "all" in splits else splits, seed)
    total = sum(count.rows for count in source.manifest.counts if count.split in options.splits)
    with progress_bar(total, "rows", quiet) as progress:
        outcome = run(source, options, force, workers, progress)
    if not outcome.made:
        click.echo(f"{data}: perturbed already with the same options; nothing to do.", err=True)
    elif not quiet:
        click.echo(_summary(outcome.manifest))
        name = config_name(options.mode)
        click.echo(f'\nin {data / folder_name(options.mode)}, to be read with load_dataset("{data}", "{name}")')


def _summary(manifest: Manifest) -> str:
    """Lay out the rows of each size, and of all, by split."""
    sizes = sorted({count.n for count in manifest.counts})
    rows: list[list[Cell]] = [
        [n, *(sum(c.rows for c in manifest.counts if (c.n, c.split) == (n, split)) for split in manifest.splits)]
        for n in sizes
    ]
    total: list[Cell] = [
        "all",
        *(sum(c.rows for c in manifest.counts if c.split == split) for split in manifest.splits),
    ]
    return as_text(["n", *manifest.splits], [*rows, total])
