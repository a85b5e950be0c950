"""Train an adapter (LoRA) to extract causes and effects, or to detect causal texts, as the PubMedCausal paper does.

    python scripts/spans_lora.py MODEL --config scripts/spans_lora/paper.toml --task extraction --strategy zero-shot \
        --train extraction_train.json --test extraction_test.json --out runs/adapter

It needs the extra `lora`. Started again, it goes on where it was stopped.
"""

from __future__ import annotations

from pathlib import Path

import click

from corr2cause.cli.border import BorderedCommand
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.prompting import prompt_kind
from corr2cause.finetuning.settings import read_settings
from corr2cause.finetuning.spans.running import Task, run_adapter
from corr2cause.finetuning.spans.settings import LoraSettings
from corr2cause.spans.prompting.prompts import PromptKind


@click.command(cls=BorderedCommand)
@click.argument("model")
@click.option("--config", type=NAMED_PATH, required=True, help="TOML file of settings.")
@prompt_kind
@click.option("--train", type=NAMED_PATH, required=True, help="Rows to train on.")
@click.option("--test", type=NAMED_PATH, help="Rows to answer when it is trained.")
@click.option("--out", type=NAMED_PATH, required=True, help="Folder of the run.")
def main(
    model: str, config: Path, task: str, strategy: str, profile: str, train: Path, test: Path | None, out: Path
) -> None:
    """Train an adapter for MODEL (a folder or a name that transformers loads).

    `corr2cause spans predictions` reads its answers. No prompt is cut: rows that do not fit are refused beforehand.
    """
    job = Task(model, train, test, lambda text: click.echo(text, err=True))
    kind = PromptKind(task, strategy, profile)
    run_adapter(job, read_settings(config, LoraSettings), kind, out, lambda n: progress_bar(n, " answers", quiet=False))
    click.echo(out)


if __name__ == "__main__":
    main()
