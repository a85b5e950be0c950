"""What README and docs say is run as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.servers import running_server

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
BLOCK = re.compile(r"^```(sh|python|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


SECOND_SYSTEM = "## Build a corpus of causal spans"
"""Where the part of the how-to begins that needs nothing of what comes before."""


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def parts_of_the_how_to() -> list[list[tuple[str, str]]]:
    first, second = (ROOT / "docs/how-to.md").read_text(encoding="utf-8").split(SECOND_SYSTEM)
    return [BLOCK.findall(first), BLOCK.findall(second)]


def run_block(kind: str, code: str, folder: Path) -> None:
    """Run a block where `corr2cause` is this very package."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "corr2cause"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m corr2cause "$@"\n')
    program.chmod(0o755)
    environment = {
        **ENVIRONMENT,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(folder / "cache"),
    }
    command = ["sh", "-e", "-c", code] if kind == "sh" else [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"


def test_the_commands_of_the_readme_run_one_after_the_other(tmp_path: Path) -> None:
    commands = [code for kind, code in blocks("README.md") if kind == "sh" and "venv" not in code]
    assert len(commands) == 1
    assert [line.split("#")[0].strip() for line in commands[0].splitlines()][:3] == [
        "corr2cause generate --n 6",
        "corr2cause perturb --mode paraphrase",
        "corr2cause stats",
    ]
    run_block("sh", commands[0], tmp_path)


def test_the_row_of_the_readme_is_the_line_that_it_says(tmp_path: Path) -> None:
    (printed,) = (json.loads(code) for kind, code in blocks("README.md") if kind == "json")
    run_block("sh", "corr2cause generate --n 3 --format jsonl --quiet", tmp_path)
    lines = (tmp_path / "data/corr2cause/dev.jsonl").read_text(encoding="utf-8").splitlines()
    (number,) = re.findall(r"`dev.jsonl`, line (\d+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert json.loads(lines[int(number) - 1]) == printed


def test_ci_calls_the_test_command_of_the_readme() -> None:
    (command,) = (code.strip() for kind, code in blocks("README.md") if kind == "sh" and "pytest" in code)
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_every_command_has_a_worked_example() -> None:
    from corr2cause.cli import main

    shown = "\n".join(code for kind, code in blocks("docs/how-to.md") if kind == "sh")
    for name in main.commands:
        assert f"corr2cause {name}" in shown, name


def test_every_block_of_the_how_to_on_spans_runs_in_turn(tmp_path: Path) -> None:
    with running_server() as server:
        for kind, code in parts_of_the_how_to()[1]:
            run_block(kind, code.replace("http://localhost:8000/v1", server.url), tmp_path)
    assert len(server.answered) == 6
    assert set(server.answered.values()) == {1}


def test_every_block_of_the_how_to_runs_in_turn(tmp_path: Path) -> None:
    """The server that a reader has at the address of the examples is ours here."""
    with running_server() as server:
        for kind, code in parts_of_the_how_to()[0]:
            if "reasoning_gym" in code and not find_spec("reasoning_gym"):
                continue  # the extra `gym` is heavy
            run_block(kind, code.replace("http://localhost:8000/v1", server.url), tmp_path)
    assert set(server.answered.values()) == {1}
    assert len((tmp_path / "some.answers.jsonl").read_text().splitlines()) == 20


def test_the_page_of_commands_is_what_help_says() -> None:
    script = "from scripts.write_cli_docs import cli_docs; print(cli_docs(), end='')"  # click caches what others showed
    shown = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True)
    assert (ROOT / "docs/cli.md").read_bytes() == shown.stdout, "run python scripts/write_cli_docs.py"


def test_links_between_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
