"""What a data set is made with: every option that changes a produced byte, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Self, cast, get_type_hints

from corr2cause.dataset.bounds import BOUNDED, Bounds, parse_bounds
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import MAX_COUNTED, MAX_ENUMERATED, Reading, require_size

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


USUAL = cast(PremiseStyle, None)
"""No style is chosen: the usual one, which depends on the number of variables, takes its place."""

_LEAST_MINIMAL = 8  # variables: full premises of more are longer than a model reads


def usual_premise(n: int) -> PremiseStyle:
    """Return the style of premises where none is chosen: `minimal` from eight variables on."""
    return PremiseStyle.MINIMAL if n >= _LEAST_MINIMAL else PremiseStyle.FULL


def settle_premise(options: RowOptions, n: int) -> None:
    """Put the usual style of n variables where none is chosen."""
    if options.premise is USUAL:
        object.__setattr__(options, "premise", usual_premise(n))


class Hypotheses(StrEnum):
    """Which pairs are asked about."""

    UNORDERED = "unordered"  # x before y: the paper's version 2.0
    ORDERED = "ordered"  # both directions: the paper's version 1.0, twice the rows


class SplitUnit(StrEnum):
    """What is dealt to the splits as a whole."""

    CLASS = "class"  # no premise is shared by two splits, renamed or not
    ROW = "row"  # the paper's wording; premises are shared


def settle(options: RowOptions | SplitOptions | PerturbationOptions | StoryOptions) -> None:
    """Turn the values of enumerations into their members, so that `"path"` is as good as `Reading.PATH`.

    Raises:
        OptionError: no member has the value, or a value of another option is not of its type.
    """
    for name, kind in get_type_hints(type(options)).items():
        option, value = f"--{name.replace('_', '-')}", getattr(options, name)
        if not isinstance(kind, type):
            continue  # such as tuple[str, ...]
        if value is USUAL and kind is PremiseStyle:
            continue
        if issubclass(kind, StrEnum):
            if value not in list(kind):
                raise OptionError(option, f"{value!r} is not one of {', '.join(kind)}")
            object.__setattr__(options, name, kind(value))
        elif type(value) is not kind:
            raise OptionError(option, f"{value!r} should be of the type {kind.__name__}")


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """How rows are dealt to train, dev, test and reserve; the rule is stated in `splitting`.

    Attributes:
        split_by: classes or rows.
        split_fraction: largest part of the classes, and of the rows, of one size that test takes, and dev again.
        split_classes: most classes of one size in test, and again in dev.
        split_rows: most rows of one size in test, and again in dev.
        split_threshold: sizes with fewer rows than this have no training part.
        whole_classes: take every row of as many classes as `split_rows` allows, and keep no reserve.
    """

    split_by: SplitUnit = SplitUnit.CLASS
    split_fraction: float = 0.1
    split_classes: int = 100
    split_rows: int = 500
    split_threshold: int = 500
    whole_classes: bool = False

    def __post_init__(self) -> None:
        settle(self)
        if not 0 < self.split_fraction <= 0.5:
            raise OptionError("--split-fraction", f"{self.split_fraction:g} is not above 0 and at most 0.5")
        for option, value in (("--split-classes", self.split_classes), ("--split-rows", self.split_rows)):
            if value < 1:
                raise OptionError(option, f"{value} is too small; give at least 1")
        if self.split_threshold < 0:
            raise OptionError("--split-threshold", f"{self.split_threshold} is negative; give 0 or more")
        if self.whole_classes and self.split_by is SplitUnit.ROW:
            raise OptionError("--whole-classes", "makes no sense with --split-by row; leave one of them out")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOptions:
    """How classes become rows, whichever classes they are.

    Attributes:
        reading: what indirect cause, collider and confounder mean.
        names: how variables are named.
        premise: which statements a premise lists, and how.
        hypotheses: which pairs are asked about.
        seed: of all that is drawn.
        with_steps: add a column with the numbered reasoning behind each label.
        balance: leave out rows until either label is as frequent, in each split, size and form of sentence.
        only_agreeing: leave out rows on which the three readings disagree.
        edges: bounds of the number of edges of a class.
        density: bounds of that number over the number of pairs.
        class_size: bounds of the number of members.
        statements: bounds of the number of independences that the premise states.
        split: how rows are dealt to splits, before any is left out.
    """

    reading: Reading = Reading.DIRECT
    names: Names = Names.SHUFFLED
    premise: PremiseStyle = PremiseStyle.FULL
    hypotheses: Hypotheses = Hypotheses.UNORDERED
    seed: int = 0
    with_steps: bool = False
    balance: bool = False
    only_agreeing: bool = False
    edges: Bounds | None = None
    density: Bounds | None = None
    class_size: Bounds | None = None
    statements: Bounds | None = None
    split: SplitOptions = field(default_factory=SplitOptions)

    @property
    def bounds(self) -> dict[str, Bounds]:
        """The bounds that are given, by the names of the options."""
        given = {name: getattr(self, name) for name in BOUNDED}
        return {name: bounds for name, bounds in given.items() if bounds is not None}

    def to_json(self) -> dict[str, Any]:
        """Return plain values under the names of the command's options, as the manifest keeps them.

        What leaves rows out is named only where it is asked for: the complete data are older than these options.
        """
        own = asdict(self) | {name: str(bounds) for name, bounds in self.bounds.items()}
        chosen = {name: value for name, value in own.items() if value or name not in _LEAVING_OUT}
        return {**{name: value for name, value in chosen.items() if name != "split"}, **own["split"]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Rebuild options from what `to_json` returned, or from the command line.

        Raises:
            OptionError: a value is missing or makes no sense.
            SizeError: there is no such number of variables.
        """
        try:
            values = {**_LEAVING_OUT, **values, **parse_bounds(values)}
            own, split = ({name: values[name] for name in _names(kind)} for kind in (cls, SplitOptions))
        except KeyError as error:
            raise OptionError("options", f"there is no value of {error}; generate again") from error
        return cls(**own, split=SplitOptions(**split))


