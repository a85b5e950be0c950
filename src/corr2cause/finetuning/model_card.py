"""The card (README.md) of a trained model: what it is for, what it was made from and how, and how well it did.

It lies beside the weights, so that the hub shows it. The licence is left to whoever publishes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import yaml

from corr2cause import __version__
from corr2cause.files import write_text
from corr2cause.finetuning.run_folder import MODEL

CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a model was trained for.

    Attributes:
        does: one sentence about it.
        reads: what it is given, and what it says of that.
        pipeline: its task, in the words of the hub.
        library: that loads it.
    """

    does: str
    reads: str
    pipeline: str = "text-classification"
    library: str = "transformers"


ENTAILMENT = Purpose(
    "It tells whether a causal hypothesis follows from correlations and independences (Corr2Cause).",
    "It reads a premise and a hypothesis as a pair of texts; class 1 means that the hypothesis follows.",
)
DETECTION = Purpose(
    "It tells texts that state a cause and its effect from others.",
    "It reads a text; class 1 means that it states a cause.",
)
EXTRACTION = Purpose(
    "An adapter with which a language model finds causes and effects in a text.",
    "It goes on from the prompts that `corr2cause spans prompts` writes for the settings below; `corr2cause spans "
    "predictions` reads what it says.",
    "text-generation",
    "peft",
)

_BODY = Template("""\
# $name

$does
$reads

## Training

| what | value |
| --- | --- |
$made

| setting | value |
| --- | --- |
$settings

$epochs

## Limits

It was trained and judged on data of one kind; what it says of other texts nobody has measured. Made by
corr2cause $version.
""")


def write_model_card(folder: Path, purpose: Purpose, record: Mapping[str, Any]) -> None:
    """Write the card into `folder`/model.

    Args:
        folder: of a run.
        purpose: of the model.
        record: of the run, as `run.json` has it.
    """
    base = _public_name(record["model"])
    fields = {
        "base_model": base,
        "library_name": purpose.library,
        "pipeline_tag": purpose.pipeline,
        "license": "other",
        "license_name": "chosen-by-the-publisher",
        "language": ["en"],
        "tags": ["causality"],
    }
    told = {name: value for name, value in record.items() if name not in {"model", "settings", "epochs", "dev"}}
    body = _BODY.substitute(
        name=f"{base}, trained",
        does=purpose.does,
        reads=purpose.reads,
        made=_rows(_flat({"base model": base, **told, **_best(record)})),
        settings=_rows(_flat(record["settings"])),
        epochs=_epochs(record["epochs"]),
        version=__version__,
    )
    head = yaml.safe_dump(fields, sort_keys=False, width=1000, allow_unicode=True)
    write_text(folder / MODEL / CARD, f"---\n{head}---\n\n{body}")


def _public_name(model: str) -> str:
    """Return the name on the hub, or that of the folder: where it lies is nobody's business."""
    return os.path.basename(os.path.abspath(model)) if os.path.exists(model) else model


def _best(record: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{metric} on held-out rows": value for metric, value in record.get("dev", {}).items()}


def _flat(values: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        else:
            yield f"{before}{name}".replace("_", " "), value


def _rows(values: Iterable[tuple[str, Any]]) -> str:
    return "\n".join(f"| {name} | {_shown(value)} |" for name, value in values)


def _epochs(epochs: list[dict[str, Any]]) -> str:
    names = list(epochs[0])
    lines = [names, ["---"] * len(names), *([_shown(epoch[name]) for name in names] for epoch in epochs)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("_", " ")


def _shown(value: object) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
