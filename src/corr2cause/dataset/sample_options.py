"""What a sample is drawn with: the distribution, the bounds that a class must keep, and how its rows are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from corr2cause.dataset.bounds import BOUNDED
from corr2cause.dataset.options import MIN_VARIABLES, USUAL, PremiseStyle, RowOptions, settle, settle_premise
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_SEPARATED, require_size


class Distribution(StrEnum):
    """What is drawn uniformly."""

    CLASSES = "classes"  # Markov equivalence classes up to renaming
    DAGS = "dags"  # labelled DAGs, whose class is then taken


@dataclass(frozen=True, slots=True)
class SampleOptions(RowOptions):
    """What to sample, and how. Two runs with equal options write equal bytes.

    Attributes:
        n: number of variables, 2 to 12.
        classes: how many classes, distinct up to renaming.
        distribution: what is uniform.
        max_class_size: classes with more members are refused, and counted.
        premise: where none is chosen, the usual one, which depends on the number of variables.
    """

    n: int = 9
    classes: int = 1000
    distribution: Distribution = Distribution.CLASSES
    max_class_size: int = 100_000
    premise: PremiseStyle = field(default=USUAL, kw_only=True)

    def __post_init__(self) -> None:
        settle(self)
        settle_premise(self, self.n)
        require_size(self.n, MIN_VARIABLES, MAX_SEPARATED)
        for option, value in (("--classes", self.classes), ("--max-class-size", self.max_class_size)):
            if value < 1:
                raise OptionError(option, f"{value} is too small; give at least 1")
        if self.balance or self.only_agreeing:
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
        return {**dict.fromkeys(BOUNDED), **RowOptions.to_json(self)}
