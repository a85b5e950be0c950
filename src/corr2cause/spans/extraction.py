"""How well pairs were extracted: everything that is known about one file of predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from corr2cause.bootstrap import Resampling
from corr2cause.spans.buckets import Bucket, Bucketed, Case, bucketed, cases
from corr2cause.spans.embedding import Embedder
from corr2cause.spans.joining import Joined
from corr2cause.spans.label_scores import (
    LabelScore,
    Switching,
    ablation,
    conditional,
    masks,
    switching,
    typed,
)
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.matching import Flags
from corr2cause.spans.names import DESCRIBED
from corr2cause.spans.profiles import Profile
from corr2cause.spans.similarity import compare
from corr2cause.spans.tiers import (
    Earned,
    LevelScore,
    Rates,
    both_sides_found,
    earned,
    level_scores,
    rates_of,
    row_sums,
    share_over_line,
)

LENGTHS = (25, 50, 85)
"""Words up to which a row belongs to a group; the paper calls rows over 85 words long."""


@dataclass(frozen=True)
class ExtractionScore:
    """The scores of one file.

    Attributes:
        profile: how it was judged.
        embedder: name of what embedded the spans; None if there is no cosine tier.
        joined: the pairs that were judged.
        tiers: tier -> level -> score.
        cosine_both_sides: pairs of which both sides reach the line; None without cosines.
        cosine_share: share of predictions whose best mean cosine reaches the line; None without cosines.
        breakdowns: grouping -> group -> tier -> rates of pairs, for groups of rows.
        recall_by_label: class of the gold pair -> tier -> (recall, whatever was predicted as label).
        typed: class -> tier -> rates.
        labels: label task -> conditional score.
        ablation: subset -> label task -> score.
        switching: reversed pairs.
        bucketed: the bucket of each pair.
        cases: bucket -> its first pairs.
    """

    profile: Profile
    embedder: str | None
    joined: Joined
    tiers: Mapping[str, Mapping[str, LevelScore]]
    cosine_both_sides: Rates | None
    cosine_share: float | None
    breakdowns: Mapping[str, Mapping[str, Mapping[str, Rates]]]
    recall_by_label: Mapping[str, Mapping[str, Rates]]
    typed: Mapping[str, Mapping[str, Rates]]
    labels: Mapping[str, LabelScore]
    ablation: Mapping[str, Mapping[str, LabelScore]]
    switching: Switching
    bucketed: Bucketed
    cases: Mapping[Bucket, list[Case]]

    @property
    def buckets(self) -> dict[str, int]:
        """How many pairs are in each bucket."""
        return self.bucketed.counts()

    @property
    def label_f1(self) -> dict[str, float]:
        """Conditional label F1 of each class, as in the paper's Table 7."""
        return {name: self.labels[task].of(name).f1 for task, names in VOCABULARIES.items() for name in names}


def score(
    joined: Joined,
    profile: Profile,
    embedder: Embedder | None,
    resampling: Resampling | None = None,
    n_examples: int = 3,
) -> ExtractionScore:
    """Judge predicted pairs.

    Args:
        joined: the pairs, gold and predicted.
        profile: how to judge.
        embedder: for the cosine tier, which is left out without one.
        resampling: for intervals over rows, under `described` only.
        n_examples: how many cases of each bucket to keep.

    Returns:
        The scores.  About 3 s for 30,000 rows with hashed cosines and 1,000 replicates.
    """
    comparison = compare(joined, profile, embedder)
    credits = earned(comparison, profile)
    sums = row_sums(credits, joined.predicted_row, joined.gold_row, len(joined.rows))
    found = bucketed(comparison, profile)
    return ExtractionScore(
        profile=profile,
        embedder=embedder.name if embedder else None,
        joined=joined,
        tiers=level_scores(credits, sums, resampling if profile.name == DESCRIBED else None),
        cosine_both_sides=both_sides_found(comparison) if embedder else None,
        cosine_share=share_over_line(comparison) if embedder else None,
        breakdowns=_breakdowns(joined, credits),
        recall_by_label=_recall_by_label(joined, credits, profile),
        typed=typed(comparison, profile),
        labels=conditional(comparison, profile),
        ablation=ablation(comparison, found, profile),
        switching=switching(comparison, profile),
        bucketed=found,
        cases=cases(comparison, found, n_examples),
    )


