"""How well causal texts are told from others, and which of them are missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause.bootstrap import Interval, Resampling, interval, resample
from corr2cause.counts import Counts, share
from corr2cause.errors import FileError
from corr2cause.spans.detection_answers import released_verdict, verdict_of
from corr2cause.spans.joining import IdReport
from corr2cause.spans.label_scores import class_of
from corr2cause.spans.names import RELEASED
from corr2cause.spans.predictions import Key, id_text, key_of
from corr2cause.spans.profiles import PROFILES, Profile
from corr2cause.spans.rows import Row

ANSWER_KEYS = ("prediction", "predicted", "answer", "response", "output", "label")
"""Where an answer may stand in an entry that is an object; the first that it has is read."""

LONG = 85
"""Words over which the paper calls a row long."""

METRICS = ("accuracy", "precision", "recall", "f1")


@dataclass(frozen=True)
class Verdicts:
    """Answers laid beside R gold rows.

    Attributes:
        is_causal: what is true of each row.
        says_causal: what was answered; None if nothing was, or nothing that says yes or no.
        ids: how the ids met.
    """

    is_causal: tuple[bool, ...]
    says_causal: tuple[bool | None, ...]
    ids: IdReport


@dataclass(frozen=True)
class Group:
    """Causal rows with something in common.

    Attributes:
        name: what they have in common.
        found: how many of them were called causal.
        missed: how many were not.
        base_rate: their share of all causal rows with pairs.
        miss_rate: their share of the missed ones.
    """

    name: str
    found: int
    missed: int
    base_rate: float
    miss_rate: float

    def to_json(self) -> dict[str, Any]:
        """Return the counts and rates."""
        return {
            "rows": self.found + self.missed,
            "found": self.found,
            "recall": share(self.found, self.found + self.missed),
            "share_of_causal": self.base_rate,
            "share_of_missed": self.miss_rate,
        }


@dataclass(frozen=True)
class DetectionScore:
    """The scores of one file.

    Attributes:
        profile: name of the profile: `released` looks for "yes" anywhere in an answer.
        counts: with the causal class as what is sought; an unreadable answer counts as no, and is told apart.
        unreadable_causal: unreadable or missing answers to causal rows.
        unreadable_other: those to other rows.
        intervals: of `METRICS`; None if not asked for.
        groups: kinds of causal rows, for those whose pairs are known.
        ids: how the ids met.
    """

    profile: str
    counts: Counts
    unreadable_causal: int
    unreadable_other: int
    intervals: Mapping[str, Interval] | None
    groups: tuple[Group, ...]
    ids: IdReport

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        counts = self.counts
        return {
            "profile": self.profile,
            **{name: getattr(counts, name) for name in METRICS},
            "macro": macro(counts),
            "confusion": {
                "tp": counts.hits,
                "fp": counts.false_alarms,
                "fn": counts.misses,
                "tn": counts.correct_rejections,
            },
            "rows": counts.total,
            "causal_rows": counts.positives,
            "unreadable": self.unreadable_causal + self.unreadable_other,
            "unreadable_causal": self.unreadable_causal,
            "false_positive_rate": share(counts.false_alarms, counts.negatives),
            "intervals": self.intervals and {name: one.to_json() for name, one in self.intervals.items()},
            "errors": {group.name: group.to_json() for group in self.groups},
            "ids": self.ids.to_json(),
        }


def macro(counts: Counts) -> dict[str, float]:
    """Return precision, recall and F1 as the mean of both classes."""
    other = Counts(counts.correct_rejections, counts.misses, counts.false_alarms, counts.hits)
    return {name: (getattr(counts, name) + getattr(other, name)) / 2 for name in METRICS[1:]}


def join_verdicts(rows: Sequence[Row], is_causal: Sequence[bool], entries: Sequence[Any], profile: Profile) -> Verdicts:
    """Lay answers beside rows: by id as text if any entry has one, else by position.

    Args:
        rows: with different ids.
        is_causal: what is true of each.
        entries: answers, or objects with an id and an answer under one of `ANSWER_KEYS`.
        profile: how to read an answer.
    """
    keys: list[Key] = [key_of(entry) if isinstance(entry, dict) else None for entry in entries]
    by_position = all(key is None for key in keys)
    names = [str(place) for place in range(len(rows))] if by_position else [row.id for row in rows]
    read = released_verdict if profile.name == RELEASED else verdict_of
    answers: dict[str, bool | None] = {}
    repeated: dict[str, None] = {}
    for place, (key, entry) in enumerate(zip(keys, entries, strict=True)):
        name = str(place) if by_position else "" if key is None else id_text(key)
        if name in answers:
            repeated[name] = None
        answers[name] = read(_answer(entry))
    known = set(names)
    report = IdReport(
        by_position=by_position,
        n_matched=sum(name in answers for name in names),
        gold_only=tuple(row.id for row, name in zip(rows, names, strict=True) if name not in answers),
        predicted_only=tuple(name or "none" for name in answers if name not in known),
        repeated=tuple(repeated),
    )
    return Verdicts(tuple(is_causal), tuple(answers.get(name) for name in names), report)


def refuse_pairs(path: Path, entries: Sequence[Any]) -> None:
    """Refuse a file of pairs in place of verdicts: every one of them would count as unreadable.

    Raises:
        FileError: every entry has pairs and none an answer.
    """
    is_of_pairs = all(isinstance(entry, dict) and "pairs" in entry for entry in entries)
    if entries and is_of_pairs and not any(key in entry for entry in entries for key in ANSWER_KEYS):
        raise FileError(str(path), "it holds pairs, not verdicts; judge it with: corr2cause spans score extraction")


def with_pairs(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """Give rows the pairs that other rows of the same id have, such as detection rows those of an extraction file."""
    pairs = {row.id: row.pairs for row in others}
    return [replace(row, pairs=pairs.get(row.id, row.pairs)) for row in rows]


def _answer(entry: Any) -> Any:
    return next((entry[key] for key in ANSWER_KEYS if key in entry), None) if isinstance(entry, dict) else entry


def score_verdicts(
    verdicts: Verdicts, rows: Sequence[Row], profile: Profile, resampling: Resampling | None = None
) -> DetectionScore:
    """Judge answers.

    Args:
        verdicts: beside the rows.
        rows: the same rows, with pairs where they are known, for the analysis of misses.
        profile: its name stands beside the figures.
        resampling: for intervals over rows.

    Returns:
        The scores.  O(rows x replicates).
    """
    both = list(zip(verdicts.is_causal, verdicts.says_causal, strict=True))
    kinds = np.array([_kind(truth, said) for truth, said in both], dtype=np.int64)
    silent = [truth for truth, said in both if said is None]
    intervals = None
    if resampling and resampling.replicates and len(kinds) > 1:
        sums = resample(np.eye(4, dtype=np.int64)[kinds], resampling)
        values = np.array([[getattr(Counts(*line), name) for name in METRICS] for line in sums.tolist()])
        intervals = dict(zip(METRICS, map(interval, values.T), strict=True))
    return DetectionScore(
        profile=profile.name,
        counts=Counts(*np.bincount(kinds, minlength=4).tolist()),
        unreadable_causal=sum(silent),
        unreadable_other=len(silent) - sum(silent),
        intervals=intervals,
        groups=tuple(error_groups(verdicts, rows)),
        ids=verdicts.ids,
    )


def _kind(truth: bool, said: bool | None) -> int:
    """Return the place among the fields of `Counts`: hit, false alarm, miss, correct rejection."""
    return (0 if said else 2) if truth else (1 if said else 3)


def error_groups(verdicts: Verdicts, rows: Sequence[Row]) -> Iterable[Group]:
    """Compare the causal rows that were missed with all of them, by what is hard about them (the paper's section 6.2).

    Rows without pairs are left out, since nothing is known about them; a pair without a sound label is neither
    explicit nor implicit.
    """
    causal = [
        (row, bool(said))
        for row, truth, said in zip(rows, verdicts.is_causal, verdicts.says_causal, strict=True)
        if truth and row.pairs
    ]
    n_missed = sum(not said for _, said in causal)
    for name, belongs in _KINDS.items():
        found = [said for row, said in causal if belongs(row)]
        missed = len(found) - sum(found)
        if causal:
            yield Group(name, sum(found), missed, share(len(found), len(causal)), share(missed, n_missed))


def _labels(row: Row, task: str) -> set[str]:
    return {class_of(getattr(pair, task), PROFILES["described"]) for pair in row.pairs}


_KINDS: Mapping[str, Callable[[Row], bool]] = {
    "all pairs implicit": lambda row: _labels(row, "causality") == {"Implicit"},
    "an explicit pair": lambda row: "Explicit" in _labels(row, "causality"),
    "an inter-sentential pair": lambda row: "Inter" in _labels(row, "sententiality"),
    f"over {LONG} words": lambda row: len(row.sentence.split()) > LONG,
    "several pairs": lambda row: len(row.pairs) > 1,
}
