"""`corr2cause spans leakage`: what split files share."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.reading import COLUMNS, corpus_of
from corr2cause.cli.tables import as_text

if TYPE_CHECKING:
    from corr2cause.spans.formats.reading import Corpus
    from corr2cause.spans.leakage import Twin


@click.command()
@click.argument("files", nargs=-1, required=True, type=NAMED_PATH, metavar="FILE...")
@click.option(
    "--threshold", default=0.8, show_default=True,
    help="The least Jaccard similarity, of runs of three words, of near duplicates.",
)  # fmt: skip
@COLUMNS
@click.option("--strict", is_flag=True, help="Exit with code 1 if two files share a text, nearly or exactly.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every pair, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def leakage(
    ctx: click.Context, files: tuple[Path, ...], threshold: float, columns: str | None, strict: bool, as_json: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Find ids and texts that files share, exactly, but for case and punctuation, or nearly.

    Give all files that must not overlap, such as the training part of detection and the test part of extraction. One
    file is compared with itself. Rows are counted in the second file of each line.

    \b
    Example:
      corr2cause spans leakage detection_train.json extraction_combined_test.json --strict
      corr2cause spans leakage corpus.json --threshold 0.7 --json
    """
    from corr2cause.spans.leakage import twins

    corpora = [corpus_of(file, columns) for file in files]
    with progress_bar(sum(len(corpus.rows) for corpus in corpora), " rows", quiet) as progress:
        found = list(twins([corpus.rows for corpus in corpora], threshold, progress))
    table = _table(corpora, found)
    if as_json:
        click.echo(json.dumps({"files": table, "twins": [_as_json(twin, corpora) for twin in found]}))
    else:
        header = ("first", "second", "shared ids", "exact", "normalised", "near")
        click.echo(as_text(header, [tuple(line.values()) for line in table]))
    ctx.exit(1 if strict and any(twin.first[0] != twin.second[0] for twin in found) else 0)


def _table(corpora: Sequence[Corpus], found: Sequence[Twin]) -> list[dict[str, Any]]:
    """Count the rows of each second file that have a twin in the first, each under the closest kind."""
    from corr2cause.spans.leakage import KINDS, shared_ids

    rows: dict[tuple[int, int, str], set[int]] = defaultdict(set)
    for twin in sorted(found, key=lambda one: KINDS.index(one.kind)):
        files = twin.first[0], twin.second[0]
        if not any(twin.second[1] in rows[(*files, kind)] for kind in KINDS):
            rows[(*files, twin.kind)].add(twin.second[1])
    return [
        {
            "first": corpora[one].path,
            "second": corpora[other].path,
            "shared_ids": len(shared_ids(corpora[one].rows, corpora[other].rows)) if one != other else None,
            **{kind: len(rows[one, other, kind]) for kind in KINDS},
        }
        for one, other in combinations_with_replacement(range(len(corpora)), 2)
    ]


def _as_json(twin: Twin, corpora: Sequence[Corpus]) -> dict[str, Any]:
    (file, row), (other_file, other_row) = twin.first, twin.second
    return {
        "kind": twin.kind,
        "similarity": round(twin.similarity, 4),
        "first": {"file": corpora[file].path, "place": corpora[file].places[row], "id": corpora[file].rows[row].id},
        "second": {
            "file": corpora[other_file].path,
            "place": corpora[other_file].places[other_row],
            "id": corpora[other_file].rows[other_row].id,
        },
    }
