"""Options survive the manifest, and each bad one gives one clear error."""

from __future__ import annotations

import json
from dataclasses import fields
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.dataset.options import (
    GenerationOptions,
    Hypotheses,
    Mode,
    Names,
    PerturbationOptions,
    PremiseStyle,
    SplitOptions,
    SplitUnit,
)
from corr2cause.errors import Corr2CauseError, OptionError, SizeError
from corr2cause.graphs.terms import Reading

split_options = st.builds(
    SplitOptions,
    split_by=st.just(SplitUnit.CLASS),
    split_fraction=st.floats(0, 0.5, exclude_min=True),
    split_classes=st.integers(1, 10**6),
    split_rows=st.integers(1, 10**6),
    split_threshold=st.integers(0, 10**6),
    whole_classes=st.booleans(),
) | st.builds(SplitOptions, split_by=st.just(SplitUnit.ROW))
generation_options = st.integers(2, 7).flatmap(
    lambda n: st.builds(
        GenerationOptions,
        n=st.just(n),
        min_n=st.integers(2, n),
        reading=st.sampled_from(Reading),
        names=st.sampled_from(Names),
        premise=st.sampled_from(PremiseStyle),
        hypotheses=st.sampled_from(Hypotheses),
        seed=st.integers(),
        balance=st.booleans(),
        only_agreeing=st.booleans(),
        split=split_options,
    )
)


@settings(deadline=None)
@given(generation_options)
def test_options_survive_a_manifest(options):
    written = json.loads(json.dumps(options.to_json()))
    assert GenerationOptions.from_json(written) == options
    assert GenerationOptions.from_json(written).to_json() == written


@settings(deadline=None)
@given(generation_options, generation_options)
def test_other_options_are_written_otherwise(one, other):
    assert (one.to_json() == other.to_json()) is (one == other)


LEAVING_OUT = {"balance", "only_agreeing", "rows_per_n", "edges", "density", "class_size", "statements"}


def test_every_option_is_written_flat_with_plain_values():
    written = GenerationOptions().to_json()
    own = {field.name for field in fields(GenerationOptions)} - {"split", *LEAVING_OUT}
    assert set(written) == own | {field.name for field in fields(SplitOptions)}
    assert {type(value) for value in json.loads(json.dumps(written)).values()} == {int, str, float, bool}


def test_what_leaves_rows_out_is_written_only_where_asked_for_so_that_older_manifests_are_equal():
    assert not LEAVING_OUT & set(GenerationOptions().to_json())
    assert GenerationOptions.from_json(GenerationOptions().to_json()) == GenerationOptions()
    written = GenerationOptions(balance=True).to_json()
    assert written == {**GenerationOptions().to_json(), "balance": True}


def test_defaults_are_those_of_the_specification():
    options = GenerationOptions()
    assert [*options.sizes] == [2, 3, 4, 5, 6]
    assert (options.reading, options.names, options.premise) == ("direct", "shuffled", "full")
    assert (options.hypotheses, options.seed) == ("unordered", 0)
    split = options.split
    assert (split.split_by, split.split_fraction, split.split_classes) == ("class", 0.1, 100)
    assert (split.split_rows, split.split_threshold, split.whole_classes) == (500, 500, False)


@pytest.mark.parametrize(
    ("bad", "option", "says"),
    [
        ({"split_fraction": 0.0}, "--split-fraction", "0 is not above 0"),
        ({"split_fraction": 0.51}, "--split-fraction", "0.51"),
        ({"split_fraction": -0.1}, "--split-fraction", "-0.1"),
        ({"split_fraction": float("nan")}, "--split-fraction", "nan"),
        ({"split_fraction": float("inf")}, "--split-fraction", "inf"),
        ({"split_classes": 0}, "--split-classes", "at least 1"),
        ({"split_rows": 0}, "--split-rows", "at least 1"),
        ({"split_rows": -5}, "--split-rows", "-5"),
        ({"split_threshold": -1}, "--split-threshold", "negative"),
        ({"whole_classes": True, "split_by": SplitUnit.ROW}, "--whole-classes", "--split-by row"),
    ],
)
def test_a_bad_split_option_is_one_clear_error(bad, option, says):
    with pytest.raises(OptionError) as caught:
        SplitOptions(**bad)
    assert caught.value.option == option
    assert says in caught.value.problem
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("n", [-1, 0, 1, 9, 40])
def test_a_size_that_cannot_be_enumerated_is_refused(n):
    with pytest.raises(SizeError) as caught:
        GenerationOptions(n=n)
    assert (caught.value.n, caught.value.least, caught.value.most) == (n, 2, 8)


