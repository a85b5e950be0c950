"""The only door to fsspec: data sets that grow in a store behind a URL, such as s3://BUCKET/FOLDER.

A store has neither locks nor a rename of many files at once, but an upload appears whole or not at all. Pieces are
written on the machine that makes them and then uploaded beside a record, as `staging` does on a disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from corr2cause.dataset.exporting.hub_card import CARD, hub_card
from corr2cause.dataset.manifest import MANIFEST, FileEntry, Json, Kind, Manifest, read_manifest, write_manifest
from corr2cause.dataset.overwriting import refuse_other
from corr2cause.dataset.staging import LEDGER, OTHER_WORK, RECORD, STAGING, Place, Written, ledger_of
from corr2cause.errors import Corr2CauseError, FileError, MissingExtraError


def is_url(place: object) -> bool:
    """Tell a URL from the path of a folder."""
    return isinstance(place, str) and "://" in place


@contextmanager
def writing_into(place: Place) -> Iterator[Path]:
    """Yield a folder to write into; what it holds in the end is at the place, records after the files they are about.

    Raises:
        FileError: the store refuses.
    """
    if isinstance(place, Path):
        yield place
        return
    with TemporaryDirectory(prefix="corr2cause-") as name:
        yield Path(name)
        with _store(place) as (files, root):
            for path in sorted(Path(name).iterdir(), key=lambda path: path.name.endswith(RECORD)):
                files.put_file(str(path), f"{root}/{path.name}")


@contextmanager
def _store(url: str) -> Iterator[tuple[Any, str]]:
    """Yield the file system of a URL, and the path in it; its errors become ours, whatever its library raises."""
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtraError("fsspec", "remote") from error
    if url.rstrip("/").endswith(":"):
        raise FileError(url, "this URL names no folder; give one, such as s3://BUCKET/FOLDER")
    try:
        files, root = fsspec.core.url_to_fs(url)
        yield files, root
    except Corr2CauseError:
        raise
    except Exception as error:  # missing libraries and credentials, dead servers: each store has errors of its own
        problem = " ".join(str(error).split()) or type(error).__name__
        raise FileError(url, f"the store cannot be used ({problem})") from error


def remote_finished_before(url: str, kind: Kind, options: Mapping[str, Json], force: bool) -> Manifest | None:
    """Return the manifest if the folder of a URL holds just what these options make, or None if it is free.

    Raises:
        FileError: it holds something else and force is not given.
    """
    if force:
        return None
    with _store(url) as (files, root):
        if files.exists(f"{root}/{MANIFEST}"):
            found = _manifest(url, files, root)
            refuse_other(url, found, kind, options)
            for entry in found.files:
                if not _has(files, f"{root}/{entry.name}", entry):
                    raise FileError(f"{url}/{entry.name}", "this is lost or damaged; use --force to make it again")
            return found
        if files.exists(f"{root}/{CARD}") and not files.exists(f"{root}/{STAGING}/{LEDGER}"):
            raise FileError(url, f"a {CARD} without a manifest is in the way; name another folder, or use --force")
    return None


def _manifest(url: str, files: Any, root: str) -> Manifest:
    with TemporaryDirectory() as name:
        files.get_file(f"{root}/{MANIFEST}", f"{name}/{MANIFEST}")
        try:
            return read_manifest(name)
        except FileError as error:
            raise FileError(f"{url}/{MANIFEST}", error.problem) from error


def _ledger(files: Any, staging: str) -> object:
    """Return the options of a run that was stopped; None if they are lost or damaged, so that nothing goes on there."""
    with suppress(FileNotFoundError, ValueError):
        return json.loads(files.cat_file(f"{staging}/{LEDGER}"))
    return None


def _has(files: Any, path: str, entry: FileEntry) -> bool:
    return bool(files.exists(path) and files.size(path) == entry.bytes)


class RemoteStaging:
    """The staging folder of one run behind a URL; otherwise as `staging.Staging`, but for the lock that it lacks.

    Args:
        url: of the data folder.
        making: the options of what is made; a later run with the same goes on from its pieces.
        force: discard what a run with other options has left unfinished.

    Raises:
        FileError: the store refuses, or work with other options lies there unfinished.
    """

    def __init__(self, url: str, making: Mapping[str, Json], force: bool = False) -> None:
        self._url, self._force, self._ledger = url.rstrip("/"), force, ledger_of(making)
        self.place: Place = f"{self._url}/{STAGING}"
        self.finished: dict[str, Written] = {}

    def __enter__(self) -> Self:
        with _store(self._url) as (files, root):
            staging = f"{root}/{STAGING}"
            records = files.glob(f"{staging}/*{RECORD}")
            left = _ledger(files, staging) if records else None
            if left == self._ledger:
                self.finished = dict(filter(None, (self._read(files, path) for path in records)))
                return self
            if left is not None and not self._force:
                raise FileError(self._url, OTHER_WORK)
            if files.exists(staging):
                files.rm(staging, recursive=True)
            files.makedirs(staging, exist_ok=True)
            files.pipe_file(f"{staging}/{LEDGER}", json.dumps(self._ledger).encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave what is finished to a later run."""

    def _read(self, files: Any, path: str) -> tuple[str, Written] | None:
        """Read one record; None if it is damaged or its files are not there, so that the piece is made again."""
        folder, _, name = path.rpartition("/")
        try:
            written = Written.from_json(json.loads(files.cat_file(path)))
            whole = all(_has(files, f"{folder}/{entry.name}", entry) for entry in written.files)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return (name.removesuffix(RECORD), written) if whole else None

    def commit(self, manifest: Manifest) -> None:
        """Move all files to their names, the manifest last.

        A process that is killed meanwhile leaves files without a manifest: recognisably incomplete.
        """
        with _store(self._url) as (files, root):
            old: tuple[FileEntry, ...] = ()
            if files.exists(f"{root}/{MANIFEST}"):
                with suppress(FileError):  # one that no longer says what belongs to it
                    old = _manifest(self._url, files, root).files
                files.rm_file(f"{root}/{MANIFEST}")
            for name in {entry.name for entry in old} - {entry.name for entry in manifest.files}:
                if files.exists(f"{root}/{name}"):
                    files.rm_file(f"{root}/{name}")
            for entry in manifest.files:
                files.mv(f"{root}/{STAGING}/{entry.name}", f"{root}/{entry.name}")
            with TemporaryDirectory() as name:
                files.pipe_file(f"{root}/{CARD}", hub_card(manifest, {}).encode())
                write_manifest(name, manifest)
                files.put_file(f"{name}/{MANIFEST}", f"{root}/{MANIFEST}")
            files.rm(f"{root}/{STAGING}", recursive=True)
