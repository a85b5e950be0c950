"""Whole files or none: writing, hashing and reading, with errors in plain words. Knows no schema."""

from __future__ import annotations

import codecs
import errno
import hashlib
import io
import json
import os
import stat
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from corr2cause.errors import FileError, RowError

if TYPE_CHECKING:
    import pyarrow as pa
    from _typeshed import ReadableBuffer

_ROWS_AT_ONCE = 1000  # composed lines stay in the processor's cache; more is slower and takes memory

_PLAIN_WORDS = {
    errno.ENOSPC: "no space is left on this disk; free some or choose another folder",
    errno.EDQUOT: "your share of this disk is used up; free some or choose another folder",
    errno.EFBIG: "the file grew larger than this disk or account allows; choose another folder",
    errno.EACCES: "permission denied; choose another place or change its permissions",
    errno.EPERM: "permission denied; choose another place or change its permissions",
    errno.EROFS: "this disk is read-only; choose another folder",
    errno.ENOTDIR: "a part of this path is a file, not a folder; check the path",
    errno.EEXIST: "a file of this name is in the way; move it or choose another name",
    errno.EISDIR: "this is a folder, not a file; name a file",
    errno.ENOENT: "there is no such file or folder; check the path",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}


@contextmanager
def plain_errors(path: str | Path) -> Iterator[None]:
    """Turn any OSError of the block into a FileError about `path` that says what to do."""
    try:
        yield
    except OSError as error:
        raise FileError(str(path), in_plain_words(error)) from error


def in_plain_words(error: OSError) -> str:
    """Say what an error of the system means and what to do."""
    return _PLAIN_WORDS.get(error.errno or 0) or f"{error.strerror or error}; check the path"


class WholeFile(io.RawIOBase):
    """What `whole_file` yields: a binary stream that counts and hashes what goes through it.

    Attributes:
        bytes: how many bytes were written so far.
    """

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self._path, self._stream, self._hash = path, stream, hashlib.sha256()
        self.bytes = 0

    @property
    def sha256(self) -> str:
        """SHA-256 of what was written so far, as 64 hexadecimal digits."""
        return self._hash.hexdigest()

    def writable(self) -> bool:  # noqa: D102  (these three are io.RawIOBase's own)
        return True

    def tell(self) -> int:  # noqa: D102
        return self.bytes

    def write(self, data: ReadableBuffer, /) -> int:  # noqa: D102
        with plain_errors(self._path):
            self._stream.write(data)
        self._hash.update(data)
        size = memoryview(data).nbytes
        self.bytes += size
        return size


@contextmanager
def whole_file(path: str | Path) -> Iterator[WholeFile]:
    """Write a file that appears under its name only when the block ends without an error.

    Until then the bytes go to a hidden file in the same folder, which any failure removes, Ctrl-C included.
    A killed process may leave that hidden file, never a part of the real one. A symbolic link is written
    through.

    Raises:
        FileError: the file cannot be written, or the name belongs to a folder or a device.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(f"{folder}/a.txt") as out:
    ...         _ = out.write(b"all of it")
    ...         before = os.path.exists(f"{folder}/a.txt")
    ...     before, out.bytes, Path(folder, "a.txt").read_text()
    (False, 9, 'all of it')
    """
    target = Path(os.path.realpath(path))
    with plain_errors(path):
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            # renaming onto /dev/null would replace the device
            raise FileError(str(path), "this is a folder or a device, not a file; choose another name")
        if not target.parent.exists():
            raise FileError(str(path), f"there is no folder {target.parent.name} to put it in; make it first")
        hidden = target.with_name(f".{uuid.uuid4().hex}.part")
        stream = hidden.open("xb")
    try:
        out = WholeFile(target, stream)
        yield out
        with plain_errors(path):
            stream.close()
            hidden.replace(target)
        out.close()
    except BaseException:
        _discard(stream, hidden)
        raise


