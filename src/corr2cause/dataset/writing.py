"""Write a data set as a whole: every file is complete before any of them takes its name."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
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
from corr2cause.files import WholeFile, folder_lock, plain_errors, whole_file, write_jsonl, write_text

STAGING = ".staging"
"""The hidden folder, inside the data folder, where files grow."""

ROW_GROUP = 50_000
"""Rows per row group of a Parquet file, and so the number of rows that wait in memory."""

_DICTIONARY_BYTES = 1 << 30  # a column never falls back to plain encoding, however long its premises are


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
            table: of the encoded columns of the data set, the values of each dictionary being distinct.

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

    def commit(self, kind: Kind, version: str, options: Mapping[str, Json], counts: Iterable[SplitCount]) -> Manifest:
        """Finish all files and move them to their names, the manifest last; nothing can be written after.

        A process that is killed meanwhile leaves whole files without a manifest: recognisably incomplete.

        Returns:
            The manifest as written. A `generate` also writes the data card; after a `perturb` the caller
            renews that of the data set with `write_hub_card`.
        """
        for writer in self._splits.values():
            writer.finish()
        self._files.close()
        files = tuple(entry for split in SPLITS if split in self._splits for entry in self._splits[split].entries)
        manifest = Manifest(kind, version, dict(options), tuple(counts), files)
        self._replace_files(files)
        if kind == "generate":
            write_text(self._folder / CARD, card_of_folder(self._folder, manifest))
        write_manifest(self._folder, manifest)
        return manifest

    def _replace_files(self, files: Iterable[FileEntry]) -> None:
        new = [entry.name for entry in files]
        try:
            old = [entry.name for entry in read_manifest(self._folder).files]
        except FileError:
            old = []  # no data set before, or one that no longer says what belongs to it
        with plain_errors(self._folder):
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
        self._waiting = schema.empty_table()
        self._rows = 0

    def write(self, table: pa.Table) -> None:
        self._waiting = pa.concat_tables([self._waiting, table])
        while self._waiting.num_rows >= ROW_GROUP:
            self._append(self._waiting.slice(0, ROW_GROUP))
            self._waiting = self._waiting.slice(ROW_GROUP)

    def finish(self) -> None:
        if self._waiting.num_rows:
            self._append(self._waiting)

    @property
    def entries(self) -> list[FileEntry]:
        return [
            FileEntry(path.name, path.stem, self._rows, file.bytes, file.sha256) for path, file in self._files.items()
        ]

    def _append(self, rows: pa.Table) -> None:
        group = _with_own_dictionaries(rows)
        # each format has a thread; leaving the block waits for both, so that no file is closed under a thread
        with ThreadPoolExecutor(len(self._appends)) as pool:
            for done in [pool.submit(append, group) for append in self._appends]:
                done.result()
        self._rows += rows.num_rows


def _append_to(path: Path, file: WholeFile, schema: pa.Schema, stack: ExitStack) -> Callable[[pa.Table], None]:
    """Return what appends a row group to a file of the format that the path names."""
    if path.suffix == ".jsonl":
        return partial(write_jsonl, out=file)
    writer = pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
        store_schema=False,  # else readers would be told of dictionaries, where they expect plain strings
    )
    stack.callback(_close, writer)
    return partial(writer.write_table, row_group_size=ROW_GROUP)


def _close(writer: pq.ParquetWriter) -> None:
    try:
        writer.close()
    finally:
        writer.is_open = False  # or a writer whose closing failed would try again, and fail, when it is collected


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
    return pa.DictionaryArray.from_arrays(used.indices, chunk.dictionary.take(used.dictionary))
