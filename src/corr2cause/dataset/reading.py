"""Read a data folder, checked against its manifest, or one plain file of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from corr2cause.dataset.manifest import FileEntry, Manifest, read_manifest
from corr2cause.dataset.row_files import read_numbered, read_rows
from corr2cause.dataset.schema import columns, encoded_schema
from corr2cause.errors import FileError, OptionError
from corr2cause.files import plain_errors, sha256_of

DEFAULT_SPLIT = "test"
"""The split that is meant where none is named."""

_AGAIN = "it was changed or damaged; make the data again with --force"


@dataclass(frozen=True)
class Dataset:
    """A data folder whose manifest fits its files.

    Attributes:
        folder: where it lies.
        manifest: what it says about itself.
    """

    folder: Path
    manifest: Manifest

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have rows, in the order of `schema.SPLITS`."""
        return self.manifest.splits

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in columns(bool(self.manifest.options.get("with_steps"))))

    def read(self, split: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one split, from Parquet if it is there.

        Args:
            split: one of `splits`.
            columns: the columns to read, in the wanted order; all of them by default.

        Returns:
            A table of `encoded_schema(columns)`, each column in one chunk.

        Raises:
            FileError: there is no such split, or the file is not the one that the manifest describes.
        """
        parts = [self.read_file(entry, columns) for entry in self.files_of(split)]
        return parts[0] if len(parts) == 1 else pa.concat_tables(parts).unify_dictionaries().combine_chunks()

    def read_file(self, entry: FileEntry, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one file, a whole split or a shard of it; otherwise as `read`."""
        path = self.folder / entry.name
        if sha256_of(path) != entry.sha256:
            raise FileError(str(path), f"this does not match its manifest (sha256): {_AGAIN}")
        return read_numbered(path, encoded_schema(columns if columns is not None else self.columns)).table

    def files_of(self, split: str) -> tuple[FileEntry, ...]:
        """Return the files that hold a split, of Parquet if it is there, for it is the smaller.

        Raises:
            FileError: there is no such split.
        """
        for form in ("parquet", "jsonl"):
            if entries := self.manifest.files_of(split, form):
                return entries
        there = ", ".join(self.splits) or "none"
        raise FileError(str(self.folder), f"this data set has no rows in the split {split!r}; choose from: {there}")


def open_dataset(folder: str | Path) -> Dataset:
    """Open a data folder that `generate` or `perturb` wrote.

    Raises:
        FileError: the folder has no manifest of ours, or a file that it lists is absent or has another size.
    """
    manifest = read_manifest(folder)
    for entry in manifest.files:
        path = Path(folder, entry.name)
        if not path.is_file():
            raise FileError(str(path), "this file of the data set is missing; make the data again with --force")
        with plain_errors(path):
            size = path.stat().st_size
        if size != entry.bytes:
            raise FileError(str(path), f"this has {size} bytes, its manifest says {entry.bytes}: {_AGAIN}")
    return Dataset(Path(folder), manifest)


def original_of(dataset: Dataset) -> Dataset:
    """Return the data set that a perturbation or stories were made from, or the data set itself if it is none.

    Raises:
        FileError: it is not in the folder around.
    """
    if not dataset.manifest.is_perturbed:
        return dataset
    around = open_dataset(dataset.folder.absolute().parent)
    if around.manifest.fingerprint != dataset.manifest.options.get("source"):
        raise FileError(str(dataset.folder), "the data set that this was made from is not in the folder around")
    return around


def read_split(path: str | Path, split: str | None, columns: Sequence[str]) -> pa.Table:
    """Read some columns of a split of a data folder, or of one file of rows, which has no splits.

    Args:
        path: a folder that `generate` or `perturb` wrote, or a file of such rows.
        split: of a folder; `test` by default.
        columns: the columns to read, in the wanted order.

    Raises:
        FileError: there are no such data, or they are damaged.
        RowError: a row cannot be one of ours.
        OptionError: a split of a file was asked for.
    """
    if not Path(path).is_file():
        return open_dataset(path).read(split or DEFAULT_SPLIT, columns)
    if split:
        raise OptionError("--split", f"{path} is one file and has no splits; leave the option out")
    return read_rows(path).select(columns)
