"""`corr2cause generate`: make the data set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from corr2cause.dataset.options import (
    MIN_VARIABLES,
    GenerationOptions,
    Hypotheses,
    Names,
    PremiseStyle,
    SplitOptions,
    SplitUnit,
)
from corr2cause.graphs.terms import MAX_ENUMERATED, Reading

_SIZE = click.IntRange(MIN_VARIABLES, MAX_ENUMERATED)
_DEFAULTS = SplitOptions()


def _split_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the split to a command."""
    for option in (
        click.option(
            "--split-threshold",
            default=_DEFAULTS.min_rows_to_train,
            show_default=True,
            help="Sizes with fewer rows have no training part.",
        ),
        click.option(
            "--split-rows",
            default=_DEFAULTS.max_rows,
            show_default=True,
            help="Most rows of a size in test, and again in dev.",
        ),
        click.option(
            "--split-classes",
            default=_DEFAULTS.max_classes,
            show_default=True,
            help="Most classes of a size in test, and again in dev.",
        ),
        click.option(
            "--split-fraction",
            default=_DEFAULTS.fraction,
            show_default=True,
            help="Largest part of the rows and classes of a size in test, and again in dev.",
        ),
        click.option(
            "--whole-classes", is_flag=True, help="Take all rows of as many classes as --split-rows allows; no reserve."
        ),
        click.option(
            "--split-by",
            type=click.Choice([unit.value for unit in SplitUnit]),
            show_default=True,
            default=_DEFAULTS.unit.value,
            help="Deal whole classes, or rows (which shares premises).",
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.option("--n", default=6, show_default=True, type=_SIZE, help="Largest number of variables.")
@click.option("--min-n", default=MIN_VARIABLES, show_default=True, type=_SIZE, help="Smallest number of variables.")
@click.option(
    "--out",
    default="data/corr2cause",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(["jsonl", "parquet"]),
    default=("jsonl", "parquet"),
    show_default=True,
    help="File format; may be given twice.",
)
@click.option(
    "--reading",
    type=click.Choice([reading.value for reading in Reading]),
    show_default=True,
    default=Reading.DIRECT.value,
    help="What indirect cause, collider and confounder mean.",
)
@click.option(
    "--names",
    type=click.Choice([names.value for names in Names]),
    show_default=True,
    default=Names.SHUFFLED.value,
    help="How variables are named; `ordered` as published.",
)
@click.option(
    "--premise",
    type=click.Choice([style.value for style in PremiseStyle]),
    show_default=True,
    default=PremiseStyle.FULL.value,
    help="Which statements a premise lists, and how.",
)
@click.option(
    "--hypotheses",
    type=click.Choice([kind.value for kind in Hypotheses]),
    show_default=True,
    default=Hypotheses.UNORDERED.value,
    help="Ask each pair once, or in both directions (v1.0).",
)
@click.option("--seed", default=0, show_default=True, help="Seed of names, wording and splits.")
@_split_options
@click.option("--workers", type=click.IntRange(min=1), help="Processes to use.  [default: one per core]")
@click.option("--dry-run", is_flag=True, help="Only say how many rows, bytes and seconds to expect.")
@click.option("--force", is_flag=True, help="Replace a data set that was made with other options.")
@click.option("--quiet", is_flag=True, help="Show no progress and no table.")
def generate(
    out: Path,
    formats: tuple[str, ...],
    workers: int | None,
    dry_run: bool,
    force: bool,
    quiet: bool,
    **choices: Any,
) -> None:
    """Generate the complete, exactly labelled data set.

    Every Markov equivalence class of --min-n to --n variables, every hypothesis about it, labelled by all members of the
    class, in train, dev, test and reserve.

    \b
    Example:
      corr2cause generate --n 6
      corr2cause generate --n 4 --names ordered --reading path --out data/as-published
    """
