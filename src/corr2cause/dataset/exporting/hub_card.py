"""The data card (README.md) that makes a data folder loadable with `datasets.load_dataset(FOLDER)`.

The licence is left to whoever publishes the data: what the program writes belongs to the person who ran it,
so the card says `other` and names no licence that nobody chose.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

import yaml

from corr2cause.dataset.exporting.origin import origin
from corr2cause.dataset.manifest import FileEntry, Manifest, read_manifest
from corr2cause.dataset.schema import columns
from corr2cause.dataset.variant_folders import STORIES_FOLDER, folder_name, perturbations_of
from corr2cause.errors import FileError
from corr2cause.files import plain_errors, write_text

CARD = "README.md"

_MARK = "# Written by corr2cause, which overwrites it when the data are made again."

_PUBLISHED_CONFIGS = {"paraphrase": "paraphrasing", "refactor": "refactorization"}

HUB_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
"""What the splits of a configuration are called there; reserve belongs to none."""

_SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    10_000_000: "1M<n<10M",
    100_000_000: "10M<n<100M",
}

_READINGS = {
    "direct": "an indirect cause has a directed path and no edge to its effect; a collider is a child of "
    "both variables, a confounder a parent of both",
    "path": "an indirect cause has a directed path of length two or more, with or without an edge; the two "
    "arms to a collider, or from a confounder, are directed paths that share only that variable",
    "ancestral": "an indirect cause has a directed path of length two or more, with or without an edge; a "
    "collider is a third variable that descends from both, a confounder one that is an ancestor of both",
}

_SPLIT_BY_CLASS = (
    "the Markov equivalence class up to renaming of the variables: no premise, nor a renamed copy of one, is "
    "shared between train, dev and test"
)

_SPLIT_BY_ROW = "the single row, so that splits share premises"

_LEFT_OUT = {
    **{
        name: f"Only classes are kept whose {what} is in the bounds that the command below gives."
        for name, what in {
            "edges": "number of edges",
            "density": "number of edges, over that of pairs,",
            "class_size": "number of members",
            "statements": "number of stated independences",
        }.items()
    },
    "rows_per_n": "Of train, so many rows of each size are drawn as the command below gives.",
    "only_agreeing": "Rows on which the readings direct, path and ancestral disagree are left out.",
    "balance": """\
So many rows are left out that as many have label 1 as 0 in each split, for each number of variables and each form of
sentence (its template, and which variable it names first; with ordered names, the two variables that it names). A class
that kept no row is missing.""",
}

_STORIES_ARE_INVENTED = """\
the variables are names without a meaning.
In stories they bear the names of quantities, real or invented, but what is said of these is made up all the same"""

CARD_FIELDS: dict[str, Any] = {
    "pretty_name": "Corr2Cause",
    "license": "other",
    "license_name": "chosen-by-the-publisher",
    "language": ["en"],
    "task_categories": ["text-classification"],
    "task_ids": ["natural-language-inference"],
    "annotations_creators": ["machine-generated"],
    "language_creators": ["machine-generated"],
    "multilinguality": ["monolingual"],
    "source_datasets": ["original"],
    "tags": ["causality", "causal-discovery", "causal-inference", "reasoning", "synthetic"],
}
"""What every card of such data says in its head."""

_BODY = Template("""\
# Corr2Cause

## Dataset Details

Each row asks whether a causal claim (the hypothesis) follows from all statistical relations among a few
variables (the premise). Labels are exact: they are computed over every graph that the premise allows.

* Reading of the relations: $reading.
* Assumptions: the variables form a directed acyclic graph, faithfulness holds, there are no latent variables.
* Balance: $balance of the rows have label 1.
* Made by corr2cause $version with seed $seed.

## Uses

To train or to test whether a model can infer causation from correlation, as binary classification (`label`)
or as natural language inference (`nli_label`):

    from datasets import load_dataset
$loading

It is not meant for causal claims about the world: $meaning.

## Dataset Structure

