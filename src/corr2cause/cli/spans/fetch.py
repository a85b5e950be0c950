"""`corr2cause spans fetch`: the records of a PubMed query."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.units import counted

_DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.argument("query")
@click.option("--from", "begin", required=True, type=_DAY, metavar="DAY", help="The first day, such as 2025-01-01.")
@click.option("--to", "end", required=True, type=_DAY, metavar="DAY", help="The last day.")
@click.option(
    "--date", "datetype", type=click.Choice(["pdat", "edat"]), default="pdat", show_default=True,
    help="The date that counts: of publication, or of entry into PubMed.",
)  # fmt: skip
@click.option("--free", is_flag=True, help="Only records with a free full text.")
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for the XML files; made if absent.")
@click.option("--url", help="Address of the E-utilities, if it is another than NCBI's.")
@click.option("--json", "as_json", is_flag=True, help="Print what was fetched as one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def fetch(
    query: str, begin: datetime, end: datetime, datetype: str, free: bool, out: Path, url: str | None,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Fetch the records of a PubMed query as XML.

    The query is asked month by month, politely: three requests a second, ten if the environment variable NCBI_API_KEY
    holds a key. A run that was stopped goes on where it stopped when the same command is given again.

    \b
    Example:
      corr2cause spans fetch causality --from 2025-01-01 --to 2025-09-03 --free --out data/pubmed
    """
    from corr2cause.spans.pubmed.entrez import BASE, Entrez
    from corr2cause.spans.pubmed.fetching import Query
    from corr2cause.spans.pubmed.fetching import fetch as run

    wanted = Query(query, begin.date(), end.date(), datetype, free)
    with progress_bar(None, " records", quiet) as progress:
        done = run(wanted, out, Entrez(url or BASE), progress)
    if done.received < done.found:
        click.echo(f"The server found {done.found:,} records and sent {done.received:,} of them.", err=True)
    click.echo(
        json.dumps(asdict(done))
        if as_json
        else f"{out}: {counted(done.received, 'record')} in {counted(done.files, 'file')}"
    )
