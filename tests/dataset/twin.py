"""What a row should say, found from its text alone: small regular expressions and every labelled DAG.

Shares no code with the package: sentences are typed once more from the specification, graphs come from the oracles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import networkx as nx

from tests.oracles.dags import Edge, dag, edge_set, pairs
from tests.oracles.equivalence import Pattern, acyclic_orientations, cpdag, labelled_separations, v_structures
from tests.oracles.relations import READINGS, Claim, claims
from tests.oracles.separation import Statement, minimal, separations

Row = dict[str, Any]

OPENING = re.compile(
    r"Suppose there is a closed system of (?P<n>\d+) variables, (?P<names>[^.]*)\. "
    r"All the statistical relations among these (?P=n) variables are as follows"
    r"(?P<minimal>, where of all the sets of variables that make two others independent, only the minimal ones are "
    r"listed)?:(?P<body>.*)"
)
NOT_INDEPENDENT = "⊥̸"

# Relation of x to y -> sentence and published template, for x before y in the order of the names (specification, 3).
SURFACES = {
    "is_parent": {("{x} directly causes {y}.", "parent")},
    "is_ancestor": {
        ("{x} causes something else which causes {y}.", "non-parent ancestor"),
        ("{x} is a cause for {y}, but not a direct one.", "non-child descendant"),
    },
    "is_child": {("{y} directly causes {x}.", "child")},
    "is_descendant": {
        ("{y} is a cause for {x}, but not a direct one.", "non-child descendant"),
        ("{y} causes something else which causes {x}.", "non-parent ancestor"),
    },
    "has_collider": {
        ("There exists at least one collider (i.e., common effect) of {x} and {y}.", "has_collider"),
        ("There exists at least one collider (i.e., common effect) of {y} and {x}.", "has_collider"),
    },
    "has_confounder": {
        ("There exists at least one confounder (i.e., common cause) of {x} and {y}.", "has_confounder"),
        ("There exists at least one confounder (i.e., common cause) of {y} and {x}.", "has_confounder"),
    },
}
PARAPHRASES = {
    "is_parent": {"{x} directly affects {y}."},
    "is_ancestor": {"{x} influences {y} through some mediator(s)."},
    "is_child": {"{y} directly affects {x}."},
    "is_descendant": {"{y} influences {x} through some mediator(s)."},
    "has_collider": {
        "{x} and {y} together cause some other variable(s).",
        "{y} and {x} together cause some other variable(s).",
    },
    "has_confounder": {
        "Some variable(s) cause(s) both {x} and {y}.",
        "Some variable(s) cause(s) both {y} and {x}.",
    },
}
SWAPPED_TEMPLATES = {"parent": "child", "child": "parent"}


@dataclass(frozen=True)
class Facts:
    """What a premise states, with positions for names."""

    n: int
    correlated: frozenset[tuple[int, int]]
    separated: frozenset[Statement]
    is_minimal: bool


@dataclass(frozen=True)
class Text:
    """A premise taken apart; `sentences` in their order, without "However,"."""

    names: tuple[str, ...]
    sentences: tuple[str, ...]
    facts: Facts


def listed(text: str, conjunction: str = " and ") -> list[str]:
    """Cut "A, B and C"; "A, B, C" where the conjunction is a comma."""
    return re.split(f", |{conjunction}", text)


@cache
def read_premise(text: str) -> Text:
    """Read a premise in any of the three styles, checking that its parts stand where they should."""
    opening = OPENING.fullmatch(text)
    assert opening, text
    names = tuple(listed(opening["names"]))
    assert len(names) == len(set(names)) == int(opening["n"])
    body = opening["body"]
    assert body.startswith(" ")
    assert not body.endswith(" ")
    assert "  " not in body
    assert "\n" not in body
    first, however, second = body.strip().partition(". However, ")
    parts = [f"{first}.", second] if however else [first]
    sentences = tuple(f"{sentence}." for part in parts for sentence in part.removesuffix(".").split(". "))
    place = {name: position for position, name in enumerate(names)}
    correlated, separated = [], []
    for sentence in sentences:
        if found := re.fullmatch(r"(\w+) (?:correlates with|⊥̸) (\w+)\.", sentence):
            correlated.append((place[found[1]], place[found[2]]))
        elif found := re.fullmatch(r"(\w+) (?:is independent of|⊥) (\w+)\.", sentence):
            separated.append((place[found[1]], place[found[2]], ()))
        elif found := re.fullmatch(r"(\w+) and (\w+) are independent given (.+)\.", sentence):
            separated.append((place[found[1]], place[found[2]], tuple(place[z] for z in listed(found[3]))))
        elif found := re.fullmatch(r"(\w+) ⊥ (\w+) \| (.+)\.", sentence):
            separated.append((place[found[1]], place[found[2]], tuple(place[z] for z in listed(found[3], ", "))))
        else:
            raise AssertionError(f"no sentence of a premise: {sentence}")
    assert len(set(correlated)) == len(correlated)
    assert len(set(separated)) == len(separated)
    assert bool(however) == bool(correlated and separated)
    facts = Facts(len(names), frozenset(correlated), frozenset(separated), bool(opening["minimal"]))
    return Text(names, sentences, facts)


@cache
def members_of(facts: Facts) -> tuple[nx.DiGraph, ...]:
    """Return every labelled DAG of which the premise is true."""
    if facts.n > 4:
        return _oriented(facts)
    kept: Callable[[frozenset[Statement]], frozenset[Statement]] = minimal if facts.is_minimal else frozenset
    return tuple(
        dag(facts.n, edges) for edges, found in labelled_separations(facts.n).items() if kept(found) == facts.separated
    )


def _oriented(facts: Facts) -> tuple[nx.DiGraph, ...]:
    """Orient the pairs that nothing separates, so that a common neighbour outside the separating sets is a collider."""
    separating: dict[tuple[int, int], set[int]] = {}
    for i, j, given in facts.separated:
        separating.setdefault((i, j), set()).update(given)
    skeleton = dag(facts.n, [pair for pair in pairs(facts.n) if pair not in separating])
    adjacent = skeleton.to_undirected()
    colliders = frozenset(
        (a, c, b)
        for c in adjacent
        for a, b in combinations(sorted(adjacent[c]), 2)
        if (a, b) in separating and c not in separating[a, b]
    )
    found = tuple(graph for graph in acyclic_orientations(skeleton) if v_structures(graph) == colliders)
    stated = separations(found[0])
    assert (minimal(stated) if facts.is_minimal else stated) == facts.separated
    return found


@cache
def claims_of(n: int, edges: frozenset[Edge], reading: str) -> frozenset[Claim]:
    """Return every claim that holds in one DAG."""
    return claims(dag(n, edges), reading)


@cache
def support(facts: Facts, reading: str) -> Counter[Claim]:
    """Count the members in which each claim holds."""
    return Counter(claim for edges in edge_sets(facts) for claim in claims_of(facts.n, edges, reading))


@cache
def edge_sets(facts: Facts) -> frozenset[frozenset[Edge]]:
    """Return the edges of each member."""
    return frozenset(map(edge_set, members_of(facts)))


@cache
def pattern_of(facts: Facts) -> Pattern:
    """Return the CPDAG: the edges on which all members agree."""
    return cpdag(members_of(facts))


@cache
def separations_of(facts: Facts) -> frozenset[Statement]:
    """Return all d-separations of the members, the minimal ones and the others."""
    return separations(members_of(facts)[0])


@cache
def edges_of(text: str, names: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    """Read "A->B, C->B" as positions."""
    arrows = re.findall(r"(\w+)->(\w+)", text)
    assert ", ".join(f"{cause}->{effect}" for cause, effect in arrows) == text
    return frozenset((names.index(cause), names.index(effect)) for cause, effect in arrows)


@cache
def surfaces(relation: str, x: str, y: str, in_order: bool = True) -> set[tuple[str, str]]:
    """Return the sentences, with their templates, that may ask for a relation of x to y."""
    return {
        (sentence.format(x=x, y=y), template if in_order else SWAPPED_TEMPLATES.get(template, template))
        for sentence, template in SURFACES[relation]
    }


def check_judgement(row: Row, reading: str) -> None:
    """Compare every column that follows from the facts with what the definitions say of the row's own text."""
    text = read_premise(row["premise"])
    facts, x, y = text.facts, text.names.index(row["x"]), text.names.index(row["y"])
    members = members_of(facts)
    assert members, "a premise that no DAG satisfies has no label"
    claim = row["relation"], x, y
    s, size = support(facts, reading)[claim], len(members)
    assert row["num_variables"] == facts.n
    assert (row["class_size"], row["holds_in"]) == (size, s)
    assert row["label"] == (1 if s == size else 0)
    assert row["nli_label"] == ("entailment" if s == size else "contradiction" if s == 0 else "neutral")
    labels = {support(facts, each)[claim] == size for each in READINGS}
    assert row["readings_agree"] is (len(labels) == 1)
    assert row["n_compelled"] == len(pattern_of(facts).directed)
    assert row["n_edges"] == len(members[0].edges)
    assert row["n_statements"] == len(facts.separated)
    if s == size:
        assert row["counterexample"] is None
    else:
        edges = edges_of(row["counterexample"], text.names)
        assert edges in edge_sets(facts)
        assert claim not in claims_of(facts.n, edges, reading)


def check_premise(row: Row) -> None:
    """Check that the correlated pairs are just those that are not independent of each other."""
    facts = read_premise(row["premise"]).facts
    separated = separations_of(facts)
    assert facts.correlated == {(i, j) for i, j in pairs(facts.n) if (i, j, ()) not in separated}


def check_hypothesis(row: Row) -> None:
    """Check that the sentence asks for the relation of x to y, and that the template is that of the sentence."""
    names = read_premise(row["premise"]).names
    in_order = names.index(row["x"]) < names.index(row["y"])
    assert (row["hypothesis"], row["template"]) in surfaces(row["relation"], row["x"], row["y"], in_order)
