"""Read abstracts from PubMed and MEDLINE XML, plain or compressed, a record at a time.

Nothing is fetched that a file refers to, and a file that declares entities is refused: real ones declare none, and a
few nested ones would fill the memory. So is one that uses entities of its document type, whose letters would be lost.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from xml.parsers import expat

from corr2cause.errors import FileError
from corr2cause.files import plain_errors, refuse_pipe

_READ_AT_ONCE = 1 << 18
_LONGEST_RECORD = 1 << 26  # bytes; real ones take some ten thousand
_GZIP = b"\x1f\x8b"
_RECORDS = frozenset(["MedlineCitation", "BookDocument"])


@dataclass(frozen=True, slots=True)
class Abstract:
    """A record of PubMed.

    Attributes:
        pmid: its number there.
        text: the parts of the abstract, without their headings, each on a line; empty if it has none.
    """

    pmid: str
    text: str


def xml_files(path: Path) -> list[Path]:
    """Return the file itself, or the .xml and .xml.gz files of a folder, sorted by name.

    Raises:
        FileError: there is no such file or folder, it is a pipe, or it holds none.
    """
    if not path.is_dir():
        refuse_pipe(path)
        return [path]
    with plain_errors(path):
        found = sorted(file for file in path.rglob("*.xml*") if file.name.endswith((".xml", ".xml.gz")))
    if not found:
        raise FileError(str(path), "there are no .xml or .xml.gz files in this folder; name another")
    return found


def read_abstracts(path: Path) -> Iterator[Abstract]:
    """Read a file of PubmedArticleSet, MedlineCitationSet or the like; memory holds one record at a time.

    Raises:
        FileError: the file cannot be read, is no XML, is cut off, or declares entities.
    """
    reader = _Reader(path)
    with plain_errors(path), _damage_told(path), _opened(path) as stream:
        while data := stream.read(_READ_AT_ONCE):
            yield from reader.feed(data)
        yield from reader.close()


class _Reader:
    """Calls of expat, the parser, for the few elements that are wanted; all others cost next to nothing.

    A record is done when the next one begins, so that the ends of elements need no watching outside of abstracts.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EntityDeclHandler = self._refuse
        self._parser.SkippedEntityHandler = self._refuse_unknown
        self._done: list[Abstract] = []
        self._pmid: str | None = None
        self._parts: list[str] = []
        self._letters: list[str] = []
        self._is_open = False
        self._root = ""
        self._n_records = 0
        self._size = 0

    def feed(self, data: bytes) -> list[Abstract]:
        """Read on, and return the records that are done."""
        self._size += len(data)
        self._parser.Parse(data, False)
        if self._size > _LONGEST_RECORD:
            raise FileError(
                str(self._path), "a record in it is larger than any of PubMed; is this another kind of file?"
            )
        return self._taken()

    def close(self) -> list[Abstract]:
        """Read to the end, and return the last record."""
        self._parser.Parse(b"", True)
        self._finish()
        if not self._n_records and not self._root.endswith("Set"):
            raise FileError(str(self._path), f"it holds no record of PubMed but <{self._root}>; name another file")
        return self._taken()

    def _taken(self) -> list[Abstract]:
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: object) -> None:
        self._root = self._root or name
        if name in _RECORDS:
            self._finish()
            self._is_open, self._size = True, 0
            self._n_records += 1
        elif name == "PMID":
            if self._is_open and self._pmid is None:  # later ones name other records
                self._listen()
        elif name == "Abstract" and self._is_open:
            self._parser.EndElementHandler = self._end
        elif name == "AbstractText" and self._parser.EndElementHandler is not None:
            self._listen()

    def _listen(self) -> None:
        self._letters = []
        self._parser.CharacterDataHandler = self._letters.append
        self._parser.EndElementHandler = self._end

    def _end(self, name: str) -> None:
        if name == "PMID":
            self._pmid = "".join(self._letters).strip()
            self._parser.CharacterDataHandler = self._parser.EndElementHandler = None
        elif name == "AbstractText":
            self._parts.append(" ".join("".join(self._letters).split()))
            self._parser.CharacterDataHandler = None
        elif name == "Abstract":
            self._parser.EndElementHandler = None

    def _finish(self) -> None:
        if self._is_open:
            self._done.append(Abstract(self._pmid or "", "\n".join(filter(None, self._parts))))
        self._pmid, self._parts, self._is_open = None, [], False

    def _refuse_unknown(self, name: str, is_parameter: bool) -> None:
        """Refuse an entity that only the document type declares, which is never read: its letters would be lost."""
        if not is_parameter:
            line = self._parser.CurrentLineNumber
            problem = f"line {line} holds the entity &{name};, which it does not declare; write it as a character"
            raise FileError(str(self._path), problem)

    def _refuse(self, *declaration: object) -> None:
        raise FileError(str(self._path), "this XML declares entities, which files of PubMed never do; it was not read")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as stream:
        is_compressed = stream.read(len(_GZIP)) == _GZIP
        stream.seek(0)
        if not is_compressed:
            yield stream
            return
        with gzip.open(stream) as unpacked:
            yield unpacked  # type: ignore[misc]


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    try:
        yield
    except expat.ExpatError as error:
        raise FileError(str(path), f"this is not whole XML ({error}); get the file again") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(str(path), "this is compressed, but damaged or cut off; get the file again") from error
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        raise FileError(str(path), f"this XML cannot be read ({error}); get the file again") from error
