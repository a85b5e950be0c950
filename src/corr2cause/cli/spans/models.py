"""`corr2cause spans models`: the models of the paper, and how they are run."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.tables import as_text
from corr2cause.spans.names import DESCRIBED, RELEASED

if TYPE_CHECKING:
    from corr2cause.spans.models import Decoding, Registry


@click.command()
@click.option(
    "--profile",
    type=click.Choice([DESCRIBED, RELEASED]),
    default=DESCRIBED,
    show_default=True,
    help="As the paper's text has it, or its released code.",
)
@JSON
def models(profile: str, as_json: bool) -> None:
    """Show the models of the paper: checkpoints, quantisation, batch sizes, decoding.

    The last lines are the options of `corr2cause ask` for each task.

    \b
    Example:
      corr2cause spans models
      corr2cause spans models --profile released --json
    """
    from corr2cause.spans.models import registry

    found = registry(profile)
    click.echo(json.dumps(asdict(found)) if as_json else _told(found))


def _told(found: Registry) -> str:
    prompted = [
        [one.name, one.id or None, one.quantisation, _range(one.batch_size), one.note or None] for one in found.prompted
    ]
    encoders = [[one.name, one.id] for one in found.encoders]
    asked = [[task, _options(found.decoding, most)] for task, most in found.decoding.max_new_tokens.items()]
    return "\n\n".join(
        (
            f"Prompted models (profile {found.profile})",
            as_text(["model", "checkpoint", "weights", "batch", "note"], prompted),
            "Encoders",
            as_text(["model", "checkpoint"], encoders),
            f"Decoding: prompts of at most {found.decoding.max_input_tokens:,} tokens",
            as_text(["task", "options of corr2cause ask"], asked),
        )
    )


def _range(batch_size: tuple[int, int]) -> str:
    least, most = batch_size
    return str(least) if least == most else f"{least} to {most}"


def _options(decoding: Decoding, most: int) -> str:
    extra = f" --extra '{json.dumps(dict(decoding.extra))}'" if decoding.extra else ""
    return f"--temperature {decoding.temperature:g} --max-tokens {most}{extra}"
