"""Random streams against a Philox written from its paper, and what keeps streams apart."""

from __future__ import annotations

import hashlib
from itertools import combinations
from itertools import permutations as orders

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.streams import integers, permutations, words

WORD = 2**64
purposes = st.lists(st.text(max_size=4) | st.integers(-3, 3), min_size=1, max_size=3).map(tuple)


def philox(counter: int, key: int) -> list[int]:
    """Philox-4x64 of ten rounds (Salmon et al. 2011): four words for a counter of 256 and a key of 128 bits."""
    x = [counter >> 64 * k & WORD - 1 for k in range(4)]
    k0, k1 = key % WORD, key // WORD
    for _ in range(10):
        high0, low0 = divmod(0xD2E7470EE14C6C93 * x[0], WORD)
        high1, low1 = divmod(0xCA5A826395121157 * x[2], WORD)
        x = [high1 ^ x[1] ^ k0, low1, high0 ^ x[3] ^ k1, low0]
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) % WORD, (k1 + 0xBB67AE8584CAA73B) % WORD
    return x


def row_by_hand(seed: int, purpose: tuple[str | int, ...], row: int, columns: int) -> list[int]:
    """A row takes as many steps of four words as it needs; NumPy counts from one."""
    digest = hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=16).digest()
    key = sum(byte << 8 * place for place, byte in enumerate(digest))
    steps = (columns + 3) // 4
    return [word for step in range(steps) for word in philox(row * steps + step + 1, key)][:columns]


def test_the_twin_knows_the_published_test_vector():
    """Philox4x64-10 with counter and key of all ones, from the known answers of Random123."""
    assert philox(2**256 - 1, 2**128 - 1) == [
        0x87B092C3013FE90B,
        0x438C3C67BE8D0224,
        0x9CC7D7C69CD777B6,
        0xA09CAEBF594F0BA0,
    ]


@settings(deadline=None)
@given(st.integers(), purposes, st.integers(0, 10**6), st.integers(0, 4), st.integers(1, 9))
def test_every_row_is_the_one_written_by_hand(seed, purpose, start, count, columns):
    drawn = words(seed, *purpose, rows=range(start, start + count), columns=columns)
    assert drawn.shape == (count, columns)
    assert drawn.dtype == np.uint64
    assert drawn.tolist() == [row_by_hand(seed, purpose, start + r, columns) for r in range(count)]


def test_bytes_are_these_forever():
    """Data that people made with a seed must come out again with any later version."""
    assert words(0, "names", 4, rows=range(1), columns=3).tolist() == [
        [16042968707968104128, 4729795346490259892, 17177675665042767322]
    ]
    assert permutations(0, "names", 6, rows=range(2), length=6).tolist() == [[0, 4, 3, 5, 1, 2], [2, 3, 5, 1, 4, 0]]


def drawn_set(seed: int, *purpose: str | int) -> set[int]:
    return set(words(seed, *purpose, rows=range(50), columns=8).ravel().tolist())


def test_streams_of_other_seeds_and_purposes_share_no_word():
    streams = [drawn_set(seed, *purpose) for seed in (-1, 0, 1, 2, 2**64) for purpose in (("a",), ("a", 0), ("a", 1))]
    assert all(len(stream) == 400 for stream in streams)
    assert not any(one & other for one, other in combinations(streams, 2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0, "a", 12), (0, "a1", 2)),
        ((0, "ab", "c"), (0, "a", "bc")),
        ((0, "1"), (0, 1)),
        ((1, 2, "x"), (12, "x")),
        ((0, "a', 'b"), (0, "a", "b")),
        ((0, "a"), (0, "a", "")),
    ],
)
def test_purposes_are_never_mistaken_for_each_other(one, other):
    assert not drawn_set(*one) & drawn_set(*other)


@settings(deadline=None)
@given(st.integers(), st.integers(0, 50), st.integers(1, 30))
def test_permutations_are_permutations(seed, row, length):
    drawn = permutations(seed, "order", rows=range(row, row + 2), length=length)
    assert [sorted(order) for order in drawn.tolist()] == [list(range(length))] * 2


def test_permutations_are_uniform():
    drawn = permutations(0, "order", rows=range(6000), length=3)
    found = [(drawn == order).all(axis=1).sum() for order in orders(range(3))]
    assert sum((count - 1000) ** 2 / 1000 for count in found) < 20.5  # chi-square of 5 degrees, one in a thousand


def test_every_bit_is_fair():
    drawn = words(0, "bits", rows=range(5000), columns=1)[:, 0]
    ones = [int((drawn >> np.uint64(k) & np.uint64(1)).sum()) for k in range(64)]
    assert max(abs(count - 2500) for count in ones) < 4.5 * 35.4


@given(st.integers(), st.lists(st.integers(1, 2**256), min_size=1, max_size=5), st.integers(0, 50))
def test_integers_lie_below_their_bounds_and_depend_on_their_own_row_alone(seed, bounds, row):
    rows = range(row, row + len(bounds))
    drawn = integers(seed, "lot", rows=rows, bounds=bounds)
    assert all(0 <= number < bound for number, bound in zip(drawn, bounds, strict=True))
    assert drawn == [
        integers(seed, "lot", rows=range(r, r + 1), bounds=[b])[0] for r, b in zip(rows, bounds, strict=True)
    ]


@pytest.mark.parametrize("bound", [5, 5 * 2**253 - 5])
def test_integers_are_uniform(bound):
    """Also below a bound that three eighths of all draws miss, and have to be made again."""
    drawn = integers(0, "lot", rows=range(5000), bounds=[bound] * 5000)
    found = [sum(number * 5 // bound == fifth for number in drawn) for fifth in range(5)]
    assert sum((count - 1000) ** 2 / 1000 for count in found) < 18.5  # chi-square of 4 degrees, one in a thousand


def test_integers_are_the_words_until_one_is_drawn_again():
    """What a row becomes is fixed for ever, as for words."""
    assert integers(0, "lot", rows=range(2), bounds=[6, 10**30]) == [3, 312242052699977245237299079125]
