"""A folder ready for a hub: the data files as they are, and the data card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.hub_card import CARD, hub_card
from corr2cause.dataset.exporting.items import Part, Selection
from corr2cause.dataset.manifest import Manifest


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Take one file of each part and describe them; in the folder of the data set, all files that lie there."""
    for part in selection.parts:
        folder.take(part)
    perturbations = {mode: _part_of(selection, mode, folder.beside_data) for mode in _modes(selection.parts)}
    folder.write_text(CARD, hub_card(_part_of(selection, None, folder.beside_data), perturbations))


def _modes(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(part.mode for part in parts if part.mode))


def _part_of(selection: Selection, mode: str | None, all_formats: bool) -> Manifest:
    """Return what the manifest of the data, or of a perturbation, says about the chosen splits."""
    parts = [part for part in selection.parts if part.mode == mode]
    manifest = parts[0].dataset.manifest
    splits, names = {part.split for part in parts}, {entry.name for part in parts for entry in part.sources}
    return replace(
        manifest,
        counts=tuple(count for count in manifest.counts if count.split in splits),
        files=tuple(file for file in manifest.files if file.name in names or (all_formats and file.split in splits)),
    )
