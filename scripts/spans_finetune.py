"""Fine-tune an encoder to tell causal texts from others, as the PubMedCausal paper does.

    python scripts/spans_finetune.py MODEL --config scripts/spans_finetune/paper.toml --train detection_train.json \
        --test detection_test.json --out runs/encoder

It needs the extra `finetune`. Started again, it goes on where it was stopped.
"""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.border import BorderedCommand
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.finetuning.settings import read_settings
from corr2cause.finetuning.spans.running import Task, run_encoder
from corr2cause.finetuning.spans.settings import EncoderSettings


@click.command(cls=BorderedCommand)
@click.argument("model")
@click.option("--config", type=NAMED_PATH, required=True, help="TOML file of settings.")
@click.option("--train", type=NAMED_PATH, required=True, help="Rows to train on.")
@click.option("--validation", type=NAMED_PATH, help="Rows that choose the epoch; without them it is the last one.")
@click.option("--test", type=NAMED_PATH, help="Rows to answer when it is trained.")
@click.option("--out", type=NAMED_PATH, required=True, help="Folder of the run.")
def main(model: str, config: Path, train: Path, validation: Path | None, test: Path | None, out: Path) -> None:
    """Train MODEL (a folder or a name that transformers loads); `spans score detection` reads its answers."""
    task = Task(model, train, test, lambda text: click.echo(text, err=True))
    run_encoder(task, read_settings(config, EncoderSettings), validation, out)
    click.echo(out)


if __name__ == "__main__":
    main()
