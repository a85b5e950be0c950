"""From abstracts to candidate rows: windows, filters, samples, and counts that add up."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import FileError, OptionError
from corr2cause.files import sha256_of
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.pubmed import building
from corr2cause.spans.pubmed.building import BuildOptions, build, sampled
from corr2cause.spans.pubmed.candidates import Candidate, Candidates, Filters
from corr2cause.spans.pubmed.records import Abstract
from corr2cause.spans.pubmed.windows import Windows
from corr2cause.spans.sentences import sentences
from tests.spans.corpus import write
from tests.spans.pubmed_files import article, article_set


@pytest.mark.parametrize(
    ("windows", "n", "expected"),
    [
        (Windows(), 1, []),
        (Windows(), 2, [(0, 2)]),
        (Windows(), 5, [(0, 5)]),
        (Windows(), 6, [(0, 5)]),
        (Windows(), 7, [(0, 5), (5, 7)]),
        (Windows(remainder="merge"), 6, [(0, 6)]),
        (Windows(remainder="merge"), 3, [(0, 3)]),
        (Windows(remainder="merge"), 1, []),
        (Windows(remainder="drop"), 9, [(0, 5)]),
        (Windows(remainder="drop"), 4, []),
        (Windows(1, 1), 2, [(0, 1), (1, 2)]),
        (Windows(2, 3, 1), 5, [(0, 3), (1, 4), (2, 5)]),
        (Windows(1, 3, 2), 6, [(0, 3), (2, 5), (5, 6)]),
    ],
)
def test_windows_by_hand(windows, n, expected):
    assert [(row.start, row.stop) for row in windows.cut(n)] == expected


@pytest.mark.parametrize(
    ("numbers", "option"), [((0, 5), "--min"), ((3, 2), "--max"), ((2, 5, 6), "--stride"), ((2, 5, 0), "--stride")]
)
def test_windows_that_make_no_sense_are_refused(numbers, option):
    with pytest.raises(OptionError, match=option):
        Windows(*numbers)


POLICIES = st.sampled_from(["keep", "merge", "drop"])


@given(st.integers(1, 4), st.integers(0, 3), st.data(), POLICIES, st.integers(0, 30))
def test_windows_follow_their_policy(minimum, more, data, remainder, n):
    windows = Windows(minimum, minimum + more, data.draw(st.integers(1, minimum + more)), remainder)
    rows = list(windows.cut(n))
    assert all(0 <= row.start < row.stop <= n for row in rows)
    assert all(one.start < other.start for one, other in pairwise(rows))
    full = [k for k in range(n) if k % windows.stride == 0 and k + windows.maximum <= n]
    assert [row.start for row in rows][: len(full)] == full
    left = n - (full[-1] + windows.maximum if full else 0)
    covered = {k for row in rows for k in row}
    if remainder == "drop" or left == 0:
        assert len(rows) == len(full)
    elif remainder == "merge" and full:
        assert covered == set(range(n))
    else:
        assert len(rows) - len(full) == (left >= minimum)
    if remainder != "merge":
        assert all(minimum <= len(row) <= windows.maximum for row in rows)


ABSTRACTS = [
    Abstract("1", "Frost came. Roads cracked. In 1999 it was worse. Salt helped.\nWinter ended. Birds sang."),
    Abstract("2", ""),
    Abstract("1", "Again. And again."),
    Abstract("3", "Roads cracked – and 5 more. Frost came."),
    Abstract("4", "Frost  came. Roads cracked"),
]


def candidates(windows: Windows, filters: Filters) -> tuple[list[Candidate], Candidates]:
    stage = Candidates(windows, filters)
    return list(stage.rows(ABSTRACTS)), stage


def test_every_stage_by_hand():
    rows, stage = candidates(Windows(2, 2), Filters())
    assert [(row.text, row.pmid, row.sentences, row.place) for row in rows] == [
        ("Frost came. Roads cracked.", "1", range(2), (0, 26)),
        ("Winter ended. Birds sang.", "1", range(4, 6), (62, 87)),
    ]
    assert +stage.counts == {
        "records": 5, "repeated_records": 1, "records_without_abstract": 1, "abstracts": 3, "sentences": 10,
        "rows": 5, "rows_with_digit": 2, "rows_with_non_ascii": 1, "rows_with_both": 1, "rows_kept": 3,
        "duplicates": 1, "candidates": 2,
    }  # fmt: skip
    ((row, before),) = stage.duplicates
    assert (row.pmid, before["source"]) == ("4", "1")


def test_sentences_are_filtered_before_they_are_joined():
    rows, stage = candidates(Windows(2, 5), Filters(unit="sentence"))
    assert [row.text for row in rows] == ["Frost came. Roads cracked.", "Salt helped. Winter ended. Birds sang."]
    assert stage.counts["sentences_with_digit"] == 2
    assert stage.counts["sentences_with_both"] == stage.counts["sentences_with_non_ascii"] == 1
    assert stage.counts["sentences_in_no_row"] == 3  # two were dropped, one was alone


def test_sentences_of_overlapping_rows_are_counted_once():
    _, stage = candidates(Windows(3, 3, 1, "drop"), Filters())
    assert stage.counts["rows"] == 4  # of six sentences; the other abstracts have two each
    assert stage.counts["sentences_in_no_row"] == 4


def test_filters_can_be_left_out():
    rows, stage = candidates(Windows(2, 2), Filters(digits=False, non_ascii=False, duplicates=False))
    assert len(rows) == stage.counts["rows"] == stage.counts["candidates"] == 5
    assert stage.counts["duplicates"] == 1


@given(
    st.lists(st.text(st.sampled_from("aB1é. \n"), max_size=30), max_size=6),
    st.sampled_from(["row", "sentence"]), st.booleans(), POLICIES, st.integers(1, 3),
)  # fmt: skip
def test_counts_add_up_and_every_row_says_where_it_stands(texts, unit, duplicates, remainder, minimum):
    abstracts = [Abstract(str(k), text) for k, text in enumerate(texts)]
    stage = Candidates(Windows(minimum, 3, None, remainder), Filters(unit=unit, duplicates=duplicates))
    rows = list(stage.rows(abstracts))
    n = stage.counts
    assert n["records"] == n["abstracts"] + n["repeated_records"] + n["records_without_abstract"] == len(texts)
    assert n["rows"] == n["rows_kept"] + n["rows_with_digit"] + n["rows_with_non_ascii"] - n["rows_with_both"]
    assert n["candidates"] == len(rows) == n["rows_kept"] - (n["duplicates"] if duplicates else 0)
    assert n["duplicates"] == len(stage.duplicates)
    for row in rows:
        text = texts[int(row.pmid)]
        assert sentences(text)[row.sentences.start : row.sentences.stop] == sentences(text[slice(*row.place)])
        assert " ".join(text[slice(*row.place)].split()) == " ".join(row.text.split())
        assert row.text.isascii()
        assert "1" not in row.text


def source(folder: Path) -> Path:
    texts = [f"Frost number {'abcdefghij'[k]} came. Roads cracked again." for k in range(10)]
    return write(folder / "in.xml", article_set(*(article(k, text) for k, text in enumerate(texts))))


def test_a_build_writes_corpus_duplicates_and_manifest(tmp_path):
    counts = build([source(tmp_path)], tmp_path / "out", BuildOptions(sample=4, seed=3))
    assert (counts["files"], counts["candidates"], counts["sampled"]) == (1, 10, 4)
    corpus = read_corpus(tmp_path / "out" / "corpus.jsonl")
    assert [row.id for row in corpus.rows] == ["1", "2", "3", "4"]
    assert [int(row.source) for row in corpus.rows] == sorted(int(row.source) for row in corpus.rows)
    assert not any(row.is_annotated for row in corpus.rows)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"] == counts
    assert manifest["options"]["sample"] == 4
    assert manifest["files"] == {
        name: sha256_of(tmp_path / "out" / name) for name in ("corpus.jsonl", "duplicates.jsonl")
    }


def test_the_same_build_gives_the_same_bytes_and_replaces_nothing_unasked(tmp_path):
    options = BuildOptions(sample=4)
    build([source(tmp_path)], tmp_path / "one", options)
    build([source(tmp_path)], tmp_path / "two", options)
    names = ("corpus.jsonl", "duplicates.jsonl", "manifest.json")
    assert all((tmp_path / "one" / n).read_bytes() == (tmp_path / "two" / n).read_bytes() for n in names)
    with pytest.raises(FileError, match="use --force to make it again"):
        build([source(tmp_path)], tmp_path / "one", options)
    build([source(tmp_path)], tmp_path / "one", BuildOptions(sample=4, seed=1), force=True)
    assert (tmp_path / "one" / "corpus.jsonl").read_bytes() != (tmp_path / "two" / "corpus.jsonl").read_bytes()


def test_a_build_that_fails_leaves_no_corpus(tmp_path):
    write(tmp_path / "in.xml", article_set(article(1, "Frost came. Roads cracked."))[:-20])
    with pytest.raises(FileError, match="not whole XML"):
        build([tmp_path / "in.xml"], tmp_path / "out", BuildOptions())
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".corr2cause.lock"]


def test_a_forced_build_that_fails_changes_nothing_and_one_that_ends_replaces_all(tmp_path, monkeypatch):
    build([source(tmp_path)], tmp_path / "out", BuildOptions())
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    bad = write(tmp_path / "bad.xml", article_set(article(1, "Frost came. Roads cracked."))[:-20])
    with pytest.raises(FileError, match="not whole XML"):
        build([bad], tmp_path / "out", BuildOptions(), force=True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before

    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "write_json", killed)
    with pytest.raises(KeyboardInterrupt):
        build([tmp_path / "in.xml"], tmp_path / "out", BuildOptions(sample=2), force=True)
    assert not (tmp_path / "out" / "manifest.json").exists(), "the old one does not describe the new files"


def numbered(n: int) -> list[Candidate]:
    return [Candidate(str(k), str(k), range(1), (0, 1)) for k in range(n)]


def test_samples_keep_the_order_and_grow_into_each_other():
    rows = numbered(100)
    drawn = [[int(row.text) for row in sampled(rows, n, 0)] for n in (1, 10, 50, 100, 1000)]
    assert [len(one) for one in drawn] == [1, 10, 50, 100, 100]
    assert all(one == sorted(one) and set(one) <= set(other) for one, other in pairwise(drawn))
    assert drawn[1] != [int(row.text) for row in sampled(rows, 10, 1)]


def test_every_row_is_as_likely_as_any_other():
    """Each of 10 rows in 2,000 samples of 3: expected 600 times, with standard deviation 20.5."""
    hits = [0] * 10
    for seed in range(2000):
        for row in sampled(numbered(10), 3, seed):
            hits[int(row.text)] += 1
    assert sum(hits) == 6000
    assert all(abs(number - 600) < 5 * 20.5 for number in hits)


def test_a_sample_of_nothing_is_refused():
    with pytest.raises(OptionError, match="--sample: 0 is too few"):
        BuildOptions(sample=0)
