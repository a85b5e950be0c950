"""The README.md of an export: how to use it, and the configurations by which `datasets` loads it."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Any

import yaml

from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.hub_card import CARD, CARD_FIELDS, command, size_category, table
from corr2cause.dataset.exporting.items import Selection

_BODY = Template("""\
# Corr2Cause, $title

$about

$files

The rows were made by

$commands

and their meaning, reading and assumptions are explained in the data card that was written there.
""")


def write_card(
    selection: Selection,
    folder: ExportFolder,
    ending: str,
    about: tuple[str, str],
    features: list[dict[str, Any]] | None = None,
) -> None:
    """Write the README.md of an export, after its data files.

    Args:
        selection: what was exported.
        folder: that the files were written into.
        ending: of the files that `load_dataset` reads: one card cannot name two formats.
        about: the title, and how to use the files, in Markdown.
        features: names and types of all columns, as `datasets` writes them; inferred from the files by default.
    """
    configs = _configs(selection, ending)
    head: dict[str, Any] = {
        **CARD_FIELDS,
        "size_categories": [size_category(sum(part.rows for part in selection.parts))],
        "configs": [{"config_name": name, "data_files": files} for name, files in configs.items()],
    }
    if features:
        head["dataset_info"] = [{"config_name": name, "features": features} for name in configs]
    title, text = about
    manifests = {part.config: part.dataset.manifest for part in selection.parts}
    body = _BODY.substitute(
        title=title,
        about=text.strip(),
        files=table(
            ("file", "rows", "sha256"),
            ((f"`{file.name}`", f"{file.rows:,}", f"`{file.sha256}`") for file in folder.files if file.rows),
        ),
        commands="\n".join(f"    {command(manifest)}" for manifest in manifests.values()),
    )
    # one feature list is written once for each configuration, without YAML's references
    folder.write_text(CARD, f"---\n{_Plain.dump(head)}---\n\n{body}")


def _configs(selection: Selection, ending: str) -> Mapping[str, list[dict[str, str]]]:
    configs: dict[str, list[dict[str, str]]] = {}
    for part in selection.parts:
        configs.setdefault(part.config, []).append({"split": part.hub_split, "path": part.file(ending)})
    return configs


class _Plain(yaml.SafeDumper):
    """Writes equal values anew instead of referring back to the first."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    @classmethod
    def dump(cls, value: object) -> str:
        return str(yaml.dump(value, Dumper=cls, sort_keys=False, width=1000))
