"""The only door to Dask: map a function over pieces of work on the workers of a scheduler."""

from __future__ import annotations

import asyncio
import ctypes
import os
import pkgutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from typing import Any, TypeVar
from uuid import uuid4

from corr2cause import __version__
from corr2cause.errors import MissingExtraError, OptionError, ServerError, WorkerError
from corr2cause.execution import Progress, listening

Item = TypeVar("Item")
Result = TypeVar("Result")

_SECONDS_TO_ANSWER = 10
_AHEAD = 4  # pieces in flight for each worker; more than here, since a worker may be behind with one
_FEW_WORKERS = 4  # as many are taken for there at least: the first may still be starting
_VERSION = (
    "corr2cause:__version__"  # looked up where it is asked for, by the standard library: ours may be missing there
)


def cluster_map(
    function: Callable[[Item], Result], items: Iterable[Item], address: str, progress: Progress
) -> Iterator[Result]:
    """Yield function(item) for each item, in their order; see `execution.ordered_map`.

    A piece whose worker dies is done again by another one. The scheduler and every worker need this package in the same
    version.

    Raises:
        MissingExtraError: Dask is not installed.
        OptionError: no scheduler answers at the address, or some machine lacks this package in this version.
        ServerError: the scheduler went away.
        WorkerError: several workers died in the same piece.
    """
    with _connected(address) as client:
        _require_this_version(client)
        topic = f"corr2cause-progress-{uuid4().hex}"  # of this run alone: others may use the cluster
        client.subscribe_topic(topic, lambda event: progress(event[1]))
        work, ahead, pending = partial(_work, function, __version__, topic), iter(items), deque[Any]()
        try:
            while True:
                most = _AHEAD * max(_FEW_WORKERS, sum(client.nthreads().values()))
                pending.extend(client.submit(work, item, pure=False) for item in islice(ahead, most - len(pending)))
                if not pending:
                    return
                yield pending.popleft().result()
        finally:
            client.cancel(list(pending))


def require_scheduler(address: str, waiting: Callable[[], object]) -> None:
    """Raise what `cluster_map` would, if there is no cluster that can work: before work that would be for nothing.

    Args:
        address: of the scheduler.
        waiting: called if there are no workers yet; the first is waited for.
    """
    with _connected(address) as client:
        if not client.nthreads():
            waiting()
        _require_this_version(client)
        keep_freed_memory()


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtraError("dask.distributed", "cluster") from error
    connect: Any = distributed.Client  # which has no types
    try:
        with ThreadPoolExecutor(1) as thread:  # a loop may run in this one, as in a notebook
            thread.submit(asyncio.run, _greet(address)).result()
        client = connect(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # TypeError: tls:// without certificates
        problem = f"no Dask scheduler answers at {address or repr(address)}; start it, or check the address"
        raise OptionError("--scheduler", problem) from error
    with client:
        try:
            yield client
        except distributed.KilledWorker as error:
            raise WorkerError from error
        except (CancelledError, OSError) as error:
            if isinstance(error, OSError) and client.status == "running":
                raise  # an error of the work
            problem = f"the Dask scheduler at {address} went away; start it again, and then give the same command"
            raise ServerError(problem) from error


async def _greet(address: str) -> None:
    """Shake hands. A client would wait without end for a server of another kind, such as the dashboard's."""
    import distributed

    security: Any = distributed.Security  # which has no types, as the next
    connect: Any = distributed.comm.core.connect
    handshake = connect(address, timeout=_SECONDS_TO_ANSWER, **security().get_connection_args("client"))
    await (await asyncio.wait_for(handshake, _SECONDS_TO_ANSWER)).close()


def _require_this_version(client: Any) -> None:
    """See that the scheduler, which unpacks the work too, and all workers have this package in this version."""
    try:
        _require_equal("the scheduler", client.run_on_scheduler(pkgutil.resolve_name, _VERSION), __version__)
    except ImportError as error:
        _require_equal("the scheduler", error, __version__)
    client.submit(os.getpid, pure=False).result()  # waits for a worker; a cluster that adapts starts them only for work
    for worker, version in client.run(pkgutil.resolve_name, _VERSION, on_error="return").items():
        _require_equal(f"the worker {worker}", version, __version__)


def _require_equal(who: str, version: object, wanted: str) -> None:
    if version != wanted:
        found = f"version {version}" if isinstance(version, str) else f"none ({version})"
        problem = f"{who} has another corr2cause than {wanted}: {found}; install the same on all machines"
        raise OptionError("--scheduler", problem)


def _work(function: Callable[[Item], Result], wanted: str, topic: str, item: Item) -> Result:
    """Do one piece on a worker of the cluster, which may have joined after the others were asked for their version."""
    import distributed

    worker = distributed.get_worker()
    _require_equal(f"the worker {worker.address}", __version__, wanted)
    keep_freed_memory()
    with listening(lambda amount: worker.log_event(topic, amount)):
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
