"""Would another sample have chosen the same prompting strategy?

The paper (appendix F.1) chose the strategy of each model on the test rows themselves, and checked the choice on 1,000
of them once. One sample says little, so many are drawn here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from corr2cause.counts import Counts
from corr2cause.errors import FileError, OptionError
from corr2cause.spans.detection import Verdicts
from corr2cause.spans.rows import Row
from corr2cause.streams import permutations

Flags = npt.NDArray[np.bool_]

_SAMPLES_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """The strategy that a model would be given.

    Attributes:
        model: its name.
        on_all: the best strategy on all rows, and its F1.
        on_sample: the best one on the (first) sample, and its F1.
        times: how often each strategy was best, over all samples.
    """

    model: str
    on_all: tuple[str, float]
    on_sample: tuple[str, float]
    times: Mapping[str, int]

    @property
    def is_stable(self) -> bool:
        """Whether the first sample chose the same."""
        return self.on_all[0] == self.on_sample[0]

    @property
    def agreement(self) -> float:
        """Share of the samples that chose the same strategy as all rows."""
        return self.times.get(self.on_all[0], 0) / sum(self.times.values())

    def to_json(self) -> dict[str, Any]:
        """Return the choices and how often they were made."""
        return {
            "model": self.model,
            "test_strategy": self.on_all[0],
            "test_f1": self.on_all[1],
            "sample_strategy": self.on_sample[0],
            "sample_f1": self.on_sample[1],
            "same": self.is_stable,
            "share_of_samples": self.agreement,
            "times": dict(self.times),
        }


def samples(n_rows: int, size: int, repeats: int, seed: int) -> Flags:
    """Draw samples without replacement: bool[repeats, n_rows], each with `size` rows.

    Raises:
        OptionError: there are fewer rows than a sample needs.
    """
    if not 0 < size <= n_rows:
        raise OptionError("--sample", f"{size} of {n_rows} rows; give a number from 1 to that")
    found = np.zeros((repeats, n_rows), dtype=bool)
    for start in range(0, repeats, _SAMPLES_AT_ONCE):
        block = range(start, min(start + _SAMPLES_AT_ONCE, repeats))
        drawn = permutations(seed, "validation sample", n_rows, rows=block, length=n_rows)[:, :size]
        np.put_along_axis(found[block.start : block.stop], drawn, True, axis=1)
    return found


def rows_among(rows: Sequence[Row], chosen: Sequence[Row], path: str) -> Flags:
    """Return one sample, bool[1, R]: the rows that another file has too.

    Raises:
        FileError: it has none of them.
    """
    ids = {row.id for row in chosen}
    found = np.array([[row.id in ids for row in rows]], dtype=bool)
    if not found.any():
        raise FileError(path, "none of its rows is among the gold rows; is this another split?")
    return found


def choose(verdicts: Mapping[str, Mapping[str, Verdicts]], drawn: Flags) -> list[Choice]:
    """Choose the strategy of each model on all rows and on each sample, by F1 of the causal class.

    Args:
        verdicts: model -> strategy -> answers to the same R rows; of strategies with equal F1 the first is chosen.
        drawn: bool[S, R]; the rows of each sample.

    Returns:
        A choice for each model.  O(models x strategies x S x R).
    """
    found = []
    for model, answers in verdicts.items():
        strategies = tuple(answers)
        f1 = np.array([_f1_of(one, drawn) for one in answers.values()])
        best = np.argmax(f1, axis=0)  # the first of equal ones
        names = [strategies[place] for place in best.tolist()]
        on_all, on_sample = ((strategies[best[k]], float(f1[best[k], k])) for k in (0, 1))
        found.append(Choice(model, on_all, on_sample, Counter(names[1:])))
    return found


def _f1_of(verdicts: Verdicts, drawn: Flags) -> list[float]:
    """Return F1 on all rows, then on each sample."""
    truth = np.array(verdicts.is_causal, dtype=bool)
    said = np.array([bool(one) for one in verdicts.says_causal], dtype=bool)
    kinds = np.column_stack([truth & said, ~truth & said, truth & ~said]).astype(np.float64)
    sums: Sequence[Sequence[float]] = np.vstack([kinds.sum(axis=0), drawn.astype(np.float64) @ kinds]).tolist()
    return [Counts(*map(int, line)).f1 for line in sums]
