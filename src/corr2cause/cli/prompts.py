"""`corr2cause prompts`: rows as prompts for language models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_what_is_read
from corr2cause.graphs.terms import Reading
from corr2cause.text.prompting import Style


@click.command()
@click.argument("data", default="data/corr2cause", type=NAMED_PATH)
@click.option("--split", help="Split of the folder.  [default: test]")
@click.option(
    "--style",
    type=click.Choice([style.value for style in Style]),
    default=Style.ZERO_SHOT.value,
    show_default=True,
    help="How to ask.",
)
@click.option(
    "--shots", type=click.IntRange(0), help="Examples in each prompt.  [default: 4 with few-shot, none with others]"
)
@click.option(
    "--examples",
    type=NAMED_PATH,
    help="Folder whose train split examples come from.  [default: DATA, or the originals if it is perturbed]",
)
@click.option(
    "--reading",
    type=click.Choice([reading.value for reading in Reading]),
    help="What claims mean in pc-steps and in worked steps.  [default: as DATA was made, else direct]",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="ROWS",
    help="Ask only so many rows, drawn from all over the split.  [default: all]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of --sample, and of the choice of examples.")
@click.option("--out", type=NAMED_PATH, help="File to write.  [default: standard output]")
@click.option("--force", is_flag=True, help="Replace the file if it says something else.")
def prompts(
    data: Path,
    split: str | None,
    style: str,
    shots: int | None,
    examples: Path | None,
    reading: str | None,
    sample: int | None,
    seed: int,
    out: Path | None,
    force: bool,
) -> None:
    """Put rows as prompts, one JSON line each: id and messages.

    DATA is a folder that `generate`, `sample`, `perturb` or `stories` made, or one JSON lines or Parquet file of such
    rows; without it, data/corr2cause.

    \b
      zero-shot         the question of the paper, answered with yes or no
      few-shot          the same after examples from the train split, half of them yes
      chain-of-thought  asks for reasoning and a last line that answers
      pc-steps          teaches the PC algorithm first
      story             has the row retold about the world, as in the paper; `collect-stories` reads the answers

    With --shots, chain-of-thought and pc-steps show examples with worked steps. All prompts show the same examples,
    whatever their own number of variables, so that a server reads them once. They come from the train split, never from
    an equivalence class that is asked: prompts about all rows of train can have none.

    \b
    Example:
      corr2cause prompts --out prompts.jsonl
      corr2cause prompts --sample 100 --out some.jsonl
      corr2cause prompts data/corr2cause --split dev --style pc-steps --shots 2 --out steps.jsonl
    """
    from corr2cause.dataset.exporting.prompts import PromptOptions, make_prompts

    options = PromptOptions(Style(style), shots, seed, Reading(reading) if reading else None, examples, sample)

    def lines() -> Iterator[str]:
        return (f"{json.dumps(one.to_json(), ensure_ascii=False)}\n" for one in make_prompts(data, split, options))

    if out is None:
        for line in lines():
            click.echo(line, nl=False)
    else:
        from corr2cause.files import write_anew

        refuse_what_is_read(out, data)
        written = write_anew(out, lines, force)
        click.echo(f"{out}: {'written' if written else 'made already with the same options; nothing to do'}.", err=True)
