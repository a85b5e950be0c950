"""Write a data set as a whole: every file is complete before any of them takes its name."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.exporting.hub_card import CARD, card_of_folder, refuse_foreign_card
from corr2cause.dataset.manifest import (
    MANIFEST,
    FileEntry,
    Json,
    Kind,
    Manifest,
    SplitCount,
    read_manifest,
    write_manifest,
)
from corr2cause.dataset.schema import FORMATS, SPLITS, columns, encoded_schema
from corr2cause.errors import FileError
from corr2cause.execution import requests_to_end_held_back
from corr2cause.files import WholeFile, folder_lock, plain_errors, whole_file, write_jsonl, write_text

STAGING = ".staging"
"""The hidden folder, inside the data folder, where files grow."""

ROW_GROUP = 50_000
"""Rows per row group of a Parquet file, and so the number of rows that wait in memory."""


class DatasetWriter:
    """Write the splits of a data set, then give all files their names at once.

    Rows stream: memory holds at most `ROW_GROUP` of them for each split. Until `commit` everything lies in a
    hidden staging folder, so that leaving the block with an error, or without commit, changes nothing. The
    bytes depend on the rows alone, not on how they were cut into tables. One process at a time writes into a
    folder.

        with DatasetWriter(folder) as writer:
            writer.write("train", table)
            manifest = writer.commit("generate", version, options, counts)

    Args:
        folder: made if absent. What an earlier run left is written over: to ask first is up to the caller.
        formats: some of `FORMATS`.
        with_steps: whether rows have the column `steps`.

    Raises:
        FileError: the folder cannot be written, another process writes into it, or its README.md is not ours.
    """

    def __init__(self, folder: str | Path, formats: Iterable[str] = FORMATS, with_steps: bool = False) -> None:
        self._folder = Path(folder)
        self._schema = encoded_schema([column.name for column in columns(with_steps)])
        self._formats = tuple(form for form in FORMATS if form in set(formats))
        self._splits: dict[str, _SplitWriter] = {}
        self._all, self._files = ExitStack(), ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(folder_lock(self._folder))
            refuse_foreign_card(self._folder)
            staging = self._folder / STAGING
            shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed
            with plain_errors(self._folder):
                staging.mkdir()
            stack.callback(shutil.rmtree, staging, ignore_errors=True)
            stack.enter_context(self._files)
            self._all = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._all.__exit__(kind, error, trace)

    def write(self, split: str, table: pa.Table) -> None:
        """Append rows to a split.

        Args:
            split: one of `SPLITS`.
            table: of the encoded columns of the data set; fastest with a thousand rows or more at a time.

        Raises:
            FileError: the disk is full, or the like.
            ValueError: the split or a column is unknown, or a cell is null that must not be.
        """
        if split not in SPLITS:
            raise ValueError(f"unknown split {split!r}")
        if table.num_rows == 0:
            return
        if split not in self._splits:
            paths = [self._folder / STAGING / f"{split}.{form}" for form in self._formats]
            self._splits[split] = _SplitWriter(paths, self._schema, self._files)
        self._splits[split].write(table.cast(self._schema))

    def commit(
        self,
        kind: Kind,
        version: str,
        options: Mapping[str, Json],
        counts: Iterable[SplitCount],
        drawing: Mapping[str, int] = MappingProxyType({}),
    ) -> Manifest:
        """Finish all files and move them to their names, the manifest last; nothing can be written after.

        A process that is killed meanwhile leaves whole files without a manifest: recognisably incomplete.

        Returns:
            The manifest as written. A `generate` or `sample` also writes the data card; after a `perturb` the
            caller renews that of the data set with `write_hub_card`.
        """
        for writer in self._splits.values():
            writer.finish()
        self._files.close()
        files = tuple(entry for split in SPLITS if split in self._splits for entry in self._splits[split].entries)
        manifest = Manifest(kind, version, dict(options), tuple(counts), files, dict(drawing))
        staging = self._folder / STAGING
        if kind != "perturb":
            write_text(staging / CARD, card_of_folder(self._folder, manifest))
        write_manifest(staging, manifest)
        self._move([*(entry.name for entry in files), *([CARD] if kind != "perturb" else []), MANIFEST])
        return manifest

    def _move(self, new: Sequence[str]) -> None:
        """Put the staged files in the place of the old data set; every byte is on the disk already."""
        try:
            old = [entry.name for entry in read_manifest(self._folder).files]
        except FileError:
            old = []  # no data set before, or one that no longer says what belongs to it
        for name in {*old, *new}:
            if (self._folder / name).is_dir():  # before the old manifest goes
                raise FileError(str(self._folder / name), "a folder is in the way of this file; move it")
        with plain_errors(self._folder), requests_to_end_held_back():
            (self._folder / MANIFEST).unlink(missing_ok=True)
            for name in set(old) - set(new):
                (self._folder / name).unlink(missing_ok=True)
            for name in new:
                (self._folder / STAGING / name).replace(self._folder / name)


class _SplitWriter:
    """The growing files of one split, one for each format, filled a row group at a time."""

    def __init__(self, paths: Iterable[Path], schema: pa.Schema, stack: ExitStack) -> None:
        self._files = {path: stack.enter_context(whole_file(path)) for path in paths}
        self._appends = [_append_to(path, file, schema, stack) for path, file in self._files.items()]
        self._waiting: list[pa.Table] = []
        self._n_waiting = 0
        self._n_written = 0

    def write(self, table: pa.Table) -> None:
        self._waiting.append(table)
        self._n_waiting += table.num_rows
        if self._n_waiting >= ROW_GROUP:
            rows = pa.concat_tables(self._waiting)
            n_ready = rows.num_rows - rows.num_rows % ROW_GROUP
            for start in range(0, n_ready, ROW_GROUP):
                self._append(rows.slice(start, ROW_GROUP))
            self._waiting = [rows.slice(n_ready)]
            self._n_waiting = rows.num_rows - n_ready

    def finish(self) -> None:
        if self._n_waiting:
            self._append(pa.concat_tables(self._waiting))

    @property
    def entries(self) -> list[FileEntry]:
        return [
            FileEntry(path.name, path.stem, self._n_written, file.bytes, file.sha256)
            for path, file in self._files.items()
        ]

    def _append(self, rows: pa.Table) -> None:
        group = _with_own_dictionaries(rows)
        for append in self._appends:
            append(group)
        self._n_written += rows.num_rows


def _append_to(path: Path, file: WholeFile, schema: pa.Schema, stack: ExitStack) -> Callable[[pa.Table], None]:
    """Return what appends a row group to a file of the format that the path names."""
    if path.suffix == ".jsonl":
        return partial(write_jsonl, out=file)
    writer = pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        store_schema=False,  # else readers would be told of dictionaries, where they expect plain strings
    )
    stack.callback(writer.close)
    return partial(writer.write_table, row_group_size=ROW_GROUP)


def _with_own_dictionaries(rows: pa.Table) -> pa.Table:
    """Give the rows, in one chunk, dictionaries of just the values they use, in order of first use.

    So a row group holds no value of others, and its bytes do not depend on the tables that the rows came in.
    """
    columns = [
        pa.chunked_array([_used(chunk) for chunk in column.chunks], type=column.type)
        if pa.types.is_dictionary(column.type)
        else column
        for column in rows.columns
    ]
    return pa.table(columns, schema=rows.schema).unify_dictionaries().combine_chunks()


def _used(chunk: pa.DictionaryArray) -> pa.DictionaryArray:
    used = chunk.indices.dictionary_encode()
    values = chunk.dictionary.take(used.dictionary).dictionary_encode()  # a dictionary may hold a value twice
    return pa.DictionaryArray.from_arrays(values.indices.take(used.indices), values.dictionary)
