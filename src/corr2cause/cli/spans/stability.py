"""`corr2cause spans stability`: would another sample have chosen the same prompting strategy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import GOLD, JSON, PROFILE
from corr2cause.cli.spans.runs import FOLDER
from corr2cause.cli.tables import Cell, as_text


@click.command()
@FOLDER
@GOLD
@click.option("--validation", type=NAMED_PATH, metavar="FILE", help="Rows to choose on, instead of drawn samples.")
@click.option("--sample", type=click.IntRange(1), default=1000, show_default=True, help="Rows of a drawn sample.")
@click.option("--samples", type=click.IntRange(1), default=200, show_default=True, help="How many to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples.")
@PROFILE
@JSON
def stability(
    folder: Path,
    gold: Path,
    validation: Path | None,
    sample: int,
    samples: int,
    seed: int,
    profile: str,
    as_json: bool,
) -> None:
    """Choose the best detection strategy of each model on all rows, and on samples of them.

    FOLDER holds runs of detection on the gold rows. The first sample is the paper's check; the share of samples that
    agree says how much that check is worth.

    \b
    Example:
      corr2cause spans stability runs/ --gold test.json
      corr2cause spans stability runs/ --gold test.json --validation validation.json --json
    """
    from corr2cause.spans.gold import read_gold
    from corr2cause.spans.profiles import PROFILES
    from corr2cause.spans.runs import detection_verdicts, find_runs
    from corr2cause.spans.stability import choose, rows_among
    from corr2cause.spans.stability import samples as draw

    truth = read_gold(gold)
    if validation:
        drawn = rows_among(truth.rows, read_gold(validation).rows, str(validation))
    else:
        drawn = draw(len(truth.rows), sample, samples, seed)
    verdicts = detection_verdicts(find_runs(folder)[0], truth, PROFILES[profile])
    choices = choose(verdicts, drawn)
    if as_json:
        click.echo(json.dumps({"rows": len(truth.rows), "sample": int(drawn[0].sum()), "samples": len(drawn),
                               "choices": [one.to_json() for one in choices]}))  # fmt: skip
        return
    rows: list[list[Cell]] = [
        [
            *(one.model, one.on_all[0], 100 * one.on_all[1], one.on_sample[0], 100 * one.on_sample[1]),
            *("yes" if one.is_stable else "no", 100 * one.agreement),
        ]
        for one in choices
    ]
    header = ["model", "all rows", "F1", "first sample", "F1", "same", "samples that agree (%)"]
    click.echo(as_text(header, rows))
