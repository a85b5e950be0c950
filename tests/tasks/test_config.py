"""Configurations: what is refused, in one line that names the value, and what is equal."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from corr2cause.errors import Corr2CauseError, OptionError, SizeError
from corr2cause.graphs.terms import Reading, Relation
from corr2cause.tasks import Corr2CauseConfig, Corr2CauseTask

WRONG = {
    "min_n": [1, 7, "3", None, 3.0, True],
    "max_n": [3, 8, None],
    "min_class_size": [0, -1, None],
    "max_class_size": [0, "4", 1.5],
    "min_statements": [-1, None],
    "max_statements": [-1, False],
    "relations": [(), ("is_parent", "is_parent"), ("is_cousin",), "is_parent"],
    "reading": ["literal", None],
    "names": ["greek"],
    "premise": ["short"],
    "style": ["few-shot", "story", "rude", None],
    "split": ["validation", None, 0],
    "split_seed": [None, "0"],
    "only_agreeing": ["yes", 1, None],
    "balanced": ["yes", 0],
    "seed": [None, "0", 1.0],
    "size": [0, -1, None, 2.5],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_nonsense_is_refused_in_one_line(name, value):
    with pytest.raises(Corr2CauseError) as caught:
        Corr2CauseConfig(**{name: value})
    assert "\n" not in str(caught.value)


def test_every_value_is_tried():
    assert set(WRONG) == set(vars(Corr2CauseConfig()))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"min_n": 6, "max_n": 5}, "max_n: 5 is less than min_n, 6; exchange them or widen the range"),
        ({"min_n": 1}, "min_n: 1 is too small; give at least 2"),
        ({"min_class_size": 9, "max_class_size": 8}, "max_class_size: 8 is less than min_class_size, 9"),
        ({"relations": ["is_cousin"]}, r"relations: \['is_cousin'\] should be some of is_parent, .*, each once"),
        ({"size": 0}, "size: 0 is too small; give at least 1"),
    ],
)
def test_errors_say_what_to_do(values, says):
    with pytest.raises(OptionError, match=says):
        Corr2CauseConfig(**values)


def test_eight_variables_are_too_many():
    with pytest.raises(SizeError, match="2 to 7"):
        Corr2CauseConfig(max_n=8)


def test_a_configuration_is_frozen_hashable_and_pickles():
    config = Corr2CauseConfig(seed=7, relations=["is_parent"], reading="path")
    with pytest.raises(FrozenInstanceError):
        config.seed = 8
    assert pickle.loads(pickle.dumps(config)) == config
    assert config == Corr2CauseConfig(seed=7, relations=(Relation.IS_PARENT,), reading=Reading.PATH)
    assert len({config, replace(config, seed=7), replace(config, seed=8)}) == 2


@pytest.mark.parametrize(
    "empty",
    [
        {"min_n": 2, "max_n": 2},
        {"min_class_size": 7, "max_class_size": 7},
        {"min_statements": 10_000},
        {"min_n": 3, "max_n": 3, "relations": ["has_confounder"]},
        {"min_n": 3, "max_n": 3, "split": "train"},
    ],
)
def test_a_task_without_questions_is_refused(empty):
    with pytest.raises(OptionError, match="no questions"):
        Corr2CauseTask(Corr2CauseConfig(**empty))
