"""What the commands share: reading corpora, with the columns that were named, and telling what was not read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.errors import OptionError, RowError

if TYPE_CHECKING:
    from corr2cause.spans.formats.reading import Corpus
    from corr2cause.spans.rows import Row

FILE = click.argument("file", type=NAMED_PATH)

COLUMNS = click.option(
    "--columns",
    metavar="ROLE=NAME,…",
    help="Read a table of another layout: the columns that hold text, id, cause, effect, label, causality, "
    "sententiality, source.",
)

FORCE = click.option("--force", is_flag=True, help="Replace what is there already.")


def corpus_of(file: Path, columns: str | None = None, is_converted: bool = False) -> Corpus:
    """Read a corpus, and say on stderr which fields no row has a place for.

    Those of our own, such as the place of a row in its abstract, are told only where they get lost in a conversion.
    """
    from corr2cause.spans.formats.foreign import columns_layout
    from corr2cause.spans.formats.layouts import COMPANIONS, RELEASE
    from corr2cause.spans.formats.reading import read_corpus

    corpus = read_corpus(file, columns_layout(_roles(columns)) if columns is not None else None)
    expected = COMPANIONS if corpus.format == RELEASE.name and not is_converted else frozenset()
    told = [f"{name} ({_rows(number)})" for name, number in corpus.left_out.items() if name not in expected]
    if told:
        click.echo(f"{file}: not read: {', '.join(told)}", err=True)
    return corpus


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def distinct_rows(files: Sequence[Path], columns: str | None = None, annotated: bool = False) -> list[Row]:
    """Read files as one corpus, and refuse rows that cannot be told apart.

    Args:
        files: in their order.
        columns: as `corpus_of`.
        annotated: whether every row must be labelled or have pairs.

    Raises:
        RowError: a row has the id of another, or nobody annotated it.
    """
    rows: list[Row] = []
    places: dict[str, str] = {}
    for file in files:
        corpus = corpus_of(file, columns)
        for row, place in zip(corpus.rows, corpus.places, strict=True):
            if before := places.get(row.id):
                raise RowError(str(file), place, f"the id {row.id} stands in {before} already; keep one of them")
            if annotated and not row.is_annotated:
                raise RowError(str(file), place, f"row {row.id} is not annotated; give it a label, or leave it out")
            places[row.id] = f"{file}:{place}"
            rows.append(row)
    return rows


def _roles(columns: str) -> dict[str, str]:
    roles = {}
    for part in columns.split(","):
        role, equals, name = part.partition("=")
        if not equals or not name:
            raise OptionError("--columns", f"{part!r} is not ROLE=NAME; give for example text=Sentence,cause=Cause")
        roles[role.strip()] = name.strip()
    return roles
