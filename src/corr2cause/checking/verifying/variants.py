"""Verify what the manifest says of perturbations and stories: told again from the originals, they must be the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyarrow as pa

from corr2cause import __version__
from corr2cause.checking.verifying.options import compare_option, compare_rows
from corr2cause.checking.verifying.parts import Notes, Part
from corr2cause.checking.verifying.splits import Splits
from corr2cause.dataset.manifest import MANIFEST, Manifest
from corr2cause.dataset.options import PerturbationOptions, StoryOptions
from corr2cause.dataset.rephrasing import rephrase
from corr2cause.dataset.schema import SCHEMA, SPLITS
from corr2cause.dataset.storytelling import tell_rows
from corr2cause.dataset.variant_folders import PERTURBATION_FOLDER, STORIES_FOLDER
from corr2cause.errors import Corr2CauseError, OptionError

_Retell = Callable[[pa.Table], pa.Table]


def check_variant_options(part: Part, splits: Splits, source: Manifest, originals: Splits, notes: Notes) -> None:
    """See that a perturbation, or stories, are of these data and made as they say.

    Only the version that made them can make them again; of other versions, and with a sample, the options are compared.
    """
    recorded = part.manifest.options
    if recorded.get("source") != source.fingerprint:
        notes.add(part.name, None, "this was made from other data; make it again with --force")
        return
    compare_option(part, "mode", part.name.removeprefix(PERTURBATION_FOLDER).removeprefix(STORIES_FOLDER), notes)
    if not part.leaves_out:  # a split of which nothing can be told has no file
        compare_option(part, "split", [*part.manifest.splits], notes)
    compare_option(part, "with_steps", part.options.with_steps, notes)
    if part.manifest.formats != source.formats:
        notes.add(part.place(MANIFEST), None, f"its formats are not those of the data, {', '.join(source.formats)}")
    if part.manifest.version != __version__ or notes.sample is not None:
        return
    try:
        asked, retell = _retelling(part)
    except OptionError as error:
        notes.add(part.place(MANIFEST), None, f"its options make no sense: {error}")
        return
    making = f"{recorded['mode']} with seed {recorded['seed']} makes"
    for split in asked:
        if split in originals:
            _check_retold(part, split, splits, _retold(originals[split].table, retell), making, notes)


def _retelling(part: Part) -> tuple[tuple[str, ...], _Retell]:
    """Return the splits that were to be told, and how; OptionError if the options make no sense."""
    recorded = part.manifest.options
    asked, mode, seed = (recorded.get(name) for name in ("split", "mode", "seed"))
    if not isinstance(asked, list) or not set(map(str, asked)) <= set(SPLITS):
        raise OptionError("--split", f"{asked!r} should be some of {', '.join(SPLITS)}")
    names = tuple(map(str, asked))
    if part.manifest.kind == "stories":
        told = StoryOptions(mode, names, recorded.get("statements"), seed)  # type: ignore[arg-type]  # it checks them
        return names, partial(tell_rows, options=told)
    changed = PerturbationOptions(mode, names, seed)  # type: ignore[arg-type]
    return names, partial(rephrase, mode=changed.mode, seed=changed.seed)


def _retold(table: pa.Table, retell: _Retell) -> pa.Table | None:
    try:
        return retell(table.select(SCHEMA.names))
    except Corr2CauseError:
        return None  # an original that cannot be read is told of already


def _check_retold(part: Part, split: str, splits: Splits, made: pa.Table | None, making: str, notes: Notes) -> None:
    """See that a split has the rows that are made again, as far as the original can be read."""
    if made is None:
        return
    rows = splits.get(split)
    if rows is None and split in part.manifest.splits:
        return  # its file cannot be read, which is told already
    found = rows.table.num_rows if rows else 0
    if part.leaves_out and (rows is None or rows.whole) and found != made.num_rows:
        notes.add(part.place(), None, f"{making} {made.num_rows} rows of the split {split}, it has {found}")
    if rows is not None:
        compare_rows(rows, [made], ["id", "premise", "hypothesis", "x", "y"], making, notes)
