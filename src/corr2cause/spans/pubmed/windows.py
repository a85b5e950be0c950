"""How the successive sentences of an abstract are joined to rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from corr2cause.errors import OptionError

Remainder = Literal["keep", "merge", "drop"]


@dataclass(frozen=True, slots=True)
class Windows:
    """The policy.

    Attributes:
        minimum: the fewest sentences of a row.
        maximum: the most; rows take as many as they may.
        stride: how many sentences further on the next row begins; None for as many as `maximum`, so that rows do not
            overlap.
        remainder: what becomes of sentences at the end that are fewer than `maximum`: `keep` makes a row of them if
            they are `minimum` or more, `merge` adds them to the row before, which then is longer than `maximum`, or
            keeps them if there is none, `drop` leaves them out.

    Raises:
        OptionError: the numbers make no sense.
    """

    minimum: int = 2
    maximum: int = 5
    stride: int | None = None
    remainder: Remainder = "keep"

    def __post_init__(self) -> None:
        if self.minimum < 1:
            raise OptionError("--min-sentences", f"{self.minimum} is too few; give at least 1")
        if self.maximum < self.minimum:
            raise OptionError("--max-sentences", f"{self.maximum} is less than --min-sentences {self.minimum}")
        if self.stride is not None and not 1 <= self.stride <= self.maximum:
            raise OptionError("--stride", f"{self.stride} leaves sentences out; give 1 to {self.maximum}, or nothing")

    def cut(self, n: int) -> Iterator[range]:
        """Yield the rows of n successive sentences, each as the range of its sentences.

        >>> list(Windows().cut(12)), list(Windows(remainder="merge").cut(7)), list(Windows(2, 2, 1).cut(3))
        ([range(0, 5), range(5, 10), range(10, 12)], [range(0, 7)], [range(0, 2), range(1, 3)])
        """
        full = list(range(0, n - self.maximum + 1, self.stride or self.maximum))
        covered = full[-1] + self.maximum if full else 0
        rows = [range(start, start + self.maximum) for start in full]
        left = range(covered, n)
        if left and rows and self.remainder == "merge":
            rows[-1] = range(rows[-1].start, n)
        elif len(left) >= self.minimum and self.remainder != "drop":
            rows.append(left)
        yield from rows
