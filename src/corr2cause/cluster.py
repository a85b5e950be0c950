"""The only door to Dask: map a function over pieces of work on the workers of a scheduler."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from typing import Any, TypeVar

from corr2cause.errors import MissingExtraError, OptionError, WorkerError
from corr2cause.execution import Progress, listening

Item = TypeVar("Item")
Result = TypeVar("Result")

_TOPIC = "corr2cause-progress"
_SECONDS_TO_ANSWER = 10
_AHEAD = 4  # pieces in flight for each worker; more than here, since a worker may be behind with one
_FEW_WORKERS = 4  # as many are taken for there at least: the first may still be starting


def cluster_map(
    function: Callable[[Item], Result], items: Iterable[Item], address: str, progress: Progress
) -> Iterator[Result]:
    """Yield function(item) for each item, in their order; see `execution.ordered_map`.

    A piece whose worker dies is done again by another one. Every worker needs this package in the same version.

    Raises:
        MissingExtraError: Dask is not installed.
        OptionError: no scheduler answers at the address.
        WorkerError: several workers died in the same piece.
    """
    with _connected(address) as client:
        client.subscribe_topic(_TOPIC, lambda event: progress(event[1]))
        work, ahead, pending = partial(_work, function), iter(items), deque[Any]()
        try:
            while True:
                most = _AHEAD * max(_FEW_WORKERS, sum(client.nthreads().values()))
                pending.extend(client.submit(work, item, pure=False) for item in islice(ahead, most - len(pending)))
                if not pending:
                    return
                yield pending.popleft().result()
        finally:
            client.cancel(list(pending))


def require_scheduler(address: str) -> None:
    """Raise what `cluster_map` would, if no scheduler answers: before work that would be for nothing."""
    with _connected(address):
        keep_freed_memory()


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtraError("dask.distributed", "cluster") from error
    connect: Any = distributed.Client  # which has no types
    try:
        client = connect(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address}; start it, or check the address"
        raise OptionError("--scheduler", problem) from error
    with client:
        try:
            yield client
        except distributed.KilledWorker as error:
            raise WorkerError from error


def _work(function: Callable[[Item], Result], item: Item) -> Result:
    """Do one piece on a worker of the cluster."""
    import distributed

    keep_freed_memory()
    worker = distributed.get_worker()
    with listening(lambda amount: worker.log_event(_TOPIC, amount)):
        return function(item)


@cache
def keep_freed_memory() -> None:
    """Let this process keep the memory of one array for the next.

    Dask has its workers, and what is started beside them, give memory back at once (`MALLOC_TRIM_THRESHOLD_`). Here
    arrays of some megabytes come and go; to have each of them mapped anew takes half as long again as the work.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # only the C library of GNU has it
        return
    for parameter in (_TRIM_THRESHOLD, _MMAP_THRESHOLD):
        mallopt(parameter, _BYTES_TO_KEEP)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # in malloc.h, with an M_ before
_BYTES_TO_KEEP = 32 * 2**20  # the most that it takes for the second
