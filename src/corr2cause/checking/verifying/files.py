"""Verify files: those that the manifest lists against what it says of them, and that there are no others."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa

from corr2cause.checking.verifying.parts import Notes, Part, SplitRows
from corr2cause.dataset.exporting.croissant import CROISSANT
from corr2cause.dataset.exporting.hub_card import CARD
from corr2cause.dataset.manifest import MANIFEST, FileEntry
from corr2cause.dataset.row_files import NumberedRows, read_numbered
from corr2cause.dataset.schema import columns, encoded_schema
from corr2cause.dataset.variant_folders import PERTURBATION_FOLDER, STORIES_FOLDER
from corr2cause.errors import FileError, RowError
from corr2cause.files import plain_errors, sha256_of


def check_listing(part: Part, notes: Notes) -> None:
    """See that the manifest lists each file once, every split in every format, and that nothing else lies there."""
    manifest, place = part.manifest, part.place()
    if manifest.kind not in part.kinds:
        notes.add(part.place(MANIFEST), None, f"its kind is {manifest.kind}, expected {' or '.join(part.kinds)}")
    for name, times in Counter(entry.name for entry in manifest.files).items():
        if times > 1:
            notes.add(part.place(name), None, f"the manifest lists this file {times} times")
    for split in sorted({count.split for count in manifest.counts if count.rows} - set(manifest.splits)):
        notes.add(place, None, f"the manifest counts rows of the split {split}, but lists no file of it")
    for split in manifest.splits:
        for form in manifest.formats:
            if not manifest.files_of(split, form):
                notes.add(place, None, f"the manifest lists no {form} file of the split {split}")
    known = {MANIFEST, CARD, CROISSANT, *(entry.name for entry in manifest.files)}
    for path in sorted(part.path.iterdir()):
        is_ours = path.name in known or path.name.startswith((".", PERTURBATION_FOLDER, STORIES_FOLDER))
        if not is_ours and not path.is_dir():
            notes.add(part.place(path.name), None, "the manifest does not list this file; move it elsewhere")


def read_split(part: Part, split: str, notes: Notes) -> SplitRows | None:
    """Read every file of a split, and see that each format holds the same rows; None if none can be read."""
    readable = {}
    for form in part.manifest.formats:
        entries = part.manifest.files_of(split, form)
        read = [_read_file(part, entry, notes) for entry in entries]
        whole = [rows for rows in read if rows is not None]
        if whole and len(whole) == len(read):
            readable[form] = _joined(part, entries, whole)
    if not readable:
        return None
    (first, rows), *others = readable.items()
    notes.rows += rows.table.num_rows
    for form, other in others:
        if not rows.table.equals(other.table):
            notes.add(part.place(f"{split}.{form}"), None, f"its rows are not those of {split}.{first}")
    return rows


def _joined(part: Part, entries: tuple[FileEntry, ...], read: list[NumberedRows]) -> SplitRows:
    return SplitRows(
        table=pa.concat_tables([rows.table for rows in read]).unify_dictionaries().combine_chunks(),
        files=tuple(part.place(entry.name) for entry in entries),
        file_of_row=np.repeat(np.arange(len(read)), [len(rows.numbers) for rows in read]),
        numbers=np.concatenate([rows.numbers for rows in read]),
        whole=all(len(rows.numbers) == entry.rows for rows, entry in zip(read, entries, strict=True)),
    )


def _read_file(part: Part, entry: FileEntry, notes: Notes) -> NumberedRows | None:
    """Read a file, taking down each row that does not fit the schema; None if it is no file of rows."""
    notes.files += 1
    path, place = part.path / entry.name, part.place(entry.name)
    refused: list[RowError] = []
    schema = encoded_schema([column.name for column in columns(part.options.with_steps)])
    try:
        with plain_errors(path):
            size = path.stat().st_size
            if sha256_of(path) != entry.sha256:
                notes.add(place, None, "its sha256 is not that of the manifest: it was changed or damaged")
        if size != entry.bytes:
            notes.add(place, None, f"it has {size} bytes, its manifest says {entry.bytes}")
        rows = read_numbered(path, schema, refused.append)
    except FileError as error:
        notes.add(place, None, error.problem)
        return None
    for misfit in refused:
        notes.add(place, misfit.row, misfit.problem)
    if (found := len(rows.numbers) + len({misfit.row for misfit in refused})) != entry.rows:
        notes.add(place, None, f"it has {found} rows, its manifest says {entry.rows}")
    return rows
