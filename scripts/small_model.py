"""Make a small classifier with random weights, to try out scripts/finetune.py without a download.

    python scripts/small_model.py models/small --data data/corr2cause

It needs the extra `finetune`.
"""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.border import BorderedCommand
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.dataset.reading import open_dataset
from corr2cause.finetuning.examples import read_examples
from corr2cause.finetuning.small_model import make_small_model


@click.command(cls=BorderedCommand)
@click.argument("folder", type=NAMED_PATH)
@click.option("--data", type=NAMED_PATH, default="data/corr2cause", show_default=True, help="Folder of the data.")
def main(folder: Path, data: Path) -> None:
    """Write a BERT of two layers into FOLDER, with a tokenizer of the words of the training rows."""
    examples = read_examples(open_dataset(data), "train")
    n_weights = make_small_model(folder, (*examples.premises, *examples.hypotheses))
    click.echo(f"{folder}: {n_weights:,} weights.", err=True)


if __name__ == "__main__":
    main()
