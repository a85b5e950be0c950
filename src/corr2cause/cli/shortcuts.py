"""`corr2cause shortcuts`: what gives the labels away without reasoning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.baselines import baselines_table
from corr2cause.cli.evaluation_tables import METRICS, show_interval
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.checking.labelled_texts import LabelledTexts
    from corr2cause.checking.leaks import LeakReport
    from corr2cause.checking.ngrams import Association

_LEAST_COUNT = 30  # of fewer rows, none positive is no surprise

_TITLE = """\
N-grams of the {} that go along with a label: the {} largest differences of {:,} in at least {:,} of {:,} rows
(PMI: pointwise mutual information with a label, in bits; alike: others in exactly the same texts, not listed)"""
_LEAK_TITLE = """\
Leak on test: {} of the best shortcut (on dev: {}) above an answer that is always the same
(per cent, with 95 % intervals over classes)"""


@click.command()
@click.argument("data", default="data/corr2cause", type=NAMED_PATH)
@click.option("--split", help="Split of the folder in which n-grams are counted.  [default: train]")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many n-grams to show.")
@click.option(
    "--min-count",
    type=click.IntRange(1),
    help="Least number of rows that hold an n-gram.  [default: 1 % of the rows, but 30]",
)
@click.option("--no-leak", is_flag=True, help="Count n-grams only; needs no scikit-learn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def shortcuts(
    data: Path, split: str | None, top: int, min_count: int | None, no_leak: bool, as_json: bool, quiet: bool
) -> None:
    """Find what gives the labels away without reasoning.

    First the runs of up to four tokens that go along with a label: pointwise mutual information (PMI) of n-gram and
    label over rows, as in the Corr2Cause paper, and the difference between the two labels. Nothing is smoothed: -inf
    says that no row with that label holds the n-gram.

    Then the leak score: how far the F1 of the best shortcut (see `baselines`) on test lies above the F1 of the majority
    answer, which is 0 if that is no, and of always yes, which is the best that one can do without reading anything.
    If 45 to 55 % of dev follow, it is the accuracy that counts, above the half of the rows that either of them has
    right. It needs the extra `baselines` (scikit-learn).

    DATA is a folder that `generate` or `perturb` made, or a file in any layout that `audit` takes. A file has no
    splits to train on, and no leak score.

    \b
    Example:
      corr2cause shortcuts
      corr2cause shortcuts data/corr2cause --top 20 --min-count 1000 --no-leak
      corr2cause shortcuts published/train.csv --json
    """
    from corr2cause.checking.labelled_texts import FIELDS
    from corr2cause.checking.ngrams import associations

    rows = _read(data, split, quiet)
    least = min_count or max(_LEAST_COUNT, -(-len(rows) // 100))
    found = {}
    for field in FIELDS:
        column = getattr(rows, field)
        with progress_bar(len(column.texts), " texts", quiet) as progress:
            found[field] = associations(column, rows.labels, least, progress)
    leak = None if no_leak else _leak(data, quiet)
    click.echo(_as_json(rows, found, leak, least, top) if as_json else _as_text(rows, found, leak, least, top))


def _read(data: Path, split: str | None, quiet: bool) -> LabelledTexts:
    from corr2cause.checking.labelled_texts import read_file, read_split
    from corr2cause.dataset.reading import open_dataset
    from corr2cause.errors import FileError, OptionError

    if not data.is_file():
        rows = read_split(open_dataset(data), split or "train")
    elif split:
        raise OptionError("--split", f"{data} is one file and has no splits; leave the option out")
    else:
        with progress_bar(None, " rows", quiet) as progress:
            rows = read_file(data, progress)
    if not 0 < rows.labels.sum() < len(rows):
        raise FileError(str(data), "all labels are the same here, so nothing can go along with one of them")
    return rows


def _leak(data: Path, quiet: bool) -> LeakReport | None:
    """Measure the leak of a folder that has what this takes; say it if not."""
    from corr2cause.checking.baselines import SHORTCUTS, read_material
    from corr2cause.checking.leaks import CONSTANTS, measure_leak
    from corr2cause.dataset.reading import open_dataset

    if data.is_file() or not {"train", "dev", "test"} <= set(open_dataset(data).splits):
        click.echo(f"{data}: no leak score, since that takes the splits train, dev and test.", err=True)
        return None
    with progress_bar(len(CONSTANTS + SHORTCUTS), " baselines", quiet) as progress:
        return measure_leak(read_material(data, "test"), progress)


def _as_json(
    rows: LabelledTexts, found: Mapping[str, Sequence[Association]], leak: LeakReport | None, least: int, top: int
) -> str:
    return json.dumps(
        {
            "rows": len(rows),
            "positives": int(rows.labels.sum()),
            "min_count": least,
            **{field: [one.to_json() for one in strongest[:top]] for field, strongest in found.items()},
            "leak": leak and leak.to_json(),
        },
        ensure_ascii=False,
        indent=2,
    )


def _as_text(
    rows: LabelledTexts, found: Mapping[str, Sequence[Association]], leak: LeakReport | None, least: int, top: int
) -> str:
    tables = [
        f"{_TITLE.format(field, min(top, len(strongest)), len(strongest), least, len(rows))}\n\n"
        f"{_associations_table(strongest[:top])}"
        for field, strongest in found.items()
    ]
    return "\n\n".join([*tables, *([_leak_tables(leak)] if leak else [])])


def _associations_table(strongest: Sequence[Association]) -> str:
    header = ["n-gram", "alike", "rows", "label 1", "% label 1", "PMI label 1", "PMI label 0", "difference"]
    cells: list[list[Cell]] = [
        [
            *(" ".join(one.ngrams[0]), len(one.ngrams) - 1, one.rows, one.positives, 100 * one.positives / one.rows),
            *(one.pmi_positive, one.pmi_negative, one.difference),
        ]
        for one in strongest
    ]
    return as_text(header, cells)


def _leak_tables(leak: LeakReport) -> str:
    measure = METRICS[leak.measure]
    cells: list[list[Cell]] = [
        [one.above, 100 * one.difference(leak.measure), show_interval(one.interval(leak.measure))] for one in leak.leaks
    ]
    table = as_text(["above", f"{measure} difference", "95 %"], cells)
    title = _LEAK_TITLE.format(measure, leak.best.name)
    return f"Shortcuts on test\n\n{baselines_table(leak.scores)}\n\n{title}\n\n{table}"
