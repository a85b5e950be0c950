"""`corr2cause stories`: the same items, told about the world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.tables import Cell, as_text
from corr2cause.dataset.options import StoryMode, StoryOptions, Told

if TYPE_CHECKING:
    from corr2cause.dataset.manifest import Manifest


@click.command()
@click.argument("data", default="data/corr2cause", type=NAMED_PATH)
@click.option(
    "--mode", required=True, type=click.Choice([mode.value for mode in StoryMode]), help="What stories are about."
)
@click.option(
    "--split",
    "splits",
    multiple=True,
    type=click.Choice(["train", "dev", "test", "reserve", "all"]),
    default=("test", "dev"),
    show_default=True,
    help="Which rows to tell; may be given more than once.",
)
@click.option(
    "--statements",
    type=click.Choice([told.value for told in Told]),
    default=Told.FULL.value,
    show_default=True,
    help="All separating sets that a premise states, or of these only the minimal ones.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the quantities and sentences that are drawn.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Processes that tell; useful where splits are cut into shards.",
)
@click.option("--force", is_flag=True, help="Replace what was made with other options.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress and no result.")
def stories(
    data: Path,
    mode: str,
    splits: tuple[str, ...],
    statements: str,
    seed: int,
    workers: int,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Tell the rows of a data set as stories; labels, ids and proofs stay.

    \b
      nonce      invented quantities, of which nothing can be known
      everyday   quantities of one domain (health, sport, farming …), at random
      congruent  quantities among which common sense knows just the direct causes that are entailed
      anti       quantities among which common sense has just these causes the wrong way round

    Classes that cannot be told as congruent or anti are left out and counted. Stories go into DATA/stories_MODE and
    become a further configuration of the data set, which `evaluate --against`, `export` and all other commands take
    like a perturbation.

    \b
    Example:
      corr2cause stories --mode nonce
      corr2cause stories data/corr2cause --mode anti --split test --statements minimal
    """
    from corr2cause.cli.progress import progress_bar
    from corr2cause.dataset.reading import open_dataset
    from corr2cause.dataset.storytelling import stories as run
    from corr2cause.dataset.variant_folders import STORIES_FOLDER

    source = open_dataset(data)
    chosen = source.splits if "all" in splits else splits
    options = StoryOptions(StoryMode(mode), chosen, Told(statements), seed)
    total = sum(count.rows for count in source.manifest.counts if count.split in options.splits)
    with progress_bar(total, "rows", quiet) as progress:
        outcome = run(source, options, force, workers, progress)
    name = f"{STORIES_FOLDER}{mode}"
    if not outcome.made:
        click.echo(f"{data}: told already with the same options; nothing to do.", err=True)
    if as_json:
        click.echo(json.dumps(_counts(source.manifest, outcome.manifest), indent=2))
    elif outcome.made and not quiet:
        click.echo(_summary(source.manifest, outcome.manifest))
        click.echo(f'\nin {data / name}, to be read with load_dataset("{data}", "{name}")')


def _counts(original: Manifest, told: Manifest) -> list[dict[str, Cell]]:
    """Compare what was told, size after size and split after split, with what there was to tell."""
    known = {(count.n, count.split): count for count in told.counts}
    asked = told.options["split"]
    assert isinstance(asked, list), "the folder was written by this program"
    rows: list[dict[str, Cell]] = []
    for count in original.counts:
        if count.split in asked:
            found = known.get((count.n, count.split))
            rows.append(
                {
                    "n": count.n,
                    "split": count.split,
                    "classes": count.classes,
                    "told": found.classes if found else 0,
                    "rows": found.rows if found else 0,
                    "positives": found.positives if found else 0,
                }
            )
    return rows


def _summary(original: Manifest, told: Manifest) -> str:
    rows = _counts(original, told)
    names = list(rows[0])
    totals: list[list[Cell]] = [
        ["all", split, *(_total(rows, split, name) for name in names[2:])]
        for split in dict.fromkeys(row["split"] for row in rows)
    ]
    return as_text(names, [*([str(row["n"]), *list(row.values())[1:]] for row in rows), *totals])


def _total(rows: list[dict[str, Cell]], split: Cell, name: str) -> int:
    return sum(count for row in rows if row["split"] == split and isinstance(count := row[name], int))
