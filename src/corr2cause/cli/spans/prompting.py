"""Options of the commands that deal with prompts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from corr2cause.spans.names import DESCRIBED, RELEASED, STRATEGIES, TASKS

_OPTIONS = (
    click.option(
        "--task", required=True, type=click.Choice(TASKS), help="List the pairs, or say whether there is one."
    ),
    click.option("--strategy", required=True, type=click.Choice(STRATEGIES), help="How it is asked."),
    click.option(
        "--profile",
        type=click.Choice([DESCRIBED, RELEASED]),
        default=DESCRIBED,
        show_default=True,
        help="Ask as the paper describes it, or in the way of its released code.",
    ),
)


def prompt_kind(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the three options that name a kind of prompt."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
