"""Fine-tune a classifier on a data set, as the paper does.

    python scripts/finetune.py MODEL --config scripts/finetune/paper.toml --grid --data data/corr2cause --out runs/model

It needs the extra `finetune`. Started again, it goes on where it was stopped.
"""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.border import BorderedCommand
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import OptionError
from corr2cause.finetuning.running import Task, finetune
from corr2cause.finetuning.settings import read_grid


@click.command(cls=BorderedCommand)
@click.argument("model")
@click.option("--config", type=NAMED_PATH, required=True, help="TOML file of settings; a list is an axis of a grid.")
@click.option("--data", type=NAMED_PATH, default="data/corr2cause", show_default=True, help="Folder of the data.")
@click.option("--out", type=NAMED_PATH, required=True, help="Folder of the run.")
@click.option("--grid", is_flag=True, help="Train every combination, and keep the best by F1 on dev.")
def main(model: str, config: Path, data: Path, out: Path, grid: bool) -> None:
    """Train MODEL (a folder or a name that transformers loads) and write its answers to test and its perturbations."""
    combinations = read_grid(config)
    if len(combinations) > 1 and not grid:
        raise OptionError("--config", f"{config} is a grid of {len(combinations)} combinations; add --grid")
    task = Task(open_dataset(data), model, lambda text: click.echo(text, err=True))
    click.echo(finetune(task, combinations, out))


if __name__ == "__main__":
    main()
