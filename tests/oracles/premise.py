"""The published premise text and its hypotheses, typed once more: facts to words and back."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

import networkx as nx

from tests.oracles.dags import pairs
from tests.oracles.equivalence import acyclic_orientations
from tests.oracles.relations import Claim
from tests.oracles.separation import Statement, separations, statements

SENTENCES = {
    r"(\w+) directly causes (\w+)\.": "is_parent",
    r"(\w+) causes something else which causes (\w+)\.": "is_ancestor",
    r"(\w+) is a cause for (\w+), but not a direct one\.": "is_ancestor",
    r"There exists at least one collider \(i\.e\., common effect\) of (\w+) and (\w+)\.": "has_collider",
    r"There exists at least one confounder \(i\.e\., common cause\) of (\w+) and (\w+)\.": "has_confounder",
}


def listed(names: Sequence[str]) -> str:
    """Join names as the premise does: no comma before "and"."""
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]


def premise(names: Sequence[str], independences: Set[Statement]) -> str:
    """Write the premise: who correlates, and what is independent of what given what."""
    n = len(names)
    correlations = [f"{names[i]} correlates with {names[j]}." for i, j in pairs(n) if (i, j, ()) not in independences]
    separated = []
    for i, j, given in statements(n):
        if (i, j, given) in independences and not given:
            separated.append(f"{names[i]} is independent of {names[j]}.")
        elif (i, j, given) in independences:
            condition = listed([names[k] for k in given])
            separated.append(f"{names[i]} and {names[j]} are independent given {condition}.")
    start = (
        f"Suppose there is a closed system of {n} variables, {listed(names)}. "
        f"All the statistical relations among these {n} variables are as follows:"
    )
    between = ["However,"] if correlations and separated else []
    return " ".join([start, *correlations, *between, *separated])


def variables(text: str) -> list[str]:
    """Read the names of the variables off a premise."""
    found = re.search(r"closed system of \d+ variables, (.*?)\. All", text)
    assert found
    return re.split(r", | and ", found[1])


def independences(text: str) -> frozenset[Statement]:
    """Read the independences off a premise, with positions for names."""
    index = variables(text).index
    found = {(index(x), index(y), ()) for x, y in re.findall(r"(\w+) is independent of (\w+)\.", text)}
    for x, y, given in re.findall(r"(\w+) and (\w+) are independent given (.*?)\.", text):
        found.add((index(x), index(y), tuple(index(z) for z in re.split(r", | and ", given))))
    return frozenset(found)


def claim(hypothesis: str, names: Sequence[str]) -> Claim:
    """Read a hypothesis as (relation, x, y), where x is the name that the sentence mentions first."""
    for pattern, relation in SENTENCES.items():
        if found := re.fullmatch(pattern, hypothesis):
            return relation, names.index(found[1]), names.index(found[2])
    raise AssertionError(f"no sentence of the published data: {hypothesis}")


def dags_that_fit(text: str) -> list[nx.DiGraph]:
    """Return every DAG whose d-separations are the independences of the premise, and no others.

    Two variables are adjacent in a DAG iff nothing separates them, so only that skeleton needs to be oriented.
    """
    stated = independences(text)
    separable = {(i, j) for i, j, _ in stated}
    complete = nx.DiGraph(pair for pair in pairs(len(variables(text))) if pair not in separable)
    complete.add_nodes_from(range(len(variables(text))))
    return [graph for graph in acyclic_orientations(complete) if separations(graph) == stated]
