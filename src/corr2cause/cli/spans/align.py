"""`corr2cause spans align`: where each span stands in its text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.reading import COLUMNS, FILE, corpus_of
from corr2cause.cli.tables import as_text

if TYPE_CHECKING:
    from corr2cause.spans.rows import Row


@click.command()
@FILE
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each span, with its places in the text.")
@COLUMNS
@click.option("--quiet", is_flag=True, help="Show no progress.")
def align(file: Path, as_json: bool, columns: str | None, quiet: bool) -> None:
    """Find every span in its text, and say how surely.

    exact: as it is written; casefold: in other letter case or with other white space; fuzzy: in other words, with the
    best place and its token F1; none. Places count characters from 0, the end not included.

    \b
    Example:
      corr2cause spans align corpus.json
      corr2cause spans align corpus.json --json
    """
    from corr2cause.spans.aligning import Status

    corpus = corpus_of(file, columns)
    counts: Counter[tuple[str, str]] = Counter()
    with progress_bar(len(corpus.rows), " rows", quiet) as progress:
        for row in corpus.rows:
            for span in _spans(row):
                counts[span["side"], span["status"]] += 1
                if as_json:
                    click.echo(json.dumps(span, ensure_ascii=False))
            progress(1)
    if not as_json:
        cells = [(str(status), counts["cause", status], counts["effect", status]) for status in Status]
        click.echo(as_text(("status", "causes", "effects"), cells))


def _spans(row: Row) -> Iterator[dict[str, Any]]:
    from corr2cause.spans.aligning import align as find

    for number, pair in enumerate(row.pairs):
        for side, span in (("cause", pair.cause), ("effect", pair.effect)):
            found = find(span, row.sentence)
            yield {
                "row": row.id,
                "pair": number,
                "side": side,
                "span": span,
                "status": str(found.status),
                "places": [list(place) for place in found.places],
                "score": round(found.score, 4),
            }
