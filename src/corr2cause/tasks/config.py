"""Which questions a task asks: how hard, in which words, how many."""

from __future__ import annotations

from dataclasses import dataclass

from corr2cause.dataset.options import MIN_VARIABLES, GenerationOptions, Hypotheses, Names, PremiseStyle
from corr2cause.dataset.schema import SPLITS
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_ENUMERATED, Reading, Relation, require_size
from corr2cause.text.prompting import WITHOUT_EXAMPLES, Style

ALL = "all"


@dataclass(frozen=True)
class Corr2CauseConfig:
    """What to ask; two tasks with equal values have equal items, everywhere.

    The values of enumerations may be given as plain strings (`reading="path"`), and relations as a list.

    Attributes:
        min_n: smallest number of variables; of 3 there are so few questions that they soon come again.
        max_n: largest number of variables; to begin takes 0.4 s with 6, 13 s with 7.
        min_class_size: fewest graphs that a premise leaves open.
        max_class_size: most graphs that a premise leaves open; None for any number.
        min_statements: fewest independence statements in a premise.
        max_statements: most independence statements in a premise; None for any number.
        relations: the relations of x to y that are asked about.
        reading: what indirect cause, collider and confounder mean.
        names: how variables are named, anew for each item.
        premise: which statements a premise lists, and how.
        style: how the question is put: zero-shot, chain-of-thought or pc-steps.
        split: ask only about classes that the default splits of `generate` put into train, dev, test or reserve; "all"
            for all classes.
        split_seed: the seed of these splits.
        only_agreeing: pass over questions on which the three readings disagree.
        balanced: whether "Yes" is the answer in one of two cases, for each size and relation.
        seed: any integer.
        size: number of items; they are made when asked for, so that any number costs nothing.

    Raises:
        OptionError: a value makes no sense.
        SizeError: there are no exact answers for so many variables.
    """

    min_n: int = 4
    max_n: int = 6
    min_class_size: int = 1
    max_class_size: int | None = None
    min_statements: int = 0
    max_statements: int | None = None
    relations: tuple[Relation, ...] = tuple(Relation)
    reading: Reading = Reading.DIRECT
    names: Names = Names.SHUFFLED
    premise: PremiseStyle = PremiseStyle.FULL
    style: Style = Style.ZERO_SHOT
    split: str = ALL
    split_seed: int = 0
    only_agreeing: bool = False
    balanced: bool = True
    seed: int = 0
    size: int = 1_000_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "relations", tuple(self.relations))
        self.validate()

    def validate(self) -> None:
        """Raise an error if a value makes no sense; reasoning-gym calls this too."""
        for name, value in vars(self).items():
            if name.startswith(("min", "max")) or name in ("seed", "size", "split_seed"):
                _require_integer(name, value, optional=name in ("max_class_size", "max_statements"))
        require_size(self.max_n, MIN_VARIABLES, MAX_ENUMERATED)
        _require_range("n", MIN_VARIABLES, self.min_n, self.max_n)
        _require_range("class_size", 1, self.min_class_size, self.max_class_size)
        _require_range("statements", 0, self.min_statements, self.max_statements)
        if self.size < 1:
            raise OptionError("size", f"{self.size} is too small; give at least 1")
        unknown = [relation for relation in self.relations if relation not in list(Relation)]
        if unknown or len(set(self.relations)) < max(1, len(self.relations)):
            raise OptionError(
                "relations", f"{list(self.relations)!r} should be some of {', '.join(Relation)}, each once"
            )
        if self.style not in WITHOUT_EXAMPLES:
            raise OptionError("style", f"{self.style!r} is not one of {', '.join(WITHOUT_EXAMPLES)}")
        if self.split not in (ALL, *SPLITS):
            raise OptionError("split", f"{self.split!r} is not one of {ALL}, {', '.join(SPLITS)}")
        self.options(self.max_n)

    def options(self, n: int) -> GenerationOptions:
        """Return the options of data about n variables in which every pair is asked about as this task does.

        Where names are shuffled, a node of the representative may get any name, so that both directions are asked.
        """
        ordered = self.names == Names.ORDERED
        return GenerationOptions(
            n=n,
            min_n=n,
            reading=self.reading,
            names=self.names,
            premise=self.premise,
            hypotheses=Hypotheses.UNORDERED if ordered else Hypotheses.ORDERED,
            seed=self.seed,
            balance=self.balanced,
            only_agreeing=self.only_agreeing,
        )


def _require_integer(name: str, value: object, optional: bool) -> None:
    if type(value) is not int and not (optional and value is None):
        raise OptionError(name, f"{value!r} should be a whole number{' or None' if optional else ''}")


def _require_range(name: str, least: int, low: int, high: int | None) -> None:
    if low < least:
        raise OptionError(f"min_{name}", f"{low} is too small; give at least {least}")
    if high is not None and high < low:
        raise OptionError(f"max_{name}", f"{high} is less than min_{name}, {low}; exchange them or widen the range")
