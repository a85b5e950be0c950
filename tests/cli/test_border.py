"""Whatever goes wrong is one line and an exit code: 1 for a fault, 2 for usage, never a traceback."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from corr2cause.cli.border import ErrorBorder
from corr2cause.errors import FileError, NamingError, OptionError, ParseError, RowError, SizeError, WorkerError
from tests.cli.running import COMMAND, environment


def invoke(error: BaseException):
    @click.group(cls=ErrorBorder)
    def group() -> None:
        pass

    @group.command()
    def fail() -> None:
        raise error

    return CliRunner().invoke(group, ["fail"])


@pytest.mark.parametrize(
    "error",
    [
        FileError("a.jsonl", "it is gone"),
        NamingError("a name"),
        ParseError("A and B", "no sentence"),
        RowError("a.jsonl", 3, "no label"),
        SizeError(40, 2, 7),
        WorkerError(),
    ],
)
def test_an_error_of_ours_is_its_own_line(error):
    result = invoke(error)
    assert result.exit_code == 1
    assert result.output == f"Error: {error}\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "/x/y"),
            "Error: /x/y: no space is left on this disk; free some or choose another folder\n",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "Error: permission denied; choose another place or change its permissions\n",
        ),
        (OSError("a reason without a number"), "Error: a reason without a number; check the path\n"),
        (MemoryError(), "Error: out of memory; use a smaller --n or fewer --workers\n"),
    ],
)
def test_an_error_of_the_system_is_one_line(error, line):
    result = invoke(error)
    assert (result.exit_code, result.output) == (1, line)


def test_ctrl_c_is_one_word():
    result = invoke(KeyboardInterrupt())
    assert result.exit_code == 1
    assert result.output.strip() == "Aborted!"


def test_a_usage_error_is_two():
    result = invoke(click.UsageError("no such thing"))
    assert result.exit_code == 2


def test_an_option_that_makes_no_sense_is_wrong_usage_in_one_line():
    result = invoke(OptionError("--n", "too many"))
    assert (result.exit_code, result.output) == (2, "Error: --n: too many\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["completion", "bash"], ["generate", "--help"]])
def test_an_output_that_is_full_is_one_line(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    line = "Error: no space is left on this disk; free some or choose another folder\n"
    assert (done.returncode, done.stderr) == (1, line)


def test_a_bug_of_ours_is_not_hidden():
    assert isinstance(invoke(ZeroDivisionError()).exception, ZeroDivisionError)
