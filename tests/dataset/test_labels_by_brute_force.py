"""From the words of a premise to the label of a hypothesis, by brute force over the DAGs that fit."""

import csv
import json
from functools import cache
from pathlib import Path

import pytest

from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.options import GenerationOptions, Hypotheses, Names
from corr2cause.graphs.equivalence import equivalence_classes
from corr2cause.graphs.terms import Reading
from tests.known import ENTAILED_COUNTS
from tests.oracles import relations as oracle
from tests.oracles.equivalence import cpdag
from tests.oracles.premise import claim, dags_that_fit, independences, variables

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "corr2cause"


def rows_of(options):
    """Build every row of the largest size that the options ask for."""
    for block in cut_into_blocks(equivalence_classes(options.n), 50):
        yield from build_rows(options, block).to_pylist()


@cache
def fitting_dags(text):
    """Return the DAGs that have just the independences of a premise, with their edges in words."""
    names = variables(text)
    return {frozenset(f"{names[u]}->{names[v]}" for u, v in graph.edges): graph for graph in dags_that_fit(text)}


@cache
def counts_by_brute_force(text, reading):
    """Return how many DAGs fit a premise, and in how many of them each claim holds."""
    fitting = fitting_dags(text).values()
    assert fitting, "a premise that no DAG satisfies has no label"
    return len(fitting), oracle.counts(fitting, reading)


def label(text, hypothesis, reading):
    size, counts = counts_by_brute_force(text, reading)
    return int(counts[claim(hypothesis, variables(text))] == size)


@pytest.mark.parametrize("names", list(Names))
@pytest.mark.parametrize("reading", list(Reading))
@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_row_says_what_follows_from_its_words(n, reading, names):
    """Premise and hypothesis are read as sentences; every DAG that fits is asked."""
    for row in rows_of(GenerationOptions(n, min_n=n, reading=reading, names=names)):
        text, hypothesis = row["premise"], row["hypothesis"]
        size, counts = counts_by_brute_force(text, reading)
        s = counts[claim(hypothesis, variables(text))]
        assert (row["class_size"], row["holds_in"]) == (size, s)
        assert row["label"] == int(s == size)
        assert row["nli_label"] == ("entailment" if s == size else "contradiction" if s == 0 else "neutral")
        assert row["readings_agree"] == (len({label(text, hypothesis, each) for each in oracle.READINGS}) == 1)
        assert_fails_in_counterexample(row, reading)
        assert row["n_statements"] == len(independences(text))
        pattern = cpdag(fitting_dags(text).values())
        assert row["n_compelled"] == len(pattern.directed)
        assert row["n_edges"] == len(pattern.directed) + len(pattern.undirected)


def assert_fails_in_counterexample(row, reading):
    """A row that is not entailed shows a DAG that fits its premise and in which its hypothesis is false."""
    if row["label"]:
        assert row["counterexample"] is None
        return
    edges = frozenset(row["counterexample"].split(", ")) - {""}
    refuting = fitting_dags(row["premise"])[edges]
    assert claim(row["hypothesis"], variables(row["premise"])) not in oracle.claims(refuting, reading)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_rows_ask_every_relation_of_every_pair_once(n):
    """The relation, x and y of a row are what its sentence says: an ancestor read from y to x is a descendant."""
    converse = {"is_parent": "is_child", "is_ancestor": "is_descendant"}
    asked = set()
    for row in rows_of(GenerationOptions(n, min_n=n)):
        names = variables(row["premise"])
        relation, first, second = claim(row["hypothesis"], names)
        if (names[first], names[second]) != (row["x"], row["y"]):
            relation, first, second = converse.get(relation, relation), second, first
        assert (relation, names[first], names[second]) == (row["relation"], row["x"], row["y"])
        assert first < second
        asked.add((row["premise"], row["relation"], row["x"], row["y"]))
    assert len(asked) == next(known.rows for known in ENTAILED_COUNTS if known.n == n)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_an_id_names_the_same_question_whatever_the_names(n):
    """Its nodes are those of the representative, which ordered letters follow."""
    ordered, shuffled, reshuffled = (
        {
            row["id"]: (row["relation"], row["holds_in"], row["class_size"])
            for row in rows_of(GenerationOptions(n, min_n=n, hypotheses=Hypotheses.ORDERED, names=names, seed=seed))
        }
        for names, seed in [(Names.ORDERED, 0), (Names.SHUFFLED, 0), (Names.SHUFFLED, 1)]
    )
    assert len(ordered) == 2 * next(known.rows for known in ENTAILED_COUNTS if known.n == n)
    assert ordered == shuffled == reshuffled


@pytest.mark.parametrize("reading", list(Reading))
@pytest.mark.parametrize("known", [known for known in ENTAILED_COUNTS if known.n <= 5])
def test_as_many_rows_are_entailed_as_computed_before(known, reading):
    labels = [row["label"] for row in rows_of(GenerationOptions(known.n, min_n=known.n, reading=reading))]
    assert (len(labels), sum(labels)) == (known.rows, getattr(known, reading.value))


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
            assert (label(text, hypothesis, "path") != int(row["label"])) == (position in mislabelled)