def _discard(stream: BinaryIO, hidden: Path) -> None:
    try:
        stream.close()  # flushes, and may fail again on a full disk: the first failure is the one to tell
    except OSError:
        pass
    finally:
        hidden.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 text file, whole or not at all."""
    with whole_file(path) as out:
        out.write(text.encode())


def write_anew(path: str | Path, lines: Callable[[], Iterable[str]], force: bool) -> bool:
    """Write a UTF-8 text file unless it says just that already.

    Args:
        path: the file.
        lines: makes the text, piece by piece, so that it is never held whole; called twice if there is a file.
        force: replace a file that says something else.

    Returns:
        Whether it was written.

    Raises:
        FileError: it says something else and `force` is not given, or it cannot be written.
    """
    if os.path.isfile(path):
        found = hashlib.sha256()
        for line in lines():
            found.update(line.encode())
        if found.hexdigest() == sha256_of(path):
            return False
        if not force:
            problem = "this file says something else; use --force to replace it, or choose another name"
            raise FileError(str(path), problem)
    with whole_file(path) as out:
        for line in lines():
            out.write(line.encode())
    return True


def write_json(path: str | Path, value: object) -> None:
    """Write a JSON file with sorted keys and two spaces of indent: equal values give equal bytes."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def write_jsonl(table: pa.Table, out: BinaryIO | WholeFile) -> None:
    r"""Write the rows of a table as JSON lines, just as `json.dumps(row, ensure_ascii=False) + "\n"` would.

    Each distinct value of a column is encoded once and the rows are put together from the pieces by Arrow,
    outside the interpreter lock: 400 MB of rows that share premises take 0.3 s, with `json.dumps` 4 s.

    Args:
        table: columns of strings, integers, Booleans (dictionary-encoded or not), lists or structs; nulls become
            `null`.
        out: a binary stream, written about a thousand rows at a time.
    """
    import pyarrow.compute as pc

    keys = [
        f"{', ' if place else '{'}{json.dumps(name, ensure_ascii=False)}: "
        for place, name in enumerate(table.column_names)
    ]
    columns = [_json_pieces(column) for column in table.columns]
    for start in range(0, table.num_rows, _ROWS_AT_ONCE):
        cells = [pieces.take(choice.slice(start, _ROWS_AT_ONCE)) for pieces, choice in columns]
        parts = [part for pair in zip(keys, cells, strict=True) for part in pair]
        lines = pc.binary_join_element_wise(*parts, "}\n", "", null_handling="replace", null_replacement="null")
        size = pc.sum(pc.binary_length(lines)).as_py()
        out.write(memoryview(lines.buffers()[2])[:size])  # the lines lie one after another in memory


def _json_pieces(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """Return the JSON of each distinct value, and which of them each row has (null where the row is null)."""
    import pyarrow as pa

    values = column.combine_chunks()
    if pa.types.is_nested(values.type):  # Arrow cannot tell equal ones
        each = [json.dumps(value, ensure_ascii=False) for value in values.to_pylist()]
        return pa.array(each, pa.string()), pa.array(range(len(each)), pa.int64())
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    # one call encodes all values; a line break never occurs inside one, because JSON escapes it
    text = json.dumps(values.dictionary.to_pylist(), ensure_ascii=False, separators=("\n", ":"))
    return pa.array(text[1:-1].split("\n")), values.indices


def refuse_pipe(path: str | Path) -> None:
    """Refuse a pipe before it is opened: nobody may ever write into it, and it can be read only once.

    Raises:
        FileError: it is one, or there is no such file.
    """
    with plain_errors(path):
        if stat.S_ISFIFO(os.stat(path).st_mode):
            raise FileError(str(path), "this is a pipe, and it is read more than once; save it in a file first")


def sha256_of(path: str | Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with plain_errors(path), open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_json(path: str | Path) -> Any:
    """Read one JSON value from a UTF-8 file, with or without a byte order mark.

    Raises:
        FileError: the file cannot be read.
        RowError: it is not JSON; the row is the line of the damage.
    """
    with plain_errors(path):
        data = Path(path).read_bytes()
    return _parse(data, str(path), row=1)


def read_jsonl(
    path: str | Path, refused: Callable[[RowError], object] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number, object) for each line of a JSON lines file; the first line has number 1.

    Windows line ends, a byte order mark and empty lines are accepted.

    Args:
        path: the file.
        refused: called with what is wrong with a line that is no JSON object, which is then passed over.

    Raises:
        FileError: the file cannot be read.
        RowError: a line is not a JSON object, and `refused` is not given.
    """
    with plain_errors(path), open(path, "rb") as lines:
        for row, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = _parse_object(line.rstrip(), str(path), row)
            except RowError as error:
                if refused is None:
                    raise
                refused(error)
            else:
                yield row, value


def _parse_object(data: bytes, path: str, row: int) -> dict[str, Any]:
    value = _parse(data, path, row)
    if not isinstance(value, dict):
        raise RowError(path, row, f"expected a JSON object, found {type(value).__name__}")
    return value


def _parse(data: bytes, path: str, row: int) -> Any:
    try:
        return _DECODER.decode(data.removeprefix(codecs.BOM_UTF8).decode())
    except UnicodeDecodeError as error:
        raise RowError(path, row, "this is not UTF-8 text; convert the file to UTF-8") from error
    except json.JSONDecodeError as error:
        raise RowError(path, row + error.lineno - 1, f"this is not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise RowError(path, row, f"this is not JSON that can be read ({error})") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
