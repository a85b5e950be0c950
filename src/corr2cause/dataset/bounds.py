"""Bounds of what is taken: LO-HI, and which properties of a class can be bounded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from corr2cause.errors import OptionError

BOUNDED = ("edges", "density", "class_size", "statements")
"""The options that bound what is taken."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Numbers from `low` to `high`, both included, and how they were written."""

    text: str
    low: Fraction
    high: Fraction

    @classmethod
    def parse(cls, option: str, text: str) -> Bounds:
        """Read LO-HI, or one number for both.

        Raises:
            OptionError: it is no interval.

        >>> Bounds.parse("--density", "0.25-0.5").whole(scale=28)
        (7, 14)
        """
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?", text, re.ASCII)
        if not found:
            raise OptionError(option, f"{text!r} is not of the form LO-HI, such as 10-15")
        low, high = Fraction(found[1]), Fraction(found[2] or found[1])
        if low > high:
            raise OptionError(option, f"{text!r} begins above its end; write the smaller number first")
        return cls(text, low, high)

    def whole(self, scale: int = 1) -> tuple[int, int]:
        """Return the least and the greatest integer that, over the scale, lie in the interval; exactly."""
        return ceil(self.low * scale), floor(self.high * scale)

    def __str__(self) -> str:
        return self.text


def parse_bounds(values: Mapping[str, Any]) -> dict[str, Bounds]:
    """Return the bounds that are among the values of options, by their names.

    Raises:
        OptionError: one is no interval.
    """
    given = {name: values[name] for name in BOUNDED if values.get(name) is not None}
    return {name: Bounds.parse(f"--{name.replace('_', '-')}", str(text)) for name, text in given.items()}
