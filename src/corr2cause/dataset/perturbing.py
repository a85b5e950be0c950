"""Perturb a data set: its rows said in another way, in a folder beside the originals."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from corr2cause import __version__
from corr2cause.dataset.exporting.hub_card import folder_name, refuse_foreign_card, write_hub_card
from corr2cause.dataset.generating import Outcome
from corr2cause.dataset.manifest import FileEntry, Json, Manifest, row_options
from corr2cause.dataset.options import PerturbationOptions
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.rephrasing import rephrase
from corr2cause.dataset.schema import SCHEMA, SPLITS
from corr2cause.dataset.staging import Staging, Written, gather, make_missing
from corr2cause.dataset.stepping import add_steps
from corr2cause.dataset.writing import Layout, write_piece
from corr2cause.errors import OptionError
from corr2cause.execution import Progress, ignore, tell
from corr2cause.files import folder_lock


def perturb(
    source: Dataset,
    options: PerturbationOptions,
    force: bool = False,
    workers: int = 1,
    progress: Progress = ignore,
) -> Outcome:
    """Write the perturbed rows of some splits into `perturbation_by_<mode>` and name them in the data card.

    Args:
        source: the data set; rows keep the ids, labels and files' formats of it.
        options: what to change, and where.
        force: replace a perturbation that was made with other options or from other data.
        workers: processes to work in, a file of the data set each; the bytes are the same for any number.
        progress: called with the number of rows just written.

    Raises:
        OptionError: there are no such splits, or none of them has rows, or the data set is a perturbation itself.
        FileError: something else stands there, or the data are damaged, or the folder cannot be written, or
            another process is writing into it.
    """
    if source.manifest.is_perturbed:
        raise OptionError("--data", f"{source.folder} is a perturbed data set; name the folder of the original")
    if isinstance(options.splits, str) or not set(options.splits) <= set(SPLITS):
        raise OptionError("--split", f"{options.splits!r} should be some of {', '.join(SPLITS)}")
    splits = [split for split in source.splits if split in options.splits]
    if not splits:
        raise OptionError("--split", f"{source.folder} has no rows there; it has {', '.join(source.splits)}")
    with folder_lock(source.folder):
        refuse_foreign_card(source.folder)
        outcome = _rephrase_into_folder(source, replace(options, splits=tuple(splits)), force, workers, progress)
        write_hub_card(source.folder)  # after a no-op too: an earlier run may have been stopped just before this line
    return outcome


def _rephrase_into_folder(
    source: Dataset, options: PerturbationOptions, force: bool, workers: int, progress: Progress
) -> Outcome:
    made_with = row_options(source.folder, source.manifest)
    folder = source.folder / folder_name(options.mode)
    recorded: dict[str, Json] = {
        "mode": options.mode.value,
        "split": [*options.splits],
        "seed": options.seed,
        "source": source.manifest.fingerprint,
        "with_steps": made_with.with_steps,
    }
    if (manifest := finished_before(folder, "perturb", recorded, force)) is not None:
        return Outcome(manifest, made=False)
    files = [entry for split in options.splits for entry in source.files_of(split)]
    layout = Layout(source.manifest.formats, made_with.with_steps)
    with Staging(folder, recorded, force) as staging:
        make = partial(_rephrase_file, source, options, staging.path, layout)
        done = make_missing(staging, {entry.stem: entry for entry in files}, make, workers, progress)
        manifest = Manifest("perturb", __version__, recorded, *gather(done))
        staging.commit(manifest)
    return Outcome(manifest, made=True)


def _rephrase_file(
    source: Dataset, options: PerturbationOptions, staging: Path, layout: Layout, entry: FileEntry
) -> Written:
    """Perturb one file: a split, or a shard of it."""
    table = rephrase(source.read_file(entry, SCHEMA.names), options.mode, options.seed)
    if layout.with_steps:  # made anew from the new words
        table = add_steps(table, row_options(source.folder, source.manifest).reading)
    tell(table.num_rows)
    return write_piece(staging, entry.stem, entry.split, layout, [table])
