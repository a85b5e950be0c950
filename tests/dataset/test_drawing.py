"""Draws: uniform over what they should be, the same however they are made, within their bounds."""

from collections import Counter
from itertools import islice
from math import factorial, sqrt

import numpy as np
import pytest

from corr2cause.dataset import drawing
from corr2cause.dataset.bounds import Bounds
from corr2cause.dataset.drawing import Fate, draw_classes
from corr2cause.dataset.options import PremiseStyle
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.errors import SamplingError
from corr2cause.graphs.bitdags import first_occurrences
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.graphs.counting import labelled_dag_count
from corr2cause.graphs.equivalence import cpdags, equivalence_classes, members
from corr2cause.graphs.sampling import code, representatives
from corr2cause.graphs.separation import minimal, separations
from tests.known import GRAPH_COUNTS


def drawn_codes(options, n_kept):
    """Return the class of each draw that is kept, repetitions included."""
    kept = (graph for fate, graph, _ in drawing._draws(options, workers=1) if fate is Fate.TAKEN)
    return Counter(code(graph) for graph in islice(kept, n_kept))


def deviation(found, chances):
    """Return by how many standard deviations chi-square exceeds its mean; rare cells are put together."""
    n_draws = found.total()
    cells = [(found[key], chance * n_draws) for key, chance in chances.items() if chance * n_draws >= 5]
    rest = [(found[key], chance * n_draws) for key, chance in chances.items() if chance * n_draws < 5]
    if rest:
        cells.append(tuple(map(sum, zip(*rest, strict=True))))
    freedom = len(cells) - 1
    return (sum((seen - expected) ** 2 / expected for seen, expected in cells) - freedom) / sqrt(2 * freedom)


def chances_of(n, distribution):
    """Return the chance of each class, from the complete list of classes and their members."""
    classes = equivalence_classes(n)
    names = [code(graph) for graph in representatives(cpdags(classes.representatives))]
    if distribution == "classes":
        return dict.fromkeys(names, 1 / len(names))
    weights = members(classes.representatives).sizes * (factorial(n) // classes.automorphisms)
    assert weights.sum() == labelled_dag_count(n)
    return dict(zip(names, (weights / weights.sum()).tolist(), strict=True))


@pytest.mark.parametrize("distribution", ["classes", "dags"])
@pytest.mark.parametrize(
    ("n", "n_draws"),
    [
        (4, 2000),
        (5, 3000),
        pytest.param(5, 50_000, marks=pytest.mark.slow),
        pytest.param(6, 100_000, marks=pytest.mark.slow),
    ],
)
def test_draws_are_uniform(n, n_draws, distribution):
    chances = chances_of(n, distribution)
    found = drawn_codes(SampleOptions(n=n, distribution=distribution), n_draws)
    assert set(found) <= set(chances)
    assert abs(deviation(found, chances)) < 4


@pytest.mark.parametrize("other", ["classes", "dags"])
def test_the_test_of_uniformity_tells_the_distributions_apart(other):
    (wrong,) = {"classes", "dags"} - {other}
    assert deviation(drawn_codes(SampleOptions(n=5, distribution=other), 2000), chances_of(5, wrong)) > 20


@pytest.mark.parametrize(
    "known", [known for known in GRAPH_COUNTS if 2 <= known.n <= 5], ids=lambda known: str(known.n)
)
def test_every_class_can_be_drawn_once(known):
    sample = draw_classes(SampleOptions(n=known.n, classes=known.classes))
    forms = canonical_forms(cpdags(sample.representatives).as_digraphs())
    assert len(first_occurrences(forms)) == known.classes
    assert (sample.sizes.sum(), sample.sizes.max()) == (known.members, known.largest_class)


def test_a_longer_sample_begins_with_a_shorter_one():
    long, short = (draw_classes(SampleOptions(n=8, classes=classes)) for classes in (60, 25))
    assert np.array_equal(long.representatives[:25], short.representatives)
    assert np.array_equal(long.sizes[:25], short.sizes)
    other = draw_classes(SampleOptions(n=8, classes=60, seed=1))
    assert not {graph.tobytes() for graph in other.representatives} & {g.tobytes() for g in long.representatives}


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_batches_of_draws_change_nothing(monkeypatch, at_once):
    options = SampleOptions(n=5, classes=30, edges=Bounds.parse("--edges", "4-6"))
    usual = draw_classes(options)
    monkeypatch.setattr(drawing, "_AT_ONCE", at_once)
    found = draw_classes(options)
    assert np.array_equal(found.representatives, usual.representatives)
    assert found.to_json() == usual.to_json()


BOUNDS = {
    "edges": ("12-15", lambda graphs: np.bitwise_count(graphs).sum(axis=1)),
    "density": ("0.3-0.4", lambda graphs: np.bitwise_count(graphs).sum(axis=1) / 28),
    "class_size": ("3-6", lambda graphs: members(graphs).sizes),
    "statements": ("20-22", lambda graphs: minimal(separations(graphs), 8).sum(axis=1)),
}


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_are_kept_and_met(bound):
    text, measure = BOUNDS[bound]
    bounds = Bounds.parse("--bound", text)
    sample = draw_classes(SampleOptions(n=8, classes=40, premise=PremiseStyle.MINIMAL, **{bound: bounds}))
    found = measure(sample.representatives)
    assert bounds.low <= found.min() < found.max() <= bounds.high
    assert sample.fates[Fate.UNFIT] > 0


def test_statements_are_counted_in_the_style_of_the_premise():
    full = SampleOptions(n=6, classes=20, premise=PremiseStyle.FULL, statements=Bounds.parse("--statements", "30-35"))
    counts = separations(draw_classes(full).representatives).sum(axis=1)
    assert 30 <= counts.min() < counts.max() <= 35


def test_large_classes_are_refused_and_counted():
    sample = draw_classes(SampleOptions(n=8, classes=50, max_class_size=4))
    assert sample.sizes.max() <= 4
    free = draw_classes(SampleOptions(n=8, classes=50))
    assert sample.fates[Fate.TOO_LARGE] > 0 == free.fates[Fate.TOO_LARGE]
    assert np.array_equal(members(sample.representatives).sizes, sample.sizes)


def test_what_becomes_of_draws_adds_up():
    told = draw_classes(SampleOptions(n=4, classes=20)).to_json()
    assert told["draws"] == sum(told[fate] for fate in Fate)
    assert (told["taken"], told["members"]) == (20, 83)


def test_hopeless_samples_end_with_how_many_draws_gave_how_many(monkeypatch):
    monkeypatch.setattr(drawing, "_IN_VAIN", 300)
    with pytest.raises(
        SamplingError, match=r"[\d,]+ draws gave 5 of 6 classes, the last 300 of them none; ask for fewer"
    ):
        draw_classes(SampleOptions(n=3, classes=6))
    with pytest.raises(SamplingError, match="300 draws gave 0 of 10 classes"):
        draw_classes(SampleOptions(n=9, classes=10, edges=Bounds.parse("--edges", "0-2")))
