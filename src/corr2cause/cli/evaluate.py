"""`corr2cause evaluate`: how well a model answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.evaluation_tables import to_csv, to_json, to_tables
from corr2cause.cli.figures import draw_into, figures_option
from corr2cause.cli.paths import NAMED_PATH, distinct_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corr2cause.checking.items import Items
    from corr2cause.checking.predictions import Aligned, Predictions


@click.command()
@click.argument("predictions", type=NAMED_PATH)
@click.option(
    "--data", type=NAMED_PATH, default="data/corr2cause", show_default=True, help="Folder or file of the rows."
)
@click.option("--split", help="Split of the folder.  [default: test]")
@click.option(
    "--against",
    type=NAMED_PATH,
    multiple=True,
    help="Answers to the same rows, perturbed: shows how robust the answers are; may be given more than once.",
)
@click.option("--answer-column", metavar="NAME", help="Where the answers stand, if not in one of the usual columns.")
@click.option("--partial", is_flag=True, help="Score the rows that have an answer, pass over answers about others.")
@click.option("--replicates", type=click.IntRange(0), default=1000, show_default=True, help="Of the bootstrap.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--latex", is_flag=True, help="Print the tables as LaTeX (booktabs).")
@click.option("--csv", is_flag=True, help="Print one CSV table with a line for each group.")
@figures_option
def evaluate(
    predictions: Path,
    data: Path,
    split: str | None,
    against: tuple[Path, ...],
    answer_column: str | None,
    partial: bool,
    replicates: int,
    seed: int,
    as_json: bool,
    latex: bool,
    csv: bool,
    figures: Path | None,
) -> None:
    """Score the answers of a model: precision, recall and F1 of "it follows", and accuracy.

    PREDICTIONS is CSV, JSON lines, a JSON list or Parquet, with a column `id` (or in the order of the rows) and the
    answers in the first of these columns: prediction, response, output, completion, answer, text, label. An answer is
    0 or 1, yes or no, true or false, entailment, neutral or contradiction, or all that a model wrote; its last
    statement counts, and "Yes and No" is unreadable, which is wrong. Intervals (95 %) come from resampling equivalence
    classes, since the rows of one premise are not independent. --data takes what `generate`, `perturb` or
    `stories` wrote, or one file of such rows.

    \b
    Example:
      corr2cause evaluate predictions.jsonl
      corr2cause evaluate answers.csv --data data/corr2cause --split dev --json
      corr2cause evaluate original.jsonl --against paraphrased.jsonl --figures figures
      corr2cause evaluate original.jsonl --against paraphrased.jsonl --against renamed.jsonl --csv
    """
    if as_json + latex + csv > 1:
        raise click.UsageError("--json, --latex and --csv exclude each other; leave one of them")
    from corr2cause.bootstrap import Resampling
    from corr2cause.checking.evaluation import evaluate as score
    from corr2cause.checking.items import read_items
    from corr2cause.checking.predictions import align, read_predictions
    from corr2cause.checking.robustness import compare

    names = distinct_names("--against", against)
    everything, resampling = read_items(data, split), Resampling(replicates, seed)
    files = [read_predictions(path, answer_column) for path in (predictions, *against)]
    aligned = align(files, everything.ids, partial)
    _tell(files, aligned, everything)
    items = everything.take(aligned.rows)
    evaluation = score(items, aligned.answers[0], resampling)
    robustness = {
        name: compare(items, aligned.answers[0], perturbed, resampling)
        for name, perturbed in zip(names, aligned.answers[1:], strict=True)
    }
    if figures:
        from corr2cause.checking.charts import evaluation_charts

        draw_into(figures, evaluation_charts(evaluation, robustness))
    if as_json:
        click.echo(to_json(evaluation, robustness))
    elif csv:
        click.echo(to_csv(evaluation, robustness), nl=False)
    else:
        click.echo(to_tables(evaluation, robustness, latex))


def _tell(files: Sequence[Predictions], aligned: Aligned, items: Items) -> None:
    """Say how the files were read, where a reader could wonder."""
    for one, n_unknown in zip(files, aligned.n_unknown, strict=True):
        by = "by id" if one.ids is not None else "in the order of the rows, since there is no column id"
        passed_over = f"; passed over: {n_unknown:,} about rows that are not in the data" if n_unknown else ""
        click.echo(f"{one.path}: answers from the column {one.column}, {by}{passed_over}.", err=True)
    if len(aligned.rows) < len(items.ids):
        click.echo(f"{len(aligned.rows):,} of {len(items.ids):,} rows have an answer and are scored.", err=True)
