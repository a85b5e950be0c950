"""Options that all commands share which make a data set."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import click

from corr2cause.cli.paths import PLACE
from corr2cause.dataset.options import Hypotheses, Names, PremiseStyle, SplitOptions, SplitUnit
from corr2cause.graphs.terms import Reading

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_DEFAULTS = SplitOptions()


def row_options(seeded: str = "names, wording and splits", usual_premise: str = "") -> Decorator:
    """Add what says how classes become rows.

    Args:
        seeded: what the seed is for.
        usual_premise: what is said of the default style of premises, where it is not just `full`.
    """
    return _all_of(
        click.option(
            "--reading",
            type=choice(Reading),
            default=Reading.DIRECT.value,
            show_default=True,
            help="What indirect cause, collider and confounder mean.",
        ),
        click.option(
            "--names",
            type=choice(Names),
            default=Names.SHUFFLED.value,
            show_default=True,
            help="How variables are named; `ordered` is as published, and leaks.",
        ),
        click.option(
            "--premise",
            type=choice(PremiseStyle),
            default=None if usual_premise else PremiseStyle.FULL.value,
            show_default=usual_premise or True,
            help="Which statements a premise lists, and how.",
        ),
        click.option(
            "--hypotheses",
            type=choice(Hypotheses),
            default=Hypotheses.UNORDERED.value,
            show_default=True,
            help="Ask each pair once, or in both directions (as version 1.0 of the published data; twice the rows).",
        ),
        click.option("--seed", default=0, show_default=True, help=f"Seed of {seeded}."),
        click.option("--with-steps", is_flag=True, help="Add a column with the numbered reasoning behind each label."),
    )


def bound_options() -> Decorator:
    """Add what bounds the classes that are taken."""
    return _all_of(
        click.option("--edges", metavar="LO-HI", help="Only classes of so many edges."),
        click.option("--density", metavar="LO-HI", help="Only classes with this part of all pairs adjacent: 0.2-0.4."),
        click.option("--class-size", metavar="LO-HI", help="Only classes of so many members."),
        click.option("--statements", metavar="LO-HI", help="Only classes whose premise states so many independences."),
    )


def split_options() -> Decorator:
    """Add what deals rows to splits."""
    return _all_of(
        click.option(
            "--split-by",
            type=choice(SplitUnit),
            default=_DEFAULTS.split_by.value,
            show_default=True,
            help="Deal whole classes, or single rows (which shares premises between splits).",
        ),
        click.option(
            "--split-fraction",
            default=_DEFAULTS.split_fraction,
            show_default=True,
            help="At most this part of the rows, and of the classes, of each size is for test; as much for dev.",
        ),
        click.option(
            "--split-classes",
            default=_DEFAULTS.split_classes,
            show_default=True,
            help="Most classes of a size in test, and again in dev.",
        ),
        click.option(
            "--split-rows",
            default=_DEFAULTS.split_rows,
            show_default=True,
            help="Most rows of a size in test, and again in dev.",
        ),
        click.option(
            "--split-threshold",
            default=_DEFAULTS.split_threshold,
            show_default=True,
            help="Sizes with fewer rows than this have no training part.",
        ),
        click.option(
            "--whole-classes",
            is_flag=True,
            help="Test takes all rows of as many classes as --split-rows allows (5 of six variables); no reserve.",
        ),
    )


def making_options(out: str) -> Decorator:
    """Add where rows go, in which formats, and who makes them.

    Args:
        out: the usual folder.
    """
    return _all_of(
        click.option(
            "--out",
            default=out,
            show_default=True,
            type=PLACE,
            help="Folder to write into, or the URL of one (s3://BUCKET/FOLDER; extra `remote`).",
        ),
        click.option(
            "--format",
            "formats",
            multiple=True,
            type=click.Choice(["jsonl", "parquet"]),
            default=("jsonl", "parquet"),
            show_default=True,
            help="File format; for both, give the option twice.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Processes that build rows.  [default: one per core from a million rows on, else 1]",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on the Dask cluster of this scheduler (tcp://HOST:PORT), all of which must share --out.",
        ),
        click.option("--dry-run", is_flag=True, help="Only say how many rows, bytes and seconds to expect."),
    )


def choice(kind: type[StrEnum]) -> click.Choice[str]:
    """Offer the values of an enumeration."""
    return click.Choice([member.value for member in kind])


def _all_of(*options: Decorator) -> Decorator:
    """Make one decorator of many options, shown by --help in their order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
