"""`corr2cause export`: the data in the formats of other programs."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.tables import as_text
from corr2cause.dataset.exporting.targets import TARGETS
from corr2cause.errors import OptionError
from corr2cause.text.prompting import WITHOUT_EXAMPLES, Style

if TYPE_CHECKING:
    from corr2cause.dataset.exporting.exporting import Export

_EPOCH = "SOURCE_DATE_EPOCH"


def _help() -> str:
    """Return the help, with a table of all targets."""
    width = max(map(len, TARGETS))
    table = "\n".join(f"  {target.name:{width}}  {target.summary}" for target in TARGETS.values())
    return f"""Write a data set in the format of another program.

DATA is a folder that `generate`, `sample`, `perturb` or `stories` wrote, data/corr2cause by default. Perturbations and
stories that lie in it are exported with it. The README.md of an export says how to use it.

\b
{table}

Rows of train, dev and test are written, for lm-eval and inspect those of test, unless --split says otherwise. The
last two take the data files as they are, with reserve, and describe them: as copies, or in their place if DIR is DATA.
--style and --completion are for chat and sft, --style also for grpo and verl. `--completion steps` teaches the worked
steps that end in the answer: those of data made with --with-steps, else they are derived now. Nothing that stands in
DIR is replaced without --force.

\b
Example:
  corr2cause export --to nli --out data/nli
  corr2cause export --to chat --style chain-of-thought --completion steps --out data/reasoned
  corr2cause export --to lm-eval --out data/lm-eval
  corr2cause export --to croissant --date 2024-05-07 --out data/corr2cause
"""


@click.command(help=_help())
@click.argument("data", type=NAMED_PATH, default="data/corr2cause")
@click.option("--to", "target", required=True, metavar="TARGET", type=click.Choice(list(TARGETS)), help="The format.")
@click.option("--out", required=True, metavar="DIR", type=NAMED_PATH, help="Folder of the export, made if absent.")
@click.option(
    "--split",
    "splits",
    multiple=True,
    type=click.Choice(["train", "dev", "test", "reserve", "all"]),
    help="Which rows to export; may be given more than once.",
)
@click.option(
    "--date",
    metavar="YYYY-MM-DD",
    help=f"Day of publication, for croissant.  [default: that of {_EPOCH}, if it is set]",
)
@click.option(
    "--style",
    type=click.Choice([style.value for style in WITHOUT_EXAMPLES]),
    default=Style.ZERO_SHOT.value,
    show_default=True,
    help="How prompts ask, as in `corr2cause prompts`.",
)
@click.option(
    "--completion",
    type=click.Choice(["answer", "steps"]),
    default="answer",
    show_default=True,
    help="What a model is taught to say.",
)
@click.option("--force", is_flag=True, help="Replace what stands in DIR.")
@click.option("--quiet", is_flag=True, help="Show no progress and no result.")
def export(
    data: Path,
    target: str,
    out: Path,
    splits: tuple[str, ...],
    date: str | None,
    style: str,
    completion: str,
    force: bool,
    quiet: bool,
) -> None:
    """Write a data set in the format of another program."""
    if date and target != "croissant":
        raise click.UsageError("--date is for --to croissant; leave it out")
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.exporting.exporting import ExportOptions
    from corr2cause.dataset.exporting.exporting import export as run
    from corr2cause.dataset.exporting.phrasing import Completion
    from corr2cause.dataset.reading import open_dataset
    from corr2cause.dataset.schema import SPLITS

    if target == "croissant":
        date = date or _date_of_epoch(os.environ.get(_EPOCH))
    options = ExportOptions(
        target, SPLITS if "all" in splits else splits, date, force, Style(style), Completion(completion)
    )
    with progress_bar(None, "rows", quiet) as progress:
        done = run(open_dataset(data), options, out, progress)
    if not done.made:
        click.echo(f"{out}: exported already with the same options; nothing to do.", err=True)
    elif not quiet:
        click.echo(_summary(done))
        click.echo(f"\nin {out}")


def _summary(done: Export) -> str:
    return as_text(["file", "rows", "bytes"], [[file.name, file.rows or None, file.bytes] for file in done.files])


def _date_of_epoch(seconds: str | None) -> str | None:
    """Return the day of a number of seconds since 1970, in UTC.

    >>> _date_of_epoch("1715040000")
    '2024-05-07'
    """
    if not seconds:
        return None
    try:
        return dt.datetime.fromtimestamp(int(seconds), dt.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise OptionError(_EPOCH, f"{seconds!r} should be a number of seconds since 1970") from error
