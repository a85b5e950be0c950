"""The names of classes: `n4-c8` is the ninth of an enumeration, `n10-s…` a sampled one, named by a code of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corr2cause.graphs.bitdags import Masks
from corr2cause.graphs.sampling import code

_SAMPLED = re.compile(r"n(\d+)-s[0-9a-f]+")

CLASS_ID = r"((n\d+)-(?:c\d+|s[0-9a-f]+))"
"""What the names of classes look like: the whole and the size are groups of it."""


def enumerated_class(n: int, rank: int) -> str:
    """Name a class by its place in the enumeration.

    >>> enumerated_class(4, 8)
    'n4-c8'
    """
    return f"n{n}-c{rank}"


def sampled_class(representative: Masks) -> str:
    """Name a class by the code of its `sampling.representatives`, in hexadecimal digits: the same in every sample.

    >>> import numpy as np
    >>> sampled_class(np.array([0, 1, 2], dtype=np.uint16))  # 1 -> 2 -> 3 has the code 0b101
    'n3-s5'
    """
    n = len(representative)
    digits = -(-n * (n - 1) // 8)  # a bit for each pair of nodes, four to a digit
    return f"n{n}-s{code(representative):0{digits}x}"


def is_sampled(class_id: str) -> bool:
    """Return whether a name is that of a sampled class."""
    return _SAMPLED.fullmatch(class_id) is not None


def sampled_sizes(class_ids: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of variables of the sampled classes among some, ascending."""
    return tuple(sorted({int(found[1]) for found in map(_SAMPLED.fullmatch, class_ids) if found}))
