"""Map a function over pieces of work, here, in several processes or on a cluster, in order; hold back signals."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.queues import SimpleQueue
from typing import TypeVar

from corr2cause.errors import OptionError, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int], object]

Workers = int | str
"""Who works: a number of processes of this machine (1: this process alone), or the address of a Dask scheduler."""

_AHEAD = 2  # pieces in flight for each worker: enough to keep it busy, few enough to bound the memory
_TICK = 0.1  # seconds between two looks at what the workers have told


def ignore(_: int) -> None:
    """Take note of no progress."""


_listener: ContextVar[Progress] = ContextVar("listener", default=ignore)  # each thread of a worker has its own


def tell(amount: int) -> None:
    """Say, from within a piece of work, that some of it is done; whoever called `ordered_map` gets to know."""
    _listener.get()(amount)


@contextmanager
def listening(listener: Progress) -> Iterator[None]:
    """Send what `tell` says in this thread to a listener."""
    before = _listener.get()
    _listener.set(listener)
    try:
        yield
    finally:
        _listener.set(before)


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], workers: Workers, progress: Progress = ignore
) -> Generator[Result, None, None]:
    """Yield function(item) for each item, in the order of the items.

    With one worker nothing is started and nothing is pickled. With more, the pieces run in fresh processes, or in
    those of a cluster, so function, items and results must pickle; at most a few pieces per worker are in flight.
    Whoever leaves early, by an error or Ctrl-C, ends the work in flight too.

    Args:
        function: what to do with a piece; it may `tell` how it gets on.
        items: the pieces.
        workers: who does it.
        progress: called with what the pieces tell.

    Raises:
        OptionError: there are no workers, no scheduler at that address, or workers with another version.
        ServerError: the scheduler went away.
        MissingExtraError: a scheduler is named, and Dask is not installed.
        WorkerError: a worker process died, or several of a cluster in the same piece.
    """
    if isinstance(workers, str):
        from corr2cause.cluster import cluster_map

        yield from cluster_map(function, items, workers, progress)
        return
    require_workers(workers)
    if workers == 1:
        with listening(progress):
            yield from map(function, items)
        return
    context = multiprocessing.get_context("spawn")
    told = context.SimpleQueue()
    awaited, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_work, initargs=(told, awaited))
    try:
        for result in _in_flight(pool, function, iter(items), workers * _AHEAD, lambda: _pass_on(told, progress)):
            _pass_on(told, progress)
            yield result
    except BrokenProcessPool as error:
        raise WorkerError from error
    finally:
        held.close()
        pool.shutdown(wait=True, cancel_futures=True)


def require_workers(workers: Workers, waiting: Callable[[], object] = lambda: None) -> None:
    """Raise what `ordered_map` would, if there are none: before work that would be for nothing.

    Args:
        workers: who works.
        waiting: called if a cluster has no workers yet; the first is waited for.
    """
    if isinstance(workers, str):
        from corr2cause.cluster import require_scheduler

        require_scheduler(workers, waiting)
    elif workers < 1:
        raise OptionError("--workers", f"{workers} is too small; give at least 1")


def _pass_on(told: SimpleQueue[int], progress: Progress) -> None:
    while not told.empty():
        progress(told.get())


def _begin_work(told: SimpleQueue[int], awaited: Connection) -> None:
    """Prepare a worker: it ends when the other end of the pipe is closed, be it that its parent was killed."""
    _listener.set(told.put)
    threading.Thread(target=_end_after, args=(awaited,), daemon=True).start()


def _end_after(awaited: Connection) -> None:
    awaited.poll(None)
    os._exit(1)


def _in_flight(
    pool: ProcessPoolExecutor,
    function: Callable[[Item], Result],
    items: Iterator[Item],
    most: int,
    look: Callable[[], object],
) -> Iterator[Result]:
    pending: deque[Future[Result]] = deque()
    while True:
        for item in islice(items, most - len(pending)):
            with requests_to_end_held_back(), _interrupts_blocked():
                pending.append(pool.submit(function, item))
        if not pending:
            return
        while not wait([pending[0]], _TICK).done:
            look()
        yield pending.popleft().result()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
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
