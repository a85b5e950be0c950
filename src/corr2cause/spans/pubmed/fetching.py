"""Fetch the records of a PubMed query, slice of dates by slice, so that a stopped run can go on."""

from __future__ import annotations

import gzip
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, OptionError
from corr2cause.files import read_json, whole_file, write_json
from corr2cause.locks import folder_lock
from corr2cause.spans.pubmed.entrez import MOST_IDS, Entrez
from corr2cause.spans.pubmed.records import read_abstracts

QUERY, MANIFEST = "query.json", "fetched.json"

_FREE = "free full text[sb]"
_AT_ONCE = 200  # records of a request


@dataclass(frozen=True, slots=True)
class Query:
    """What to fetch.

    Attributes:
        term: as PubMed's search field takes it.
        begin: the first day.
        end: the last day.
        datetype: which date counts: `pdat` of publication, `edat` of entry into PubMed.
        free: whether only records with a free full text are wanted.

    Raises:
        OptionError: the term is blank, or the days are in the wrong order.
    """

    term: str
    begin: date
    end: date
    datetype: str = "pdat"
    free: bool = False

    def __post_init__(self) -> None:
        if not self.term.strip():
            raise OptionError("QUERY", "it is blank; give the words to search for")
        if self.end < self.begin:
            raise OptionError("--to", f"{self.end} is before --from {self.begin}; swap them")

    @property
    def whole_term(self) -> str:
        """The term with the filter."""
        return f"({self.term}) AND {_FREE}" if self.free else self.term

    @property
    def months(self) -> Iterator[tuple[date, date]]:
        """The slices: calendar months, the first and last cut to the days asked for.

        >>> query = Query("x", date(2025, 1, 30), date(2025, 2, 2))
        >>> [(str(begin), str(end)) for begin, end in query.months]
        [('2025-01-30', '2025-01-31'), ('2025-02-01', '2025-02-02')]
        """
        begin = self.begin
        while begin <= self.end:
            last = begin.replace(day=monthrange(begin.year, begin.month)[1])
            yield begin, min(self.end, last)
            if last >= self.end:  # there is no day after 9999-12-31
                return
            begin = last + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a folder holds after a fetch: records found, those that the server sent, and files."""

    found: int
    received: int
    files: int


def fetch(query: Query, folder: Path, entrez: Entrez, progress: Callable[[int], object] = int) -> Fetched:
    """Fetch all records of a query into compressed XML files of at most 200 records, and `fetched.json` at the end.

    PubMed gives at most 9,999 ids for a query, so each month is asked for by itself, and halved if it has more. Ids
    and files are kept as they come: the same call on the same folder goes on where it stopped.

    Raises:
        FileError: the server cannot be reached, or the folder belongs to another query.
        OptionError: a single day has more records than PubMed gives.
    """
    with folder_lock(folder):
        _claim(folder, query)
        seen: set[str] = set()
        slices = []
        received = n_files = 0
        for begin, end in query.months:
            for first, last, ids in _slices(query, begin, end, folder, entrez):
                new = [one for one in dict.fromkeys(ids) if one not in seen]
                seen.update(new)
                slices.append({"from": str(first), "to": str(last), "found": len(ids), "new": len(new)})
                for start in range(0, len(new), _AT_ONCE):
                    path = folder / f"{first}_{last}_{start // _AT_ONCE:03}.xml.gz"
                    received += _get(path, new[start : start + _AT_ONCE], entrez)
                    n_files += 1
                    progress(len(new[start : start + _AT_ONCE]))
        done = Fetched(len(seen), received, n_files)
        write_json(folder / MANIFEST, {"query": _plain(query), "slices": slices, **asdict(done)})
    return done


def _claim(folder: Path, query: Query) -> None:
    """Write the query into the folder, or see that it is the one of an earlier run."""
    path = folder / QUERY
    if not path.exists():
        write_json(path, _plain(query))
    elif read_json(path) != _plain(query):
        raise FileError(str(path), "this folder holds another query; choose another folder, or give that query again")


def _plain(query: Query) -> dict[str, Any]:
    return {key: str(value) if isinstance(value, date) else value for key, value in asdict(query).items()}


def _slices(
    query: Query, begin: date, end: date, folder: Path, entrez: Entrez
) -> Iterator[tuple[date, date, list[str]]]:
    """Yield spans of days with all their ids, halving those that have too many."""
    path = folder / f"{begin}_{end}.ids.json"
    if path.exists():
        kept = read_json(path)
        if not isinstance(kept, list) or not all(isinstance(one, str) and one.isdigit() for one in kept):
            raise FileError(str(path), "this is damaged; delete it, and run the same command again")
        yield begin, end, kept
        return
    found = entrez.search(query.whole_term, f"{begin:%Y/%m/%d}", f"{end:%Y/%m/%d}", query.datetype)
    if found.count > MOST_IDS:
        if begin == end:
            raise OptionError("QUERY", f"{begin} has {found.count:,} records, and PubMed gives {MOST_IDS:,}; narrow it")
        middle = begin + (end - begin) // 2
        yield from _slices(query, begin, middle, folder, entrez)
        yield from _slices(query, middle + timedelta(days=1), end, folder, entrez)
        return
    if len(found.ids) != found.count or not all(one.isdigit() for one in found.ids):
        raise FileError(str(path), f"the server found {found.count} records and named {len(found.ids)}; run it again")
    write_json(path, list(found.ids))
    yield begin, end, list(found.ids)


def _get(path: Path, ids: list[str], entrez: Entrez) -> int:
    """Fetch records into a file, unless it is there, and return how many the file holds."""
    if not path.exists():
        data = entrez.fetch(ids)
        with whole_file(path) as out:
            out.write(gzip.compress(data, mtime=0))
    return sum(1 for _ in read_abstracts(path))
