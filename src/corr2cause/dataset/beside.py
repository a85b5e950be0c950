"""Rows told in another way, in a folder beside the originals: what perturbations and stories have in common."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.exporting.hub_card import refuse_foreign_card, write_hub_card
from corr2cause.dataset.generating import Outcome
from corr2cause.dataset.manifest import MANIFEST, FileEntry, Json, Kind, Manifest, row_options
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.schema import SCHEMA, SPLITS
from corr2cause.dataset.staging import STAGING, Staging, Written, gather, make_missing
from corr2cause.dataset.stepping import add_steps
from corr2cause.dataset.writing import Layout, write_piece
from corr2cause.errors import OptionError
from corr2cause.execution import Progress, Workers, tell
from corr2cause.locks import LOCK, folder_lock


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way to tell the rows of a data set.

    Attributes:
        kind: the command that tells them so.
        name: of the folder, inside that of the data set.
        splits: which rows.
        options: what the bytes depend on beside splits and data.
        retell: returns rows told in this way, those that can be; a picklable function.
    """

    kind: Kind
    name: str
    splits: tuple[str, ...]
    options: Mapping[str, Json]
    retell: Callable[[pa.Table], pa.Table]


def write_beside(source: Dataset, variant: Variant, force: bool, workers: Workers, progress: Progress) -> Outcome:
    """Write a variant into its folder and name it in the data card.

    Args:
        source: the data set; rows keep the ids, labels and files' formats of it.
        variant: what to write.
        force: replace one that was made with other options or from other data.
        workers: processes to work in, a file of the data set each; the bytes are the same for any number.
        progress: called with the number of rows just dealt with.

    Raises:
        OptionError: there are no such splits, or none can be told so, or the data set is a variant itself.
        FileError: something else stands there, or the data are damaged, or the folder cannot be written, or
            another process is writing into it.
    """
    if source.manifest.is_perturbed:
        problem = f"{source.folder} is made from another data set; name the folder of the original"
        raise OptionError("--data" if variant.kind == "perturb" else "DATA", problem)
    if isinstance(variant.splits, str) or not set(variant.splits) <= set(SPLITS):
        raise OptionError("--split", f"{variant.splits!r} should be some of {', '.join(SPLITS)}")
    splits = tuple(split for split in source.splits if split in variant.splits)
    if not splits:
        raise OptionError("--split", f"{source.folder} has no rows there; it has {', '.join(source.splits)}")
    with folder_lock(source.folder):
        refuse_foreign_card(source.folder)
        outcome = _write(source, replace(variant, splits=splits), force, workers, progress)
        write_hub_card(source.folder)  # after a no-op too: an earlier run may have been stopped just before this line
    return outcome


def _write(source: Dataset, variant: Variant, force: bool, workers: Workers, progress: Progress) -> Outcome:
    made_with = row_options(source.folder, source.manifest)
    folder = source.folder / variant.name
    recorded: dict[str, Json] = {
        **variant.options,
        "split": [*variant.splits],
        "source": source.manifest.fingerprint,
        "with_steps": made_with.with_steps,
    }
    if (manifest := finished_before(folder, variant.kind, recorded, force)) is not None:
        return Outcome(manifest, made=False)
    files = [entry for split in variant.splits for entry in source.files_of(split)]
    layout = Layout(source.manifest.formats, made_with.with_steps)
    with Staging(folder, recorded, force) as staging:
        make = partial(_make_file, source, variant, staging.path, layout)
        done = make_missing(staging, {entry.stem: entry for entry in files}, make, workers, progress)
        manifest = Manifest(variant.kind, __version__, recorded, *gather(done))
        if manifest.files:
            staging.commit(manifest)
    if not manifest.files:
        _leave_nothing(folder)
        raise OptionError("--mode", f"none of the rows of {', '.join(variant.splits)} can be told so; choose another")
    return Outcome(manifest, made=True)


def _make_file(source: Dataset, variant: Variant, staging: Path, layout: Layout, entry: FileEntry) -> Written:
    """Retell one file, a split or a shard of it; one of which no row is left is not written."""
    table = variant.retell(source.read_file(entry, SCHEMA.names))
    if layout.with_steps:  # made anew from the new words
        table = add_steps(table, row_options(source.folder, source.manifest).reading)
    tell(entry.rows)
    if not table.num_rows:
        return Written((), ())
    return write_piece(staging, entry.stem, entry.split, layout, [table])


def _leave_nothing(folder: Path) -> None:
    """Remove what was made for nothing: the folder, unless something else lies there."""
    shutil.rmtree(folder / STAGING, ignore_errors=True)
    if not (folder / MANIFEST).exists():
        (folder / LOCK).unlink(missing_ok=True)
        with suppress(OSError):  # it is not empty
            folder.rmdir()
