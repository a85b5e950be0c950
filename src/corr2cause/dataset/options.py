"""What a data set is made with: every option that changes a produced byte, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_ENUMERATED, Reading, require_size

MIN_VARIABLES = 2  # a hypothesis is about a pair


class Names(StrEnum):
    """How the nodes of a class get their names."""

    SHUFFLED = "shuffled"  # letters, permuted for each class
    ORDERED = "ordered"  # letters in topological order, as published
    WORDS = "words"  # nouns drawn for each class


class PremiseStyle(StrEnum):
    """Which statements a premise lists, and how."""

    FULL = "full"  # every separating set, in the published sentences
    MINIMAL = "minimal"  # only the minimal separating sets, and a remark that says so
    SYMBOLIC = "symbolic"  # every separating set, as A ⊥ B | C, D


class Hypotheses(StrEnum):
    """Which pairs are asked about."""

    UNORDERED = "unordered"  # x before y: the paper's version 2.0
    ORDERED = "ordered"  # both directions: the paper's version 1.0, twice the rows


class SplitUnit(StrEnum):
    """What is dealt to the splits as a whole."""

    CLASS = "class"  # no premise is shared by two splits, renamed or not
    ROW = "row"  # the paper's wording; premises are shared


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """How rows are dealt to train, dev, test and reserve; the rule is stated in `splitting`.

    Attributes:
        unit: classes or rows.
        fraction: largest part of the classes, and of the rows, of one size that test takes, and dev again.
        max_classes: most classes of one size in test, and again in dev.
        max_rows: most rows of one size in test, and again in dev.
        min_rows_to_train: sizes with fewer rows than this have no training part.
        whole_classes: take every row of as many classes as `max_rows` allows, and keep no reserve.
    """

    unit: SplitUnit = SplitUnit.CLASS
    fraction: float = 0.1
    max_classes: int = 100
    max_rows: int = 500
    min_rows_to_train: int = 500
    whole_classes: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 0.5:
            raise OptionError("--split-fraction", f"{self.fraction:g} is not above 0 and at most 0.5")
        for option, value in (("--split-classes", self.max_classes), ("--split-rows", self.max_rows)):
            if value < 1:
                raise OptionError(option, f"{value} is too small; give at least 1")
        if self.min_rows_to_train < 0:
            raise OptionError("--split-threshold", f"{self.min_rows_to_train} is negative; give 0 or more")
        if self.whole_classes and self.unit is SplitUnit.ROW:
            raise OptionError("--whole-classes", "makes no sense with --split-by row; leave one of them out")


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """What to generate: sizes min_n to n, and how. Two runs with equal options write equal bytes."""

    n: int = 6
    min_n: int = MIN_VARIABLES
    reading: Reading = Reading.DIRECT
    names: Names = Names.SHUFFLED
    premise: PremiseStyle = PremiseStyle.FULL
    hypotheses: Hypotheses = Hypotheses.UNORDERED
    seed: int = 0
    split: SplitOptions = field(default_factory=SplitOptions)

    def __post_init__(self) -> None:
        require_size(self.n, MIN_VARIABLES, MAX_ENUMERATED)
        if not MIN_VARIABLES <= self.min_n <= self.n:
            raise OptionError("--min-n", f"{self.min_n} is not in {MIN_VARIABLES} to --n {self.n}")

    @property
    def sizes(self) -> range:
        """Every number of variables, ascending."""
        return range(self.min_n, self.n + 1)

    def to_json(self) -> dict[str, Any]:
        """Return plain values, as the manifest keeps them."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> GenerationOptions:
        """Rebuild options from a manifest; OptionError if they are not options of this version."""
        try:
            split = SplitOptions(**{**values["split"], "unit": SplitUnit(values["split"]["unit"])})
            return cls(
                n=int(values["n"]),
                min_n=int(values["min_n"]),
                reading=Reading(values["reading"]),
                names=Names(values["names"]),
                premise=PremiseStyle(values["premise"]),
                hypotheses=Hypotheses(values["hypotheses"]),
                seed=int(values["seed"]),
                split=split,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError("manifest", f"its options are not understood ({error}); generate again") from error
