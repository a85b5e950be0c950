"""Groups of commands: whole sentences, and what was nearly typed."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner
from scripts.write_cli_docs import commands

from corr2cause.cli import main

GROUPS = {words: command for words, command in commands(main) if isinstance(command, click.Group)}


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_the_help_of_a_group_cuts_no_sentence_short(words):
    shown = CliRunner().invoke(main, [*words, "--help"]).output.partition("Commands:\n")[2]
    assert "..." not in shown
    assert shown.count(".\n") == len(GROUPS[words].list_commands(click.Context(GROUPS[words])))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["genrate"], "generate"),
        (["spans", "validat"], "validate"),
        (["spans", "score", "extract"], "extraction"),
        (["spans", "label-studio", "exprt"], "export"),
    ],
)
def test_a_mistyped_command_is_told_the_right_one(typed, meant):
    result = CliRunner().invoke(main, typed)
    assert result.exit_code == 2
    assert f"Error: No such command {typed[-1]!r}. Did you mean {meant!r}?" in result.output


def test_a_command_like_no_other_is_only_refused():
    result = CliRunner().invoke(main, ["spans", "zzz"])
    assert result.exit_code == 2
    assert "Error: No such command 'zzz'.\n" in result.output
