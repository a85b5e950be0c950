"""The bank of stories: enough of everything, told apart by every reader, and no nonsense in its pairs."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from corr2cause.text.naming import check_names
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
    assert len(domain.settings) >= 2
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
    assert ("rainfall", "water level of the river") in pairs
    assert not {(effect, cause) for cause, effect in pairs} & pairs


def test_the_bank_lies_where_people_look_for_it():
    shown, read = ({path.name: path.read_bytes() for path in (ROOT / place).glob("*.yaml")} for place in PLACES)
    assert shown == read
    assert {name.removesuffix(".yaml") for name in shown} == {domain.name for domain in domains()}
