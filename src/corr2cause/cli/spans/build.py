"""`corr2cause spans build`: candidate rows from PubMed XML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.reading import FORCE
from corr2cause.cli.tables import as_text


@click.command()
@click.argument("sources", nargs=-1, required=True, type=NAMED_PATH, metavar="SOURCE...")
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for the corpus; made if absent.")
@click.option("--min-sentences", "minimum", default=2, show_default=True, help="The fewest sentences of a row.")
@click.option("--max-sentences", "maximum", default=5, show_default=True, help="The most sentences of a row.")
@click.option("--stride", type=int, help="Sentences from one row to the next.  [default: as many as the most]")
@click.option(
    "--remainder", type=click.Choice(["keep", "merge", "drop"]), default="keep", show_default=True,
    help="What becomes of too few sentences at the end of an abstract.",
)  # fmt: skip
@click.option(
    "--unit", type=click.Choice(["row", "sentence"]), default="row", show_default=True,
    help="What goes if it holds a digit or a character outside ASCII.",
)  # fmt: skip
@click.option("--keep-digits", is_flag=True, help="Keep what holds a digit.")
@click.option("--keep-non-ascii", is_flag=True, help="Keep what holds a character outside ASCII.")
@click.option("--keep-duplicates", is_flag=True, help="Keep rows whose text came before.")
@click.option("--sample", type=int, help="Draw so many rows.  [default: all]")
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@FORCE
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def build(sources: tuple[Path, ...], out: Path, force: bool, as_json: bool, quiet: bool, **options: Any) -> None:
    """Cut abstracts into rows for annotation, and count every stage.

    Each SOURCE is a PubMed or MEDLINE XML file, plain or .gz, or a folder of such files, as `fetch` makes it. The
    folder gets corpus.jsonl, with the PubMed id and the place of each row in its abstract, duplicates.jsonl, and
    manifest.json.

    \b
    Example:
      corr2cause spans build data/pubmed --out data/candidates --sample 30000
      corr2cause spans build pubmed25n0001.xml.gz --out data/sentences --unit sentence --stride 1
    """
    from corr2cause.spans.pubmed.building import build as run

    with progress_bar(None, " abstracts", quiet) as progress:
        counts = run(sources, out, _options(**options), force, progress)
    if as_json:
        click.echo(json.dumps(counts))
    else:
        unfiltered = "rows_with_" if options["unit"] == "sentence" else "sentences_with_"  # 0, for nobody looked
        stages = [(stage.replace("_", " "), n) for stage, n in counts.items() if not stage.startswith(unfiltered)]
        click.echo(as_text(("stage", "number"), stages))


def _options(**given: Any) -> Any:
    from corr2cause.spans.pubmed.building import BuildOptions
    from corr2cause.spans.pubmed.candidates import Filters
    from corr2cause.spans.pubmed.windows import Windows

    return BuildOptions(
        Windows(given["minimum"], given["maximum"], given["stride"], given["remainder"]),
        Filters(not given["keep_digits"], not given["keep_non_ascii"], given["unit"], not given["keep_duplicates"]),
        given["sample"],
        given["seed"],
    )
