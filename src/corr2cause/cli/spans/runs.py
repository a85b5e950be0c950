"""`corr2cause spans runs`: the tables of a folder of runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.judging import CACHE, EMBEDDER, JSON, PROFILE, embedder_called, keep_vectors
from corr2cause.cli.tables import Cell, as_text
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.spans.gold import Gold
    from corr2cause.spans.runs import Run, RunScore

FOLDER = click.argument("folder", type=NAMED_PATH)
GOLDS = click.option(
    "--gold",
    "golds",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    help="Gold rows of the runs on NAME: a split or data set, or `extraction` or `detection`. Without NAME: of all.",
)


@click.command()
@FOLDER
@GOLDS
@PROFILE
@EMBEDDER
@CACHE
@JSON
@click.option("--quiet", is_flag=True, help="Show no progress.")
def runs(
    folder: Path,
    golds: tuple[str, ...],
    profile: str,
    embedder: str,
    embedding_cache: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Judge a folder of runs anew and show the tables: all strategies, the best of each model, all data sets.

    A run says itself which model, prompt_strategy and split_type (or dataset) it is; the latest of each is taken. Runs
    on several data sets make the table across data sets.

    \b
    Example:
      corr2cause spans runs runs/ --gold test.json
      corr2cause spans runs runs/ --gold combined=test.json --gold biocause=biocause.csv --json
    """
    from corr2cause.spans.profiles import PROFILES
    from corr2cause.spans.runs import best_strategies, find_runs, score_runs

    found, passed_over = find_runs(folder)
    for problem in passed_over:
        click.echo(f"passed over: {problem}", err=True)
    vectors = embedder_called(embedder, embedding_cache)
    with progress_bar(len(found), " runs", quiet) as progress:
        scores = score_runs(found, gold_by_run(golds), PROFILES[profile], vectors, progress)
    keep_vectors(vectors)
    best = best_strategies(scores)
    if as_json:
        listed = {"runs": [one.to_json() for one in scores], "best": [one.to_json() for one in best]}
        click.echo(json.dumps({"profile": profile, "embedder": embedder, **listed}))
    else:
        click.echo(_to_tables(scores, best, profile))


def gold_by_run(golds: Sequence[str]) -> Callable[[Run], Gold]:
    """Return what finds the gold rows of a run: by its data set, else by its task, else those without a name."""
    from corr2cause.spans.gold import read_gold

    named: dict[str, Gold] = {}
    for gold in golds:
        name, equals, path = gold.partition("=")
        named[name if equals else ""] = read_gold(path if equals else gold)

    def of(run: Run) -> Gold:
        for name in (run.split, run.task, ""):
            if name in named:
                return named[name]
        known = f"{run.path} is about {run.split or 'no named split'} ({run.task})"
        raise OptionError("--gold", f"{known}; give its rows as --gold {run.split or run.task}=FILE")

    return of


def _to_tables(scores: Sequence[RunScore], best: Sequence[RunScore], profile: str) -> str:
    parts = []
    for task in dict.fromkeys(one.run.task for one in scores):
        for title, chosen in (("every strategy", scores), ("the best strategy of each model", best)):
            ours = [one for one in chosen if one.run.task == task]
            parts.append(f"{task.capitalize()}, {title} (%, profile {profile})\n\n{_table(ours)}")
    return "\n\n".join(parts)


def _table(scores: Sequence[RunScore]) -> str:
    names = list(scores[0].figures)
    rows: list[list[Cell]] = []
    for one in scores:
        figures = [100 * one.figures[name] for name in names]
        rows.append([one.run.split or None, one.run.model, one.run.strategy, *figures])
    return as_text(["split", "model", "strategy", *names], rows)
