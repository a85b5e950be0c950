"""`corr2cause collect-stories`: what a model answered to the request for stories."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_what_is_read
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import Cell, as_text


@click.command("collect-stories")
@click.argument("answers", type=NAMED_PATH)
@click.option("--data", default="data/corr2cause", show_default=True, type=NAMED_PATH, help="What prompts came from.")
@click.option(
    "--out", type=NAMED_PATH, help="File for the accepted stories.  [default: ANSWERS, ending in .stories.jsonl]"
)
@click.option("--force", is_flag=True, help="Replace the file if it says something else.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def collect_stories(answers: Path, data: Path, out: Path | None, force: bool, as_json: bool, quiet: bool) -> None:
    """Collect the stories that a model wrote, each beside the row whose proven label it has.

    ANSWERS is what `ask` got for the prompts of `prompts --style story`. An answer is accepted if it has the three
    parts that were asked for (premise, hypothesis, relation between them), binds every variable to one phrase, as in
    "hours of sleep (A)", and its hypothesis speaks of the two variables of the row. A line of the file has the model,
    the prompt, the parts, the phrases, and, as `symbolic`, the row: the label stands there only.

    \b
    Example:
      corr2cause prompts --style story --out story-prompts.jsonl
      corr2cause ask story-prompts.jsonl --model NAME --base-url URL --out stories.answers.jsonl
      corr2cause collect-stories stories.answers.jsonl
    """
    from corr2cause.checking.written_stories import collect_stories as collect
    from corr2cause.files import write_anew

    out = out or answers.with_name(f"{answers.name.removesuffix('.jsonl').removesuffix('.answers')}.stories.jsonl")
    refuse_what_is_read(out, answers, data)
    with progress_bar(None, "answers", quiet) as progress:
        found = collect(answers, data, progress)
    written = write_anew(out, found.lines, force)
    numbers = asdict(found.statistics)
    if as_json:
        refused = [asdict(one) for one in found.refused]
        click.echo(json.dumps({"answers": len(found.kept) + len(refused), **numbers, "refused": refused}, indent=2))
    else:
        click.echo(as_text(["", "number"], [[name.replace("_", " "), value] for name, value in numbers.items()]))
        if found.refused:
            reasons: list[list[Cell]] = [[reason, count] for reason, count in found.reasons.items()]
            click.echo(f"\nRefused: {len(found.refused):,}\n\n{as_text(['reason', 'answers'], reasons)}")
    click.echo(f"{out}: {'written' if written else 'made already; nothing to do'}.", err=True)
