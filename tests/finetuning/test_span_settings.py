"""The settings of the paper stand in the files, and warm-ups are steps or shares."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import FileError
from corr2cause.finetuning.settings import read_settings
from corr2cause.finetuning.spans.settings import EncoderSettings, LoraSettings, warmup_steps

SCRIPTS = Path(__file__).parents[2] / "scripts"


def test_encoders_as_in_appendix_b():
    found = read_settings(SCRIPTS / "spans_finetune/paper.toml", EncoderSettings)
    assert (found.learning_rate, found.batch_size, found.epochs) == (2e-5, 16, 3)
    assert (found.warmup, found.max_length) == (100, 128)


def test_transfer_as_in_table_11():
    found = read_settings(SCRIPTS / "spans_finetune/transfer.toml", EncoderSettings)
    assert (found.learning_rate, found.weight_decay, found.warmup) == (2e-5, 0.01, 0.1)
    assert (found.batch_size, found.epochs, found.max_length) == (16, 3, 256)
    assert (found.patience, found.seed) == (2, 42)


def test_adapters_as_in_table_10():
    found = read_settings(SCRIPTS / "spans_lora/paper.toml", LoraSettings)
    assert (found.rank, found.alpha, found.dropout) == (8, 16, 0.05)
    assert found.targets.split() == ["q_proj", "v_proj"]
    assert (found.learning_rate, found.schedule, found.warmup, found.clip) == (2e-4, "cosine", 50, 1.0)
    assert found.batch_size in (2, 4)
    assert 16 <= found.batch_size * found.accumulation <= 32
    assert (found.epochs, found.quantisation, found.max_length) == (3, "8bit", 2048)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('schedule = "steep"', "schedule: expected one of linear, cosine"),
        ("rank = 0", "rank: 0 is less than 1"),
        ("rank = [4, 8]", r"rank: expected int, found \[4, 8\]"),
        ("lr = 1", "there is no setting lr"),
        ('quantisation = "3bit"', "quantisation: expected one of none, 8bit"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, line, problem):
    name = line.split(" ")[0]
    kept = [one for one in (SCRIPTS / "spans_lora/paper.toml").read_text().splitlines() if not one.startswith(name)]
    (tmp_path / "bad.toml").write_text("\n".join([*kept, line]))
    with pytest.raises(FileError, match=problem):
        read_settings(tmp_path / "bad.toml", LoraSettings)


@given(st.integers(1, 500), st.integers(1, 32), st.integers(1, 5), st.sampled_from([0.0, 0.1, 0.25, 0.5]))
def test_a_share_of_all_steps(n_rows, rows_in_step, epochs, share):
    """Count the steps one by one."""
    steps = sum(1 for _ in range(epochs) for start in range(0, n_rows, rows_in_step))
    assert warmup_steps(share, n_rows, rows_in_step, epochs) == math.ceil(share * steps)


def test_steps_are_taken_as_they_are():
    assert warmup_steps(1, 10, 5, 1) == 1
    assert warmup_steps(100, 10, 5, 1) == 100
