"""The same results and the same bytes on a Dask cluster, also when a worker of it is killed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from corr2cause import __version__
from corr2cause.cluster import _work, keep_freed_memory
from corr2cause.dataset import planning
from corr2cause.dataset.discovering import take_census
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.sampling import sample
from corr2cause.errors import MissingExtraError, OptionError, ServerError, SizeError, WorkerError
from corr2cause.execution import ordered_map, require_workers, tell
from tests.dataset.folders import contents

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def square(x: int) -> int:
    tell(x)
    return x * x


def doze(x: int) -> int:
    time.sleep(0.1)
    return x


def refuse_three(x: int) -> int:
    if x == 3:
        raise SizeError(x, 1, 2)
    return x


def die_once(task: tuple[str, int]) -> int:
    marker, x = Path(task[0]), task[1]
    if x == 3 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_results_come_in_order_and_progress_is_told(cluster):
    told: list[int] = []
    assert list(ordered_map(square, range(20), cluster.scheduler_address, told.append)) == [x * x for x in range(20)]
    assert set(told) <= set(range(20))
    assert list(ordered_map(square, [], cluster.scheduler_address)) == []


def test_an_error_of_ours_arrives_with_its_data(cluster):
    with pytest.raises(SizeError) as caught:
        list(ordered_map(refuse_three, range(10), cluster.scheduler_address))
    assert caught.value.n == 3


def test_the_work_of_a_worker_that_dies_is_done_by_another(cluster, tmp_path):
    tasks = [(str(tmp_path / "marker"), x) for x in range(10)]
    assert list(ordered_map(die_once, tasks, cluster.scheduler_address)) == list(range(10))
    assert (tmp_path / "marker").exists()


def test_a_data_set_has_the_same_bytes(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 100)
    options, formats = GenerationOptions(n=4), ("jsonl", "parquet")
    generate(options, Target(tmp_path / "here", formats))
    generate(options, Target(tmp_path / "there", formats), cluster.scheduler_address)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert len(contents(tmp_path / "here")) > 15


def test_a_relative_folder_is_that_of_the_command(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generate(GenerationOptions(n=3), Target("here", ("jsonl",)))
    generate(GenerationOptions(n=3), Target("there", ("jsonl",)), cluster.scheduler_address)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert take_census(4, Path("scratch"), cluster.scheduler_address).classes == 20


def test_two_runs_on_one_cluster_hear_their_own_progress(cluster):
    told: list[int] = []
    first = ordered_map(square, range(10), cluster.scheduler_address, told.append)
    assert next(first) == 0
    assert len(list(ordered_map(square, range(100, 130), cluster.scheduler_address))) == 30
    assert len(list(first)) == 9
    assert set(told) <= set(range(10))


def test_another_version_or_none_is_told(cluster, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("corr2cause.cluster.__version__", "9.9")
        with pytest.raises(OptionError, match=rf"the scheduler has another .* than 9\.9: version {__version__}"):
            list(ordered_map(square, [1], cluster.scheduler_address))
    with monkeypatch.context() as patched:
        patched.setattr("corr2cause.cluster._VERSION", "nowhere:__version__")
        with pytest.raises(OptionError, match=r"the scheduler has another .*: none .*nowhere.*; install"):
            list(ordered_map(square, [1], cluster.scheduler_address))
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        late = client.submit(_work, square, "9.9", "topic", 1)
        with pytest.raises(OptionError, match=r"the worker tcp://.* has another corr2cause than 9\.9"):
            late.result()


@pytest.mark.slow
def test_a_cluster_without_workers_is_waited_for():
    with distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        require_workers(made.scheduler_address, lambda: made.scale(1))
        assert list(ordered_map(square, [3], made.scheduler_address)) == [9]


def test_a_scheduler_that_goes_away_is_told(monkeypatch):
    monkeypatch.setattr("corr2cause.cluster._SECONDS_TO_ANSWER", 1)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
    ) as made:
        results = ordered_map(doze, range(10), made.scheduler_address)
        assert next(results) == 0
    with pytest.raises(ServerError, match="went away; start it again, and then give the same command"):
        list(results)


def test_a_sample_has_the_same_bytes(cluster, tmp_path):
    options, formats = SampleOptions(n=5, classes=60), ("jsonl", "parquet")
    sample(options, Target(tmp_path / "here", formats))
    sample(options, Target(tmp_path / "there", formats), cluster.scheduler_address)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_work_without_end_is_handed_out_a_few_pieces_at_a_time(cluster):
    with closing(ordered_map(square, count(), cluster.scheduler_address)) as results:
        assert list(islice(results, 30)) == [x * x for x in range(30)]


def test_memory_is_kept_where_the_c_library_can(monkeypatch):
    def library_without(_):
        raise OSError

    keep_freed_memory.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", library_without)
    keep_freed_memory()
    asked = []
    keep_freed_memory.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace(mallopt=lambda *pair: asked.append(pair)))
    keep_freed_memory()
    assert asked == [(-1, 2**25), (-3, 2**25)]
    keep_freed_memory.cache_clear()


@pytest.mark.slow
def test_a_piece_that_kills_every_worker_is_one_clear_error():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        made.scheduler.allowed_failures = 1
        results = ordered_map(die, [1], made.scheduler_address)
        with pytest.raises(WorkerError):
            next(results)


def test_an_address_where_nobody_answers_is_told(monkeypatch):
    monkeypatch.setattr("corr2cause.cluster._SECONDS_TO_ANSWER", 0.5)
    with pytest.raises(OptionError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(ordered_map(square, [1], "tcp://127.0.0.1:9"))
    for address in ("nonsense://x", "127.0.0.1", "tls://127.0.0.1:9"):
        with pytest.raises(OptionError, match=f"no Dask scheduler answers at {address}"):
            list(ordered_map(square, [1], address))


def test_a_server_that_says_nothing_is_no_scheduler(monkeypatch):
    monkeypatch.setattr("corr2cause.cluster._SECONDS_TO_ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(OptionError, match=f"no Dask scheduler answers at {address}"):
            list(ordered_map(square, [1], address))

    with pytest.raises(OptionError, match="no Dask scheduler answers at nonsense://x"):
        require_workers("nonsense://x")
    with pytest.raises(OptionError, match="no Dask scheduler answers at nonsense://x"):
        list(ordered_map(square, [1], "nonsense://x"))


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r'pip install "corr2cause\[cluster\]"'):
        list(ordered_map(square, [1], "tcp://127.0.0.1:9"))
