"""`corr2cause baselines`: the scores that a model has to beat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.evaluation_tables import scores_table
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.tables import as_text
from corr2cause.errors import FileError

if TYPE_CHECKING:
    from corr2cause.checking.baselines import BaselineScore

NAMES = (
    *("majority", "always-yes", "uniform", "proportional", "commonsense"),
    *("template", "alphabetical", "pair-lookup", "premise-length", "hypothesis-only", "bag-of-words"),
)

_TITLE = """\
Baselines on {} of {}
(precision, recall and F1 of what follows; everything in per cent, with 95 % intervals over classes)"""


@click.command()
@click.argument("data", default="data/corr2cause", type=NAMED_PATH)
@click.option("--out", type=NAMED_PATH, help="Folder for the answers: a file NAME.jsonl of each baseline.")
@click.option("--split", default="test", show_default=True, help="The rows to answer.")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Run this one; may be given more than once.")
@click.option("--seed", default=0, show_default=True, help="Seed of the answers that are drawn.")
@click.option("--force", is_flag=True, help="Replace answers that are in --out already.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def baselines(
    data: Path, out: Path | None, split: str, only: tuple[str, ...], seed: int, force: bool, as_json: bool, quiet: bool
) -> None:
    """Answer without reasoning: the scores that a model has to beat.

    Guesses, which read no premise:

    \b
      majority         the more frequent label of train, always
      always-yes       yes, always: the best F1 without reading anything
      uniform          a fair coin
      proportional     yes as often as in dev
      commonsense      what is known of the quantities that `stories` tells of, whatever the premise says; else no

    Shortcuts, which read too little. They are trained on train and say yes from the score on that has the best F1 on
    dev, or the best accuracy if 45 to 55 % of dev follow (so scores of --split train or dev flatter them):

    \b
      template         what is claimed (direct or indirect cause, collider, confounder)
      alphabetical     that, and which of the two names comes first in the alphabet
      pair-lookup      the claim, and whether the premise calls just these two variables independent, or given others
      premise-length   the number of tokens of the premise
      hypothesis-only  the hypothesis: runs of up to four tokens, in a logistic regression
      bag-of-words     the words of premise and hypothesis without their order, likewise

    The last two need the extra `baselines` (scikit-learn). DATA is a folder that `generate`, `perturb` or `stories`
    made; train and dev are those of the originals. `evaluate` reads the answers.

    \b
    Example:
      corr2cause baselines --out baselines
      corr2cause baselines data/corr2cause --only majority --only alphabetical --json
      corr2cause evaluate baselines/alphabetical.jsonl
    """
    from corr2cause.checking.baselines import read_material, run_baseline, write_predictions

    names = [name for name in NAMES if not only or name in only]
    files = {name: out / f"{name}.jsonl" for name in names} if out else {}
    if not force:
        _refuse_existing(list(files.values()))
    material = read_material(data, split, seed)
    scores = []
    with progress_bar(len(names), " baselines", quiet) as progress:
        for name in names:
            scores.append(run_baseline(name, material))
            progress(1)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        for one in scores:
            write_predictions(files[one.name], material.items, one.answers)
    title = _TITLE.format(split, data)
    click.echo(_as_json(split, seed, scores) if as_json else f"{title}\n\n{baselines_table(scores)}")


def baselines_table(scores: Sequence[BaselineScore]) -> str:
    """Lay out a line for each baseline."""
    return as_text(*scores_table("baseline", [one.score for one in scores]))


def _as_json(split: str, seed: int, scores: Sequence[BaselineScore]) -> str:
    return json.dumps(
        {"split": split, "seed": seed, "baselines": {one.name: one.to_json() for one in scores}}, indent=2
    )


def _refuse_existing(files: Sequence[Path]) -> None:
    for file in files:
        if file.exists():
            raise FileError(str(file), "this is there already; --force replaces it, or choose another --out")
