"""Map a function over pieces of work: in this process or in several; the same results in the same order."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from corr2cause.errors import WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2  # pieces in flight for each worker: enough to keep it busy, few enough to bound the memory


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """Yield function(item) for each item, in the order of the items.

    With one worker nothing is started and nothing is pickled. With more, the pieces run in fresh processes, so
    function, items and results must pickle; at most a few pieces per worker are in flight.

    Raises:
        WorkerError: a worker process died.
    """
    if workers == 1:
        yield from map(function, items)
        return
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield from _in_flight(pool, function, iter(items), workers * _AHEAD)
    except BrokenProcessPool as error:
        raise WorkerError from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_flight(
    pool: ProcessPoolExecutor, function: Callable[[Item], Result], items: Iterator[Item], most: int
) -> Iterator[Result]:
    pending: deque[Future[Result]] = deque(pool.submit(function, item) for item in islice(items, most))
    while pending:
        result = pending.popleft().result()
        pending.extend(pool.submit(function, item) for item in islice(items, 1))
        yield result


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
