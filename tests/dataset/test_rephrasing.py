"""A perturbed row reads back to the facts of its original, but for what was meant to change."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import product

import pyarrow as pa
import pytest

from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.options import GenerationOptions, Hypotheses, Mode, Names, PremiseStyle
from corr2cause.dataset.rephrasing import rephrase
from corr2cause.dataset.schema import ENCODED_SCHEMA
from corr2cause.errors import NamingError, OptionError
from corr2cause.graphs.equivalence import equivalence_classes
from corr2cause.text.naming import nouns
from tests.dataset.rows import tables_of
from tests.dataset.twin import (
    PARAPHRASES,
    Row,
    check_hypothesis,
    check_judgement,
    edges_of,
    read_premise,
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SOURCES = [
    GenerationOptions(n=4, names=names, premise=premise, hypotheses=hypotheses, seed=2)
    for names, premise, hypotheses in (
        (Names.SHUFFLED, PremiseStyle.FULL, Hypotheses.UNORDERED),
        (Names.ORDERED, PremiseStyle.MINIMAL, Hypotheses.ORDERED),
        (Names.WORDS, PremiseStyle.FULL, Hypotheses.UNORDERED),
        (Names.SHUFFLED, PremiseStyle.SYMBOLIC, Hypotheses.UNORDERED),
    )
]
CASES = [
    (source, mode)
    for source, mode in product(SOURCES, Mode)
    if not (mode is Mode.REFACTOR and source.names is Names.WORDS)
    and not (mode is Mode.SYMBOLIC and source.premise is PremiseStyle.SYMBOLIC)
]
CHANGING = {"premise", "hypothesis", "x", "y", "counterexample"}


def case_id(value: object) -> str:
    return f"{value.names}-{value.premise}" if isinstance(value, GenerationOptions) else str(value)


@cache
def source_table(options: GenerationOptions) -> pa.Table:
    return pa.concat_tables(tables_of(options))


@cache
def rephrased(options: GenerationOptions, mode: Mode, seed: int = 0) -> pa.Table:
    return rephrase(source_table(options), mode, seed)


@cache
def pairs_of_rows(options: GenerationOptions, mode: Mode, seed: int = 0) -> list[tuple[Row, Row]]:
    """Return each row with its perturbed one."""
    before, after = source_table(options), rephrased(options, mode, seed)
    return list(zip(before.to_pylist(), after.to_pylist(), strict=True))


def with_places(text: str, names: tuple[str, ...]) -> str:
    """Put the place of a variable for its name."""
    return re.sub(r"\w+", lambda word: f"<{names.index(word[0])}>" if word[0] in names else word[0], text)


@pytest.mark.parametrize(("source", "mode"), CASES, ids=case_id)
def test_rows_keep_order_schema_and_all_that_is_not_text(source, mode):
    table = rephrased(source, mode)
    assert table.schema == ENCODED_SCHEMA
    for before, after in pairs_of_rows(source, mode):
        assert {key: before[key] for key in before if key not in CHANGING} == {
            key: after[key] for key in after if key not in CHANGING
        }


@pytest.mark.parametrize(("source", "mode"), CASES, ids=case_id)
def test_premises_state_the_same_facts_of_the_same_places(source, mode):
    for before, after in pairs_of_rows(source, mode):
        one, other = read_premise(before["premise"]), read_premise(after["premise"])
        assert one.facts == other.facts
        symbols = source.premise is PremiseStyle.SYMBOLIC or mode is Mode.SYMBOLIC
        assert ("⊥" in after["premise"]) is symbols
        assert after["premise"].startswith("Suppose there is a closed system of")
        assert " All the statistical relations among these " in after["premise"]  # never "Bll"


@pytest.mark.parametrize(("source", "mode"), CASES, ids=case_id)
def test_hypotheses_ask_the_same_of_the_same_places(source, mode):
    for before, after in pairs_of_rows(source, mode):
        one, other = read_premise(before["premise"]).names, read_premise(after["premise"]).names
        assert (one.index(before["x"]), one.index(before["y"])) == (other.index(after["x"]), other.index(after["y"]))
        if mode is Mode.PARAPHRASE:
            sentences = {s.format(x=after["x"], y=after["y"]) for s in PARAPHRASES[after["relation"]]}
            assert after["hypothesis"] in sentences
        else:
            check_hypothesis(after)
            assert with_places(before["hypothesis"], one) == with_places(after["hypothesis"], other)


@pytest.mark.parametrize(("source", "mode"), CASES, ids=case_id)
def test_the_judgement_of_a_perturbed_row_follows_from_its_own_text(source, mode):
    for _, after in pairs_of_rows(source, mode):
        check_judgement(after, source.reading)


@pytest.mark.parametrize(("source", "mode"), CASES, ids=case_id)
def test_counterexamples_keep_their_edges_in_order(source, mode):
    for before, after in pairs_of_rows(source, mode):
        if before["counterexample"] is None:
            assert after["counterexample"] is None
            continue
        one, other = read_premise(before["premise"]).names, read_premise(after["premise"]).names
        assert edges_of(before["counterexample"], one) == edges_of(after["counterexample"], other)
        new_name = dict(zip(one, other, strict=True))
        arrows = re.findall(r"(\w+)->(\w+)", before["counterexample"])
        assert after["counterexample"] == ", ".join(f"{new_name[u]}->{new_name[v]}" for u, v in arrows)


@pytest.mark.parametrize("mode", [Mode.PARAPHRASE, Mode.REORDER, Mode.SYMBOLIC])
def test_these_modes_leave_the_names(mode):
    for before, after in pairs_of_rows(SOURCES[0], mode):
        assert [before[key] for key in ("x", "y", "counterexample")] == [
            after[key] for key in ("x", "y", "counterexample")
        ]
        assert read_premise(before["premise"]).names == read_premise(after["premise"]).names


@pytest.mark.parametrize("mode", [Mode.REFACTOR, Mode.RENAME, Mode.WORDS, Mode.SYMBOLIC])
def test_these_modes_leave_the_order_of_the_statements(mode):
    for before, after in pairs_of_rows(SOURCES[0], mode):
        one, other = read_premise(before["premise"]), read_premise(after["premise"])
        if mode is Mode.SYMBOLIC:
            assert [re.findall("[A-Z]", s) for s in one.sentences] == [re.findall("[A-Z]", s) for s in other.sentences]
        else:
            assert with_places(before["premise"], one.names) == with_places(after["premise"], other.names)


def test_a_paraphrase_changes_the_hypothesis_alone():
    for before, after in pairs_of_rows(SOURCES[0], Mode.PARAPHRASE):
        assert before["premise"] == after["premise"]
        assert before["hypothesis"] != after["hypothesis"]


def test_refactoring_reverses_the_alphabet_and_twice_is_the_original():
    mirror = dict(zip(LETTERS, LETTERS[::-1], strict=True))
    for before, after in pairs_of_rows(SOURCES[0], Mode.REFACTOR):
        one, other = read_premise(before["premise"]).names, read_premise(after["premise"]).names
        assert other == tuple(mirror[name] for name in one)
    twice = rephrase(rephrased(SOURCES[0], Mode.REFACTOR), Mode.REFACTOR, 9)
    assert twice.to_pylist() == source_table(SOURCES[0]).to_pylist()


def test_renaming_draws_distinct_letters_anew_for_each_premise():
    chosen = {
        after["premise"]: read_premise(after["premise"]).names for _, after in pairs_of_rows(SOURCES[0], Mode.RENAME)
    }
    assert len(set(chosen.values())) > 20
    assert {name for names in chosen.values() for name in names} == set(LETTERS)


def test_words_are_nouns_of_the_list():
    for _, after in pairs_of_rows(SOURCES[0], Mode.WORDS):
        assert set(read_premise(after["premise"]).names) <= set(nouns())


def test_reordering_shuffles_statements_and_keeps_them_all():
    moved = 0
    for before, after in pairs_of_rows(SOURCES[0], Mode.REORDER):
        one, other = read_premise(before["premise"]).sentences, read_premise(after["premise"]).sentences
        assert Counter(one) == Counter(other)
        moved += one != other
    assert moved > 0.8 * len(pairs_of_rows(SOURCES[0], Mode.REORDER))


def test_rows_that_share_a_premise_share_the_new_one():
    for mode in Mode:
        new: dict[str, set[str]] = {}
        for before, after in pairs_of_rows(SOURCES[0], mode):
            new.setdefault(before["premise"], set()).add(after["premise"])
        assert all(len(found) == 1 for found in new.values())


@pytest.mark.parametrize("mode", [Mode.RENAME, Mode.WORDS, Mode.REORDER])
def test_a_seed_draws_the_same_and_another_seed_otherwise(mode):
    source = source_table(SOURCES[0])
    assert rephrase(source, mode, 0).equals(rephrased(SOURCES[0], mode, 0))
    pairs = zip(rephrased(SOURCES[0], mode, 0).to_pylist(), rephrased(SOURCES[0], mode, 1).to_pylist(), strict=True)
    differing = [one["premise"] != other["premise"] for one, other in pairs]
    assert sum(differing) > 0.8 * len(differing)


@pytest.mark.parametrize("mode", [Mode.PARAPHRASE, Mode.REFACTOR, Mode.SYMBOLIC])
def test_where_nothing_is_drawn_the_seed_changes_nothing(mode):
    assert rephrased(SOURCES[0], mode, 0).equals(rephrased(SOURCES[0], mode, 1))


@pytest.mark.parametrize("mode", Mode)
def test_what_a_row_becomes_does_not_depend_on_the_rows_beside_it(mode):
    table = source_table(SOURCES[0])
    few = pa.concat_tables([table.slice(700, 3), table.slice(40, 2)]).unify_dictionaries().combine_chunks()
    whole = rephrased(SOURCES[0], mode)
    expected = [*whole.slice(700, 3).to_pylist(), *whole.slice(40, 2).to_pylist()]
    assert rephrase(few, mode, 0).to_pylist() == expected


def test_words_have_no_mirror_image():
    with pytest.raises(NamingError, match="no mirror image in the alphabet"):
        rephrase(source_table(SOURCES[2]), Mode.REFACTOR, 0)


def test_symbols_cannot_be_made_of_symbols():
    with pytest.raises(OptionError, match="symbolic already"):
        rephrase(source_table(SOURCES[3]), Mode.SYMBOLIC, 0)


@pytest.mark.parametrize("mode", Mode)
def test_six_variables_with_long_premises(mode):
    blocks = cut_into_blocks(equivalence_classes(6), 1)
    for rank in (0, 1, 700, 2200):
        table = build_rows(GenerationOptions(n=6), blocks[rank])
        for before, after in zip(table.to_pylist(), rephrase(table, mode, 0).to_pylist(), strict=True):
            assert read_premise(before["premise"]).facts == read_premise(after["premise"]).facts
