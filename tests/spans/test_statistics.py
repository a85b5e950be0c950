"""Counts of a small corpus by hand, and of the published train file as they were measured independently."""

from __future__ import annotations

import json

import pytest

from corr2cause.errors import MissingExtraError, OptionError
from corr2cause.spans.figures import plot_statistics
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.formats.writing import converted, write_corpus
from corr2cause.spans.labels import repair_labels
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.statistics import Lengths, corpus_statistics
from tests.spans.corpus import ROWS
from tests.spans.published import BIOCAUSE, TRAIN, needs_published


def test_a_small_corpus_by_hand():
    half = Row("5", "Half", (Pair("Half", ""), Pair("half", "Half", "explcit", "")))
    found = corpus_statistics([*ROWS, half])
    assert (found.rows, found.causal_rows, found.rows_with_pairs) == (5, 4, 4)
    assert (found.single_pair_rows, found.multi_pair_rows) == (3, 1)
    assert (found.pairs, found.half_pairs, found.labelled_pairs, found.repaired_labels) == (5, 1, 5, 1)
    assert found.pairs_per_row == {1: 3, 2: 1}
    assert found.labels == {("Explicit", "Intra"): 3, ("Explicit", "blank"): 1, ("Implicit", "Inter"): 1}
    assert found.by_causality() == {"Explicit": 4, "Implicit": 1}
    assert found.by_sententiality() == {"Inter": 1, "Intra": 3, "blank": 1}
    assert found.sentences_per_row == {1: 2, 2: 3}
    assert found.words["row"] == Lengths((11 + 7 + 9 + 10 + 1) / 5, 9, 1, 11)
    assert found.words["effect"] == Lengths((4 + 1 + 1 + 5 + 1) / 5, 1, 1, 5)
    assert found.alignment == {("cause", "casefold"): 1, ("cause", "exact"): 4, ("effect", "exact"): 5}
    assert found.verbatim_pairs == 5
    assert found.markers == {"guideline": {"causes": 1, "led to": 1}, "prompt": {"causes": 1, "led to": 1}}
    assert found.marked_pairs["guideline", "Explicit", True] == 3
    assert found.marked_pairs["prompt", "Implicit", False] == 1
    assert json.loads(json.dumps(found.to_json()))["pairs_per_row"] == {"1": 3, "2": 1}


def test_nothing_has_counts_too():
    found = corpus_statistics([])
    assert (found.rows, found.pairs, found.words) == (0, 0, {})


@needs_published
def test_the_published_train_file_has_the_measured_counts():
    found = corpus_statistics(read_corpus(TRAIN).rows)
    assert (found.rows_with_pairs, found.pairs, found.single_pair_rows, found.multi_pair_rows) == (
        1972,
        3295,
        1206,
        766,
    )
    assert found.by_causality() == {"Explicit": 2050, "Implicit": 1243, "blank": 2}
    assert found.by_sententiality()["Inter"] == 112
    assert found.pairs_per_row == {1: 1206, 2: 459, 3: 170, 4: 76, 5: 27, 6: 25, 7: 4, 8: 3, 9: 1, 11: 1}
    assert found.verbatim_pairs == 2170


@needs_published
def test_the_published_labels_need_the_known_repairs():
    _, report = repair_labels(read_corpus(TRAIN).rows)
    assert {(one.row, one.pair, one.found, one.repaired) for one in report} == {
        ("10402", 1, "explicit", "Explicit"),
        ("25078", 0, "EXplicit", "Explicit"),
        ("20292", 0, "", None),
        ("28168", 0, "", None),
    }
    assert len(report) == 5  # 28168 lacks both labels


@needs_published
def test_the_published_train_file_is_written_again_byte_for_byte(tmp_path):
    rows = read_corpus(TRAIN).rows
    raw = converted(rows, "raw").rows
    write_corpus(tmp_path / "raw.json", raw, "raw")
    again = converted(read_corpus(tmp_path / "raw.json").rows, "extraction").rows
    write_corpus(tmp_path / "again.json", again, "extraction")
    assert (tmp_path / "again.json").read_bytes() == TRAIN.read_bytes()


@needs_published
def test_the_published_biocause_file_has_its_positives():
    rows = read_corpus(BIOCAUSE).rows
    assert (len(rows), sum(row.is_causal for row in rows)) == (251, 51)


@pytest.mark.parametrize("form", ["png", "svg"])
def test_a_figure_is_drawn_and_always_the_same(tmp_path, form):
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        plot_statistics(corpus_statistics(ROWS), tmp_path / f"{name}.{form}")
    one, two = ((tmp_path / f"{name}.{form}").read_bytes() for name in ("one", "two"))
    assert one == two
    assert len(one) > 10_000
    plot_statistics(corpus_statistics([]), tmp_path / f"none.{form}")


def test_a_figure_of_another_kind_is_refused_and_a_missing_library_named(tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"neither a .png nor a .svg"):
        plot_statistics(corpus_statistics(ROWS), tmp_path / "f.pdf")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"corr2cause\[plot\]"):
        plot_statistics(corpus_statistics(ROWS), tmp_path / "f.png")
