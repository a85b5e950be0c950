"""One writer at a time, and a lock ends with its process."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import filelock
import pytest

from corr2cause.errors import FileError
from corr2cause.locks import LOCK, file_lock, folder_lock
from tests.processes import run_python

LOCK_HOLDER = """
import sys, time
from corr2cause.locks import folder_lock
with folder_lock(sys.argv[1]):
    print("locked", flush=True)
    time.sleep(60)
"""


def test_a_folder_has_one_writer_at_a_time(tmp_path):
    folder = tmp_path / "new" / "folder"
    with folder_lock(folder):
        with pytest.raises(FileError, match="another corr2cause is writing here; wait"), folder_lock(folder):
            pytest.fail("two writers")
        with pytest.raises(FileError, match="another corr2cause"), folder_lock(str(folder)):
            pytest.fail("the refused writer let go of a lock that was not its own")
    with folder_lock(folder):
        assert [name for name in os.listdir(folder) if not name.startswith(".")] == []


def test_a_lock_may_leave_no_trace(tmp_path):
    with folder_lock(tmp_path, leaves_no_trace=True):
        with pytest.raises(FileError, match="another corr2cause"), folder_lock(tmp_path, leaves_no_trace=True):
            pytest.fail("two writers")
        assert os.listdir(tmp_path) == [LOCK]
    with pytest.raises(RuntimeError), folder_lock(tmp_path, leaves_no_trace=True):
        raise RuntimeError
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("made_anew", [False, True])
def test_a_lock_on_a_file_that_is_gone_is_none(tmp_path, monkeypatch, made_anew):
    """Its holder removes the file just when somebody else has opened it."""
    acquire = filelock.FileLock.acquire

    def acquire_late(lock, *arguments, **options):
        got = acquire(lock, *arguments, **options)
        Path(lock.lock_file).unlink()
        if made_anew:
            Path(lock.lock_file).touch()
        return got

    monkeypatch.setattr(filelock.FileLock, "acquire", acquire_late)
    with pytest.raises(FileError, match="another corr2cause"), folder_lock(tmp_path):
        pytest.fail("the lock is on a file that nobody else will ever open")
    monkeypatch.undo()
    with folder_lock(tmp_path):
        pass


def test_a_lock_ends_with_an_error_that_is_kept(tmp_path):
    with pytest.raises(RuntimeError) as kept, folder_lock(tmp_path):
        raise RuntimeError
    assert kept.traceback
    with folder_lock(tmp_path):
        pass


def test_a_lock_ends_with_the_process_that_is_killed(tmp_path):
    with run_python(LOCK_HOLDER, tmp_path) as process:
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(FileError, match="another corr2cause"), folder_lock(tmp_path):
            pytest.fail("two writers")
        process.send_signal(signal.SIGKILL)
    with folder_lock(tmp_path):
        pass


def test_a_lock_needs_a_folder(tmp_path):
    Path(tmp_path, "file").touch()
    with pytest.raises(FileError, match="in the way"), folder_lock(tmp_path / "file"):
        pytest.fail("this is no folder")


def test_a_file_has_one_writer_at_a_time_and_leaves_others_alone(tmp_path):
    path = tmp_path / "answers"
    with file_lock(path), file_lock(tmp_path / "others"):
        with pytest.raises(FileError, match=r"answers: another corr2cause .* choose another file"), file_lock(path):
            pytest.fail("two writers")
        (tmp_path / "link").symlink_to(path)
        with pytest.raises(FileError, match="another corr2cause"), file_lock(tmp_path / "link"):
            pytest.fail("two writers by two names")
        assert not path.exists()
    with file_lock(path):
        pass
    with pytest.raises(FileError, match="no such"), file_lock(tmp_path / "no" / "file"):
        pytest.fail("there is no such folder")
