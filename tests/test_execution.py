"""The same results in the same order, however many processes; and what happens when one of them dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from corr2cause.errors import OptionError, SizeError, WorkerError
from corr2cause.execution import available_cores, listening, ordered_map, requests_to_end_held_back, tell


def square(x: int) -> int:
    return x * x


def square_slowly_at_first(x: int) -> int:
    time.sleep(0.2 if x == 0 else 0)
    return x * x


def refuse_three(x: int) -> int:
    if x == 3:
        raise SizeError(x, 1, 2)
    return x


def die_at_three(x: int) -> int:
    if x == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def own_process(_: int) -> int:
    return os.getpid()


def leave_a_file(task: tuple[str, int]) -> int:
    folder, x = task
    Path(folder, str(x)).touch()
    return x


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers):
    assert list(ordered_map(square_slowly_at_first, range(20), workers)) == [x * x for x in range(20)]
    assert list(ordered_map(square, [], workers)) == []


def test_one_worker_is_this_process_and_more_are_others():
    assert set(ordered_map(own_process, range(3), 1)) == {os.getpid()}
    others = set(ordered_map(own_process, range(8), 2))
    assert os.getpid() not in others
    assert 1 <= len(others) <= 2


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_ours_arrives_with_its_data_after_the_results_before_it(workers):
    results = ordered_map(refuse_three, range(10), workers)
    assert list(islice(results, 3)) == [0, 1, 2]
    with pytest.raises(SizeError) as caught:
        next(results)
    assert (caught.value.n, caught.value.least, caught.value.most) == (3, 1, 2)


def test_a_worker_that_is_killed_is_one_clear_error():
    with pytest.raises(WorkerError, match=r"ended before its work .*with one worker"):
        list(ordered_map(die_at_three, range(10), 2))


def tell_twice(x: int) -> int:
    tell(x)
    time.sleep(0.3 if x == 1 else 0)
    tell(x)
    return x


@pytest.mark.parametrize("workers", [1, 2])
def test_pieces_tell_how_they_get_on(workers):
    told: list[int] = []
    results = ordered_map(tell_twice, range(1, 5), workers, told.append)
    assert next(results) == 1
    assert told.count(1) == 2
    list(results)
    assert sorted(told) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_what_is_told_reaches_nobody_where_nobody_listens():
    heard: list[int] = []
    tell(1)
    with listening(heard.append):
        tell(2)
        with listening(lambda _: None):
            tell(3)
        tell(4)
    tell(5)
    assert heard == [2, 4]


def sleep_long(x: int) -> int:
    time.sleep(60 if x else 0)
    return x


def test_leaving_early_does_not_wait_for_long_work():
    results = ordered_map(sleep_long, range(3), 2)
    assert next(results) == 0
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("workers", [1, 2])
def test_items_are_taken_as_they_are_needed(workers):
    """A long list of work is not sent out at once, so that memory stays bounded."""
    taken = []

    def items() -> Iterator[int]:
        for x in range(1000):
            taken.append(x)
            yield x

    results = ordered_map(square, items(), workers)
    assert list(islice(results, 5)) == [0, 1, 4, 9, 16]
    assert len(taken) <= 5 + 2 * workers + 1
    results.close()


def test_leaving_early_ends_the_workers_and_drops_the_rest(tmp_path):
    results = ordered_map(leave_a_file, ((str(tmp_path), x) for x in range(1000)), 2)
    assert next(results) == 0
    children = [child.pid for child in multiprocessing.active_children()]
    assert children
    results.close()
    assert not any(is_running(child) for child in children)
    assert len(list(tmp_path.iterdir())) < 20


def test_the_cores_are_those_this_process_may_use():
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system has no affinity of processes")
    before = os.sched_getaffinity(0)
    assert available_cores() == len(before)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert available_cores() == 1
    finally:
        os.sched_setaffinity(0, before)


IDLE_WORKERS = """
import time
from corr2cause.execution import ordered_map

if __name__ == "__main__":
    results = ordered_map(abs, range(-9, 0), 2)
    print(next(results), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no groups of processes")
@pytest.mark.parametrize(("send", "received"), [(os.kill, signal.SIGKILL), (os.killpg, signal.SIGINT)])
def test_workers_end_with_their_parent_and_say_nothing(send, received):
    """The pipes close only when the last of the processes that hold them has ended."""
    parent = subprocess.Popen(
        [sys.executable, "-c", IDLE_WORKERS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "9\n"
        send(parent.pid, received)
        _, said = parent.communicate(timeout=30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
    assert parent.returncode != 0
    assert said.count("Traceback") == (1 if received is signal.SIGINT else 0)  # that of the script above
    assert "Process" not in said


def interrupted_work(number: int, done: list[str]) -> None:
    with requests_to_end_held_back():
        os.kill(os.getpid(), number)
        time.sleep(0.01)
        done.append("all")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_request_to_end_waits_for_the_end_of_the_block(name):
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("this system has no such signal")
    done = []

    def end(number, frame):
        raise SystemExit(number)

    before = signal.signal(number, end)
    try:
        with pytest.raises(SystemExit):
            interrupted_work(number, done)
        assert done == ["all"]
        assert signal.getsignal(number) is end
    finally:
        signal.signal(number, before)


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        done = []
        interrupted_work(signal.SIGTERM, done)
        assert done == ["all"]
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_thread_holds_nothing_back():
    seen = []

    def work():
        with requests_to_end_held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


@pytest.mark.parametrize("workers", [0, -1])
def test_there_is_at_least_one_worker(workers):
    with pytest.raises(OptionError, match=r"--workers: .* is too small; give at least 1"):
        list(ordered_map(square, [1], workers))
