"""The folder of an export: every file is complete before any of them takes its name."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from corr2cause.dataset.exporting.items import Part
from corr2cause.dataset.exporting.layouts import FORMATS, RowLayout
from corr2cause.dataset.options import changed_options
from corr2cause.errors import FileError, RowError
from corr2cause.execution import requests_to_end_held_back
from corr2cause.files import WholeFile, plain_errors, read_json, sha256_of, whole_file, write_json
from corr2cause.locks import folder_lock

RECORD = "export.json"
"""What an export says about itself: target, options, data, and the hash of each file. Written last."""

STAGING = ".exporting"
"""The hidden folder, inside that of the export, where files grow; it is not that in which a data set grows."""

Progress = Callable[[int], object]


@dataclass(frozen=True)
class ExportedFile:
    """A file of an export: its path in the folder, rows (0 where it holds no data), bytes, SHA-256."""

    name: str
    rows: int
    bytes: int
    sha256: str


class ExportFolder:
    """Collects the files of an export in a hidden folder until `commit`; see `export_folder`.

    Attributes:
        files: written so far.
        beside_data: whether it is the folder of the data set itself.
    """

    def __init__(self, folder: Path, progress: Progress, beside_data: bool) -> None:
        self._folder, self._progress, self.beside_data = folder, progress, beside_data
        self.files: list[ExportedFile] = []

    def write_part(self, part: Part, layouts: Mapping[str, RowLayout]) -> None:
        """Write all rows of a part in one pass.

        Args:
            part: that is written.
            layouts: what each file looks like, by its ending, one of `FORMATS`.
        """
        with ExitStack() as stack:
            outs = {ending: stack.enter_context(self._open(part.file(ending), part.rows)) for ending in layouts}
            appends = {
                ending: stack.enter_context(FORMATS[ending](outs[ending], layout.schema))
                for ending, layout in layouts.items()
            }
            for items in part.batches():
                for ending, append in appends.items():
                    append(layouts[ending].table(items))
                self._progress(len(items))

    def write_text(self, name: str, text: str) -> None:
        """Write a text file."""
        with self._open(name) as out:
            out.write(text.encode())

    def take(self, part: Part) -> None:
        """Copy the data files of a part as they are, unless they lie here already.

        Raises:
            FileError: one is not what its manifest says.
        """
        for entry in part.sources:
            source = part.dataset.folder / entry.name
            if sha256_of(source) != entry.sha256:
                raise FileError(
                    str(source), "this does not match its manifest (sha256); make the data again with --force"
                )
            if not self.beside_data:
                with (
                    self._open(part.path(entry.name), entry.rows) as out,
                    plain_errors(source),
                    source.open("rb") as data,
                ):
                    shutil.copyfileobj(data, out)
            self._progress(entry.rows)

    def commit(self, header: Mapping[str, Any] | None = None) -> tuple[ExportedFile, ...]:
        """Move all files to their names, the record last; files of an older export that have no successor go.

        Args:
            header: what the record says beside the files; without it none is written.

        Raises:
            FileError: a folder is in the way of a file.
        """
        staging, files = self._folder / STAGING, sorted(self.files, key=lambda file: file.name)
        new = [file.name for file in files]
        old = [] if header is None else [file.name for file in _files_of(_old_record(self._folder))]
        if header is not None:
            write_json(staging / RECORD, {**header, "files": [asdict(file) for file in files]})
            new.append(RECORD)
        for name in {*old, *new}:
            if (self._folder / name).is_dir():
                raise FileError(str(self._folder / name), "a folder is in the way of this file; move it")
        with plain_errors(self._folder), requests_to_end_held_back():
            for name in {RECORD, *old} - {file.name for file in files} if header is not None else ():
                (self._folder / name).unlink(missing_ok=True)
            for name in new:
                (self._folder / name).parent.mkdir(exist_ok=True)
                (staging / name).replace(self._folder / name)
        return tuple(files)

    @contextmanager
    def _open(self, name: str, rows: int = 0) -> Iterator[WholeFile]:
        path = self._folder / STAGING / name
        with plain_errors(path):
            path.parent.mkdir(exist_ok=True)
        with whole_file(path) as out:
            yield out
        self.files.append(ExportedFile(name, rows, out.bytes, out.sha256))


@contextmanager
def export_folder(
    folder: Path, progress: Progress = lambda rows: None, beside_data: bool = False
) -> Iterator[ExportFolder]:
    """Lock a folder, made if absent, for the files of an export; what was not committed is gone after the block."""
    with ExitStack() as stack:
        stack.enter_context(folder_lock(folder, leaves_no_trace=not beside_data))
        staging = folder / STAGING
        shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed
        with plain_errors(folder):
            staging.mkdir()
        stack.callback(shutil.rmtree, staging, ignore_errors=True)
        yield ExportFolder(folder, progress, beside_data)


def made_before(folder: Path, header: Mapping[str, Any]) -> tuple[ExportedFile, ...] | None:
    """Return the files if the folder holds just this export, or None if it is free to be written.

    Raises:
        FileError: it holds something else, or a file of the export was changed.
    """
    record = _old_record(folder)
    if record is None:
        _refuse_strangers(folder)
        return None
    if difference := _difference(record, header):
        raise FileError(str(folder), f"this holds another export, {difference}; use --force to replace it")
    files = _files_of(record)
    if not files:
        raise FileError(str(folder / RECORD), "this was changed or damaged; use --force to make all again")
    for file in files:
        if not (folder / file.name).is_file() or sha256_of(folder / file.name) != file.sha256:
            raise FileError(str(folder / file.name), "this was changed or damaged; use --force to make it again")
    return files


def _difference(record: Mapping[str, Any], header: Mapping[str, Any]) -> str:
    """Say in what an export differs from the one that is wanted; nothing if it does not."""
    for key, said in (("target", "to {}, not {}"), ("version", "made by version {}, not {}")):
        if record.get(key) != header[key]:
            return said.format(record.get(key), header[key])
    if record.get("data") != header["data"]:
        return "made from other data"
    found = record.get("options")
    changes = changed_options(found if isinstance(found, dict) else {}, header["options"])
    return f"made with other options ({changes})" if changes else ""


def _refuse_strangers(folder: Path) -> None:
    """Refuse a folder with visible files, unless a killed run of ours left them."""
    with plain_errors(folder):
        if not folder.exists() or (folder / STAGING).exists():
            return
        if any(not path.name.startswith(".") for path in folder.iterdir()):
            problem = "there are other files here; choose another folder, or use --force to write between them"
            raise FileError(str(folder), problem)


def _old_record(folder: Path) -> dict[str, Any] | None:
    """Return what an export in the folder says about itself; None if there is none, or one that is damaged."""
    if not (folder / RECORD).is_file():
        return None
    try:
        found = read_json(folder / RECORD)
    except RowError:
        return None
    return found if isinstance(found, dict) and found.get("program") == "corr2cause" else None


def _files_of(record: Mapping[str, Any] | None) -> tuple[ExportedFile, ...]:
    """Return the files that a record names; none that would lie elsewhere."""
    if record is None or not isinstance(record.get("files"), list):
        return ()
    names = {field.name for field in fields(ExportedFile)}
    entries = [entry for entry in record["files"] if isinstance(entry, dict) and set(entry) == names]
    return tuple(ExportedFile(**entry) for entry in entries if _is_inside(str(entry["name"])))


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
