"""`corr2cause spans coverage`: what corpora cover."""

from __future__ import annotations

import json
from pathlib import Path

import click

from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.tables import Cell, as_text
from corr2cause.errors import OptionError


@click.command()
@click.argument("corpora", nargs=-1, required=True, metavar="[NAME=]FILE…")
@JSON
def coverage(corpora: tuple[str, ...], as_json: bool) -> None:
    """Show what each corpus covers: pairs, explicit and implicit causes, within and across sentences, long spans.

    Everything is counted. "yes" for a label means at least 1 % of the pairs, "partly" fewer; for pairs and spans it is
    half of the causal rows, and half of the spans with more than one word.

    \b
    Example:
      corr2cause spans coverage Ours=test.json BioCause=biocause.csv
      corr2cause spans coverage test.json --json
    """
    from corr2cause.spans.coverage import FEATURES
    from corr2cause.spans.coverage import coverage as count
    from corr2cause.spans.formats.reading import read_corpus

    found = []
    for corpus in corpora:
        name, equals, path = corpus.partition("=")
        if equals and not path:
            raise OptionError("CORPORA", f"{corpus!r} names no file; give NAME=FILE")
        path = path if equals else corpus
        found.append(count(name if equals else Path(path).stem, read_corpus(path).rows))
    if as_json:
        click.echo(json.dumps([one.to_json() for one in found]))
        return
    rows: list[list[Cell]] = [
        [one.name, one.n_rows, one.n_causal, one.n_pairs, *(one.cover(feature).value for feature in FEATURES)]
        for one in found
    ]
    click.echo(as_text(["corpus", "rows", "causal", "pairs", *FEATURES], rows))
