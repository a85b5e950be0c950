"""Dictionary encoding loses nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.dataset.encoding import encode, encode_each, values_and_codes

texts = st.lists(st.text(max_size=3), min_size=1, max_size=8)


@settings(deadline=None)
@given(st.data())
def test_encoded_values_are_the_looked_up_ones(data):
    values = data.draw(texts)
    shape = data.draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    codes = data.draw(st.lists(st.integers(-2, len(values) - 1), min_size=shape[0] * shape[1]).map(np.array))
    codes = codes[: shape[0] * shape[1]].astype(np.int64).reshape(shape)
    array = encode(values, codes)
    assert array.to_pylist() == [values[code] if code >= 0 else None for code in codes.ravel()]
    distinct = array.dictionary.to_pylist()
    assert len(distinct) == len(set(distinct))
    assert array.type == pa.dictionary(pa.int32(), pa.string())


@pytest.mark.parametrize("codes", [[], [-1, -1]])
def test_no_values_give_no_values(codes):
    array = encode([], np.array(codes, dtype=np.int64))
    assert array.to_pylist() == [None] * len(codes)
    assert array.type == pa.dictionary(pa.int32(), pa.string())


def test_any_negative_code_is_null_however_few_values_there_are():
    assert encode(["a"], np.array([[0, -2], [-9, 0]])).to_pylist() == ["a", None, None, "a"]


@settings(deadline=None)
@given(st.lists(st.none() | st.text(max_size=2)))
def test_each_value_is_encoded_in_its_place(values):
    assert encode_each(values).to_pylist() == values
    assert encode_each(iter(values)).to_pylist() == values


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=4))
def test_taking_apart_is_the_inverse(parts):
    """Also where the chunks of a column have dictionaries of their own."""
    column = pa.chunked_array([encode_each(part) for part in parts])
    values, codes = values_and_codes(column)
    assert [values[code] for code in codes] == [text for part in parts for text in part]
    assert len(values) == len(set(values))
