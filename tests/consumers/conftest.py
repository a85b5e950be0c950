"""All exports of a small data set, and processes that are offline from the start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corr2cause.dataset.exporting.targets import TARGETS
from tests.dataset.exports import export_to, small_data

SOURCES = Path(__file__).parents[2] / "src"


@pytest.fixture(scope="session")
def exports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("consumers")
    data = small_data(folder / "data", ("jsonl", "parquet"))
    for target in TARGETS:
        export_to(data, target, folder / target)
    export_to(small_data(folder / "lines"), "croissant", folder / "croissant-of-lines", date="2024-05-07")
    return folder


@pytest.fixture
def offline(tmp_path):
    """Run a Python program with arguments; it prints JSON last. Without `with_us` it cannot import corr2cause."""

    def run(code: str, *arguments: object, with_us: bool = False, cwd: Path = tmp_path) -> object:
        done = shell([sys.executable, "-c", code, *map(str, arguments)], tmp_path, cwd, with_us)
        return json.loads(done.stdout.splitlines()[-1])

    return run


def shell(command: list[str], home: Path, cwd: Path, with_us: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed, in a process that reaches no network."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(home / "cache")}
    environment |= {"INSPECT_LOG_DIR": str(home / "logs"), **({"PYTHONPATH": str(SOURCES)} if with_us else {})}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done
