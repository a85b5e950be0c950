"""Every pair is asked all six relations, in the sentences of the specification."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from corr2cause.dataset.options import Hypotheses
from corr2cause.dataset.questions import all_surfaces, questions, sentences, surfaces
from corr2cause.dataset.schema import TEMPLATES
from tests.dataset.twin import surfaces as published_surfaces
from tests.oracles.relations import RELATIONS

NAMES = ("A", "B", "C", "D", "E", "F", "G")
SIZES = range(2, 8)


@pytest.mark.parametrize("n", SIZES)
def test_each_unordered_pair_is_asked_six_relations(n):
    asked = [(q.relation.value, q.x, q.y) for q in questions(n, Hypotheses.UNORDERED)]
    assert len(asked) == 3 * n * (n - 1)
    assert asked == [(relation, x, y) for x, y in combinations(range(n), 2) for relation in RELATIONS]


@pytest.mark.parametrize("n", SIZES)
def test_ordered_hypotheses_are_twice_as_many(n):
    asked = [(q.relation.value, q.x, q.y) for q in questions(n, Hypotheses.ORDERED)]
    assert len(asked) == 6 * n * (n - 1)
    assert asked == [(relation, x, y) for x, y in permutations(range(n), 2) for relation in RELATIONS]


@pytest.mark.parametrize("hypotheses", Hypotheses)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "alphabet", [NAMES, ("G", "F", "E", "D", "C", "B", "A"), ("apple", "NA", "z", "a", "b", "c", "d")]
)
def test_surfaces_are_those_of_the_table(n, hypotheses, alphabet):
    """Naming order is the order of the premise, whatever the names are."""
    names = alphabet[:n]
    written, said = all_surfaces(n, hypotheses), sentences(names, hypotheses)
    assert len(written) == len(said) == 2 * len(questions(n, hypotheses))
    for place, question in enumerate(questions(n, hypotheses)):
        pair = slice(2 * place, 2 * place + 2)
        assert written[pair] == surfaces(question)
        found = list(zip(said[pair], [surface.template for surface in written[pair]], strict=True))
        x, y = names[question.x], names[question.y]
        assert set(found) == published_surfaces(question.relation.value, x, y, question.x < question.y)


def test_templates_are_the_published_ones():
    written = all_surfaces(4, Hypotheses.ORDERED)
    assert {surface.template for surface in written} == set(TEMPLATES)
    assert TEMPLATES == (
        "parent",
        "non-parent ancestor",
        "child",
        "non-child descendant",
        "has_collider",
        "has_confounder",
    )
