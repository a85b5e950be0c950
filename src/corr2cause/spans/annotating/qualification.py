"""How well applicants annotate rows whose pairs are known: who may work on batches (the paper's section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.counts import Counts, share
from corr2cause.errors import FileError
from corr2cause.spans.agreement import match_pairs
from corr2cause.spans.annotating.annotators import Annotator
from corr2cause.spans.extraction import score
from corr2cause.spans.joining import join
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.predictions import PredictedRow
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Row

LEAST = 0.5
"""The smallest S of two pairs whose labels are compared."""


@dataclass(frozen=True)
class Qualification:
    """The result of one applicant. Rows that were not annotated count as rows without a cause.

    Attributes:
        name: of the applicant.
        n_rows: rows of the test.
        n_missing: of these, not annotated.
        verdicts: whether rows state a cause.
        spans: token F1 of pairs, one-to-one in each row (profile `described`).
        labels: task -> (right, compared), on pairs that match a gold pair.
        mark: what each of the three scores must reach.
    """

    name: str
    n_rows: int
    n_missing: int
    verdicts: Counts
    spans: float
    labels: dict[str, tuple[int, int]]
    mark: float

    @property
    def detection_score(self) -> float:
        """F1 of the causal rows."""
        return self.verdicts.f1

    @property
    def label_score(self) -> float:
        """Share of the labels of matched pairs that are right, of both tasks together; 0 if no pair matches."""
        return share(sum(right for right, _ in self.labels.values()), sum(n for _, n in self.labels.values()))

    @property
    def mean(self) -> float:
        """Mean of the three scores, by which applicants are ranked."""
        return (self.detection_score + self.spans + self.label_score) / 3

    @property
    def has_passed(self) -> bool:
        """Whether each of the three scores reaches the mark."""
        return min(self.detection_score, self.spans, self.label_score) >= self.mark

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        return {
            "annotator": self.name,
            "passed": self.has_passed,
            "mean": self.mean,
            "detection": {"f1": self.detection_score, "accuracy": self.verdicts.accuracy},
            "spans": {"token_f1": self.spans},
            "labels": {
                "accuracy": self.label_score,
                **{task: {"right": right, "compared": n} for task, (right, n) in self.labels.items()},
            },
            "rows": self.n_rows,
            "missing": self.n_missing,
        }


def qualify(gold: Sequence[Row], annotator: Annotator, mark: float) -> Qualification:
    """Judge an applicant.

    Args:
        gold: the rows of the test with their pairs.
        annotator: what was handed in.
        mark: from 0 to 1.

    Raises:
        FileError: no row of the test was annotated.
    """
    known = [row for row in gold if row.id in annotator.rows]
    if not known:
        raise FileError(annotator.name, "no row of the test was annotated; is this the answer to another test?")
    answers = [annotator.rows.get(row.id, Row(row.id, row.sentence, label=False)) for row in gold]
    predicted = [PredictedRow(row.id, row.sentence, row.pairs) for row in answers]
    tiers = score(join(gold, predicted), PROFILES["described"], None).tiers
    matches = match_pairs(gold, answers, least=LEAST)
    return Qualification(
        name=annotator.name,
        n_rows=len(gold),
        n_missing=len(gold) - len(known),
        verdicts=_verdicts(gold, answers),
        spans=tiers["token"]["pair"].rates.f1,
        labels={
            task: (sum(getattr(one.first, task) == getattr(one.second, task) for one in matches), len(matches))
            for task in VOCABULARIES
        },
        mark=mark,
    )


def _verdicts(gold: Sequence[Row], answers: Sequence[Row]) -> Counts:
    both = [(row.is_causal, answer.is_causal) for row, answer in zip(gold, answers, strict=True)]
    return Counts(
        hits=both.count((True, True)),
        false_alarms=both.count((False, True)),
        misses=both.count((True, False)),
        correct_rejections=both.count((False, False)),
    )


def ranked(found: Sequence[Qualification]) -> list[Qualification]:
    """Order applicants: those who passed first, then by the mean of their scores, then by name."""
    return sorted(found, key=lambda one: (not one.has_passed, -one.mean, one.name))
