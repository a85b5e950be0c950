"""`corr2cause spans stats`: what a corpus consists of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.reading import COLUMNS, corpus_of
from corr2cause.cli.tables import as_text
from corr2cause.counts import share

if TYPE_CHECKING:
    from corr2cause.spans.statistics import CorpusStatistics

_MARKERS = 15
_COUNTS = (
    "rows", "causal_rows", "rows_with_pairs", "single_pair_rows", "multi_pair_rows", "pairs", "half_pairs",
    "labelled_pairs", "repaired_labels", "verbatim_pairs",
)  # fmt: skip


@click.command()
@click.argument("files", nargs=-1, required=True, type=NAMED_PATH, metavar="FILE...")
@COLUMNS
@click.option("--plot", type=NAMED_PATH, help="Draw a figure too, as .png or .svg (extra plot).")
@click.option("--force", is_flag=True, help="Replace the figure if it is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def stats(
    files: tuple[Path, ...], columns: str | None, plot: Path | None, force: bool, as_json: bool, quiet: bool
) -> None:
    """Count rows, pairs, labels, words, sentences and markers.

    Several FILEs are counted together, as one corpus. Labels count as what they are meant to be; how many had to be
    repaired for that is counted too.

    \b
    Example:
      corr2cause spans stats corpus.json
      corr2cause spans stats train.json test.json --json
      corr2cause spans stats corpus.json --plot corpus.svg
    """
    from corr2cause.spans.statistics import corpus_statistics

    if plot:
        refuse_to_replace(plot, force, *files)
    rows = [row for file in files for row in corpus_of(file, columns).rows]
    with progress_bar(len(rows), " rows", quiet) as progress:
        found = corpus_statistics(rows, progress)
    if plot:
        from corr2cause.spans.figures import plot_statistics

        plot_statistics(found, plot)
    click.echo(json.dumps(found.to_json(), ensure_ascii=False) if as_json else _as_text(found))


def _as_text(found: CorpusStatistics) -> str:
    n_pairs = found.pairs
    tables = [
        as_text(("count", "number"), [(key.replace("_", " "), getattr(found, key)) for key in _COUNTS]),
        as_text(("pairs per row", "rows"), [(size, rows) for size, rows in found.pairs_per_row.items()]),
        as_text(
            ("causality", "sententiality", "pairs", "%"),
            [(*names, number, 100 * share(number, n_pairs)) for names, number in found.labels.items()],
        ),
        as_text(("sentences per row", "rows"), [(size, rows) for size, rows in found.sentences_per_row.items()]),
        as_text(
            ("words of", "mean", "median", "least", "most"),
            [(what, of.mean, float(of.median), of.least, of.most) for what, of in found.words.items()],
        ),
        as_text(
            ("spans", "found", "number"), [(side, status, number) for (side, status), number in found.alignment.items()]
        ),
        as_text(
            ("list of markers", "causality", "marker in the row", "pairs"),
            [(name, kind, "yes" if has else "no", number) for (name, kind, has), number in found.marked_pairs.items()],
        ),
        as_text(
            (f"marker of the guideline (first {_MARKERS})", "occurrences"),
            list(found.markers["guideline"].items())[:_MARKERS],
        ),
    ]
    return "\n\n".join(table for table in tables if table.count("\n") > 1)
