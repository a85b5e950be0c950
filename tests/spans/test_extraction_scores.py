"""Scores of extracted pairs: the fixtures, the twin, and what must always hold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.bootstrap import Resampling
from corr2cause.spans.embedding import HashingEmbedder
from corr2cause.spans.extraction import score, to_json
from corr2cause.spans.joining import join
from corr2cause.spans.matching import assigned, assignment, best, candidates, total
from corr2cause.spans.overlap import released_token_f1, token_f1
from corr2cause.spans.predictions import PredictedRow
from corr2cause.spans.profiles import PROFILES, described
from corr2cause.spans.rows import Pair, Row
from tests.spans import judging_by_definition as twin
from tests.spans.corpora import CORPORA, gold_rows, joined

GOLD = ("A x", "B y", "Explicit", "Intra")
LEVELS = ("pair", "cause", "effect")
QUICKLY = settings(deadline=None, max_examples=25)


def judge(corpus, profile: str, with_cosines: bool = False) -> dict[str, Any]:
    embedder = HashingEmbedder() if with_cosines else None
    return to_json(score(joined(corpus, profile), PROFILES[profile], embedder))


def predicted(*pairs: tuple[str, str]) -> list[Any]:
    return [([GOLD], [(*pair, "Explicit", "Intra") for pair in pairs])]


def rates(found: dict[str, Any], tier: str, level: str = "pair") -> tuple[float, float, float]:
    one = found[tier][level]
    return one["precision"], one["recall"], one["f1"]


@pytest.mark.parametrize(
    ("pairs", "soft", "exact_f1"),
    [
        ([("A x", "B y")] * 10, (1, 1, 1), 1.8182),
        ([("B y", "A x")], (0, 0, 0), 0),
        ([("The a X.", '"B y"')], (1, 1, 1), 0),
        ([("...", "B y")], (0.5, 0.5, 0.5), 0),
        ([("A", "B y"), ("x", "B y")], (0.75, 1, 0.8571), 0.6667),
    ],
)
def test_micro_fixtures_of_the_released_code(pairs: list[Any], soft: tuple[float, ...], exact_f1: float) -> None:
    found = judge(predicted(*pairs), "released")
    assert tuple(round(one, 4) for one in rates(found, "token")) == soft
    assert round(rates(found, "exact")[2], 4) == exact_f1


@pytest.mark.parametrize(
    ("pairs", "soft", "exact"),
    [
        ([("A x", "B y")] * 10, (0.1, 1, 0.1818), (0.1, 1, 0.1818)),
        ([("B y", "A x")], (0, 0, 0), (0, 0, 0)),
        ([("The a X.", '"B y"')], (1, 1, 1), (1, 1, 1)),
        ([("...", "B y")], (0.5, 0.5, 0.5), (0, 0, 0)),
        ([("A", "B y"), ("x", "B y")], (0.5, 1, 0.6667), (0.5, 1, 0.6667)),
    ],
)
def test_micro_fixtures_as_described(pairs: list[Any], soft: tuple[float, ...], exact: tuple[float, ...]) -> None:
    found = judge(predicted(*pairs), "described")
    assert tuple(round(one, 4) for one in rates(found, "token")) == soft
    assert tuple(round(one, 4) for one in rates(found, "exact")) == exact


def test_the_released_code_normalises_a_single_span_once_more_than_a_pair() -> None:
    found = judge(predicted(("The a X.", '"B y"')), "released")
    assert (rates(found, "exact", "pair")[2], rates(found, "exact", "cause")[2]) == (0, 1)


def test_a_swapped_pair_is_switched_and_nothing_else() -> None:
    for profile in PROFILES:
        found = judge(predicted(("B y", "A x")), profile, with_cosines=True)
        assert {bucket: n for bucket, n in found["buckets"].items() if n} == {"switched": 1}
        assert found["switching"] == {"switched": 1, "of": 1, "rate": 1.0}


@pytest.mark.parametrize(("profile", "f1", "gold_only"), [("released", 0, 1), ("described", 1, 0)])
def test_an_id_written_as_text_scores_nothing_in_the_released_code_and_is_told(
    profile: str, f1: float, gold_only: int
) -> None:
    rows = [Row("1", "text", (Pair(*GOLD),))]
    typed_ids = [1] if PROFILES[profile].typed_ids else None
    met = join(rows, [PredictedRow("1", "text", (Pair(*GOLD),))], typed_ids)
    found = to_json(score(met, PROFILES[profile], None))
    assert rates(found, "token")[2] == rates(found, "exact")[2] == f1
    assert found["ids"]["gold_only"]["n"] == found["ids"]["predicted_only"]["n"] == gold_only
    assert len(list(met.ids.told())) == 2 * gold_only


def test_rows_that_are_not_in_the_gold_file_are_ignored_and_told() -> None:
    rows = [Row("1", "text", (Pair(*GOLD),))]
    answers = [PredictedRow(1, "text", (Pair(*GOLD),)), PredictedRow(2, "other", (Pair("p", "q"),) * 3)]
    for name, profile in PROFILES.items():
        met = join(rows, answers, [1] if profile.typed_ids else None)
        found = to_json(score(met, profile, None))
        assert rates(found, "exact") == (1, 1, 1), name
        assert found["ids"]["predicted_only"] == {"n": 1, "first": ["2"]}


@QUICKLY
@given(CORPORA, st.sampled_from(LEVELS))
def test_released_scores_are_those_of_the_definition_to_the_last_bit(corpus: list[Any], level: str) -> None:
    found, expected = judge(corpus, "released"), twin.released_scores(corpus, level)
    for tier in ("exact", "token"):
        assert rates(found, tier, level) == expected[tier]


@QUICKLY
@given(CORPORA, st.sampled_from(LEVELS))
def test_described_scores_are_those_of_the_definition(corpus: list[Any], level: str) -> None:
    found, expected = judge(corpus, "described"), twin.described_scores(corpus, level)
    for tier in ("exact", "token"):
        assert rates(found, tier, level) == pytest.approx(expected[tier], abs=1e-12)


@QUICKLY
@given(CORPORA)
def test_described_figures_never_exceed_one(corpus: list[Any]) -> None:
    found = judge(corpus, "described", with_cosines=True)
    for tier in ("exact", "token", "cosine"):
        for level in LEVELS:
            assert all(0 <= one <= 1 + 1e-12 for one in rates(found, tier, level))
    both = found["cosine_both_sides"]
    assert all(both[name] <= found["cosine"]["pair"][name] for name in ("precision", "recall", "f1"))


@QUICKLY
@given(CORPORA)
def test_the_buckets_of_the_released_code(corpus: list[Any]) -> None:
    found = judge(corpus, "released")["buckets"]
    assert {bucket: n for bucket, n in found.items() if n} == twin.released_buckets(corpus)


@QUICKLY
@given(CORPORA)
def test_every_predicted_pair_has_one_bucket_and_every_gold_pair_at_most_one(corpus: list[Any]) -> None:
    found = score(joined(corpus), PROFILES["described"], None)
    assert len(found.bucketed.predicted) == sum(len(pairs) for _, pairs in corpus)
    assert found.buckets["missed gold"] + found.buckets["no C-E pair"] == len(found.bucketed.gold)
    assert found.buckets["no C-E pair"] == sum(len(gold) for gold, pairs in corpus if not pairs)


def test_gold_pairs_that_nothing_answers_are_missed_gold_only_as_described() -> None:
    corpus = [([("lung", "cancer", "", ""), ("salt", "stroke", "", "")], [("lung", "cancer", "", "")])]
    assert judge(corpus, "described")["buckets"]["missed gold"] == 1
    assert judge(corpus, "released")["buckets"]["missed gold"] == 0


@QUICKLY
@given(CORPORA, st.sampled_from([(2, "Explicit"), (2, "Implicit"), (3, "Intra"), (3, "Inter")]))
def test_label_f1_is_that_of_pairs_with_exact_spans(corpus: list[Any], label: tuple[int, str]) -> None:
    place, name = label
    assert judge(corpus, "released")["label_f1"][name] == pytest.approx(twin.released_label_f1(corpus, place, name))


def test_label_f1_and_typed_extraction_are_two_figures() -> None:
    corpus = [
        ([("p", "q", "Explicit", "Intra"), ("r", "s", "Explicit", "Intra")], [("p", "q", "Explicit", "Intra")]),
        ([("t", "u", "Implicit", "Intra")], [("t", "u", "Explicit", "Intra")]),
    ]
    found = judge(corpus, "described")
    assert found["label_f1"]["Explicit"] == pytest.approx(2 / 3)  # one of two calls is right, nothing is missed
    typed = found["typed_extraction"]["Explicit"]["exact"]
    assert (typed["precision"], typed["recall"]) == (0.5, 0.5)  # a gold pair that was not extracted counts here
    assert found["recall_by_gold_label"]["Implicit"]["exact"] == 1


def test_a_bidirectional_row_is_not_switched() -> None:
    pairs = [("stress", "insomnia", "", ""), ("insomnia", "stress", "", "")]
    assert judge([(pairs, pairs)], "described")["switching"]["switched"] == 0
    assert judge([(pairs, pairs)], "released")["switching"]["switched"] == 2
    assert judge([(pairs, pairs)], "described")["buckets"]["exact"] == 2


def test_a_pair_of_another_row_earns_nothing() -> None:
    corpus = [([("p", "q", "", "")], [("r", "s", "", "")]), ([("r", "s", "", "")], [("p", "q", "", "")])]
    for profile in PROFILES:
        assert rates(judge(corpus, profile), "exact") == (0, 0, 0)


def test_one_gold_pair_serves_many_predictions_only_in_the_released_code() -> None:
    corpus = [([("lung disease", "death", "", "")], [("lung", "death", "", ""), ("disease", "death", "", "")])]
    assert rates(judge(corpus, "released"), "token")[0] == pytest.approx(5 / 6)
    assert rates(judge(corpus, "described"), "token")[0] == pytest.approx(5 / 12)


def test_the_cosine_line_is_drawn_only_as_described() -> None:
    corpus = [([("insulin level", "cancer", "", "")], [("insulin levels", "cancers", "", "")])]
    raw, counted = judge(corpus, "released", True)["cosine"]["pair"], judge(corpus, "described", True)["cosine"]["pair"]
    assert 0.75 < raw["f1"] < 1
    assert counted["f1"] == 1
    assert judge(corpus, "released", True)["cosine_share_over_line"] == 1


class Given:
    """An embedder with a vector for each text, that remembers what it was asked."""

    name = "given"

    def __init__(self, **vectors: list[float]) -> None:
        self.vectors, self.asked = vectors, set()

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.update(texts)
        return np.array([self.vectors.get(text, [0.0] * 5) for text in texts], dtype=np.float32)


def test_a_cosine_on_the_line_counts() -> None:
    corpus = [([("p", "q", "", "")], [("r", "q", "", "")])]
    found = {
        last: to_json(score(joined(corpus), PROFILES["described"], Given(p=[4, 0, 0, 0, 0], r=[3, 2, 1, 1, last])))
        for last in (1, 2)
    }
    assert [found[last]["cosine"]["cause"]["f1"] for last in (1, 2)] == [1, 0]  # 12 / 16, 12 / sqrt(16 x 19)
    assert [found[last]["cosine"]["pair"]["f1"] for last in (1, 2)] == [1, 1]
    assert [found[last]["cosine_both_sides"]["f1"] for last in (1, 2)] == [1, 0]


def test_spans_are_embedded_as_written_as_described_and_in_lower_case_by_the_code() -> None:
    corpus = [([("The Lung", "Pain", "", "")], [("A Liver", "Ache", "", "")])]
    for profile, texts in (
        ("described", {"The Lung", "A Liver", "Pain", "Ache"}),
        ("released", {"lung", "liver", "pain", "ache"}),
    ):
        embedder = Given()
        score(joined(corpus, profile), PROFILES[profile], embedder)
        assert embedder.asked == texts


def test_an_exact_match_is_one_by_cosine_whatever_its_article() -> None:
    corpus = [([("The Lung", "pain", "", "")], [("lung", "pain", "", "")])]
    assert to_json(score(joined(corpus), PROFILES["described"], Given()))["cosine"]["pair"]["f1"] == 1


def test_two_sides_that_nearly_fit_are_partial() -> None:
    corpus = [([("p q r s", "t u v w", "", "")], [("p q r", "u v w", "", "")])]
    for profile in PROFILES:
        assert judge(corpus, profile)["buckets"]["partial"] == 1


def test_a_pair_that_nearly_fits_both_ways_is_not_switched() -> None:
    gold = [("p q r s", "t u v w", "", ""), ("t u v w", "p q r s", "", "")]
    assert judge([(gold, [("p q r", "u v w", "", "")])], "described")["buckets"]["partial"] == 1
    assert judge([(gold[1:], [("p q r", "u v w", "", "")])], "described")["buckets"]["switched"] == 1


def test_the_buckets_of_the_released_code_take_tokens_of_twice_normalised_spans() -> None:
    assert judge(predicted(("The a X.", '"B y"')), "released")["buckets"]["partial"] == 1


def test_the_released_rate_of_switching_is_over_different_pairs() -> None:
    switched = {profile: judge(predicted(*[("B y", "A x")] * 10), profile)["switching"] for profile in PROFILES}
    assert switched["released"] == {"switched": 10, "of": 1, "rate": 10}
    assert switched["described"] == {"switched": 10, "of": 10, "rate": 1}


def test_double_spaces_within_a_span_matter_only_in_the_released_code() -> None:
    corpus = [([("lung cancer", "death", "", "")], [("lung  cancer", "death", "", "")])]
    assert rates(judge(corpus, "released"), "exact")[2] == 0
    assert rates(judge(corpus, "described"), "exact")[2] == 1


def test_the_rounding_of_six_eighths_decides_a_bucket() -> None:
    """2pr / (p + r) of 3 of 3 and 3 of 5 tokens is just below 0.75, 6 / 8 is not."""
    corpus = [([("p q r s t", "death", "", "")], [("p q r", "ruin", "", "")])]
    assert judge(corpus, "released")["buckets"]["partial"] == 1
    assert judge(corpus, "described")["buckets"]["cause correct, effect wrong"] == 1
    three, five = np.array([3]), np.array([5])
    assert token_f1(three, three, five)[0] == 0.75 > released_token_f1(three, three, five)[0]


def test_hungarian_is_not_greedy() -> None:
    of = candidates(np.array([0, 0]), np.array([0, 0]), 1)
    scores = np.array([0.9, 0.8, 0.85, 0.1])
    assert assigned(of, scores).predicted.sum() == pytest.approx(1.65)
    assert best(of, scores).predicted.sum() == pytest.approx(1.75)


@QUICKLY
@given(st.integers(0, 10**6))
def test_the_assignment_is_the_best_of_all(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [(rng.randint(0, 4), rng.randint(0, 4)) for _ in range(5)]
    rows = np.arange(len(sizes))
    of = candidates(np.repeat(rows, [m for m, _ in sizes]), np.repeat(rows, [n for _, n in sizes]), len(sizes))
    scores = np.array([rng.choice([0, 0.25, 0.5, 0.75, 1]) for _ in of.row])
    chosen = assignment(of, scores)
    assert len(chosen) == sum(min(size) for size in sizes)
    assert len(set(of.predicted[chosen])) == len(set(of.gold[chosen])) == len(chosen)
    place, expected = 0, 0.0
    for m, n in sizes:
        lines = [scores[place + i * n : place + (i + 1) * n].tolist() for i in range(m)]
        place += m * n
        expected += twin.best_assignment(lines)[0] if m and n else 0
    assert scores[chosen].sum() == expected


def test_sums_are_added_in_order() -> None:
    values = [random.Random(1).random() for _ in range(1000)]
    plain = 0.0
    for value in values:
        plain += value
    assert total(np.array(values)) == plain != float(np.sum(values))


def test_rows_without_predictions_count_as_missed() -> None:
    rows = [Row("1", "text", (Pair(*GOLD),)), Row("2", "text", (Pair(*GOLD),))]
    met = join(rows, [PredictedRow(1, "text", (Pair(*GOLD),))])
    assert rates(to_json(score(met, PROFILES["described"], None)), "exact")[:2] == (1, 0.5)
    assert met.ids.gold_only == ("2",)


def test_predictions_without_ids_are_laid_beside_the_rows_in_order() -> None:
    rows = [Row("7", "text", (Pair("p", "q"),)), Row("8", "text", (Pair("r", "s"),))]
    answers = [PredictedRow(None, "", (Pair("p", "q"),)), PredictedRow(None, "", (Pair("r", "s"),))]
    for profile in PROFILES.values():
        met = join(rows, answers, [7, 8] if profile.typed_ids else None)
        assert met.ids.by_position
        assert rates(to_json(score(met, profile, None)), "exact") == (1, 1, 1)


def test_the_last_of_two_predictions_for_a_row_counts_and_is_told() -> None:
    rows = [Row("1", "text", (Pair(*GOLD),))]
    met = join(rows, [PredictedRow(1, "", ()), PredictedRow("1", "", (Pair(*GOLD),))])
    assert met.ids.repeated == ("1",)
    assert rates(to_json(score(met, PROFILES["described"], None)), "exact") == (1, 1, 1)


def test_half_a_pair_is_left_out_and_counted_as_described() -> None:
    rows = [Row("1", "text", (Pair(*GOLD),))]
    answers = [PredictedRow(1, "", (Pair(*GOLD), Pair("A x", " ")))]
    met = join(rows, answers)
    assert met.flaws == {"pairs of matched rows without a cause or without an effect": 1}
    assert rates(to_json(score(met, PROFILES["described"], None)), "exact") == (1, 1, 1)
    assert rates(to_json(score(join(rows, answers, [1]), PROFILES["released"], None)), "exact")[0] == 0.5


@QUICKLY
@given(CORPORA, st.permutations(range(6)))
def test_the_order_of_predictions_changes_nothing_as_described(corpus: list[Any], order: list[int]) -> None:
    shuffled = [(gold, [pairs[k] for k in order if k < len(pairs)]) for gold, pairs in corpus]
    one, other = judge(corpus, "described"), judge(shuffled, "described")
    for tier in ("exact", "token"):
        assert rates(one, tier) == pytest.approx(rates(other, tier))


@QUICKLY
@given(CORPORA)
def test_gold_scores_itself_fully(corpus: list[Any]) -> None:
    found = judge([(gold, gold) for gold, _ in corpus], "described", with_cosines=True)
    for tier in ("exact", "token", "cosine"):
        assert rates(found, tier) == pytest.approx((1, 1, 1))
    assert found["buckets"]["exact"] == sum(len(gold) for gold, _ in corpus)


@QUICKLY
@given(CORPORA)
def test_breakdowns_partition_the_rows(corpus: list[Any]) -> None:
    found = judge(corpus, "described")
    for groups in found["breakdowns"].values():
        for side, place in (("n_gold", 0), ("n_predicted", 1)):
            assert sum(one["exact"][side] for one in groups.values()) == sum(len(row[place]) for row in corpus)


def test_a_breakdown_is_the_score_of_its_rows_alone() -> None:
    rng = random.Random(4)
    spans = ["lung cancer", "the risk", "risk", "cancer of the lung", "stress"]
    corpus = [
        (
            [(rng.choice(spans), rng.choice(spans), "", "") for _ in range(rng.randint(1, 3))],
            [(rng.choice(spans), rng.choice(spans), "", "") for _ in range(rng.randint(0, 3))],
        )
        for _ in range(40)
    ]
    for profile in PROFILES:
        group = judge(corpus, profile)["breakdowns"]["complexity"]["multi pair"]
        alone = judge([row for row in corpus if len(row[0]) > 1], profile)
        for tier in ("exact", "token"):
            assert group[tier]["f1"] == pytest.approx(rates(alone, tier)[2], abs=1e-12)


def test_row_means_weigh_every_row_alike() -> None:
    corpus = [([GOLD], [GOLD]), ([("p", "q", "", ""), ("r", "s", "", "")], [])]
    assert judge(corpus, "described")["exact"]["pair"]["macro"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_intervals_hold_the_score_and_are_the_same_again() -> None:
    corpus = [([GOLD], [GOLD] if number % 3 else [("p", "q", "", "")]) for number in range(60)]
    found = [
        to_json(score(joined(corpus), PROFILES["described"], None, Resampling(200, 5)))["exact"]["pair"]
        for _ in range(2)
    ]
    low, high = found[0]["intervals"]["f1"]
    assert low < found[0]["f1"] < high
    assert found[0] == found[1]
    released = score(joined(corpus, "released"), PROFILES["released"], None, Resampling(200, 5))
    assert "intervals" not in to_json(released)["exact"]["pair"]


def test_the_ablation_lays_labels_side_by_side_on_exact_and_on_partial_pairs() -> None:
    corpus = [
        ([("p q", "r s", "Explicit", "Intra")], [("p q", "r s", "Explicit", "Inter"), ("p", "r", "Implicit", "Intra")])
    ]
    found = judge(corpus, "described")["label_ablation"]
    assert found["exact"]["causality"]["accuracy"] == 1
    assert found["partial"]["causality"]["accuracy"] == 0
    assert found["both"]["sententiality"]["pairs"] == 2
    assert found["both"]["sententiality"]["accuracy"] == 0.5


def test_labels_with_typing_errors_are_repaired_only_as_described() -> None:
    corpus = [([("p", "q", "Explcit", "intra")], [("p", "q", "Explicit", "Intra-sentential")])]
    assert judge(corpus, "described")["label_f1"] == {"Explicit": 1, "Implicit": 0, "Intra": 1, "Inter": 0}
    assert judge(corpus, "released")["label_f1"] == {"Explicit": 0, "Implicit": 0, "Intra": 0, "Inter": 0}


def test_another_normaliser_gives_another_exact_count() -> None:
    corpus = predicted(("a x", "[B y]"))
    counts = {
        name: to_json(score(joined(corpus), described(name), None))["exact"]["pair"]["f1"]
        for name in ("verbatim", "plain", "table", "brackets", "collapsed", "stable")
    }
    assert counts == {"verbatim": 0, "plain": 0, "table": 1, "brackets": 0, "collapsed": 1, "stable": 1}


def test_nothing_predicted_and_no_rows_with_pairs() -> None:
    found = judge([([GOLD], [])], "described", with_cosines=True)
    assert rates(found, "exact") == (0, 0, 0)
    empty = join([Row("1", "text")], [PredictedRow(1, "", (Pair("p", "q"),))])
    assert rates(to_json(score(empty, PROFILES["described"], HashingEmbedder())), "token") == (0, 0, 0)
    assert gold_rows([([GOLD], [])])[0].id == "1"
