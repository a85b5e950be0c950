"""The only right to write: locks on folders and files, which end with the process that holds them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corr2cause.errors import FileError
from corr2cause.files import plain_errors

LOCK = ".corr2cause.lock"


@contextmanager
def folder_lock(folder: str | Path, leaves_no_trace: bool = False) -> Iterator[None]:
    """Hold the only right to write into a folder, which is made if absent.

    Args:
        folder: to be written into.
        leaves_no_trace: remove the hidden file in the end, for a folder that will be given away as it is.

    Raises:
        FileError: another process is writing there, or the folder cannot be made.
    """
    with plain_errors(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
    hidden = Path(folder, LOCK)
    with _lock(hidden, folder, "folder"):
        try:
            yield
        finally:
            if leaves_no_trace:
                with suppress(OSError):  # Windows keeps what is open; there the lock's own library removes it
                    hidden.unlink()


@contextmanager
def file_lock(path: str | Path) -> Iterator[None]:
    """Hold the only right to write one file, which need not exist; its folder must.

    Raises:
        FileError: another process is writing it, or there is no such folder.
    """
    target = Path(os.path.realpath(path))
    with plain_errors(path):
        os.stat(target.parent)  # filelock would make the folder
    with _lock(target.with_name(f".{target.name}.lock"), path, "file"):
        yield


@contextmanager
def _lock(hidden: Path, place: str | Path, kind: str) -> Iterator[None]:
    """Lock a place with a hidden file. The lock ends with the process, however it ends.

    A process that has just opened the hidden file when its holder removes it would lock a file that is no longer there,
    while another makes it anew. So the file is opened once more, before: if its name leads to it still when the lock is
    held, it did so all the time, and is the one that was locked. Otherwise the lock is refused.
    """
    import filelock  # not at the top: it takes longer to import than all the rest

    busy = FileError(str(place), f"another corr2cause is writing here; wait for it or choose another {kind}")
    with plain_errors(place), hidden.open("ab") as seen:
        lock = filelock.FileLock(hidden)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout as error:
            raise busy from error
        if not _is_named(seen.fileno(), hidden):
            lock.release()
            raise busy
    try:
        yield
    finally:
        lock.release()


def _is_named(descriptor: int, path: Path) -> bool:
    """Return whether a name still leads to an open file."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    return False
