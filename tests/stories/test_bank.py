"""The bank of stories: enough of everything, told apart by every reader, and no nonsense in its pairs."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from corr2cause.text.naming import check_names, nouns
from corr2cause.text.stories.bank import (
    Domain,
    commonsense,
    domains,
    nonce_domain,
    quantities_inside,
    real_domains,
)
from tests.stories.grammar import is_plural, phrase_problems, sentence_problems

ROOT = Path(__file__).parents[2]
PLACES = ("data/stories", "src/corr2cause/text/stories/domains")


def test_there_are_eight_domains_of_real_quantities_and_one_of_invented_ones():
    assert {domain.name for domain in real_domains()} == {
        *("economics", "education", "environment", "farming"),
        *("health", "social-life", "sport", "technology"),
    }
    assert nonce_domain().causes == frozenset()


@pytest.mark.parametrize("domain", domains(), ids=lambda domain: domain.name)
def test_every_domain_has_enough_of_everything(domain: Domain):
    assert len(domain.quantities) >= 14
    assert {quantity.is_plural for quantity in domain.quantities} == {True, False}
    assert len(domain.settings) >= 3
    for setting in domain.settings:
        assert setting.endswith(": {names}.")
        assert sentence_problems(setting.format(n="four", names="rain")) == []
    check_names(tuple(quantity.name for quantity in domain.quantities))


def test_no_quantity_belongs_to_two_domains_or_could_be_cut_in_two():
    everything = [quantity for domain in domains() for quantity in domain.quantities]
    assert len(quantities_inside()) == len({quantity.name for quantity in everything}) == len(everything)
    for quantity in everything:
        assert not {";", ":"} & set(quantity.phrase)


@pytest.mark.parametrize("quantity", quantities_inside().values(), ids=lambda quantity: quantity.name)
def test_the_grammar_of_every_quantity_is_as_the_checker_sees_it(quantity):
    assert phrase_problems(quantity.phrase) == []
    assert quantity.is_plural == is_plural(quantity.phrase)


@pytest.mark.parametrize("domain", real_domains(), ids=lambda domain: domain.name)
def test_common_sense_contradicts_itself_nowhere(domain: Domain):
    graph = nx.DiGraph(list(domain.causes))
    assert nx.is_directed_acyclic_graph(graph)
    assert len(domain.causes) >= 30


def test_pairs_that_nobody_doubts():
    pairs = commonsense()
    assert ("number of cigarettes smoked per day", "lung capacity") in pairs
    assert ("rainfall", "water level of rivers") in pairs
    assert not {(effect, cause) for cause, effect in pairs} & pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # each may well be the cause of the other
        ("inflation rate", "interest rate"),
        ("unemployment rate", "government spending"),
        ("unemployment rate", "consumer spending"),
        ("number of new houses", "house prices"),
        ("company profit", "advertising spending"),
        ("reading ability", "vocabulary size"),
        ("class attendance", "dropout rate"),
        ("forest cover", "number of wildfires"),
        ("price of grain", "amount of stored grain"),
        ("hours of sleep", "number of sick days"),
        ("number of doctor visits", "number of sick days"),
        ("loneliness", "number of phone calls"),
        ("trust in neighbours", "number of visits from neighbours"),
        ("noise at night", "number of arguments at home"),
        ("number of friends", "evenings out"),
        ("team spirit", "number of victories"),
        ("media coverage", "number of club members"),
        ("player salaries", "skill of the players"),
    ],
)
def test_pairs_on_which_sensible_people_differ_are_left_out(one, other):
    assert {one, other} <= {quantity.name for quantity in quantities_inside().values()}
    assert not {(one, other), (other, one)} & commonsense()


SAME = (
    # what is part of what, or its opposite, or computed from it
    ({"air pollution"}, {"amount of dust in the air", "amount of soot in the air", "carbon emissions"}),
    ({"crop yield"}, {"harvest losses", "wheat yield", "size of the apple harvest"}),
    ({"number of insects"}, {"number of bees", "number of caterpillars"}),
    ({"customer satisfaction"}, {"customer complaints"}),
    ({"ticket revenue"}, {"number of spectators", "ticket prices"}),
    ({"number of fans"}, {"number of spectators", "number of club members"}),
    ({"final exam grade"}, {"mathematics scores"}),
)


def test_no_quantity_is_another_one_in_other_words_or_a_part_of_it():
    for domain in domains():
        names = {quantity.name for quantity in domain.quantities}
        assert not any(ones & names and others & names for ones, others in SAME)


# Words of experiments, poems, dialects, slang or trade that look invented.
TAKEN = frozenset(
    {
        *("blicket", "brillig", "chorf", "dax", "drammock", "fep", "glim", "gorp", "mimsy", "nars", "pell", "plim"),
        *("quorl", "rathe", "spoff", "thornish", "tove", "tupa", "vask", "wug", "zup"),
    }
)


def test_invented_words_are_invented():
    real = {word for domain in real_domains() for quantity in domain.quantities for word in quantity.phrase.split()}
    measures = {"level", "rate", "ratio", "index", "score", "readings", "counts", "values", "scores", "levels"}
    for quantity in nonce_domain().quantities:
        words = set(quantity.phrase.split()) - real - measures
        assert len(words) == 1, "one invented word each"
        (word,) = words
        assert not {word, word.removesuffix("s")} & (TAKEN | set(nouns()))


def test_what_is_measured_of_invented_things_hints_at_no_cause_or_effect():
    phrases = " ".join(quantity.phrase for quantity in nonce_domain().quantities).split()
    assert not {"intake", "output", "costs", "losses", "pressure", "heat", "resistance", "content"} & set(phrases)


def test_the_bank_lies_where_people_look_for_it():
    shown, read = ({path.name: path.read_bytes() for path in (ROOT / place).glob("*.yaml")} for place in PLACES)
    assert shown == read
    assert {name.removesuffix(".yaml") for name in shown} == {domain.name for domain in domains()}
