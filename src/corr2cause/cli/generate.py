"""`corr2cause generate`: make the data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.paths import PLACE
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import as_duration, as_size
from corr2cause.dataset.options import (
    MIN_VARIABLES,
    GenerationOptions,
    Hypotheses,
    Names,
    PremiseStyle,
    SplitOptions,
    SplitUnit,
)
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_ENUMERATED, Reading

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest

_SIZE = click.IntRange(MIN_VARIABLES, MAX_ENUMERATED)
_DEFAULTS = SplitOptions()


def _choice(
    kind: type[Reading] | type[Names] | type[PremiseStyle] | type[Hypotheses] | type[SplitUnit],
) -> click.Choice[str]:
    return click.Choice([member.value for member in kind])


_SPLIT_OPTIONS = (
    click.option(
        "--split-by",
        type=_choice(SplitUnit),
        default=_DEFAULTS.split_by.value,
        show_default=True,
        help="Deal whole classes, or single rows (which shares premises between splits).",
    ),
    click.option(
        "--split-fraction",
        default=_DEFAULTS.split_fraction,
        show_default=True,
        help="At most this part of the rows, and of the classes, of each size is for test; as much for dev.",
    ),
    click.option(
        "--split-classes",
        default=_DEFAULTS.split_classes,
        show_default=True,
        help="Most classes of a size in test, and again in dev.",
    ),
    click.option(
        "--split-rows",
        default=_DEFAULTS.split_rows,
        show_default=True,
        help="Most rows of a size in test, and again in dev.",
    ),
    click.option(
        "--split-threshold",
        default=_DEFAULTS.split_threshold,
        show_default=True,
        help="Sizes with fewer rows than this have no training part.",
    ),
    click.option(
        "--whole-classes",
        is_flag=True,
        help="Test takes all rows of as many classes as --split-rows allows (5 of six variables); no reserve.",
    ),
)

_CONTENT_OPTIONS = (
    click.option("--n", default=6, show_default=True, type=_SIZE, help="Largest number of variables."),
    click.option("--min-n", default=MIN_VARIABLES, show_default=True, type=_SIZE, help="Smallest number of variables."),
    click.option(
        "--reading",
        type=_choice(Reading),
        default=Reading.DIRECT.value,
        show_default=True,
        help="What indirect cause, collider and confounder mean.",
    ),
    click.option(
        "--names",
        type=_choice(Names),
        default=Names.SHUFFLED.value,
        show_default=True,
        help="How variables are named; `ordered` is as published, and leaks.",
    ),
    click.option(
        "--premise",
        type=_choice(PremiseStyle),
        default=PremiseStyle.FULL.value,
        show_default=True,
        help="Which statements a premise lists, and how.",
    ),
    click.option(
        "--hypotheses",
        type=_choice(Hypotheses),
        default=Hypotheses.UNORDERED.value,
        show_default=True,
        help="Ask each pair once, or in both directions (as version 1.0 of the published data; twice the rows).",
    ),
    click.option("--seed", default=0, show_default=True, help="Seed of names, wording and splits."),
    click.option("--with-steps", is_flag=True, help="Add a column with the numbered reasoning behind each label."),
    click.option(
        "--balance",
        is_flag=True,
        help="Leave out rows until as many follow as do not, for each size and form of sentence in each split.",
    ),
    click.option(
        "--only-agreeing",
        is_flag=True,
        help="Leave out rows on which the three readings disagree (before --balance, if both are given).",
    ),
)


def _all_of(options: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    """Make one decorator of many options, shown by --help in their order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.command()
@_all_of(_CONTENT_OPTIONS)
@_all_of(_SPLIT_OPTIONS)
@click.option(
    "--out",
    default="data/corr2cause",
    show_default=True,
    type=PLACE,
    help="Folder to write into, or the URL of one (s3://BUCKET/FOLDER; extra `remote`).",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(["jsonl", "parquet"]),
    default=("jsonl", "parquet"),
    show_default=True,
    help="File format; for both, give the option twice.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that build rows.  [default: one per core from a million rows on, else 1]",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Build on the Dask cluster of this scheduler (tcp://HOST:PORT); --out must be a folder that all of it shares.",
)
@click.option("--dry-run", is_flag=True, help="Only say how many rows, bytes and seconds to expect.")
@click.option("--yes", is_flag=True, help="Write even if it is more than 10 GB.")
@click.option("--force", is_flag=True, help="Replace what was made with other options, finished or not.")
@click.option("--quiet", is_flag=True, help="Show no progress and no summary.")
def generate(
    out: Path | str,
    formats: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    dry_run: bool,
    yes: bool,
    force: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Generate the complete, exactly labelled data set.

    Every Markov equivalence class of --min-n to --n variables, up to renaming, with every hypothesis about it. A label
    is 1 iff the hypothesis holds in all members of the class. Rows go into train, dev, test and reserve (the rest of
    the dev and test classes); --balance and --only-agreeing leave some out. A run that was stopped goes on where it was
    when the same command is given again.

    \b
    Example:
      corr2cause generate --n 6
      corr2cause generate --n 7 --min-n 7 --format parquet
      corr2cause generate --n 4 --names ordered --reading path --out data/as-published
      corr2cause generate --n 6 --balance --only-agreeing --out data/balanced
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
    if not yes:
        _refuse_what_is_huge(options, formats)
    if options.split.split_by is SplitUnit.ROW:
        click.echo("Warning: with --split-by row, train, dev and test share premises.", err=True)
    target = Target(out, formats, force)
    with progress_bar(row_count(options), "rows", quiet) as progress, _telling_how_to_go_on(out):
        outcome = run(options, target, scheduler or workers, progress)
    if not outcome.made:
        click.echo(f"{out}: complete already, made with the same options; nothing to do.", err=True)
    elif not quiet:
        click.echo(_summary(options, outcome.manifest))
        size = as_size(sum(entry.bytes for entry in outcome.manifest.files))
        click.echo(f"\n{len(outcome.manifest.files)} files, {size}, in {out}")
    for path in stale_perturbations(out, outcome.manifest) if isinstance(out, Path) else ():
        click.echo(f"{out}/{path} was not made from these data; make it again with --force, or remove it.", err=True)


_HUGE = 10_000_000_000  # bytes
_LARGEST_ROW = 6_000  # bytes on average, in JSON lines with a premise in full; larger data are estimated from a sample


def _refuse_what_is_huge(options: GenerationOptions, formats: tuple[str, ...]) -> None:
    """Ask for --yes before files are written that few disks have room for by chance."""
    from corr2cause.dataset.estimating import estimate
    from corr2cause.dataset.generating import row_count

    if "jsonl" not in formats or row_count(options) * _LARGEST_ROW < _HUGE:
        return
    size = sum(size.bytes for size in estimate(options, formats, workers=1))
    if size >= _HUGE:
        problem = f"this would write about {as_size(size)}; give --yes if you mean it, or choose --format parquet"
        raise OptionError("--format jsonl", problem)


@contextmanager
def _telling_how_to_go_on(out: Path | str) -> Iterator[None]:
    """Say, when the block fails or is interrupted, that finished pieces are kept."""
    from corr2cause.dataset.staging import unfinished

    try:
        yield
    except BaseException:
        if isinstance(out, Path) and unfinished(out):
            click.echo("What is finished is kept: the same command goes on from there.", err=True)
        raise


def _echo_estimate(options: GenerationOptions, formats: tuple[str, ...], workers: int) -> None:
    from corr2cause.dataset.estimating import estimate, peak_memory

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
    if memory := peak_memory(workers):
        processes = "one process" if workers == 1 else f"{workers} workers and the process that directs them"
        click.echo(f"Memory of {processes}: about {as_size(memory)}.", err=True)
    click.echo(f"Nothing was written. Size (of {' and '.join(formats)}) and time come from a sample.", err=True)


def _summary(options: GenerationOptions, manifest: Manifest) -> str:
    """Lay out what was made: per size and in all, classes, members, rows, positives and split sizes."""
    from corr2cause.dataset.generating import summarise
    from corr2cause.dataset.schema import SPLITS

    header = ["n", "classes", "members", "rows", "positives", "% positive", *SPLITS]
    rows: list[list[Cell]] = [
        [row.n, row.classes, row.members, row.rows, row.positives, row.positive_percent, *row.split_rows]
        for row in summarise(options, manifest)
    ]
    table = as_text(header, rows)
    return (
        f"{table}\n\nRows were left out; classes and members are all that there are." if options.leaves_out else table
    )