@dataclass(frozen=True, slots=True)
class GenerationOptions(RowOptions):
    """What to generate: sizes min_n to n, and how. Two runs with equal options write equal bytes.

    Attributes:
        n: largest number of variables.
        min_n: smallest number of variables.
        rows_per_n: most rows of each size in train, drawn among those that the other options leave; 0 for all.
        premise: where none is chosen, the usual one of n variables.
    """

    n: int = 6
    min_n: int = MIN_VARIABLES
    rows_per_n: int = 0
    premise: PremiseStyle = field(default=USUAL, kw_only=True)

    def __post_init__(self) -> None:
        settle(self)
        settle_premise(self, self.n)
        require_size(self.n, MIN_VARIABLES, MAX_COUNTED)
        if not MIN_VARIABLES <= self.min_n <= self.n:
            raise OptionError("--min-n", f"{self.min_n} is not in {MIN_VARIABLES} to --n {self.n}")
        if self.rows_per_n < 0:
            raise OptionError("--rows-per-n", f"{self.rows_per_n} is negative; give at least 1, or 0 for all")
        if self.n > MAX_ENUMERATED and (self.leaves_out or self.split.split_by is SplitUnit.ROW):
            problem = f"of {self.n} variables whole classes are made, all of them; choose some with `corr2cause sample`"
            raise OptionError("--n", problem)

    @property
    def leaves_out(self) -> bool:
        """Whether some rows about the classes are left out."""
        return bool(self.balance or self.only_agreeing or self.bounds or self.rows_per_n)

    @property
    def sizes(self) -> range:
        """Every number of variables, ascending."""
        return range(self.min_n, self.n + 1)


_LEAVING_OUT = {"balance": False, "only_agreeing": False, "rows_per_n": 0, **dict.fromkeys(BOUNDED)}
"""The options that leave rows out, and what they are where none is."""


def _names(options: type[RowOptions] | type[SplitOptions]) -> list[str]:
    return [option.name for option in fields(options) if option.name != "split"]


class Mode(StrEnum):
    """What a perturbation changes."""

    PARAPHRASE = "paraphrase"  # the hypothesis, in other words
    REFACTOR = "refactor"  # the alphabet, reversed
    RENAME = "rename"  # letters drawn at random for each premise
    WORDS = "words"  # nouns drawn at random for each premise
    REORDER = "reorder"  # the order of the statements
    SYMBOLIC = "symbolic"  # statements as A ⊥ B | C, D


@dataclass(frozen=True, slots=True)
class PerturbationOptions:
    """What to change, in which splits (in the order of the schema), and the seed of what is drawn."""

    mode: Mode
    splits: tuple[str, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        settle(self)


class StoryMode(StrEnum):
    """Which quantities a story is told about."""

    NONCE = "nonce"  # invented ones, of which nothing can be known
    EVERYDAY = "everyday"  # of one domain, at random
    CONGRUENT = "congruent"  # so that common sense knows just the direct causes that are entailed
    ANTI = "anti"  # so that common sense has just these the wrong way round


class Told(StrEnum):
    """Which separating sets a story mentions."""

    FULL = "full"  # all that the premise states
    MINIMAL = "minimal"  # of these, the ones that hold no other


@dataclass(frozen=True, slots=True)
class StoryOptions:
    """How to tell stories, in which splits (in the order of the schema), and the seed of what is drawn."""

    mode: StoryMode
    splits: tuple[str, ...]
    statements: Told = Told.FULL
    seed: int = 0

    def __post_init__(self) -> None:
        settle(self)


def changed_options(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Say which recorded options differ from the wanted ones, by name; what is not recorded was not asked for.

    >>> changed_options({"n": 4, "split": ["dev", "test"]}, {"n": 4, "split": ["test"], "balance": True})
    'balance False instead of True, split dev and test instead of test'
    """
    names = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
    return ", ".join(f"{name} {_shown(found, name)} instead of {_shown(wanted, name)}" for name in names)


def _shown(options: Mapping[str, Any], name: str) -> str:
    value = options.get(name, False)
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)
