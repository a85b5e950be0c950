"""`corr2cause spans predictions`: the answers of a model, read into a file of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.spans.prompting import prompt_kind
from corr2cause.cli.spans.reading import FORCE
from corr2cause.cli.tables import as_text
from corr2cause.errors import OptionError
from corr2cause.spans.names import RELEASED

if TYPE_CHECKING:
    from corr2cause.spans.answer_files import Predictions

_MOST_REASONS = 5


@click.command()
@click.argument("answers", type=NAMED_PATH)
@click.option("--data", type=NAMED_PATH, required=True, metavar="FILE", help="The rows that were asked about.")
@prompt_kind
@click.option(
    "--parser",
    type=click.Choice(["careful", RELEASED]),
    default="careful",
    show_default=True,
    help="Read answers with care, or as the released code does, which loses more.",
)
@click.option("--model", help="Name of the model.  [default: as the answers say]")
@click.option("--split", default="combined", show_default=True, help="Name of the rows, for tables of many runs.")
@click.option("--timestamp", metavar="YYYYMMDD_HHMMSS", help="Time of the run.  [default: SOURCE_DATE_EPOCH, in UTC]")
@click.option(
    "--out", type=NAMED_PATH, help="File to write.  [default: TASK_SPLIT_MODEL_STRATEGY_TIMESTAMP.json, here]"
)
@FORCE
@JSON
def predictions(
    answers: Path,
    data: Path,
    task: str,
    strategy: str,
    profile: str,
    parser: str,
    model: str | None,
    split: str,
    timestamp: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Read what `corr2cause ask` got, and write the predictions that `spans score` and `spans runs` take.

    ANSWERS are JSON lines with `id` (the s/n of the row) and `response`, and maybe `model`. Where they tell the SHA-256
    of their prompts, it is compared with that of the prompts of this task, strategy and profile. How many answers could
    be read, are empty, broke off, or say nothing is shown; a row without an answer counts as one that says nothing.

    \b
    Example:
      corr2cause spans predictions few.jsonl --data test.json --task extraction --strategy few-shot --out few.json
      corr2cause spans predictions a.jsonl --data test.json --task detection --strategy cot --timestamp 20260308_184255
    """
    from corr2cause.files import write_json
    from corr2cause.spans.answer_files import RunName, read_answer_file, read_predictions, timestamp_of
    from corr2cause.spans.gold import read_gold
    from corr2cause.spans.prompting.prompts import PromptKind
    from corr2cause.spans.prompting.released_parsers import RELEASED_PARSERS

    kind, file, rows = PromptKind(task, strategy, profile), read_answer_file(answers), read_gold(data).rows
    called = model or file.model
    if not called:
        raise OptionError("--model", f"{answers} does not name one model under `model`; give its name")
    name = RunName(kind, called, split, timestamp_of(timestamp))
    found = read_predictions(rows, file, kind, RELEASED_PARSERS[task] if parser == RELEASED else None)
    target = out or Path(name.file_name)
    refuse_to_replace(target, force, answers, data)
    write_json(target, name.to_json(found, data))
    if as_json:
        click.echo(json.dumps({"file": str(target), **found.to_json()}, ensure_ascii=False))
    else:
        click.echo(_table(found))
        click.echo(f"{target}: {len(rows):,} predictions.", err=True)


def _table(found: Predictions) -> str:
    rows: list[tuple[str, int]] = [
        *((status, number) for status, number in found.statuses.items() if number),
        *((f"  {reason}", number) for reason, number in list(found.reasons.items())[:_MOST_REASONS]),
        *((("answers that were cut off", found.n_cut_off),) if found.n_cut_off else ()),
        *((("answers to other rows, left out", found.n_strange),) if found.n_strange else ()),
    ]
    return as_text(["answers", "rows"], rows)
