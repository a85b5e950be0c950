"""Errors carry their data, read as one line, and survive the way between processes."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import fields

import pytest

from corr2cause import errors
from corr2cause.errors import Corr2CauseError

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Corr2CauseError)]
SAMPLES = {"int": 3, "str": "some text"}


def sample(kind):
    return kind(*(SAMPLES[field.type] for field in fields(kind)))


def test_every_kind_is_ours_alone():
    """A handler of ValueError or OSError must not swallow them by chance."""
    assert {kind.__name__ for kind in KINDS} == {
        "ClassSizeError",
        "Corr2CauseError",
        "FileError",
        "MissingExtraError",
        "NamingError",
        "OptionError",
        "ParseError",
        "RowError",
        "SamplingError",
        "ServerError",
        "SizeError",
        "WorkerError",
    }
    for kind in KINDS:
        assert kind.__mro__[-4:] == (Corr2CauseError, Exception, BaseException, object)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by_name", [False, True])
def test_an_error_survives_pickling_with_its_data(kind, by_name):
    given = {field.name: SAMPLES[field.type] for field in fields(kind)}
    error = kind(**given) if by_name else sample(kind)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert str(back) == str(error)
    assert [getattr(back, field.name) for field in fields(kind)] == [SAMPLES[field.type] for field in fields(kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_reads_as_one_line_that_holds_its_data(kind):
    text = str(sample(kind))
    assert text
    assert "\n" not in text
    assert all(str(SAMPLES[field.type]) in text for field in fields(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_can_be_raised_through_a_context_manager_and_hashed(kind):
    """Two errors of equal data are two events."""
    with pytest.raises(kind) as caught:
        raise sample(kind)
    assert caught.value.__traceback__ is not None
    assert len({sample(kind), sample(kind)}) == 2


def test_places_are_given_as_file_and_row():
    assert str(errors.RowError("a.jsonl", 7, "no label")) == "a.jsonl:7: no label"
    assert str(errors.FileError("a.jsonl", "it is gone")) == "a.jsonl: it is gone"
    assert str(errors.OptionError("--n", "too many")) == "--n: too many"


def test_a_long_value_is_quoted_by_its_beginning():
    assert errors.quoted("A\nB") == "'A\\nB'"
    assert errors.quoted(10**400) == "1" + "0" * 299 + "…"
    assert errors.quoted(10**5000) == "a number of thousands of digits"
    line = str(errors.ParseError("x" * 10**7, "no sentence"))
    assert line == "no sentence: '" + "x" * 299 + "…"
