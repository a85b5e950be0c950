"""Map a function over pieces of work, here or in several processes, in order; hold signals back from short work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from corr2cause.errors import OptionError, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2  # pieces in flight for each worker: enough to keep it busy, few enough to bound the memory


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """Yield function(item) for each item, in the order of the items.

    With one worker nothing is started and nothing is pickled. With more, the pieces run in fresh processes, so
    function, items and results must pickle; at most a few pieces per worker are in flight.

    Raises:
        OptionError: there are no workers.
        WorkerError: a worker process died.
    """
    if workers < 1:
        raise OptionError("--workers", f"{workers} is too small; give at least 1")
    if workers == 1:
        yield from map(function, items)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_the_parent)
    try:
        yield from _in_flight(pool, function, iter(items), workers * _AHEAD)
    except BrokenProcessPool as error:
        raise WorkerError from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_the_parent() -> None:
    """Let a worker end when its parent does, however that ends: if it was killed, work would be awaited for ever."""
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a worker"
    parent.join()
    os._exit(1)


def _in_flight(
    pool: ProcessPoolExecutor, function: Callable[[Item], Result], items: Iterator[Item], most: int
) -> Iterator[Result]:
    pending: deque[Future[Result]] = deque()
    while True:
        for item in islice(items, most - len(pending)):
            with _interrupts_held_back():
                pending.append(pool.submit(function, item))
        if not pending:
            return
        yield pending.popleft().result()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let workers that start meanwhile never see Ctrl-C, which reaches them too: it is for the parent to answer."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def requests_to_end_held_back() -> Iterator[None]:
    """Answer Ctrl-C and its kin only after the block, which should be short: what it does is not left half done.

    Handlers are swapped rather than signals blocked, because a signal that this thread blocks reaches the handler by
    way of another thread. Outside of the main thread nothing arrives, and nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {number: signal.getsignal(number) for number in _REQUESTS_TO_END}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if held:
        signal.raise_signal(held[0])


_REQUESTS_TO_END = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
