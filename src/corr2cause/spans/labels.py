"""The labels of pairs, and their repair: letter case, typing errors, longer forms; never silently, never a guess."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from corr2cause.spans.rows import Pair, Row

CAUSALITY = ("Explicit", "Implicit")
SENTENTIALITY = ("Intra", "Inter")
VOCABULARIES = {"causality": CAUSALITY, "sententiality": SENTENTIALITY}

_LONGER_ENDS = ("-sentential", " sentential", "sentential")


@dataclass(frozen=True, slots=True)
class Repair:
    """One label that was not in the vocabulary.

    Attributes:
        row: the id of the row.
        pair: the place of the pair in it, counted from 0.
        field: `causality` or `sententiality`.
        found: what stood there.
        repaired: what stands there now; None if it was left as it is, because blank or no near miss of one label.
    """

    row: str
    pair: int
    field: str
    found: str
    repaired: str | None


def repaired_label(found: str, vocabulary: tuple[str, str]) -> str | None:
    """Return the label that was meant, or None if that is not certain.

    White space, letter case and a longer form (`Intra-sentential`) do not matter. A typing error is at most one edit
    in four letters, and must be nearer to one label than to the other.

    >>> [repaired_label(found, CAUSALITY) for found in ("EXplicit", "Explcit", "Explicts", "Emplicit", "")]
    ['Explicit', 'Explicit', 'Explicit', None, None]
    """
    word = found.strip().casefold()
    for end in _LONGER_ENDS:
        word = word.removesuffix(end)
    (near, label), (far, _) = sorted((_edits(word, label.casefold()), label) for label in vocabulary)
    is_typo = near <= max(1, len(label) // 4) and near < far
    return label if is_typo else None


def repair_labels(rows: Iterable[Row]) -> tuple[list[Row], list[Repair]]:
    """Repair the labels of all pairs.

    Returns:
        The rows, and a report with every label that was not in the vocabulary, repaired or not.
    """
    repaired, report = [], []
    for row in rows:
        pairs = []
        for place, pair in enumerate(row.pairs):
            for field, vocabulary in VOCABULARIES.items():
                found = getattr(pair, field)
                if found not in vocabulary:
                    label = repaired_label(found, vocabulary)
                    report.append(Repair(row.id, place, field, found, label))
                    pair = _with_label(pair, field, label or found)
            pairs.append(pair)
        repaired.append(replace(row, pairs=tuple(pairs)))
    return repaired, report


def _with_label(pair: Pair, field: str, label: str) -> Pair:
    return replace(pair, causality=label) if field == "causality" else replace(pair, sententiality=label)


def _edits(one: str, other: str) -> int:
    """Count the insertions, deletions, replacements and swaps of neighbours between two words (Damerau 1964).

    A word of more than twice the letters counts as its surplus, without a look at it.
    """
    if len(one) > 2 * len(other):
        return len(one) - len(other)
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, start=1):
        rows.append([i])
        for j, wanted in enumerate(other, start=1):
            edits = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (letter != wanted))
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 1] + other[j - 2]:
                edits = min(edits, rows[i - 2][j - 2] + 1)
            rows[i].append(edits)
    return rows[-1][-1]
