"""Write rows as files of a data set: Parquet and JSON lines, each in the same bytes however the rows come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from corr2cause.dataset.counting import Tally
from corr2cause.dataset.manifest import FileEntry, Json, Kind, Manifest, SplitCount
from corr2cause.dataset.remote import writing_into
from corr2cause.dataset.schema import FORMATS, SPLITS, columns, encoded_schema
from corr2cause.dataset.staging import Place, Staging, Written, record_piece
from corr2cause.files import WholeFile, whole_file, write_jsonl

ROW_GROUP = 50_000
"""Rows per row group of a Parquet file, and so the number of rows that wait in memory."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are laid out in files.

    Attributes:
        formats: some of `FORMATS`.
        with_steps: whether rows have the column `steps`.
    """

    formats: tuple[str, ...]
    with_steps: bool = False

    @property
    def schema(self) -> pa.Schema:
        """The schema of tables in memory."""
        return encoded_schema([column.name for column in columns(self.with_steps)])


def write_piece(place: Place, name: str, split: str, layout: Layout, tables: Iterable[pa.Table]) -> Written:
    """Write the files of a piece into the staging folder, whole, and record that it is finished.

    Args:
        place: where they go.
        name: of the files, without the ending.
        split: that they belong to.
        layout: of the files.
        tables: the rows of the piece; those of one class all in one table.

    Raises:
        FileError: the disk is full, or the like; nothing of the piece is left then.
    """
    with writing_into(place) as folder:
        tally = Tally()
        with ExitStack() as stack:
            files = FileGroup(folder, name, split, layout, stack)
            for table in tables:
                files.write(table)
                tally.add(split, table)
            files.finish()
        written = Written(tuple(files.entries), tally.counts)
        record_piece(folder, name, written)
    return written


class DatasetWriter:
    """Write the splits of a data set side by side, then give all files their names at once.

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
        force: discard unfinished work of `generate`.

    Raises:
        FileError: the folder cannot be written, another process writes into it, its README.md is not ours, or it
            holds unfinished work of `generate`.
    """

    def __init__(
        self, folder: str | Path, formats: Iterable[str] = FORMATS, with_steps: bool = False, force: bool = False
    ) -> None:
        self._staging = Staging(folder, force=force)
        self._layout = Layout(tuple(formats), with_steps)
        self._splits: dict[str, FileGroup] = {}
        self._all, self._files = ExitStack(), ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._staging)
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
            self._splits[split] = FileGroup(self._staging.path, split, split, self._layout, self._files)
        self._splits[split].write(table)

    def commit(
        self,
        kind: Kind,
        version: str,
        options: Mapping[str, Json],
        counts: Iterable[SplitCount],
        drawing: Mapping[str, int] = MappingProxyType({}),
    ) -> Manifest:
        """Finish all files and move them to their names; nothing can be written after. See `Staging.commit`.

        Returns:
            The manifest as written.
        """
        groups = [self._splits[split] for split in SPLITS if split in self._splits]
        for group in groups:
            group.finish()
        self._files.close()
        files = tuple(entry for group in groups for entry in group.entries)
        manifest = Manifest(kind, version, dict(options), tuple(counts), files, dict(drawing))
        self._staging.commit(manifest)
        return manifest


class FileGroup:
    """Growing files that hold the same rows, one for each format, filled a row group at a time.

    They are whole, and `entries` true, when the stack that they are opened on is closed.
    """

    def __init__(self, folder: Path, name: str, split: str, layout: Layout, stack: ExitStack) -> None:
        self._split, self._schema = split, layout.schema
        paths = [folder / f"{name}.{form}" for form in FORMATS if form in layout.formats]
        self._files = {path: stack.enter_context(whole_file(path)) for path in paths}
        self._appends = [_append_to(path, file, self._schema, stack) for path, file in self._files.items()]
        self._waiting: list[pa.Table] = []
        self._n_waiting = 0
        self._n_written = 0

    def write(self, table: pa.Table) -> None:
        """Append rows.

        Raises:
            FileError: the disk is full, or the like.
            ValueError: a column is unknown, or a cell is null that must not be.
        """
        self._waiting.append(table.cast(self._schema))
        self._n_waiting += table.num_rows
        if self._n_waiting >= ROW_GROUP:
            rows = pa.concat_tables(self._waiting)
            n_ready = rows.num_rows - rows.num_rows % ROW_GROUP
            for start in range(0, n_ready, ROW_GROUP):
                self._append(rows.slice(start, ROW_GROUP))
            self._waiting = [rows.slice(n_ready)]
            self._n_waiting = rows.num_rows - n_ready

    def finish(self) -> None:
        """Write the rows that still wait."""
        if self._n_waiting:
            self._append(pa.concat_tables(self._waiting))

    @property
    def entries(self) -> list[FileEntry]:
        """What the manifest says of the files."""
        return [
            FileEntry(path.name, self._split, self._n_written, file.bytes, file.sha256)
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
