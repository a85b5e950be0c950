"""What is counted of a data set: the rows of its tables. They hold counts; ratios are made when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from corr2cause.dataset.schema import SPLITS

Scalar = str | int | float | None
Size = int | Literal["all"]

SHARING_SPLITS = (("train", "dev"), ("train", "test"), ("dev", "test"))
"""Pairs of splits that should share no premise; `reserve` has those of dev and test by design."""


@dataclass(frozen=True, slots=True)
class SplitPart:
    """What a split holds: rows, and distinct premises."""

    split: str
    rows: int
    premises: int


@dataclass(frozen=True, slots=True)
class SharedPremises:
    """How many premises, as they are written, occur in both of two splits."""

    splits: tuple[str, str]
    premises: int


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """What there is of n variables: the paper's Table 3, and more.

    Attributes:
        n: number of variables, or "all".
        samples: rows.
        positives: rows whose label is 1.
        premise_tokens: tokens of the premises of all rows; a premise counts once for each row that has it.
        hypothesis_tokens: tokens of the hypotheses of all rows.
        vocabulary: distinct tokens of premises and hypotheses.
        premises: distinct premises.
        duplicates: rows that have the premise and hypothesis of an earlier one.
        splits: one for each of `schema.SPLITS`; none for a plain file, whose split is not known.
        shared: one for each of `SHARING_SPLITS`; none for a plain file.
    """

    n: Size
    samples: int
    positives: int
    premise_tokens: int
    hypothesis_tokens: int
    vocabulary: int
    premises: int
    duplicates: int
    splits: tuple[SplitPart, ...]
    shared: tuple[SharedPremises, ...]

    @property
    def tokens_per_premise(self) -> float | None:
        """Mean over the rows; none without rows."""
        return _ratio(self.premise_tokens, self.samples)

    @property
    def tokens_per_hypothesis(self) -> float | None:
        """Mean over the rows; none without rows."""
        return _ratio(self.hypothesis_tokens, self.samples)

    @property
    def positive_percent(self) -> float | None:
        """Rows whose label is 1, in percent; none without rows."""
        return _ratio(100 * self.positives, self.samples)

    def to_json(self) -> dict[str, Scalar]:
        """Return the row as plain values; what is not known of a plain file is none."""
        parts = {part.split: part for part in self.splits}
        shared = {row.splits: row.premises for row in self.shared}
        return {
            "n": self.n,
            "samples": self.samples,
            **{split: parts[split].rows if split in parts else None for split in SPLITS},
            "tokens_per_premise": self.tokens_per_premise,
            "tokens_per_hypothesis": self.tokens_per_hypothesis,
            "positives": self.positives,
            "positive_percent": self.positive_percent,
            "vocabulary": self.vocabulary,
            "duplicates": self.duplicates,
            "premises": self.premises,
            **{f"premises_{split}": parts[split].premises if split in parts else None for split in SPLITS},
            **{f"premises_shared_{first}_{second}": shared.get((first, second)) for first, second in SHARING_SPLITS},
        }


@dataclass(frozen=True, slots=True)
class RelationRow:
    """The labels of the rows of n variables (or "all") that ask for one relation.

    Attributes:
        n: number of variables, or "all".
        relation: one of `schema.RELATIONS`.
        positives: rows whose label is 1.
        entailment: rows whose `nli_label` is this; so for the next two.
        neutral: so.
        contradiction: so.
    """

    n: Size
    relation: str
    positives: int
    entailment: int
    neutral: int
    contradiction: int

    @property
    def samples(self) -> int:
        """Number of rows."""
        return self.entailment + self.neutral + self.contradiction

    @property
    def positive_percent(self) -> float | None:
        """Rows whose label is 1, in percent; none without rows."""
        return _ratio(100 * self.positives, self.samples)

    def to_json(self) -> dict[str, Scalar]:
        """Return the row as plain values."""
        return {
            "n": self.n,
            "relation": self.relation,
            "samples": self.samples,
            "positives": self.positives,
            "positive_percent": self.positive_percent,
            "entailment": self.entailment,
            "neutral": self.neutral,
            "contradiction": self.contradiction,
        }


@dataclass(frozen=True, slots=True)
class PremiseLengths:
    """How long the premises of n variables are, counted for each row.

    Attributes:
        n: number of variables, or "all".
        counts: (tokens, number of rows whose premise has so many), ascending.
    """

    n: Size
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DatasetStatistics:
    """Statistics of a data set: by number of variables, ascending, then of all together.

    Attributes:
        rows: counts of rows.
        relations: counts of labels.
        premise_lengths: counts of tokens.
        sampled: the numbers of variables whose classes were sampled; they prove nothing of completeness.
    """

    rows: tuple[DatasetRow, ...]
    relations: tuple[RelationRow, ...]
    premise_lengths: tuple[PremiseLengths, ...]
    sampled: tuple[int, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of variables that occur."""
        return tuple(row.n for row in self.rows if row.n != "all")


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
