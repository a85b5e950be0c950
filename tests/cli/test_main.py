"""The command as a whole: help with examples, at once; a version; a reader that goes away."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from scripts.write_cli_docs import commands

import corr2cause
from corr2cause.cli import main
from tests.cli.running import COMMAND, environment, run

COMMANDS = sorted(main.commands)
ALL = dict(commands(main))
"""Every command and group, those inside of groups too, by the words that call it; () is the program."""
HEAVY = {
    "numpy",
    "pandas",
    "pyarrow",
    "networkx",
    "pynauty",
    "tqdm",
    "yaml",
    "filelock",
    "matplotlib",
    "dask",
    "openai",
}


def test_the_commands_of_the_pipeline_are_there():
    assert {"generate", "perturb", "stats", "completion"} <= set(COMMANDS)


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_every_help_says_what_it_does_and_has_an_example(command):
    result = CliRunner().invoke(main, [*command, "--help"])
    assert result.exit_code == 0
    usage, _, rest = result.output.partition("\n\n")
    assert usage.startswith("Usage:")
    assert re.match(r"  [A-Z].{20,}", rest)
    example = re.search(r"^  Example:\n((?:    .+\n)+)", result.output, re.MULTILINE)
    assert example, result.output
    assert all("corr2cause" in line for line in example[1].splitlines())
    assert CliRunner().invoke(main, [*command, "-h"]).output == result.output


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_option_is_described(words):
    for parameter in ALL[words].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help[0].isupper()
            assert parameter.help.split("  ")[0].endswith(".")


def examples():
    for words, command in ALL.items():
        text = command.help or ""
        for line in text.splitlines():
            if line.strip().startswith("corr2cause "):
                yield pytest.param(shlex.split(line)[1:], id=f"{' '.join(words)}: {line.strip()}")


@pytest.mark.parametrize("words", list(examples()))
def test_the_options_of_every_example_exist(words, tmp_path, monkeypatch):
    """Parsed, not run; files that an example reads are there, if empty."""
    monkeypatch.chdir(tmp_path)
    for word in words[1:]:
        if Path(word).suffix:
            Path(word).parent.mkdir(parents=True, exist_ok=True)
            Path(word).touch()
    called = max((call for call in ALL if tuple(words[: len(call)]) == call), key=len)
    settings = {"help_option_names": main.context_settings["help_option_names"]}  # click keeps what it makes of them
    ALL[called].make_context(called[-1], list(words[len(called) :]), resilient_parsing=False, **settings)


def test_help_imports_nothing_heavy():
    helps = ([name, "--help"] for name in ("generate", "perturb", "prompts", "ask", "spans"))
    for arguments in (["--help"], *helps, ["--version"], ["completion", "bash"]):
        code = (
            "import sys\n"
            "from corr2cause.cli import main\n"
            "main(sys.argv[1:], prog_name='corr2cause', standalone_mode=False)\n"
            "print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment(), check=True
        )
        assert done.stdout
        loaded = {name.partition(".")[0] for name in done.stderr.split()}
        assert "click" in loaded
        assert not loaded & HEAVY, arguments


def test_the_version_is_printed():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"corr2cause, version {corr2cause.__version__}\n")


@pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["generate", "--nonsense"], ["perturb"]])
def test_wrong_usage_is_two_and_no_traceback(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Usage: corr2cause")
    assert "Traceback" not in done.stderr


def test_no_command_shows_the_help():
    assert "Commands:" in CliRunner().invoke(main, []).output


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_help_can_be_shown_on_any_terminal(encoding):
    """A sign such as ⊥ would end the command there with a traceback."""
    for command in COMMANDS:
        done = run(command, "--help", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_reader_that_goes_away_is_no_failure_to_talk_about():
    """Like `corr2cause generate --dry-run | head -1`, the reader being gone before the first line."""
    command = subprocess.Popen(
        [*COMMAND, "generate", "--n", "3", "--dry-run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    command.stdout.close()
    said = command.stderr.read()
    command.wait()
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell")
@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(tmp_path, closed):
    """As a scheduler may start us."""
    line = f'"$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, "generate", "--n", "3", "--out", str(tmp_path / "data")],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "data" / "manifest.json").exists()


def test_signs_that_the_output_lacks_are_escaped_as_in_json():
    text = (
        "Premise: Suppose there is a closed system of 2 variables, A and \u5909. All the statistical relations among "
        "these 2 variables are as follows: A correlates with \u5909. Hypothesis: A directly causes \u5909."
    )
    done = run("explain", "--json", text, PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u5909" in done.stdout
    assert json.loads(done.stdout)["variables"] == ["A", "\u5909"]


def test_a_command_may_run_in_a_thread(tmp_path):
    """As a notebook server may do it; only the main thread may set signal handlers."""
    raised = []

    def work() -> None:
        try:
            main(["generate", "--n", "2", "--out", str(tmp_path / "data"), "--quiet"], standalone_mode=False)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert raised == []
    assert (tmp_path / "data" / "manifest.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["generate", "--out", ""],
        ["perturb", "--mode", "words", "--data", ""],
        ["stats", ""],
        ["verify", ""],
        ["explain", "--id", "n2-c0-1-2-is_parent", "--data", ""],
        ["explain", "text", "--plot", ""],
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_the_current_folder(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "it is empty; name a file or a folder" in result.output
    assert list(tmp_path.iterdir()) == []