$columns

$splits

The unit of a split is $unit.
`dev` is called `validation` in the configurations; `reserve`, the rows of test and dev classes that were not
drawn, belongs to none of them.

$files

## Dataset Creation

$origin; each class gives one premise, and each pair of its variables six relations to claim. A
row is labelled by counting the members of the class in which its claim holds. The seed decides ${draws}names, $drawn\
, and nothing else.${left_out}The same version makes the same bytes again with

$commands

## Bias, Risks and Limitations

The text comes from a small set of templates: a model may learn these rather than the inference, and perturbed
test sets are there to tell. There are few classes of up to four variables, which a model may have seen. The
labels hold under the assumptions above, which data of the real world seldom meet. Each `id` occurs once;
`corr2cause stats` counts the pairs of premise and hypothesis that occur more than once, and the premises that
splits share.

## Citation

The task comes from Zhijing Jin, Jiarui Liu, Zhiheng Lyu, Spencer Poff, Mrinmaya Sachan, Rada Mihalcea, Mona
Diab and Bernhard Schölkopf: "Can Large Language Models Infer Causation from Correlation?", ICLR 2024.

    @inproceedings{jin2024can,
      title = {Can Large Language Models Infer Causation from Correlation?},
      author = {Jin, Zhijing and Liu, Jiarui and Lyu, Zhiheng and Poff, Spencer and Sachan, Mrinmaya
                and Mihalcea, Rada and Diab, Mona and Sch{\\"o}lkopf, Bernhard},
      booktitle = {The Twelfth International Conference on Learning Representations},
      year = {2024}
    }
""")


def write_hub_card(folder: str | Path) -> None:
    """Write the card of a data folder anew, from its manifest and those of the perturbations in it.

    Raises:
        FileError: the folder has no manifest, or a README.md that is not such a card.
    """
    refuse_foreign_card(folder)
    write_text(Path(folder, CARD), card_of_folder(folder, read_manifest(folder)))


def card_of_folder(folder: str | Path, manifest: Manifest) -> str:
    """Return the card of a folder whose manifest is, or is going to be, the given one."""
    return hub_card(manifest, perturbations_of(Path(folder), manifest))


def refuse_foreign_card(folder: str | Path) -> None:
    """Raise a FileError if the folder has a README.md that somebody else wrote, for it would be lost."""
    path = Path(folder, CARD)
    with plain_errors(path):
        if path.exists() and _MARK.encode() not in path.read_bytes():
            raise FileError(str(path), "this was not written by corr2cause; move it or choose another folder")


def hub_card(manifest: Manifest, perturbations: Mapping[str, Manifest]) -> str:
    """Return the text of the card.

    Args:
        manifest: of the data set.
        perturbations: the manifest of each perturbation, by mode.
    """
    size = size_category(sum(count.rows for count in manifest.counts))
    configs = _configs(manifest, perturbations)
    fields = {**CARD_FIELDS, "size_categories": [size], **({"configs": configs} if configs else {})}
    head = yaml.safe_dump(fields, sort_keys=False, width=1000)
    return f"---\n{_MARK}\n{head}---\n\n{_body(manifest, perturbations)}"


def size_category(rows: int) -> str:
    """Return how the hub calls a data set of so many rows."""
    return next((name for limit, name in _SIZES.items() if rows < limit), "100M<n<1B")


def _configs(manifest: Manifest, perturbations: Mapping[str, Manifest]) -> list[dict[str, Any]]:
    """Return the configurations, all of one format, because one card cannot hold two."""
    form = "parquet" if "parquet" in manifest.formats else "jsonl"
    configs = []
    for name, prefix, part in [
        ("default", "", manifest),
        *(
            (config_name(mode), f"{folder_name(mode)}/", perturbation)
            for mode, perturbation in sorted(perturbations.items())
        ),
    ]:
        found = {split: part.files_of(split, form) for split in HUB_SPLITS}
        files = [
            {"split": HUB_SPLITS[split], "path": f"{prefix}{_all_of(split, entries)}"}
            for split, entries in found.items()
            if entries
        ]
        if files:
            configs.append({"config_name": name, "data_files": files})
    return configs


def _all_of(split: str, entries: Sequence[FileEntry]) -> str:
    """Name the file of a split, or all shards, of which there may be hundreds, by a pattern."""
    return entries[0].name if len(entries) == 1 else f"{split}-*{Path(entries[0].name).suffix}"


def config_name(mode: str) -> str:
    """Return the name of a perturbation's configuration: the published one where there is one."""
    return folder_name(_PUBLISHED_CONFIGS.get(mode, mode))


def _body(manifest: Manifest, perturbations: Mapping[str, Manifest]) -> str:
    reading = str(manifest.options.get("reading"))
    made_of = columns(bool(manifest.options.get("with_steps")))
    left_out = "\n".join(text for option, text in _LEFT_OUT.items() if manifest.options.get(option))
    modes = sorted(perturbations)
    loads = ['load_dataset("FOLDER")', *(f'load_dataset("FOLDER", "{config_name(mode)}")' for mode in modes)]
    commands = [command(part) for part in (manifest, *(perturbations[mode] for mode in modes))]
    return _BODY.substitute(
        reading=f"`{reading}` ({_READINGS[reading]})" if reading in _READINGS else f"`{reading}`",
        balance=_balance(manifest),
        version=manifest.version,
        seed=manifest.options.get("seed"),
        origin=origin(manifest),
        draws="draws, " if manifest.kind == "sample" else "",
        loading="\n".join(f"    {line}" for line in loads),
        columns=table(
            ("column", "type", "may be null", "meaning"),
            ((f"`{c.name}`", c.type, "yes" if c.nullable else "no", c.meaning) for c in made_of),
        ),
        splits=table(
            ("split", "variables", "classes", "rows", "label 1"),
            ((c.split, c.n, f"{c.classes:,}", f"{c.rows:,}", f"{c.positives:,}") for c in manifest.counts),
        ),
        unit=_SPLIT_BY_ROW if manifest.options.get("split_by") == "row" else _SPLIT_BY_CLASS,
        files=table(
            ("file", "rows", "bytes", "sha256"),
            ((f"`{e.name}`", f"{e.rows:,}", f"{e.bytes:,}", f"`{e.sha256}`") for e in manifest.files),
        ),
        commands="\n".join(f"    {line}" for line in commands),
        drawn="wording, splits\nand the rows that stay" if manifest.options.get("balance") else "wording\nand splits",
        meaning=_STORIES_ARE_INVENTED if any(map(_are_stories, modes)) else "the variables are names without a meaning",
        left_out=f"\n\n{left_out}\n\n" if left_out else " ",
    )


def _are_stories(mode: str) -> bool:
    return mode.startswith(STORIES_FOLDER)


def _balance(manifest: Manifest) -> str:
    rows = sum(count.rows for count in manifest.counts)
    return f"{sum(count.positives for count in manifest.counts) / max(rows, 1):.2%}"


def table(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Lay out a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def command(manifest: Manifest) -> str:
    """Return the command line that a manifest's options stand for, in alphabetical order as they are stored.

    >>> options = {"n": 4, "min_n": 2, "whole_classes": True, "format": ["jsonl"], "source": "9f86d0"}
    >>> command(Manifest("generate", "1.0", options, (), ()))
    'corr2cause generate --format jsonl --min-n 2 --n 4 --whole-classes'
    """
    words = ["corr2cause", manifest.kind]
    inherited = ("source", "with_steps") if manifest.is_perturbed else ("source",)
    for key, value in sorted(manifest.options.items()):
        if key in inherited or value is None or value is False:
            continue
        flag = f"--{key.replace('_', '-')}"
        for one in value if isinstance(value, list) else [value]:
            words += [flag] if one is True else [flag, str(one)]
    return shlex.join(words)
