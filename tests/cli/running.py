"""The command line as a person runs it: a process of its own, with an exit code and two streams."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from corr2cause.cli import main

SOURCES = Path(__file__).parents[2] / "src"
COMMAND = [sys.executable, "-m", "corr2cause"]


def environment(**variables: str) -> dict[str, str]:
    """Return the environment in which the command runs from any folder."""
    return {**os.environ, "PYTHONPATH": str(SOURCES), **variables}


def run(*arguments: object, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        cwd=cwd,
        env=environment(**variables),
        timeout=300,
        check=False,
    )


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which is quicker; an error that escapes it fails the test."""
    stdout, stderr = io.StringIO(), io.StringIO()
    code = 0
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            main([str(word) for word in arguments], prog_name="corr2cause")
        except SystemExit as done:
            code = done.code
    return subprocess.CompletedProcess(arguments, code, stdout.getvalue(), stderr.getvalue())


def start(*arguments: object, cwd: Path | None = None) -> subprocess.Popen[str]:
    """Start the command in a group of processes of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment(),
        start_new_session=True,
    )
