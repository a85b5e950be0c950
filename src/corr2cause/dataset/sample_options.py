"""What a sample is drawn with: the distribution, the bounds that a class must keep, and how its rows are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import Any, Self, cast

from corr2cause.dataset.options import MIN_VARIABLES, PremiseStyle, RowOptions, settle
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_SEPARATED, require_size

BOUNDED = ("edges", "density", "class_size", "statements")
"""The options that bound what is taken."""

_LEAST_MINIMAL = 8  # variables: full premises of more are longer than a model reads


class Distribution(StrEnum):
    """What is drawn uniformly."""

    CLASSES = "classes"  # Markov equivalence classes up to renaming
    DAGS = "dags"  # labelled DAGs, whose class is then taken


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers from `low` to `high`, both included, and how they were written."""

    text: str
    low: Fraction
    high: Fraction

    @classmethod
    def parse(cls, option: str, text: str) -> Interval:
        """Read LO-HI, or one number for both.

        Raises:
            OptionError: it is no interval.

        >>> Interval.parse("--density", "0.25-0.5").whole(scale=28)
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


def usual_premise(n: int) -> PremiseStyle:
    """Return the style of premises where none is chosen: `minimal` from eight variables on."""
    return PremiseStyle.MINIMAL if n >= _LEAST_MINIMAL else PremiseStyle.FULL


@dataclass(frozen=True, slots=True)
class SampleOptions(RowOptions):
    """What to sample, and how. Two runs with equal options write equal bytes.

    Attributes:
        n: number of variables, 2 to 12.
        classes: how many classes, distinct up to renaming.
        distribution: what is uniform.
        edges: bounds of the number of edges.
        density: bounds of that number over the number of pairs.
        class_size: bounds of the number of members.
        statements: bounds of the number of independences that the premise states.
        max_class_size: classes with more members are refused, and counted.
        premise: where none is chosen, the usual one, which depends on the number of variables.
    """

    n: int = 9
    classes: int = 1000
    distribution: Distribution = Distribution.CLASSES
    edges: Interval | None = None
    density: Interval | None = None
    class_size: Interval | None = None
    statements: Interval | None = None
    max_class_size: int = 100_000
    premise: PremiseStyle = field(default=cast(PremiseStyle, None), kw_only=True)

    def __post_init__(self) -> None:
        if self.premise is None:
            object.__setattr__(self, "premise", usual_premise(self.n))
        settle(self)
        require_size(self.n, MIN_VARIABLES, MAX_SEPARATED)
        for option, value in (("--classes", self.classes), ("--max-class-size", self.max_class_size)):
            if value < 1:
                raise OptionError(option, f"{value} is too small; give at least 1")
        if self.leaves_out:
            raise OptionError("--balance", "no rows of a sample are left out; give neither this nor --only-agreeing")
        pairs = self.n * (self.n - 1) // 2
        for option, bounds, most in (
            ("--edges", self.edges, pairs),
            ("--density", self.density, 1),
            ("--class-size", self.class_size, self.max_class_size),
        ):
            if bounds and bounds.low > most:
                raise OptionError(option, f"{bounds} begins above {most:,}, the most there can be")

    def to_json(self) -> dict[str, Any]:
        """Return plain values under the names of the command's options, as the manifest keeps them."""
        bounds = {name: getattr(self, name) for name in BOUNDED}
        return {**RowOptions.to_json(self), **{name: bound and str(bound) for name, bound in bounds.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Rebuild options from what `to_json` returned, or from the command line."""
        bounds = {
            name: Interval.parse(f"--{name.replace('_', '-')}", str(values[name]))
            for name in BOUNDED
            if values.get(name) is not None
        }
        return super(SampleOptions, cls).from_json({**values, **bounds})
