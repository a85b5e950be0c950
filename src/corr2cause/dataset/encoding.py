"""Dictionary-encoded string columns: each distinct value once, rows as places in that list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Codes = npt.NDArray[np.integer]


def encode(values: Sequence[str], codes: Codes) -> pa.DictionaryArray:
    """Encode values[code] for each of the codes, flattened row by row; a negative code is null.

    >>> encode(["a", "b", "a"], np.array([2, 1, 0, -1])).to_pylist()
    ['a', 'b', 'a', None]
    """
    distinct: dict[str, int] = {}
    place = np.array([distinct.setdefault(value, len(distinct)) for value in values], dtype=np.int32)
    flat = codes.ravel()
    indices = pa.array(place[np.maximum(flat, 0)], mask=flat < 0) if len(place) else pa.nulls(len(flat), pa.int32())
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(distinct), pa.string()))


def encode_each(values: Iterable[str | None]) -> pa.DictionaryArray:
    """Encode one value after the other."""
    return pa.array(values, pa.string()).dictionary_encode()


def values_and_codes(column: pa.ChunkedArray) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Take an encoded column without nulls apart: the inverse of `encode`."""
    whole = column.combine_chunks()
    return whole.dictionary.to_pylist(), whole.indices.to_numpy()
