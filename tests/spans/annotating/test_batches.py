"""Batches: every row goes to two different annotators, evenly, the same everywhere."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import FileError, OptionError
from corr2cause.spans.annotating.batches import check_names, deal, read_assignment, write_batches
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.rows import Pair, Row

NAMES = ["ann", "bob", "cid", "dora", "eve"]


def rows(number: int) -> list[Row]:
    return [Row(str(place), f"text {place}", (Pair("a", "b"),), True, "4711") for place in range(number)]


@given(st.integers(1, 60), st.integers(1, 9), st.integers(2, 5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_every_row_goes_to_one_batch_of_two_and_nobody_has_two_batches_more(n_rows, size, n_names, seed):
    names = NAMES[:n_names]
    batches = deal(rows(n_rows), names, size, seed)
    assert sorted(int(row.id) for batch in batches for row in batch.rows) == list(range(n_rows))
    assert [len(batch.rows) for batch in batches[:-1]] == [size] * (len(batches) - 1)
    assert all(len(set(batch.annotators)) == 2 and set(batch.annotators) <= set(names) for batch in batches)
    loads = Counter(name for batch in batches for name in batch.annotators)
    assert max(loads.values()) - min(loads[name] for name in names) <= 1


@pytest.mark.parametrize("seed", range(6))
def test_everybody_meets_everybody_before_anybody_meets_twice(seed):
    batches = deal(rows(6), NAMES[:4], 1, seed)
    assert Counter(batch.annotators for batch in batches) == Counter(combinations(NAMES[:4], 2))


@pytest.mark.parametrize("n_names", [3, 4, 5])
def test_nobody_is_ever_two_batches_ahead(n_names):
    """Whatever the number of batches: the first so many of a long list are what a short list would be."""
    loads = Counter(dict.fromkeys(NAMES[:n_names], 0))
    for batch in deal(rows(60), NAMES[:n_names], 1):
        loads.update(batch.annotators)
        assert max(loads.values()) - min(loads.values()) <= 1


def test_annotators_see_neither_pairs_nor_labels_but_where_a_text_is_from():
    (batch,) = deal(rows(1), ["ann", "bob"], 10)
    assert batch.rows == (Row("0", "text 0", source="4711"),)


def test_the_seed_decides_and_bytes_are_the_same_everywhere():
    def drawn(seed: int) -> list[tuple[tuple[str, str], list[str]]]:
        return [(batch.annotators, [row.id for row in batch.rows]) for batch in deal(rows(7), NAMES[:3], 3, seed)]

    assert drawn(0) == drawn(0) != drawn(1)
    assert drawn(0) == [(("bob", "cid"), ["0", "5", "1"]), (("ann", "bob"), ["4", "3", "2"]), (("ann", "cid"), ["6"])]


@pytest.mark.parametrize("names", [["ann"], ["ann", "Ann"], ["ann", ""], ["ann", "a/b"], ["ann", ".."], ["ann", "ä"]])
def test_names_that_cannot_be_used(names):
    with pytest.raises(OptionError, match="--annotators"):
        check_names(names)


def test_ids_must_differ():
    with pytest.raises(OptionError, match="the id 0 stands there 2 times"):
        deal([*rows(1), *rows(1)], ["ann", "bob"], 10)


def test_files_and_manifest(tmp_path):
    source, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    source.write_text("x")
    batches = deal(rows(5), NAMES[:3], 2)
    write_batches(out, source, batches, {"seed": 0}, force=False)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["source"]["file"] == "corpus.jsonl"
    assert len(manifest["source"]["sha256"]) == 64
    assert [batch["name"] for batch in manifest["batches"]] == ["batch-001", "batch-002", "batch-003"]
    given_rows = read_assignment(out / "manifest.json")
    for name in NAMES[:3]:
        read = [row.id for file in sorted((out / name).iterdir()) for row in read_corpus(file).rows]
        assert set(read) == given_rows[name]
    with pytest.raises(FileError, match="may be annotated"):
        write_batches(out, source, batches, {}, force=False)
    write_batches(out, source, batches, {}, force=True)


@pytest.mark.parametrize("content", ["[]", "{}", '{"batches": 3}', '{"batches": [{"annotators": ["a"]}]}'])
def test_no_manifest(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(FileError, match="no manifest of batches"):
        read_assignment(tmp_path / "manifest.json")
