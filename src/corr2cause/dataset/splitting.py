"""Which split each row of a size falls into.

The unit is the equivalence class up to renaming, so that no premise, renamed or not, is shared by two splits. For R
rows and C classes of one size:

* R < `split_threshold`: the classes are dealt to test and dev in turn, whole.
* Otherwise test takes min(split_fraction C, split_classes) classes, at least one, and dev as many others. From these,
  min(split_fraction R, split_rows) rows go into each, spread evenly over its classes; what is left of them is the
  reserve. All other classes are train.

The split of a class depends on (seed, n, its rank in code order) only.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from corr2cause.dataset.options import SplitOptions, SplitUnit
from corr2cause.dataset.schema import SPLITS
from corr2cause.streams import permutations

SplitCodes = npt.NDArray[np.uint8]

TRAIN, DEV, TEST, RESERVE = (np.uint8(SPLITS.index(name)) for name in ("train", "dev", "test", "reserve"))


def assign(options: SplitOptions, seed: int, n: int, shape: tuple[int, int]) -> SplitCodes:
    """Return the split of every row of one size, as an index into `SPLITS`.

    Args:
        options: the rule.
        seed: seed of the data set.
        n: number of variables.
        shape: (C, H): classes and hypotheses per class.

    Returns:
        uint8[C, H].
    """
    if options.split_by is SplitUnit.ROW:
        return _assign_rows(options, seed, n, shape)
    if shape[0] * shape[1] < options.split_threshold:
        return _deal_in_turn(seed, n, shape)
    return _assign_classes(options, seed, n, shape)


def _deal_in_turn(seed: int, n: int, shape: tuple[int, int]) -> SplitCodes:
    dealt = np.empty(shape, dtype=np.uint8)
    order = _shuffled(seed, n, shape[0])
    dealt[order[0::2]] = TEST
    dealt[order[1::2]] = DEV
    return dealt


def _assign_classes(options: SplitOptions, seed: int, n: int, shape: tuple[int, int]) -> SplitCodes:
    n_classes, n_rows = shape[0], shape[0] * shape[1]
    rows_wanted = min(_part(options.split_fraction, n_rows), options.split_rows)
    classes_wanted = max(1, min(_part(options.split_fraction, n_classes), options.split_classes))
    if options.whole_classes:
        classes_wanted = max(1, min(classes_wanted, rows_wanted // shape[1]))
        rows_wanted = classes_wanted * shape[1]
    order = _shuffled(seed, n, n_classes)
    split = np.full(shape, TRAIN, dtype=np.uint8)
    for code, chosen in (
        (TEST, order[:classes_wanted]),
        (DEV, order[classes_wanted : 2 * classes_wanted]),
    ):
        split[chosen] = _spread(code, rows_wanted, seed, n, (chosen, shape[1]))
    return split


def _spread(
    code: np.uint8, rows_wanted: int, seed: int, n: int, shape: tuple[npt.NDArray[np.int64], int]
) -> SplitCodes:
    """Give the split to an even share of each chosen class, a seeded choice within the class; the rest is reserve."""
    chosen, n_hypotheses = shape
    share, more = divmod(min(rows_wanted, len(chosen) * n_hypotheses), len(chosen))
    quota = share + (np.arange(len(chosen)) < more)
    rank = np.stack(
        [
            np.argsort(permutations(seed, "split rows", n, rows=range(c, c + 1), length=n_hypotheses)[0])
            for c in chosen.tolist()
        ]
    )
    return np.where(rank < quota[:, None], code, RESERVE)


def _assign_rows(options: SplitOptions, seed: int, n: int, shape: tuple[int, int]) -> SplitCodes:
    n_rows = shape[0] * shape[1]
    order = _shuffled(seed, n, n_rows)
    split = np.full(n_rows, TRAIN, dtype=np.uint8)
    if n_rows < options.split_threshold:
        split[order[0::2]], split[order[1::2]] = TEST, DEV
    else:
        wanted = max(1, min(_part(options.split_fraction, n_rows), options.split_rows))
        split[order[:wanted]], split[order[wanted : 2 * wanted]] = TEST, DEV
    return split.reshape(shape)


def _shuffled(seed: int, n: int, length: int) -> npt.NDArray[np.int64]:
    order: npt.NDArray[np.int64] = permutations(seed, "split", n, rows=range(1), length=length)[0]
    return order


def _part(fraction: float, total: int) -> int:
    """Return the whole part of fraction x total, the fraction taken as it is written (0.1 is a tenth)."""
    return int(Fraction(str(fraction)) * total)