def _breakdowns(joined: Joined, credits: Earned) -> dict[str, dict[str, dict[str, Rates]]]:
    found: dict[str, dict[str, dict[str, Rates]]] = {}
    for grouping, group, rows in _groups(joined):
        found.setdefault(grouping, {})[group] = {
            tier: rates_of(one, rows[joined.predicted_row], rows[joined.gold_row])
            for (tier, level), one in credits.items()
            if level == "pair"
        }
    return found


def _groups(joined: Joined) -> Iterator[tuple[str, str, Flags]]:
    """Yield (grouping, group, bool[R]) for every group that has rows."""
    n_pairs = np.bincount(joined.gold_row, minlength=len(joined.rows))
    n_words = np.array([len(row.sentence.split()) for row in joined.rows], dtype=np.int64)
    yield from _non_empty("complexity", {"single pair": n_pairs == 1, "multi pair": n_pairs > 1})
    bins = zip((0, *LENGTHS), LENGTHS, strict=False)
    lengths = {f"{low + 1} to {high} words": (n_words > low) & (n_words <= high) for low, high in bins}
    yield from _non_empty("row length", lengths | {f"over {LENGTHS[-1]} words": n_words > LENGTHS[-1]})
    numbers = {f"{number}": n_pairs == number for number in range(5)}
    yield from _non_empty("gold pairs", numbers | {"5 or more": n_pairs >= 5})


def _non_empty(grouping: str, groups: Mapping[str, Flags]) -> Iterator[tuple[str, str, Flags]]:
    return ((grouping, group, rows) for group, rows in groups.items() if rows.any())


def _recall_by_label(joined: Joined, credits: Earned, profile: Profile) -> dict[str, dict[str, Rates]]:
    nobody = np.zeros(len(joined.predicted), dtype=bool)
    of_pairs = {tier: one for (tier, level), one in credits.items() if level == "pair"}
    return {
        name: {tier: rates_of(one, nobody, chosen) for tier, one in of_pairs.items()}
        for task in VOCABULARIES
        for name, chosen in masks(joined.gold, task, profile).items()
    }


def to_json(found: ExtractionScore) -> dict[str, Any]:
    """Return one object for programs: `exact`, `token`, `cosine`, `buckets`, `label_f1` and all the rest, by name."""
    labels = {task: one.to_json() for task, one in found.labels.items()}
    return {
        "profile": found.profile.name,
        "embedder": found.embedder,
        "rows": len(found.joined.rows),
        "gold_pairs": len(found.joined.gold),
        "predicted_pairs": len(found.joined.predicted),
        **{tier: {level: one.to_json() for level, one in levels.items()} for tier, levels in found.tiers.items()},
        "cosine_both_sides": found.cosine_both_sides and found.cosine_both_sides.to_json(),
        "cosine_share_over_line": found.cosine_share,
        "buckets": found.buckets,
        "label_f1": found.label_f1,
        "conditional_labels": labels,
        "typed_extraction": _rates_json(found.typed),
        "recall_by_gold_label": {
            name: {tier: one.recall for tier, one in tiers.items()} for name, tiers in found.recall_by_label.items()
        },
        "label_ablation": {
            subset: {task: one.to_json() for task, one in tasks.items()} for subset, tasks in found.ablation.items()
        },
        "breakdowns": {grouping: _rates_json(groups) for grouping, groups in found.breakdowns.items()},
        "switching": found.switching.to_json(),
        "examples": {bucket: [case.to_json() for case in listed] for bucket, listed in found.cases.items() if listed},
        "ids": found.joined.ids.to_json(),
        "flaws": dict(found.joined.flaws),
    }


def _rates_json(groups: Mapping[str, Mapping[str, Rates]]) -> dict[str, Any]:
    def shown(one: Rates) -> dict[str, Any]:
        return one.to_json() | {"n_gold": one.n_gold, "n_predicted": one.n_predicted}

    return {name: {tier: shown(one) for tier, one in tiers.items()} for name, tiers in groups.items()}
