"""Agreement of two annotators, against the definitions and the paper's figures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.bootstrap import Resampling
from corr2cause.errors import FileError
from corr2cause.spans.agreement import agree, match_pairs, token_set_f1
from corr2cause.spans.kappa import cohen_kappa
from corr2cause.spans.rows import Pair, Row
from tests.spans import judging_by_definition as twin
from tests.spans.corpora import CORPORA, SPANS, gold_rows

A = (Pair("smoking", "lung cancer"), Pair("smoking", "heart disease"), Pair("obesity", "type two diabetes"))
B = (Pair("smoking", "heart disease"), Pair("cigarette smoking", "lung cancer risk"))
ONE, OTHER = [Row("1", "text", A)], [Row("1", "text", B)]


def test_the_worked_example() -> None:
    scores = [[(token_set_f1(a.cause, b.cause) + token_set_f1(a.effect, b.effect)) / 2 for b in B] for a in A]
    assert [[round(one, 4) for one in line] for line in scores] == [[0.5, 0.7333], [1, 0.3333], [0, 0]]
    matches = match_pairs(ONE, OTHER)
    assert [(A.index(match.first), B.index(match.second)) for match in matches] == [(0, 1), (1, 0)]
    found = agree(ONE, OTHER)
    assert round(found.cause.mean, 4) == 0.8333
    assert round(found.effect.mean, 4) == 0.9
    assert (found.n_matched, found.unmatched) == (2, (1, 0))


def test_a_least_score_leaves_poor_matches_out() -> None:
    assert len(match_pairs(ONE, OTHER, least=0.8)) == 1


@given(SPANS, SPANS)
def test_token_f1_of_sets(one: str, other: str) -> None:
    assert token_set_f1(one, other) == pytest.approx(twin.token_set_f1(one, other))


@given(CORPORA)
@settings(deadline=None, max_examples=25)
def test_the_matching_is_the_best_of_all(corpus: list[Any]) -> None:
    ours = gold_rows(corpus)
    theirs = gold_rows([(predicted, ()) for _, predicted in corpus])
    matches = match_pairs(ours, theirs)
    expected = 0.0
    for gold, predicted in corpus:
        scores = [
            [(twin.token_set_f1(a[0], b[0]) + twin.token_set_f1(a[1], b[1])) / 2 for b in predicted] for a in gold
        ]
        expected += twin.best_assignment(scores)[0] if predicted else 0
    assert sum((match.cause + match.effect) / 2 for match in matches) == pytest.approx(expected)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=1, max_size=20))
def test_kappa_is_that_of_the_definition(both: list[tuple[str, str]]) -> None:
    raw, kappa = cohen_kappa(both)
    assert raw == sum(one == other for one, other in both) / len(both)
    assert kappa == (None if twin.kappa(both) is None else pytest.approx(twin.kappa(both)))


def test_kappa_is_undefined_where_both_give_one_label_throughout() -> None:
    assert cohen_kappa([("x", "x")] * 5) == (1.0, None)
    assert cohen_kappa([]) == (None, None)
    assert cohen_kappa([("x", "y")] * 5) == (0.0, 0.0)
    found = agree([Row("1", "text", (A[0],))], [Row("1", "text", (A[0],))]).to_json()
    assert found["detection"]["undefined"] is True
    assert found["detection"]["raw"] == 1


@pytest.mark.parametrize(
    ("kappa", "raw", "by_chance"), [(0.48, 0.90, 0.8077), (0.55, 0.98, 0.9556), (0.61, 0.82, 0.5385)]
)
def test_published_kappas_fit_the_prevalence_of_their_labels(kappa: float, raw: float, by_chance: float) -> None:
    """Two labellings with the implied prevalence and the published raw agreement have the published kappa."""
    rare = (1 - (2 * by_chance - 1) ** 0.5) / 2
    n = 100_000
    differing, both_rare = round((1 - raw) * n / 2), round(rare * n - (1 - raw) * n / 2)
    both = [(1, 0)] * differing + [(0, 1)] * differing + [(1, 1)] * both_rare
    both += [(0, 0)] * (n - len(both))
    assert cohen_kappa(both)[1] == pytest.approx(kappa, abs=0.005)


def test_labels_are_compared_on_matched_pairs_and_repaired() -> None:
    ours = [Row("1", "text", (Pair("p", "q", "EXplicit", "Intra"), Pair("r", "s", "Implicit", "Inter")))]
    theirs = [Row("1", "text", (Pair("p", "q", "Explicit", "Inter"), Pair("t", "u", "Explicit", "Inter")))]
    found = agree(ours, theirs, least=0.5)
    assert (found.labels["causality"].n, found.labels["causality"].raw) == (1, 1)
    assert found.labels["sententiality"].raw == 0


def test_rows_of_one_file_only_are_left_out_and_counted() -> None:
    found = agree([*ONE, Row("2", "text")], [Row("3", "text"), *OTHER])
    assert (found.n_rows, found.only, found.n_matched) == (1, (1, 1), 2)
    with pytest.raises(FileError, match="no row in common"):
        agree(ONE, [Row("9", "text")])


def test_intervals_hold_the_figures_and_come_again() -> None:
    ours = [Row(str(k), "text", (A[k % 3],) if k % 5 else ()) for k in range(60)]
    theirs = [Row(str(k), "text", (B[k % 2],) if k % 4 else ()) for k in range(60)]
    found, again = (agree(ours, theirs, resampling=Resampling(100, 2)) for _ in range(2))
    assert found == again
    assert found.cause.interval.low < found.cause.mean < found.cause.interval.high
    assert found.detection.interval.low < found.detection.kappa < found.detection.interval.high
