"""Random streams: (seed, purpose) -> words, by hashing.

Two streams that differ in the seed or in any part of the purpose are unrelated, neighbouring seeds included. A stream
is a table of 64-bit words; row r of it depends on (seed, purpose, r) alone, so that any block of rows can be drawn
anywhere, in any order. Only the raw counter-based generator is used (Philox-4x64, Salmon et al. 2011), whose output
never changes between NumPy releases, unlike that of `numpy.random.Generator` methods.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain, count

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Rows = range | npt.NDArray[np.int64]

_WORDS_PER_STEP = 4  # Philox-4x64 makes four words for each step of its counter


def words(seed: int, *purpose: str | int, rows: Rows, columns: int) -> Words:
    """Draw rows of the stream named by seed and purpose.

    Args:
        seed: any integer; 0 is a seed like the others.
        purpose: what the words are for, such as `"names", 6`.
        rows: the rows to draw: any numbers from 0, or a range in steps of one; fastest where they are consecutive.
        columns: words per row; part of what a row is, so keep it fixed for a purpose.

    Returns:
        uint64[len(rows), columns], uniform over all 64-bit words.  O(size of the result).

    >>> words(0, "names", 4, rows=range(2, 5), columns=3).tolist() == \
        words(0, "names", 4, rows=range(5), columns=3)[2:].tolist()
    True
    """
    name = repr((seed, *purpose)).encode()
    key = int.from_bytes(hashlib.blake2b(name, digest_size=16).digest(), "little")
    steps = -(-columns // _WORDS_PER_STEP)
    runs = [
        np.random.Philox(key=key, counter=run.start * steps).random_raw(len(run) * steps * _WORDS_PER_STEP)
        for run in _consecutive(rows)
    ]
    drawn = np.concatenate(runs) if runs else np.empty(0, dtype=np.uint64)
    return np.asarray(drawn).reshape(len(rows), steps * _WORDS_PER_STEP)[:, :columns]


def _consecutive(rows: Rows) -> list[range]:
    """Cut rows into runs of consecutive numbers.

    >>> _consecutive(np.array([3, 4, 7]))
    [range(3, 5), range(7, 8)]
    """
    if isinstance(rows, range):
        return [rows]
    starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1).tolist()
    ends = [*starts[1:], len(rows)]
    return [range(int(rows[start]), int(rows[end - 1]) + 1) for start, end in zip(starts, ends, strict=False)]


def permutations(seed: int, *purpose: str | int, rows: Rows, length: int) -> npt.NDArray[np.int64]:
    """Draw one uniform permutation of 0..length-1 per row: int64[len(rows), length]."""
    return np.argsort(words(seed, *purpose, rows=rows, columns=length), axis=1, kind="stable")


def integers(seed: int, *purpose: str | int, rows: range, bounds: Sequence[int]) -> list[int]:
    """Draw one integer per row, exactly uniform below the bound of the row.

    Of the numbers of 256 bits, those at and above the largest multiple of the bound are drawn again.

    Args:
        seed: as for `words`.
        purpose: as for `words`.
        rows: the rows to draw, in steps of one.
        bounds: a bound for each row, 1 to 2**256; what a row becomes depends on its own only.

    Returns:
        For each row an integer from 0 to its bound - 1.

    >>> integers(0, "dice", rows=range(2, 4), bounds=[6, 10**30])[0] == \
        integers(0, "dice", rows=range(3), bounds=[6] * 3)[2]
    True
    """
    first = words(seed, *purpose, rows=rows, columns=_WORDS_PER_STEP)
    return [
        _below(bound, chain([drawn], _further(seed, (*purpose, "again", row))))
        for row, drawn, bound in zip(rows, first, bounds, strict=True)
    ]


def _below(bound: int, draws: Iterator[Words]) -> int:
    largest_multiple = 2**256 - 2**256 % bound
    numbers = (sum(int(word) << 64 * place for place, word in enumerate(draw)) for draw in draws)
    return next(number for number in numbers if number < largest_multiple) % bound


def _further(seed: int, purpose: tuple[str | int, ...]) -> Iterator[Words]:
    for row in count():
        yield words(seed, *purpose, rows=range(row, row + 1), columns=_WORDS_PER_STEP)[0]
