"""`corr2cause spans decide`: decisions from a file."""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.spans.adjudicate import AUTHOR, DB, author_of
from corr2cause.cli.spans.reading import FILE
from corr2cause.cli.units import counted


@click.command()
@FILE
@DB
@AUTHOR
def decide(file: Path, db: Path, author: str | None) -> None:
    """Take the decisions of a file of JSON lines, as if they were taken on the page.

    A line holds s/n, item (its place in the row, counted from 0, as `spans queue --json` lists them, without --db if
    the file of adjudication is there already), action (accept-1, accept-2, accept-both, edit, drop, add, reopen), and
    where it applies pair (cause, effect, causality, sententiality), reason and author. An audit log is such a file: it
    repeats an adjudication.

    \b
    Example:
      corr2cause spans decide log.jsonl --db disputes.db
    """
    from corr2cause.spans.annotating.outcome import replay
    from corr2cause.spans.annotating.store import Store

    number = replay(Store(db), file, author_of(author))
    click.echo(f"{db}: {counted(number, 'decision')} taken")
