"""`corr2cause stats`: count what there is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.figures import draw_into, figures_option
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import Cell, as_latex, as_text
from corr2cause.graphs.terms import MAX_ENUMERATED

if TYPE_CHECKING:
    from corr2cause.checking.graph_statistics import GraphRow
    from corr2cause.checking.statistics import DatasetStatistics

# the columns of each table: title -> key in the JSON
_GRAPHS = {
    "n": "n",
    "DAGs": "dags",
    "edges per DAG": "edges_per_dag",
    "classes": "classes",
    "DAGs per class": "dags_per_class",
    "members": "members",
    "largest class": "largest_class",
    "labelled classes": "labelled_classes",
    "complete": "complete",
}
_DATASET = {
    "n": "n",
    "samples": "samples",
    "train": "train",
    "dev": "dev",
    "test": "test",
    "reserve": "reserve",
    "tokens/premise": "tokens_per_premise",
    "tokens/hypothesis": "tokens_per_hypothesis",
    "% positive": "positive_percent",
    "vocabulary": "vocabulary",
}
_PREMISES = {
    "n": "n",
    "premises": "premises",
    "train": "premises_train",
    "dev": "premises_dev",
    "test": "premises_test",
    "reserve": "premises_reserve",
    "train & dev": "premises_shared_train_dev",
    "train & test": "premises_shared_train_test",
    "dev & test": "premises_shared_dev_test",
    "duplicate rows": "duplicates",
}
_RELATIONS = {
    "relation": "relation",
    "samples": "samples",
    "positive": "positives",
    "% positive": "positive_percent",
    "entailment": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
}

_GRAPHS_TITLE = """\
Graphs that there are, up to renaming of their nodes (labelled classes: the sum of n!/|Aut| over the classes; complete:
this equals the number of labelled Markov equivalence classes, OEIS A007984)"""
_DATASET_TITLE = "Rows (a token is what the regular expression {} matches)"
_PREMISES_TITLE = """\
Distinct premises, in each split and in both of two (reserve shares its premises with dev and test by design), and rows
that repeat the premise and hypothesis of an earlier one"""


@click.command()
@click.argument("path", default="data/corr2cause", type=NAMED_PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--latex", is_flag=True, help="Print the tables of graphs and of the data set as LaTeX (booktabs).")
@figures_option
@click.option("--quiet", is_flag=True, help="Show no progress.")
def stats(path: Path, as_json: bool, latex: bool, figures: Path | None, quiet: bool) -> None:
    """Count the graphs and the rows of a data set.

    PATH is a folder that `generate`, `sample`, `perturb` or `stories` made, or one JSON lines or Parquet file of such
    rows; without it, data/corr2cause.  For each number of variables in it: the graphs and equivalence classes there
    are, with the proof that none is missing (none of sampled classes); rows, tokens, labels, and the premises that
    splits share.

    \b
    Example:
      corr2cause stats
      corr2cause stats --json data/corr2cause/test.parquet
      corr2cause stats --figures figures
    """
    if as_json and latex:
        raise click.UsageError("--json and --latex exclude each other; leave one of them out")
    from corr2cause.checking.dataset_statistics import dataset_statistics
    from corr2cause.checking.graph_statistics import graph_statistics
    from corr2cause.dataset.schema import SPLITS

    with progress_bar(len(SPLITS), " splits", quiet) as progress:
        dataset = dataset_statistics(path, progress)
    if dataset.sampled:
        which = " and ".join(map(str, dataset.sampled))
        click.echo(f"The classes of {which} variables are a sample: there is no completeness to prove.", err=True)
    whole = [n for n in dataset.sizes if n not in dataset.sampled]
    sizes = [n for n in whole if 1 <= n <= MAX_ENUMERATED]
    if len(sizes) < len(whole):
        click.echo(
            f"Graphs are counted for up to {MAX_ENUMERATED} variables only; there are too many beyond.", err=True
        )
    with progress_bar(len(sizes), " sizes", quiet) as progress:
        graphs = graph_statistics(sizes, progress)
    if figures:
        from corr2cause.checking.charts import statistics_charts

        draw_into(figures, statistics_charts(graphs, dataset))
    show = _as_json if as_json else _as_latex if latex else _as_text
    click.echo(show(graphs, dataset))


def _as_json(graphs: Sequence[GraphRow], dataset: DatasetStatistics) -> str:
    from corr2cause.checking.tokens import TOKENISER

    return json.dumps(
        {
            "graphs": [row.to_json() for row in graphs],
            "dataset": [row.to_json() for row in dataset.rows],
            "relations": [row.to_json() for row in dataset.relations],
            "sampled": dataset.sampled,
            "tokeniser": TOKENISER,
        },
        indent=2,
    )


def _as_latex(graphs: Sequence[GraphRow], dataset: DatasetStatistics) -> str:
    tables = [_table(_DATASET, (row.to_json() for row in dataset.rows))]
    if graphs:
        tables.insert(0, _table(_GRAPHS, (row.to_json() for row in graphs)))
    return "\n\n".join(as_latex(*table) for table in tables)


def _as_text(graphs: Sequence[GraphRow], dataset: DatasetStatistics) -> str:
    from corr2cause.checking.tokens import TOKENISER

    rows = [row.to_json() for row in dataset.rows]
    relations = [row.to_json() for row in dataset.relations if row.n == "all"]
    return "\n\n".join(
        f"{title}\n\n{as_text(*_table(columns, records))}"
        for title, columns, records in (
            (_GRAPHS_TITLE, _GRAPHS, [row.to_json() for row in graphs]),
            (_DATASET_TITLE.format(TOKENISER), _DATASET, rows),
            (_PREMISES_TITLE, _PREMISES, rows),
            ("Labels by relation", _RELATIONS, relations),
        )
        if records
    )


def _table(columns: Mapping[str, str], records: Iterable[Mapping[str, Cell]]) -> tuple[list[str], list[list[Cell]]]:
    """Choose and title columns of records."""
    return list(columns), [[record[key] for key in columns.values()] for record in records]
