"""How each annotator works: agreement with those who annotated the same rows, breaches of the guideline, speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.bootstrap import Resampling
from corr2cause.spans.agreement import Agreement, agree
from corr2cause.spans.annotating.annotators import Annotator, Doubled, Pairing
from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.rules import RULES
from corr2cause.spans.validation import findings

SIDES = ("cause", "effect", "causality", "sententiality")


@dataclass(frozen=True)
class Quality:
    """The work of one annotator.

    Attributes:
        name: of the annotator.
        n_rows: rows that were annotated.
        n_causal: of these, with a cause.
        n_pairs: pairs in them.
        n_missing: rows that should be annotated and are not: those in the files that say nothing, and those that were
            assigned and are not there.
        partners: who annotated the same rows, and how many.
        agreement: with them; None if nobody did.
        disputes: rows of both: what is in dispute, and of how many pairs; `only here` and `only there` are pairs that
            one of them alone has.
        errors: breaches that no sound file holds.
        warnings: breaches of the guideline that ask to look again.
        rules: how often each rule was broken, most frequent first.
        seconds: median time of a row; None if the files do not say.
    """

    name: str
    n_rows: int
    n_causal: int
    n_pairs: int
    n_missing: int
    partners: Mapping[str, int]
    agreement: Agreement | None
    disputes: Mapping[str, int]
    errors: int
    warnings: int
    rules: Mapping[str, int]
    seconds: float | None

    def to_json(self) -> dict[str, Any]:
        """Return one object for programs."""
        return {
            "annotator": self.name,
            "rows": self.n_rows,
            "causal_rows": self.n_causal,
            "pairs": self.n_pairs,
            "missing_rows": self.n_missing,
            "partners": dict(self.partners),
            "agreement": self.agreement and self.agreement.to_json(),
            "disputes": dict(self.disputes),
            "errors": self.errors,
            "warnings": self.warnings,
            "rules": dict(self.rules),
            "median_seconds": self.seconds,
        }


def quality_of(
    annotator: Annotator, pairing: Pairing, assigned: Iterable[str] = (), resampling: Resampling | None = None
) -> Quality:
    """Report on an annotator.

    Args:
        annotator: with all rows.
        pairing: of all annotators.
        assigned: ids of the rows that were to be annotated, as far as they are known.
        resampling: for the intervals of the agreement.
    """
    rows = list(annotator.rows.values())
    doubled = [one for one in pairing.doubled if annotator.name in (one.first, one.second)]
    shared = [_as_first(one, annotator.name) for one in doubled]
    breaches = Counter(one.rule for one in findings(rows, range(1, len(rows) + 1)))
    return Quality(
        name=annotator.name,
        n_rows=len(rows),
        n_causal=sum(row.is_causal for row in rows),
        n_pairs=sum(len(row.pairs) for row in rows),
        n_missing=len({*annotator.unannotated, *assigned} - annotator.rows.keys()),
        partners=dict(Counter(one.second for one in shared).most_common()),
        agreement=_agreement(shared, resampling),
        disputes=_disputes(doubled, annotator.name),
        errors=sum(times for rule, times in breaches.items() if RULES[rule].severity == "error"),
        warnings=sum(times for rule, times in breaches.items() if RULES[rule].severity == "warning"),
        rules=dict(breaches.most_common()),
        seconds=annotator.times.median,
    )


def _as_first(one: Doubled, name: str) -> Doubled:
    return one if one.first == name else Doubled(one.second, one.first, one.theirs, one.ours)


def _agreement(shared: Sequence[Doubled], resampling: Resampling | None) -> Agreement | None:
    if not shared:
        return None
    return agree([one.ours for one in shared], [one.theirs for one in shared], resampling=resampling)


def _disputes(doubled: Sequence[Doubled], name: str) -> dict[str, int]:
    """Count what is in dispute, just as the queue has it: rows are compared in their order, whoever is asked about."""
    found: Counter[str] = Counter({"verdict": sum(one.ours.is_causal != one.theirs.is_causal for one in doubled)})
    for row in compare_rows(doubled):
        for item in row.items:
            if item.first and item.second:
                found.update(item.disputes)
            elif not item.is_verdict:
                is_here = (item.first is not None) == (row.annotators[0] == name)
                found["only here" if is_here else "only there"] += 1
    return {kind: found[kind] for kind in ("verdict", *SIDES, "only here", "only there")}
