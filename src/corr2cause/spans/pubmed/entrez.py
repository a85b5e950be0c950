"""The two E-utilities that a corpus needs, ESearch and EFetch, over plain HTTP.

They allow three requests a second, ten with an API key (NCBI, "A General Introduction to the E-utilities").
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import TypeVar
from xml.parsers import expat

from corr2cause.errors import FileError, OptionError, quoted

BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
API_KEY = "NCBI_API_KEY"
"""The environment variable that may hold a key; it appears in no file and no message."""

MOST_IDS = 9_999
"""How many ids one query of PubMed gives at most."""

_RECORDS = "PubmedArticleSet"
_TIMEOUT = 60.0  # seconds
_WAITS = (1.0, 4.0, 15.0, 60.0)  # seconds before each new attempt
_AGAIN = "check the connection, and run the same command again: it goes on where it stopped"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: how many records there are, and the ids of at most `MOST_IDS`."""

    count: int
    ids: tuple[str, ...]


class Entrez:
    """A polite client: never faster than allowed, and patient with a server that is busy.

    Args:
        base: where the utilities are.
        key: an API key; by default what the environment holds.
        sleep: waits a number of seconds.
        clock: tells the seconds.

    Raises:
        OptionError: the base is no address of the web.
    """

    def __init__(
        self,
        base: str = BASE,
        key: str | None = None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if urllib.parse.urlsplit(base).scheme not in ("http", "https"):
            raise OptionError("--url", f"{quoted(base)} is no address; give one that begins with https://")
        self._base = base.rstrip("/")
        self._key = key if key is not None else os.environ.get(API_KEY, "")
        self._pause = 0.11 if self._key else 0.34
        self._sleep, self._clock = sleep, clock
        self._next = clock()

    def search(self, term: str, begin: str, end: str, datetype: str) -> Found:
        """Find the records of a query within a span of dates, each written 2025/01/31, both included.

        Raises:
            FileError: the server cannot be reached, or refuses the query.
        """
        fields = {"term": term, "mindate": begin, "maxdate": end, "datetype": datetype, "retmax": str(MOST_IDS)}
        return self._asked("esearch.fcgi", {**fields, "retmode": "json"}, _found)

    def fetch(self, ids: Sequence[str]) -> bytes:
        """Get the XML of some records, whole.

        Raises:
            FileError: the server cannot be reached, or sends something else.
        """
        return self._asked("efetch.fcgi", {"id": ",".join(ids), "retmode": "xml"}, _whole_xml)

    def _asked(self, name: str, fields: Mapping[str, str], read: Callable[[bytes], _Answer]) -> _Answer:
        """Ask until the answer can be read; what cannot is a busy server, unless it says that the question is wrong."""
        address = f"{self._base}/{name}"
        problem = ""
        for wait in (0.0, *_WAITS):
            self._sleep(wait)
            try:
                return read(self._post(address, {"db": "pubmed", "tool": "corr2cause", **fields}))
            except urllib.error.HTTPError as error:
                problem = f"the server answered {error.code}"
                if error.code not in (408, 429) and error.code < 500:
                    raise FileError(address, f"{problem}; check the query and the key in {API_KEY}") from None
            except (OSError, HTTPException, _UnreadableError) as error:
                problem = str(getattr(error, "reason", error)) or type(error).__name__
        raise FileError(address, f"no answer after {len(_WAITS) + 1} attempts ({problem}); {_AGAIN}")

    def _post(self, address: str, fields: Mapping[str, str]) -> bytes:
        """Send a request, no sooner than is polite."""
        if (early := self._next - self._clock()) > 0:
            self._sleep(early)
        self._next = self._clock() + self._pause
        body = urllib.parse.urlencode({**fields, "api_key": self._key} if self._key else fields).encode()
        with urllib.request.urlopen(address, data=body, timeout=_TIMEOUT) as answer:
            data: bytes = answer.read()
        return data


_Answer = TypeVar("_Answer")


class _UnreadableError(Exception):
    """An answer that is not what was asked for; asking again may help."""


def _found(data: bytes) -> Found:
    try:
        result = json.loads(data)["esearchresult"]
        if "ERROR" in result:
            raise _UnreadableError(quoted(result["ERROR"]))
        return Found(int(result["count"]), tuple(map(str, result["idlist"])))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _UnreadableError("an answer that is no list of ids") from error


def _whole_xml(data: bytes) -> bytes:
    """Return a set of records; errors and pages of proxies are XML too, and would be kept for records."""
    parser = expat.ParserCreate()
    names: list[str] = []

    def start(name: str, attributes: object) -> None:
        names.append(name)
        parser.StartElementHandler = None

    def refuse(*declaration: object) -> None:
        raise _UnreadableError("an answer that declares entities, which PubMed never does")

    parser.StartElementHandler, parser.EntityDeclHandler = start, refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise _UnreadableError(f"an answer that is not whole XML ({error})") from error
    if names != [_RECORDS]:
        raise _UnreadableError(f"an answer that is <{names[0]}>, not <{_RECORDS}>")
    return data
