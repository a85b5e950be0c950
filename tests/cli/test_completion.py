"""Completion scripts for three shells."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from click.testing import CliRunner

from corr2cause.cli import main
from tests.cli.running import environment, run


@pytest.mark.parametrize(
    ("shell", "calls"),
    [("bash", "complete -o nosort -F"), ("zsh", "#compdef corr2cause"), ("fish", "complete --no-files")],
)
def test_each_shell_gets_its_script(shell, calls):
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert calls in result.output
    assert f"_CORR2CAUSE_COMPLETE={shell}_complete" in result.output


def test_another_shell_is_a_usage_error():
    result = CliRunner().invoke(main, ["completion", "tcsh"])
    assert result.exit_code == 2
    assert "'tcsh' is not one of" in result.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = run("completion", shell).stdout
    checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("corr2cause ", {"generate", "perturb", "stats", "completion"}),
        ("corr2cause generate --reading ", {"direct", "path", "ancestral"}),
        ("corr2cause perturb --mode re", {"refactor", "rename", "reorder"}),
    ],
)
def test_the_command_answers_what_the_script_asks(words, offered):
    """As bash asks it: the words so far and the number of the one under the cursor."""
    import sys

    asked = environment(
        _CORR2CAUSE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split(" ")) - 1)
    )
    code = "from corr2cause.cli import main; main(prog_name='corr2cause')"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=asked, check=False)
    assert offered <= {line.partition(",")[2] for line in answer.stdout.split(os.linesep)}
