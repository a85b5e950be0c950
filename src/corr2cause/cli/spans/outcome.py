"""`corr2cause spans outcome`: what adjudication came to."""

from __future__ import annotations

import json
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH, is_same, refuse_to_replace
from corr2cause.cli.spans.adjudicate import DB
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.spans.reading import FORCE
from corr2cause.cli.units import counted
from corr2cause.errors import FileError, OptionError


@click.command()
@DB
@click.option("--out", required=True, type=NAMED_PATH, metavar="FILE", help="The adjudicated corpus.")
@click.option("--log", type=NAMED_PATH, metavar="FILE", help="The audit log, as JSON lines.")
@click.option(
    "--to", "form", type=click.Choice(["extraction", "release", "raw", "detection"]), default="extraction",
    show_default=True, help="The format; extraction holds rows with pairs only.",
)  # fmt: skip
@click.option("--unfinished", is_flag=True, help="Leave out rows that are not settled, instead of refusing.")
@FORCE
@JSON
def outcome(db: Path, out: Path, log: Path | None, form: str, unfinished: bool, force: bool, as_json: bool) -> None:
    """Write the adjudicated corpus, and the log of who decided what, why, between which originals.

    What both annotators agree on is taken over as the first of them has it.

    \b
    Example:
      corr2cause spans outcome --db disputes.db --out corpus.json --log log.jsonl
      corr2cause spans outcome --db disputes.db --out corpus.jsonl --to release --unfinished
    """
    from corr2cause.files import write_text
    from corr2cause.spans.annotating.outcome import log_lines, outcome_of
    from corr2cause.spans.annotating.store import Store
    from corr2cause.spans.formats.writing import converted, write_corpus

    for path in (out, log):
        if path:
            refuse_to_replace(path, force, db)
    if log and is_same(log, out):
        raise OptionError("--log", f"{log} would replace the corpus; choose another name")
    store = Store(db)
    found = outcome_of(store.rows())
    if found.open and not unfinished:
        problem = f"{len(found.open):,} rows wait for a decision; go on, or leave them out with --unfinished"
        raise FileError(str(db), problem)
    conversion = converted(found.rows, form)
    write_corpus(out, conversion.rows, form)
    if log:
        write_text(log, "".join(log_lines(store.log())))
    for what, number in conversion.left_out.items():
        click.echo(f"Left out: {what}: {number:,}", err=True)
    if as_json:
        report = {"settled": len(found.rows), "open": list(found.open), "written": len(conversion.rows)}
        click.echo(json.dumps(report | {"actions": found.actions, "left_out": dict(conversion.left_out)}))
    else:
        actions = ", ".join(f"{number:,} {action}" for action, number in found.actions.items())
        written = counted(len(conversion.rows), "row")
        click.echo(f"{out}: {written}; waiting for a decision: {len(found.open):,} ({actions})")
