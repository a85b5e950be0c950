"""Options of a sample: what they mean, what they refuse, and that the manifest keeps them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.dataset.bounds import Bounds
from corr2cause.dataset.options import PremiseStyle, usual_premise
from corr2cause.dataset.sample_options import Distribution, SampleOptions
from corr2cause.errors import OptionError, SizeError


@given(st.decimals(0, 1000, places=3), st.decimals(0, 1000, places=3))
def test_intervals_are_read_exactly(one, other):
    low, high = sorted((one, other))
    found = Bounds.parse("--density", f"{low}-{high}")
    assert (found.low, found.high) == (Fraction(str(low)), Fraction(str(high)))
    assert str(found) == f"{low}-{high}"


def test_one_number_is_both_ends():
    assert Bounds.parse("--edges", "12").whole() == (12, 12)


def test_a_third_of_three_pairs_is_one_edge():
    """Which floating-point numbers would miss."""
    assert Bounds.parse("--density", "0.1-0.3").whole(scale=10) == (1, 3)


@pytest.mark.parametrize("text", ["", "-", "3-", "-3", "a-b", "1-2-3", "1e3", "5-4", " 1-2", "١-٢", "nan"])
def test_other_texts_are_refused(text):
    with pytest.raises(OptionError, match=r"--edges: .*(is not of the form LO-HI|begins above its end)"):
        Bounds.parse("--edges", text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classes": 0}, "--classes: 0 is too small"),
        ({"max_class_size": 0}, "--max-class-size: 0 is too small"),
        ({"edges": "37-40"}, "--edges: 37-40 begins above 36, the most there can be"),
        ({"density": "1.01"}, "--density: 1.01 begins above 1,"),
        ({"class_size": "20-30", "max_class_size": 19}, "--class-size: 20-30 begins above 19,"),
        ({"distribution": "edges"}, "--distribution: 'edges' is not one of classes, dags"),
        ({"classes": "many"}, "--classes: 'many' should be of the type int"),
    ],
)
def test_options_that_make_no_sense_are_refused(change, message):
    with pytest.raises(OptionError, match=message):
        SampleOptions.from_json({**SampleOptions(n=9).to_json(), **change})


@pytest.mark.parametrize("n", [1, 13])
def test_sizes_out_of_reach_are_refused(n):
    with pytest.raises(SizeError):
        SampleOptions(n=n)


def test_options_come_back_from_the_manifest():
    options = SampleOptions(
        n=10,
        classes=7,
        distribution=Distribution.DAGS,
        edges=Bounds.parse("--edges", "10-20"),
        density=Bounds.parse("--density", "0.2"),
        seed=3,
    )
    written = options.to_json()
    assert (written["edges"], written["density"], written["class_size"]) == ("10-20", "0.2", None)
    assert SampleOptions.from_json(written) == options


@pytest.mark.parametrize(("n", "style"), [(7, PremiseStyle.FULL), (8, PremiseStyle.MINIMAL)])
def test_the_usual_premise_is_minimal_from_eight_variables_on(n, style):
    assert usual_premise(n) is style
    assert SampleOptions(n=n).premise is style
    assert SampleOptions.from_json({**SampleOptions(n=n).to_json(), "premise": None}).premise is style
    assert SampleOptions(n=n, premise=PremiseStyle.SYMBOLIC).premise is PremiseStyle.SYMBOLIC