@pytest.mark.parametrize(
    "chosen", [{"balance": True}, {"only_agreeing": True}, {"rows_per_n": 5}, {"split": SplitOptions(split_by="row")}]
)
def test_of_eight_variables_there_are_all_rows_or_none(chosen):
    assert GenerationOptions(n=8).premise is PremiseStyle.MINIMAL
    with pytest.raises(OptionError, match="--n: of 8 variables whole classes are made"):
        GenerationOptions(n=8, **chosen)
    GenerationOptions(n=7, **chosen)


@pytest.mark.parametrize(("min_n", "n"), [(1, 4), (0, 4), (5, 4), (-2, 2)])
def test_a_smallest_size_out_of_range_is_refused(min_n, n):
    with pytest.raises(OptionError, match=f"--min-n: {min_n} is not in 2 to --n {n}"):
        GenerationOptions(n=n, min_n=min_n)


@pytest.mark.parametrize("name", GenerationOptions().to_json())
def test_written_options_that_lack_one_are_refused(name):
    written = GenerationOptions().to_json()
    del written[name]
    with pytest.raises(OptionError, match=name):
        GenerationOptions.from_json(written)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        chosen
        for chosen in product(GenerationOptions().to_json(), ["nonsense", None, [1], {}])
        if chosen != ("premise", None)  # that is to choose none
    ],
)
def test_written_options_with_nonsense_are_refused(name, value):
    with pytest.raises(Corr2CauseError) as caught:
        GenerationOptions.from_json({**GenerationOptions().to_json(), name: value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["n", "min_n", "seed", "split_classes", "split_rows", "split_threshold"])
def test_a_number_that_is_no_whole_one_is_not_rounded(name):
    with pytest.raises(OptionError):
        GenerationOptions.from_json({**GenerationOptions().to_json(), name: 4.7})


@pytest.mark.parametrize(
    ("made", "name", "member"),
    [
        (GenerationOptions(reading="path"), "reading", Reading.PATH),
        (GenerationOptions(names="words"), "names", Names.WORDS),
        (GenerationOptions(premise="symbolic"), "premise", PremiseStyle.SYMBOLIC),
        (GenerationOptions(hypotheses="ordered"), "hypotheses", Hypotheses.ORDERED),
        (SplitOptions(split_by="row"), "split_by", SplitUnit.ROW),
        (PerturbationOptions("words", ("dev",)), "mode", Mode.WORDS),
    ],
)
def test_a_value_is_as_good_as_its_member(made, name, member):
    """Compared by identity further on, so a text left as it is would be another option without a word."""
    assert getattr(made, name) is member


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: GenerationOptions(reading="strange"), "--reading: 'strange' is not one of direct, path, ancestral"),
        (lambda: GenerationOptions(names=None), "--names: None is not one of shuffled, ordered, words"),
        (lambda: PerturbationOptions("shout", ("dev",)), "--mode: 'shout' is not one of paraphrase, refactor"),
        (lambda: GenerationOptions(n="6"), "--n: '6' should be of the type int"),
        (lambda: GenerationOptions(seed=True), "--seed: True should be of the type int"),
        (lambda: SplitOptions(split_rows=2.5), "--split-rows: 2.5 should be of the type int"),
        (lambda: SplitOptions(whole_classes="no"), "--whole-classes: 'no' should be of the type bool"),
        (lambda: GenerationOptions(split=None), "--split: None should be of the type SplitOptions"),
    ],
)
def test_a_value_of_another_kind_is_one_clear_error(make, says):
    with pytest.raises(OptionError) as caught:
        make()
    assert str(caught.value).startswith(says)


def test_modes_are_those_of_the_specification():
    assert [*Mode] == ["paraphrase", "refactor", "rename", "words", "reorder", "symbolic"]
