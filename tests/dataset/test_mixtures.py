"""Bounds and mixtures: which rows stay, against the plain definition on all rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.verification import verify
from corr2cause.dataset.balancing import draw_evenly, out_of_bounds
from corr2cause.dataset.bounds import Bounds
from corr2cause.dataset.generating import Target, generate, row_count
from corr2cause.dataset.options import GenerationOptions, PremiseStyle
from corr2cause.errors import OptionError
from tests.cli.running import call
from tests.dataset.rows import rows_of, split_rows_of

ALL = GenerationOptions(n=5)


def bounds(text):
    return Bounds.parse("--x", text)


def number(row, name):
    pairs = row["num_variables"] * (row["num_variables"] - 1) / 2
    return {
        "edges": row["n_edges"],
        "density": row["n_edges"] / pairs,
        "class_size": row["class_size"],
        "statements": row["n_statements"],
    }[name]


@pytest.mark.parametrize("premise", [PremiseStyle.FULL, PremiseStyle.MINIMAL])
@pytest.mark.parametrize(
    ("name", "text", "low", "high"),
    [
        ("edges", "3-5", 3, 5),
        ("edges", "4", 4, 4),
        ("density", "0.25-0.5", 0.25, 0.5),
        ("class_size", "2-6", 2, 6),
        ("statements", "1-7", 1, 7),
    ],
)
def test_rows_in_bounds_stay_with_all_that_they_are(premise, name, text, low, high):
    everything = replace(ALL, premise=premise)
    kept = split_rows_of(replace(everything, **{name: bounds(text)}))
    expected = {
        split: tuple(row for row in rows if low <= number(row, name) <= high)
        for split, rows in split_rows_of(everything).items()
    }
    assert kept == expected
    assert 0 < sum(map(len, kept.values())) < len(rows_of(everything))


def test_bounds_add_up():
    chosen = replace(ALL, edges=bounds("3-5"), class_size=bounds("2-6"))
    rows = [row for part in split_rows_of(chosen).values() for row in part]
    assert rows
    assert all(3 <= row["n_edges"] <= 5 and 2 <= row["class_size"] <= 6 for row in rows)


@pytest.mark.parametrize("most", [1, 100, 10**6])
def test_so_many_rows_of_each_size_are_in_train(most):
    everything, chosen = split_rows_of(ALL), split_rows_of(replace(ALL, rows_per_n=most))
    for split in ("dev", "test", "reserve"):
        assert chosen[split] == everything[split]
    there, kept = (Counter(row["num_variables"] for row in part["train"]) for part in (everything, chosen))
    assert kept == {n: min(most, count) for n, count in there.items()}
    known = {row["id"]: row for row in everything["train"]}
    assert all(known[row["id"]] == row for row in chosen["train"])


def test_more_rows_include_fewer():
    fewer, more = ({row["id"] for row in split_rows_of(replace(ALL, rows_per_n=k))["train"]} for k in (50, 500))
    assert fewer < more


def test_the_draw_is_spread_over_the_classes():
    rows = split_rows_of(replace(ALL, rows_per_n=300))["train"]
    of_five = [row["class_id"] for row in rows if row["num_variables"] == 5]
    assert len(set(of_five)) > 80


def test_a_balanced_mixture_stays_balanced():
    rows = split_rows_of(replace(ALL, balance=True, rows_per_n=400))["train"]
    cells = Counter((row["num_variables"], row["template"], row["label"]) for row in rows)
    assert cells
    for n, template, _ in cells:
        assert cells[n, template, 0] == cells[n, template, 1]
    assert all(count <= 400 for count in Counter(row["num_variables"] for row in rows).values())


@settings(max_examples=50, deadline=None)
@given(
    strata=st.lists(st.integers(-1, 3), min_size=1, max_size=60),
    most=st.integers(1, 70),
    seed=st.integers(0, 2**32 - 1),
)
def test_strata_keep_their_shares(strata, most, seed):
    stratum = np.array(strata, dtype=np.int64)
    draw = np.random.default_rng(seed).integers(0, 2**63, len(strata), dtype=np.uint64)
    chosen = draw_evenly(stratum, draw, most)
    total = sum(one >= 0 for one in strata)
    for one in set(strata):
        rows = [k for k, it in enumerate(strata) if it == one]
        share = 0 if one < 0 else min(len(rows), len(rows) * most // total)
        lowest = sorted(rows, key=lambda k: draw[k])[:share]
        assert {k for k in rows if chosen[k]} == set(lowest)


def test_rows_are_counted_before_they_are_made():
    chosen = replace(ALL, rows_per_n=10, edges=bounds("2-6"))
    assert row_count(chosen) == sum(len(rows) for rows in split_rows_of(chosen).values())


def test_bounds_that_nothing_keeps_are_one_line(tmp_path):
    with pytest.raises(OptionError, match=r"--edges: no row is left; give wider bounds"):
        generate(replace(ALL, edges=bounds("50")), Target(tmp_path, ("jsonl",)))


@pytest.mark.parametrize("text", ["", "x", "5-3", "-1", "1-", "1e3"])
def test_nonsense_is_a_usage_error(tmp_path, text):
    done = call("generate", "--n", 3, "--edges", text, "--out", tmp_path / "data")
    assert done.returncode == 2
    assert "--edges" in done.stderr


def test_options_survive_a_manifest():
    chosen = replace(ALL, rows_per_n=10, density=bounds("0.2-0.4"))
    written = chosen.to_json()
    assert (written["rows_per_n"], written["density"]) == (10, "0.2-0.4")
    assert GenerationOptions.from_json(written) == chosen
    assert not {"rows_per_n", "edges", "density", "class_size", "statements"} & set(ALL.to_json())


def test_sizes_may_be_a_range(tmp_path):
    done = call("generate", "--n", "3-4", "--out", tmp_path / "data", "--format", "jsonl", "--rows-per-n", 9)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["3", "4", "all"]
    twice = call("generate", "--n", "3-4", "--min-n", 3, "--out", tmp_path / "x")
    assert (twice.returncode, "--n gives the smallest size already" in twice.stderr) == (2, True)
    for nonsense in ("4-3", "3-", "-3", "1-3", "3-8", "a-b"):
        assert call("generate", "--n", nonsense, "--out", tmp_path / "x").returncode == 2


def test_verify_sees_rows_out_of_bounds(tmp_path):
    chosen = GenerationOptions(n=4, edges=bounds("2-4"), rows_per_n=50)
    generate(chosen, Target(tmp_path / "data", ("jsonl",)))
    assert verify(tmp_path / "data").findings == ()
    table = pa.Table.from_pylist(list(rows_of(GenerationOptions(n=4))))
    assert out_of_bounds(chosen, table) == ["--edges"]
    assert out_of_bounds(GenerationOptions(n=4), table) == []
