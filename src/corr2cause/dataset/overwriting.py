"""What stands in a folder already, and whether new work may replace it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corr2cause import __version__
from corr2cause.dataset.manifest import MANIFEST, Json, Kind, Manifest, read_manifest
from corr2cause.dataset.options import changed_options
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.schema import FORMATS, SPLITS
from corr2cause.dataset.staging import STAGING
from corr2cause.dataset.variant_folders import perturbed_folders
from corr2cause.errors import FileError
from corr2cause.files import sha256_of


def finished_before(folder: Path, kind: Kind, options: Mapping[str, Json], force: bool) -> Manifest | None:
    """Return the manifest if the folder holds just what these options make, or None if it is free to be written.

    Raises:
        FileError: it holds something else and force is not given, or what it holds is damaged.
    """
    if force or not folder.exists():
        return None
    if not (folder / MANIFEST).exists():
        _refuse_strangers(folder)
        return None
    found = read_manifest(folder)
    refuse_other(str(folder), found, kind, options)
    if not found.adds_up:
        raise FileError(str(folder / MANIFEST), "its files and counts do not add up; use --force to make all again")
    for entry in open_dataset(folder).manifest.files:
        if sha256_of(folder / entry.name) != entry.sha256:
            raise FileError(str(folder / entry.name), "this was changed or damaged; use --force to make it again")
    return found


def refuse_other(place: str, found: Manifest, kind: Kind, options: Mapping[str, Json]) -> None:
    """Raise a FileError if a finished data set is not just what these options make."""
    if (found.kind, found.version) != (kind, __version__) or dict(found.options) != dict(options):
        raise FileError(place, f"{_difference(found, kind, options)}; use --force to replace it")


def _refuse_strangers(folder: Path) -> None:
    """Refuse to write over files that no manifest vouches for, unless a killed run of ours left them."""
    if (folder / STAGING).exists():
        return
    for name in (f"{split}.{form}" for split in SPLITS for form in FORMATS):
        if (folder / name).exists():
            raise FileError(str(folder / name), "a file without a manifest is in the way; move it, or use --force")


def stale_perturbations(folder: Path, manifest: Manifest) -> list[str]:
    """Return the names of the perturbations in a data folder that were not made from its own data, or are damaged."""
    found = [path for path in perturbed_folders(folder) if (path / MANIFEST).exists()]
    return sorted(path.name for path in found if _source(path) != manifest.fingerprint)


def _source(folder: Path) -> Json:
    """Return the fingerprint of the data that a perturbation was made from, None if it cannot say."""
    try:
        return read_manifest(folder).options.get("source")
    except FileError:
        return None


_HELD = {
    "generate": "a complete data set",
    "sample": "a sampled data set",
    "perturb": "a perturbed data set",
    "stories": "stories",
}


def _difference(found: Manifest, kind: Kind, options: Mapping[str, Json]) -> str:
    if found.kind != kind:
        return f"this folder holds {_HELD[found.kind]}"
    if found.version != __version__:
        return f"this data set was made by version {found.version}, not {__version__}"
    if found.options.get("source") != options.get("source"):
        return "this was made from other data"
    return f"this was made with other options ({changed_options(found.options, options)})"
