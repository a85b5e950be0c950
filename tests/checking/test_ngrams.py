"""N-grams and labels, against pointwise mutual information by definition."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.checking.labelled_texts import TextColumn
from corr2cause.checking.ngrams import Association, associations, ngrams
from corr2cause.dataset.options import GenerationOptions
from tests.checking.by_definition import tokens
from tests.dataset.rows import rows_of
from tests.oracles.association import all_ngrams, holds, pmi

TEXTS = st.lists(st.sampled_from(["A", "B", ",", "causes", "D2"]), max_size=6).map(" ".join)
ROWS = st.lists(st.tuples(TEXTS, st.integers(0, 1)), min_size=2, max_size=12).filter(
    lambda rows: {label for _, label in rows} == {0, 1}
)


def column_of(texts: list[str]) -> TextColumn:
    distinct = sorted(set(texts))
    return TextColumn(tuple(distinct), np.array([distinct.index(text) for text in texts], dtype=np.int64))


def check(rows: list[tuple[str, int]], min_rows: int) -> list[Association]:
    """Compare every association with the definition, and return them."""
    cut = [(tokens(text), label) for text, label in rows]
    column, labels = column_of([text for text, _ in rows]), np.array([label for _, label in rows])
    found = associations(column, labels, min_rows)
    expected = {one for one in all_ngrams(cut, 4) if sum(holds(row, list(one)) for row, _ in cut) >= max(1, min_rows)}
    listed = [one for association in found for one in association.ngrams]
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    for association in found:
        for one in association.ngrams:
            with_it = [label for row, label in cut if holds(row, list(one))]
            assert (association.rows, association.positives) == (len(with_it), sum(with_it))
            assert association.pmi_positive == pytest.approx(pmi(cut, list(one), 1), abs=1e-12)
            assert association.pmi_negative == pytest.approx(pmi(cut, list(one), 0), abs=1e-12)
            assert association.difference == pytest.approx(pmi(cut, list(one), 1) - pmi(cut, list(one), 0), abs=1e-12)
    return found


@given(ROWS, st.integers(0, 4))
def test_every_figure_is_that_of_the_definition(rows: list[tuple[str, int]], min_rows: int) -> None:
    found = check(rows, min_rows)
    keys = [(-abs(one.difference), -one.rows) for one in found]
    assert keys == sorted(keys)


def test_of_real_rows_too() -> None:
    rows = [(row["hypothesis"], row["label"]) for row in rows_of(GenerationOptions(n=4))[::4]]
    strongest = check(rows, 10)[0]
    assert math.isinf(strongest.difference)
    assert strongest.positives == 0


def test_ngrams_in_the_same_texts_are_one_finding_and_others_are_not() -> None:
    column = column_of(["a direct one", "a direct one", "a one", "direct"])
    found = associations(column, np.array([1, 0, 0, 0]), 1)
    alike = {one.ngrams: one.rows for one in found}
    assert alike[("a", "direct"), ("direct", "one"), ("a", "direct", "one")] == 2
    assert alike[("a",), ("one",)] == 3
    assert alike[(("direct",),)] == 3


def test_a_row_counts_once_however_often_it_holds_an_ngram() -> None:
    (found,) = (one for one in associations(column_of(["A A A", "B"]), np.array([1, 0]), 1) if ("A",) in one.ngrams)
    assert (found.rows, found.pmi_positive) == (1, 1.0)


def test_no_run_is_longer_than_four_tokens() -> None:
    assert max(map(len, ngrams("A is a cause for B, but not a direct one."))) == 4
    assert ngrams("") == set()


def test_infinite_figures_are_null_for_programs() -> None:
    never = Association((("A",), ("A", "B")), 5, 0, 10, 2)
    assert json.loads(json.dumps(never.to_json(), allow_nan=False)) == {
        "ngrams": ["A", "A B"],
        "rows": 5,
        "positives": 0,
        "pmi_positive": None,
        "pmi_negative": pytest.approx(math.log2(10 / 8)),
        "difference": None,
    }


def test_progress_counts_the_distinct_texts() -> None:
    seen: list[int] = []
    associations(column_of(["A", "A", "B"]), np.array([1, 0, 1]), 1, seen.append)
    assert sum(seen) == 2
