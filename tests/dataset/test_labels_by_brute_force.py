"""From the words of a premise to the label of a hypothesis, by brute force over the DAGs that fit."""

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from corr2cause.graphs import equivalence, relations, separation
from tests.oracles import relations as oracle
from tests.oracles.premise import claim, dags_that_fit, premise, variables
from tests.oracles.separation import statements

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "corr2cause"


@pytest.mark.parametrize("reading", list(relations.Reading))
@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_each_premise_yields_the_counts_that_label_its_hypotheses(n, reading):
    """The premise of a class is written, read back, and s counted over every DAG that has just these independences."""
    representatives = equivalence.equivalence_classes(n).representatives
    group = equivalence.members(representatives)
    holds_in = relations.support(group, reading).holds_in
    for c, row in enumerate(separation.separations(representatives)):
        independences = {statement for statement, holds in zip(statements(n), row, strict=True) if holds}
        fitting = dags_that_fit(premise("ABCDE"[:n], independences))
        assert len(fitting) == group.starts[c + 1] - group.starts[c]
        counts = oracle.counts(fitting, reading)
        apart = np.argwhere(~np.eye(n, dtype=bool)).tolist()
        for r, relation in enumerate(oracle.RELATIONS):
            assert all(holds_in[c, r, x, y] == counts[relation, x, y] for x, y in apart)


@cache
def counts_by_brute_force(text):
    """Return how many DAGs fit a premise, and in how many of them each claim holds under the `path` reading."""
    fitting = dags_that_fit(text)
    return len(fitting), oracle.counts(fitting, "path")


def published_rows():
    with (PUBLISHED / "published_sample.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="needs the published sample in ../shared/data/corr2cause")
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_published_labels_are_those_of_the_path_reading_but_for_the_known_errors(n):
    mislabelled = {row["row"] for row in json.loads((PUBLISHED / "published_sample.expected.json").read_text())["rows"]}
    for position, row in enumerate(published_rows()):
        if int(row["num_variables"]) == n:
            text, hypothesis = row["input"].removeprefix("Premise: ").split("\nHypothesis: ")
            members, counts = counts_by_brute_force(text)
            assert members >= 1
            label = int(counts[claim(hypothesis, variables(text))] == members)
            assert (label != int(row["label"])) == (position in mislabelled)
