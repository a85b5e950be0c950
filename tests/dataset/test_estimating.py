"""Estimates: rows and classes are exact, bytes near what is written."""

from __future__ import annotations

import os
from itertools import count
from types import SimpleNamespace

import pytest

from corr2cause.dataset import estimating
from corr2cause.dataset.estimating import estimate, estimate_sample
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, Hypotheses
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.sampling import sample
from tests.known import ENTAILED_COUNTS, GRAPH_COUNTS


def test_classes_and_rows_are_exact():
    found = estimate(GenerationOptions(n=6), ("jsonl",), workers=1)
    assert [(e.n, e.classes, e.rows) for e in found] == [
        (known.n, GRAPH_COUNTS[known.n - 1].classes, known.rows) for known in ENTAILED_COUNTS
    ]
    assert all(e.seconds > 0 for e in found)
    ordered = estimate(GenerationOptions(n=4, min_n=3, hypotheses=Hypotheses.ORDERED), ("jsonl",), workers=1)
    assert [(e.n, e.rows) for e in ordered] == [(3, 180), (4, 1440)]


@pytest.mark.parametrize("formats", [("jsonl",), ("parquet",), ("jsonl", "parquet")])
def test_bytes_are_within_a_factor_of_two(tmp_path, formats):
    options = GenerationOptions(n=5)
    generate(options, Target(tmp_path, formats))
    written = sum(os.path.getsize(tmp_path / name) for form in formats for name in os.listdir(tmp_path) if form in name)
    expected = sum(e.bytes for e in estimate(options, formats, workers=1))
    assert written / 2 < expected < written * 2


def test_bytes_are_extrapolated_from_a_sample(tmp_path, monkeypatch):
    options = GenerationOptions(n=5, min_n=5)
    generate(options, Target(tmp_path, ("jsonl",)))
    written = sum(path.stat().st_size for path in tmp_path.glob("*.jsonl"))
    monkeypatch.setattr(estimating, "_SAMPLE", 20)
    (expected,) = estimate(options, ("jsonl",), workers=1)
    assert expected.classes == 142
    assert written / 2 < expected.bytes < written * 2


@pytest.mark.slow
def test_bytes_of_six_variables_are_within_a_factor_of_two(tmp_path):
    options = GenerationOptions(n=6, min_n=6)
    generate(options, Target(tmp_path, ("jsonl", "parquet")))
    written = sum(os.path.getsize(tmp_path / name) for name in os.listdir(tmp_path))
    expected = sum(e.bytes for e in estimate(options, ("jsonl", "parquet"), workers=1))
    assert written / 2 < expected < written * 2


def test_a_sample_is_extrapolated_from_its_first_classes(tmp_path, monkeypatch):
    options = SampleOptions(n=6, classes=60)
    sample(options, Target(tmp_path, ("jsonl",)))
    written = sum(path.stat().st_size for path in tmp_path.glob("*.jsonl"))
    monkeypatch.setattr(estimating, "_SAMPLE", 20)
    monkeypatch.setattr(estimating, "time", SimpleNamespace(perf_counter=count().__next__))  # a second at every look
    found = estimate_sample(options, ("jsonl",), workers=2)
    assert (found.n, found.classes, found.rows) == (6, 60, 60 * 90)
    assert written / 2 < found.bytes < written * 2
    assert found.seconds == 60 / 20 * (1 + 1) / 2, "one for the draws, one for the rows, three times, by two"


def test_planning_takes_memory_for_each_row():
    one = estimating.peak_memory(0, 1)
    assert one is None or estimating.peak_memory(10**9, 1) - one > 3e9


def test_memory_grows_with_the_workers():
    estimate(GenerationOptions(n=3), ("jsonl",), workers=1)
    one, two = estimating.peak_memory(0, 1), estimating.peak_memory(0, 2)
    assert one is None or (20e6 < one < two == 3 * one)
