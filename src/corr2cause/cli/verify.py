"""`corr2cause verify`: trust nothing that a data folder says about itself."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import Cell, as_text
from corr2cause.cli.units import counted

_SHOWN = 20  # findings on the terminal; --json gives all


@click.command()
@click.argument("folder", default="data/corr2cause", type=NAMED_PATH)
@click.option("--sample", type=click.IntRange(min=1), help="Derive only so many rows of each split.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def verify(ctx: click.Context, folder: Path, sample: int | None, as_json: bool, quiet: bool) -> None:
    """Verify a data set: files, rows, splits and every label.

    Checksums against the manifest, no file too few or too many, schema, unique ids and texts, equal rows in JSONL and
    Parquet, no premise (renamed or not) shared by train, dev and test; every row is derived again from its text alone,
    its steps too; and the options of the manifest are followed again and must give these rows (with --sample: as many).
    Perturbations in the folder are verified too. Exit code 1 if anything is found.

    \b
    Example:
      corr2cause verify
      corr2cause verify data/corr2cause --sample 1000
    """
    from corr2cause.checking.verification import verify as run
    from corr2cause.dataset.manifest import read_manifest

    rows = sum(count.rows for count in read_manifest(folder).counts)
    with progress_bar(rows, " rows", quiet) as progress:
        found = run(folder, sample, progress)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        sizes = f"{counted(found.files, 'file')}, {counted(found.rows, 'row')}"
        click.echo(f"{sizes}, {found.rows_derived:,} of them derived from their text.")
        shown: list[list[Cell]] = [[one.place, one.row, one.problem] for one in found.findings[:_SHOWN]]
        click.echo(as_text(["place", "row", "problem"], shown) if shown else "Nothing wrong.")
        if len(found.findings) > _SHOWN:
            click.echo(f"and {len(found.findings) - _SHOWN:,} more; --json gives all")
    ctx.exit(1 if found.findings else 0)
