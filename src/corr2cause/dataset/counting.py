"""How many classes, rows and positives of each size stand in each split."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa

from corr2cause.dataset.encoding import values_and_codes
from corr2cause.dataset.manifest import SplitCount
from corr2cause.dataset.schema import SPLITS


class Tally:
    """Counts that grow table by table. Rows of one class and split must all come in one table."""

    def __init__(self) -> None:
        self._classes: Counter[tuple[int, str]] = Counter()
        self._rows: Counter[tuple[int, str]] = Counter()
        self._positives: Counter[tuple[int, str]] = Counter()

    def add(self, split: str, table: pa.Table) -> None:
        """Count the rows of a table, encoded as `ENCODED_SCHEMA`, that go into a split."""
        sizes = table["num_variables"].to_numpy()
        labels = table["label"].to_numpy()
        _, class_codes = values_and_codes(table["class_id"])
        for n in np.unique(sizes).tolist():
            here = sizes == n
            self._rows[n, split] += int(here.sum())
            self._positives[n, split] += int(labels[here].sum())
            self._classes[n, split] += len(np.unique(class_codes[here]))

    @property
    def counts(self) -> tuple[SplitCount, ...]:
        """The counts, by size and then by split."""
        keys = sorted(self._rows, key=lambda key: (key[0], SPLITS.index(key[1])))
        return tuple(
            SplitCount(n, split, self._classes[n, split], self._rows[n, split], self._positives[n, split])
            for n, split in keys
        )
