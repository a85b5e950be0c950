"""`corr2cause spans prompts`: rows of a span corpus as prompts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_what_is_read
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.prompting import prompt_kind
from corr2cause.cli.spans.reading import FILE

if TYPE_CHECKING:
    from corr2cause.spans.prompting.budget import Lengths


@click.command()
@FILE
@prompt_kind
@click.option("--max-tokens", type=click.IntRange(1), help="Refuse prompts that are longer; the paper allows 2048.")
@click.option(
    "--tokenizer",
    metavar="MODEL",
    help="Count with the tokenizer of a model (extra finetune).  [default: an estimate on the high side]",
)
@click.option("--out", type=NAMED_PATH, help="File to write.  [default: standard output]")
@click.option("--force", is_flag=True, help="Replace the file if it says something else.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def prompts(
    file: Path,
    task: str,
    strategy: str,
    profile: str,
    max_tokens: int | None,
    tokenizer: str | None,
    out: Path | None,
    force: bool,
    quiet: bool,
) -> None:
    """Put rows as prompts for `corr2cause ask`, one JSON line each: id and messages.

    \b
      zero-shot      definition, what to mark, form of the answer
      few-shot       the same with examples
      cot            with steps to reason in
      cot-fewshot    with an example that shows the reasoning
      least-to-most  with smaller problems to solve first
      react          with rounds of thought, action and observation

    No prompt is ever cut: with --max-tokens nothing is written unless all fit. How long they are stands on stderr.

    \b
    Example:
      corr2cause spans prompts test.json --task extraction --strategy few-shot --max-tokens 2048 --out few.jsonl
      corr2cause spans prompts test.json --task detection --strategy cot --profile released
    """
    from corr2cause.spans.gold import read_gold
    from corr2cause.spans.prompting.budget import ESTIMATE, check_lengths, tokenizer_counter
    from corr2cause.spans.prompting.prompts import PromptKind, make_prompts

    if out:
        refuse_what_is_read(out, file)
    kind, rows = PromptKind(task, strategy, profile), read_gold(file).rows
    counter = tokenizer_counter(tokenizer) if tokenizer else ESTIMATE
    with progress_bar(len(rows), " prompts", quiet) as progress:
        lengths = check_lengths(rows, kind, counter, max_tokens, progress)

    def lines() -> Iterator[str]:
        return (f"{json.dumps(one.to_json(), ensure_ascii=False)}\n" for one in make_prompts(rows, kind))

    if out is None:
        for line in lines():
            click.echo(line, nl=False)
    else:
        from corr2cause.files import write_anew

        written = write_anew(out, lines, force)
        click.echo(f"{out}: {'written' if written else 'made already with the same options; nothing to do'}.", err=True)
    click.echo(_told(lengths, len(rows)), err=True)


def _told(lengths: Lengths, n_rows: int) -> str:
    return (
        f"{n_rows:,} prompts; the longest, of row {lengths.row}, has {lengths.longest:,} tokens, "
        f"{lengths.frame:,} of them without the text ({lengths.counter.name})."
    )
