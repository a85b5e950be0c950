"""`corr2cause explain`: the derivation behind one answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.errors import FileError
from corr2cause.graphs.terms import Reading

if TYPE_CHECKING:
    from corr2cause.checking.explanation import Explanation

_ID = re.compile(r"n\d+-\S+")
_SOURCES = "TEXT, --file, --id, or --premise and --hypothesis"


@click.command()
@click.argument("text", required=False)
@click.option("--file", type=click.File(encoding="utf-8-sig"), help="Read the text from a file; - is standard input.")
@click.option("--premise", help="The premise, if not in a text; needs --hypothesis.")
@click.option("--hypothesis", help="The hypothesis, if not in a text; needs --premise.")
@click.option("--id", "identifier", help="Explain this row of --data.")
@click.option(
    "--data",
    default="data/corr2cause",
    show_default=True,
    type=NAMED_PATH,
    help="Folder of a data set, a perturbation or stories.",
)
@click.option(
    "--reading",
    type=click.Choice([reading.value for reading in Reading]),
    help="What indirect cause, collider and confounder mean.  [default: as --data was made, else direct]",
)
@click.option("--steps", is_flag=True, help="Print numbered steps that end in Yes or No.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--plot",
    type=NAMED_PATH,
    help="Also draw the CPDAG and a counterexample into this .png or .svg file.",
)
def explain(
    text: str | None,
    file: IO[str] | None,
    premise: str | None,
    hypothesis: str | None,
    identifier: str | None,
    data: Path,
    reading: str | None,
    steps: bool,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Explain why a hypothesis follows from a premise, or does not.

    From the statements of the premise to skeleton, v-structures, Meek's rules, CPDAG and class; then either what all
    graphs of the class share, or one in which the hypothesis fails. TEXT reads "Premise: … Hypothesis: …".

    \b
    Example:
      corr2cause explain --id n4-c7-1-2-is_parent
      corr2cause explain --file question.txt --plot answer.png
    """
    if steps and as_json:
        raise click.UsageError("--steps and --json exclude each other; --json holds the steps too")
    texts = [given for given in (text, _read(file) if file else None) if given is not None]
    if (premise is None) is not (hypothesis is None):
        raise click.UsageError("--premise and --hypothesis belong together")
    pairs = [(premise, hypothesis)] if premise is not None and hypothesis is not None else []
    found = _explain(texts, pairs, (identifier, data), Reading(reading) if reading else None)
    if plot:  # first: if it fails, nothing is printed
        from corr2cause.checking.figures import plot_explanation

        plot_explanation(found, plot)
    click.echo(_shown(found, steps, as_json))


def _read(file: IO[str]) -> str:
    try:
        return file.read()
    except UnicodeDecodeError as error:
        raise FileError(file.name, "this is not UTF-8 text; convert the file to UTF-8") from error


def _explain(
    texts: list[str], pairs: list[tuple[str, str]], row: tuple[str | None, Path], reading: Reading | None
) -> Explanation:
    """Explain the one thing that was given."""
    from corr2cause.checking.explanation import explain, explain_row, explain_text
    from corr2cause.dataset.reading import open_dataset

    identifier, data = row
    if len(texts) + len(pairs) + (identifier is not None) != 1:
        raise click.UsageError(f"give one of {_SOURCES}")
    if identifier is not None:
        return explain_row(open_dataset(data), identifier, reading)
    for premise, hypothesis in pairs:
        return explain(premise, hypothesis, reading or Reading.DIRECT)
    if _ID.fullmatch(texts[0].strip()):
        raise click.UsageError(f"{texts[0].strip()} is no text; for the row of this id write --id before it")
    return explain_text(texts[0], reading or Reading.DIRECT)


def _shown(found: Explanation, steps: bool, as_json: bool) -> str:
    if as_json:
        return json.dumps(found.to_json(), ensure_ascii=False)
    return "\n".join(found.steps()) if steps else found.prose()
