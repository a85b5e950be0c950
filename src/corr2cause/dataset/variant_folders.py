"""The folders of perturbations and stories, inside that of the data they were made from."""

from __future__ import annotations

from pathlib import Path

from corr2cause.dataset.manifest import Manifest, read_manifest
from corr2cause.errors import FileError

PERTURBATION_FOLDER = "perturbation_by_"
"""What the name of a perturbation's folder begins with; the mode follows."""

STORIES_FOLDER = "stories_"
"""What the name of a folder of stories begins with; the mode follows."""


def folder_name(mode: str) -> str:
    """Return the name of a perturbation's folder, inside that of the data set.

    >>> folder_name("words"), folder_name("stories_nonce")
    ('perturbation_by_words', 'stories_nonce')
    """
    return mode if mode.startswith(STORIES_FOLDER) else f"{PERTURBATION_FOLDER}{mode}"


def perturbations_of(folder: Path, manifest: Manifest) -> dict[str, Manifest]:
    """Return the manifest of each perturbation, by mode; those of other data than these are left out.

    Stories are perturbations too, whose mode is the name of their folder.
    """
    found = {}
    for path in perturbed_folders(folder):
        try:
            perturbation = read_manifest(path)
        except FileError:
            continue  # incomplete: nothing of it can be loaded
        if perturbation.options.get("source", manifest.fingerprint) == manifest.fingerprint:
            found[path.name.removeprefix(PERTURBATION_FOLDER)] = perturbation
    return found


def perturbed_folders(folder: Path) -> list[Path]:
    """Return whatever is named as a perturbation or as stories, inside the folder of a data set."""
    return sorted(path for prefix in (PERTURBATION_FOLDER, STORIES_FOLDER) for path in folder.glob(f"{prefix}*"))
