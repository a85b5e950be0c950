"""`corr2cause generate`: make the data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.making import echo_estimate, require_cluster, tell_what_was_made, telling_how_to_go_on
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.row_options import bound_options, making_options, row_options, split_options
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import as_size
from corr2cause.dataset.options import MIN_VARIABLES, GenerationOptions, SplitUnit
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_COUNTED, MAX_ENUMERATED, MAX_SEPARATED

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest
    from corr2cause.execution import Workers

_SIZE = click.IntRange(MIN_VARIABLES, MAX_COUNTED)


class _Sizes(click.IntRange):
    """A number of variables, or the smallest and the largest, as in 3-7."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the smallest number, None if only the largest is given, and the largest."""
        if isinstance(value, tuple):
            return value
        low, dash, high = str(value).partition("-")
        sizes: Any = (low, high) if dash and low and high else (value,)
        if not all(size.isdecimal() for size in sizes):
            self.fail(f"{value!r} is neither a number, such as 6, nor a range, such as 3-6", param, ctx)
        if MAX_COUNTED < int(sizes[-1]) <= MAX_SEPARATED:
            self.fail(f"{value} is more than {MAX_COUNTED}; use `corr2cause sample` to draw some classes", param, ctx)
        least, *most = [super(_Sizes, self).convert(size, param, ctx) for size in sizes]
        if most and least > most[0]:
            self.fail(f"{value} begins above its end; give the smaller number first", param, ctx)
        return (least, most[0]) if most else (None, least)


@click.command()
@click.option(
    "--n",
    "sizes",
    default="6",
    show_default=True,
    type=_Sizes(MIN_VARIABLES, MAX_COUNTED),
    metavar="N|LO-HI",
    help="Largest number of variables, or the smallest and the largest.",
)
@click.option("--min-n", type=_SIZE, help=f"Smallest number of variables.  [default: {MIN_VARIABLES}]")
@click.option(
    "--rows-per-n",
    default=0,
    metavar="ROWS",
    help="Most rows of each size in train: mixtures of sizes.  [default: all]",
)
@bound_options()
@row_options(usual_premise="full, minimal with 8 variables")
@click.option(
    "--balance",
    is_flag=True,
    help="Leave out rows until as many follow as do not, for each size and form of sentence in each split.",
)
@click.option(
    "--only-agreeing",
    is_flag=True,
    help="Leave out rows on which the three readings disagree (before --balance, if both are given).",
)
@split_options()
@making_options("data/corr2cause")
@click.option(
    "--scratch",
    type=NAMED_PATH,
    help="For --n 8: folder in which its classes are found (1 GB), and found again; that of `count --n 8` will do. A "
    "cluster must share it.",
)
@click.option("--yes", is_flag=True, help="Write even if it is more than 10 GB.")
@click.option("--force", is_flag=True, help="Replace what was made with other options, finished or not.")
@click.option("--quiet", is_flag=True, help="Show no progress and no summary.")
def generate(
    sizes: tuple[int | None, int],
    min_n: int | None,
    out: Path | str,
    formats: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    scratch: Path | None,
    dry_run: bool,
    yes: bool,
    force: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Generate the complete, exactly labelled data set.

    Every Markov equivalence class of --min-n to --n variables, up to renaming, with every hypothesis about it. A label
    is 1 iff the hypothesis holds in all members of the class. Rows go into train, dev, test and reserve (the rest of
    the dev and test classes); some options leave rows out. A run that was stopped goes on where it was
    when the same command is given again.

    \b
    Example:
      corr2cause generate --n 6
      corr2cause generate --n 7 --min-n 7 --format parquet
      corr2cause generate --n 3-7 --rows-per-n 10000 --class-size 2-50 --format parquet --out data/mixture
      corr2cause generate --n 4 --names ordered --reading path --out data/as-published
      corr2cause generate --n 6 --balance --only-agreeing --out data/balanced
      corr2cause generate --n 8 --min-n 8 --format parquet --scratch classes-of-8 --out data/eight
    """
    from corr2cause.cli.progress import note, progress_bar
    from corr2cause.dataset.estimating import estimate
    from corr2cause.dataset.generating import Target, default_workers, row_count
    from corr2cause.dataset.generating import generate as run

    if sizes[0] is not None and min_n is not None:
        raise OptionError("--min-n", "--n gives the smallest size already; leave one of them out")
    options = GenerationOptions.from_json({**chosen, "n": sizes[1], "min_n": sizes[0] or min_n or MIN_VARIABLES})
    if scratch and options.n <= MAX_ENUMERATED:
        raise OptionError("--scratch", f"{options.n} variables need none; leave it out")
    if not dry_run:
        require_cluster(scheduler, workers)
    workers = workers or default_workers(row_count(options))
    if dry_run:
        echo_estimate(estimate(options, formats, workers), formats, workers)
        return
    if not yes:
        _refuse_what_is_huge(options, formats)
    if options.split.split_by is SplitUnit.ROW:
        click.echo("Warning: with --split-by row, train, dev and test share premises.", err=True)
    target = Target(out, formats, force)
    if options.n > MAX_ENUMERATED and target.finished_before("generate", target.recorded(options)) is None:
        _find_classes(options.n, scratch, scheduler or workers, quiet)  # it takes long: not where nothing may be made
    total = row_count(options)

    def tell_what_is_there(rows: int) -> None:
        if not quiet:
            note(f"{rows:,} of {total:,} rows are there already, from a run that was stopped; making the others.")

    with progress_bar(total, "rows", quiet) as progress, telling_how_to_go_on(out):
        outcome = run(options, target, scheduler or workers, progress, tell_what_is_there)
    tell_what_was_made(out, outcome, "" if quiet else _summary(options, outcome.manifest))


def _find_classes(n: int, scratch: Path | None, workers: Workers, quiet: bool) -> None:
    """Find the classes of eight variables, or read them where they were found before."""
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.class_lists import discover
    from corr2cause.dataset.discovering import n_pieces

    if scratch is None:
        raise OptionError("--scratch", f"the classes of {n} variables are found through a folder; name one")
    with progress_bar(n_pieces(n), " pieces", quiet) as progress:
        discover(n, scratch, workers, progress)


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
