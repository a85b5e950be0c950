"""Find all classes of up to eight nodes by many workers, through a folder of intermediate results.

Two rounds of independent pieces: each share of the candidates is surveyed and leaves one file; then each bin is read
from all files and counted. No worker holds more than a share or a bin, and a run that was stopped goes on from the
files that are there.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause import __version__
from corr2cause.errors import FileError
from corr2cause.execution import Progress, Workers, ignore, ordered_map
from corr2cause.files import plain_errors, read_json, whole_file, write_json
from corr2cause.graphs.bitdags import Integers, Masks
from corr2cause.graphs.canonical import automorphism_counts
from corr2cause.graphs.census import Census, Forms, Share, candidates_at, count_bin, merge, survey, unpack
from corr2cause.graphs.enumeration import unlabelled_dags
from corr2cause.graphs.equivalence import Classes
from corr2cause.graphs.terms import MAX_COUNTED, require_size
from corr2cause.locks import folder_lock

REPRESENTATIVES_PER_SHARE = 2_000  # about two seconds, and 300 MB, for n = 8
_MOST_BINS = 64
_IDENTITY = "census.json"

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Job:
    """A census that is under way.

    Attributes:
        n: number of nodes.
        smaller: uint16[B, n-1]; every representative on n-1 nodes.
        folder: where the shares lie.
        workers: who counts.
        progress: called with the number of pieces just finished; `n_pieces` in all.
    """

    n: int
    smaller: Masks
    folder: Path
    workers: Workers
    progress: Progress

    @property
    def shares(self) -> list[range]:
        """The places of the representatives of each share."""
        total, size = len(self.smaller), REPRESENTATIVES_PER_SHARE
        return [range(start, min(start + size, total)) for start in range(0, total, size)]

    @property
    def n_bins(self) -> int:
        """Number of bins, so that a bin is not larger than a share."""
        return min(_MOST_BINS, len(self.shares))


def n_pieces(n: int) -> int:
    """Return how many pieces of work a census of n nodes has."""
    job = Job(n, _smaller(n), Path(), 1, ignore)
    return len(job.shares) + job.n_bins


def take_census(n: int, folder: Path, workers: Workers = 1, progress: Progress = ignore) -> Census:
    """Count the unlabelled DAGs and classes on n nodes.

    Args:
        n: 2 to 8.
        folder: for intermediate results (0.8 GB for n = 8); a later run with the same n goes on from them. On a
            cluster all workers must see it under this name.
        workers: who counts.
        progress: called with the number of pieces just finished, of `n_pieces(n)`.

    Raises:
        SizeError: n is not in 2..8.
        FileError: the folder holds something else or cannot be written.
    """
    bins = _run(n, folder, workers, progress, _count)
    return sum(bins, Census())


_TRIED = 200  # representatives


def discovery_seconds(n: int) -> float:
    """Predict the CPU time of `list_classes`, by trying a small part of it; takes some seconds for n = 8."""
    smaller = _smaller(n)
    started = time.perf_counter()
    survey(smaller[:: len(smaller) // _TRIED + 1], range(_TRIED))
    return (time.perf_counter() - started) * len(smaller) / min(_TRIED, len(smaller))


def list_classes(n: int, folder: Path, workers: Workers = 1, progress: Progress = ignore) -> Classes:
    """Return what `equivalence_classes` returns, for n up to 8; the arguments and errors are those of `take_census`."""
    return _unite(n, _run(n, folder, workers, progress, _list))


def _unite(n: int, bins: list[_Listed]) -> Classes:
    places = np.concatenate([one.places for one in bins])
    order = np.argsort(places)
    return Classes(
        n=n,
        n_dags=sum(one.census.dags for one in bins),
        n_edges=sum(one.census.edges for one in bins),
        representatives=candidates_at(_smaller(n), places[order]),
        automorphisms=np.concatenate([one.automorphisms for one in bins])[order],
    )


def _smaller(n: int) -> Masks:
    require_size(n, 2, MAX_COUNTED)
    return unlabelled_dags(n - 1)


def _run(
    n: int, folder: Path, workers: Workers, progress: Progress, read: Callable[[Share, int], _Result]
) -> list[_Result]:
    """Survey what is missing, then read every bin."""
    job = Job(n, _smaller(n), folder, workers, progress)
    with folder_lock(folder):
        _claim(job)
        found = {path.name for path in folder.glob("share-*.arrow") if _is_whole(path, job.n_bins)}
        missing = [share for share in job.shares if _name(share) not in found]
        progress(len(job.shares) - len(missing))
        work = [(share, job.smaller[share.start : share.stop]) for share in missing]
        place = folder.absolute()  # workers of a cluster stand elsewhere
        _finish(job, partial(_write_share, place, job.n_bins), work)
        names = [_name(share) for share in job.shares]
        return _finish(job, partial(_read_bin, place, names, n, read), list(range(job.n_bins)))


_Item = TypeVar("_Item")


def _finish(job: Job, function: Callable[[_Item], _Result], items: list[_Item]) -> list[_Result]:
    results = []
    with closing(ordered_map(function, items, job.workers)) as finished:
        for result in finished:
            results.append(result)
            job.progress(1)
    return results


def _claim(job: Job) -> None:
    """See that the folder is empty, or holds shares of this very census."""
    identity = {"program": "corr2cause", "version": __version__, "n": job.n, "shares": len(job.shares)}
    path = job.folder / _IDENTITY
    if path.exists():
        if read_json(path) != identity:
            raise FileError(str(job.folder), "another count was begun here; name another folder, or empty this one")
        return
    if any(path for path in job.folder.iterdir() if not path.name.startswith(".")):
        raise FileError(str(job.folder), "this folder holds other files; name an empty or a new one")
    write_json(path, identity)


def _name(share: range) -> str:
    return f"share-{share.start:07d}.arrow"


_SCHEMA = pa.schema([("is_class", pa.bool_()), ("word", pa.uint64()), ("place", pa.int64())])


CHECK = b"crc32"
"""The name under which the metadata of a file keep the checksum of its columns."""


def checksum(columns: Iterable[npt.NDArray[Any]]) -> bytes:
    """Return what tells damage: classes that add up may still hold a wrong graph."""
    return b"%08x" % reduce(lambda so_far, column: zlib.crc32(column.tobytes(), so_far), columns, 0)


def _write_share(folder: Path, n_bins: int, work: tuple[range, Masks]) -> None:
    """Survey one share and write it, one record batch for each bin."""
    ranks, smaller = work
    found = survey(smaller, ranks)
    with whole_file(folder / _name(ranks)) as out, pa.ipc.new_file(out, _SCHEMA) as writer:
        for dags, classes in zip(found.dags.bins(n_bins), found.classes.bins(n_bins), strict=True):
            is_class = np.repeat([False, True], [len(dags.words), len(classes.words)])
            words = np.concatenate([dags.words, classes.words])
            places = np.concatenate([dags.places, classes.places])
            columns = [is_class, words, places]
            writer.write_batch(pa.record_batch(columns, schema=_SCHEMA), custom_metadata={CHECK: checksum(columns)})


def _is_whole(share: Path, n_bins: int) -> bool:
    """Return whether a share can be opened; one that was on its way to the disk when the machine stopped may not."""
    try:
        with pa.memory_map(str(share)) as file:
            return bool(pa.ipc.open_file(file).num_record_batches == n_bins)
    except (OSError, pa.ArrowInvalid):
        return False


def _read_bin(folder: Path, names: list[str], n: int, read: Callable[[Share, int], _Result], place: int) -> _Result:
    """Unite one bin of all shares and read it."""
    dags, classes = [], []
    for name in names:
        is_class, words, places = _columns(folder / name, place)
        dags.append(Forms(words[~is_class], places[~is_class]))
        classes.append(Forms(words[is_class], places[is_class]))
    return read(Share(merge(dags), merge(classes)), n)


def _columns(share: Path, place: int) -> list[npt.NDArray[Any]]:
    try:
        with plain_errors(share), pa.memory_map(str(share)) as file:
            batch, metadata = pa.ipc.open_file(file).get_batch_with_custom_metadata(place)
            columns = [np.array(column) for column in batch.columns]
            if dict(metadata or {}) == {CHECK: checksum(columns)}:
                return columns
    except pa.ArrowInvalid:
        pass
    raise FileError(str(share), "this is damaged; remove it, and it is made again")


def _count(found: Share, n: int) -> Census:
    return count_bin(found.dags, found.classes, n)


@dataclass(frozen=True, slots=True)
class _Listed:
    """The classes of one bin: the place of the representative of each, and its automorphisms, int64[K]."""

    census: Census
    places: Integers
    automorphisms: Integers


def _list(found: Share, n: int) -> _Listed:
    counts = automorphism_counts(unpack(found.classes.words, n))
    return _Listed(count_bin(found.dags, found.classes, n), found.classes.places, counts)
