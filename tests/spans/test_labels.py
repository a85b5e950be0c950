"""Labels are repaired where it is certain what was meant, and every repair is reported."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.spans.labels import CAUSALITY, SENTENTIALITY, Repair, _edits, repair_labels, repaired_label
from corr2cause.spans.rows import Pair, Row
from tests.spans.strategies import ROWS


@pytest.mark.parametrize(
    ("found", "vocabulary", "expected"),
    [
        *((form, CAUSALITY, "Explicit") for form in ("Explicit", "explicit", "EXplicit", "Explcit", "Explicts")),
        (" Explicit ", CAUSALITY, "Explicit"),
        *((form, CAUSALITY, "Implicit") for form in ("implicit", "IMPLICIT", "Implict", "Implicite")),
        *((form, CAUSALITY, None) for form in ("", " ", "Emplicit", "none", "yes", "Intra", "E" * 10**5)),
        *((form, SENTENTIALITY, "Intra") for form in ("intra", "Intra-sentential", "INTRASENTENTIAL", "Inta", "Itra")),
        *((form, SENTENTIALITY, "Inter") for form in ("inter", "Inter-Sentential", "inter sentential", "Intter")),
        *((form, SENTENTIALITY, None) for form in ("", "Intr", "Intrr", "Intre", "Intar", "sentential", "Explicit")),
    ],
)  # fmt: skip
def test_what_a_label_means(found, vocabulary, expected):
    """The forms that occur in the published files, and others near and far."""
    assert repaired_label(found, vocabulary) == expected


def test_labels_with_typos_odd_case_and_blanks_are_reported_each():
    """Flaw 15: repair with a report, never silently."""
    pairs = (Pair("a", "b", "Explcit", "intra"), Pair("c", "d", "Implicit", "Inter"), Pair("e", "f", "", "Inter"))
    (row,), report = repair_labels([Row("9", "text", pairs)])
    assert row.pairs == (Pair("a", "b", "Explicit", "Intra"), pairs[1], pairs[2])
    assert report == [
        Repair("9", 0, "causality", "Explcit", "Explicit"),
        Repair("9", 0, "sententiality", "intra", "Intra"),
        Repair("9", 2, "causality", "", None),
    ]


@given(st.lists(ROWS, max_size=4))
def test_every_change_is_in_the_report_and_a_second_repair_changes_nothing(rows):
    repaired, report = repair_labels(rows)
    told = {(one.row, one.pair, one.field): one for one in report}
    for before, after in zip(rows, repaired, strict=True):
        for place, (old, new) in enumerate(zip(before.pairs, after.pairs, strict=True)):
            assert (old.cause, old.effect) == (new.cause, new.effect)
            for field in ("causality", "sententiality"):
                if getattr(old, field) != getattr(new, field):
                    assert (before.id, place, field) in told
    again, rest = repair_labels(repaired)
    assert again == repaired
    assert all(one.repaired is None for one in rest)


def distance(one: str, other: str) -> int:
    """Optimal string alignment, by its recursive definition."""

    @cache
    def d(i: int, j: int) -> int:
        if not (i and j):
            return i + j
        options = [d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (one[i - 1] != other[j - 1])]
        if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
            options.append(d(i - 2, j - 2) + 1)
        return min(options)

    return d(len(one), len(other))


@given(st.text("abc", max_size=7), st.text("abc", min_size=4, max_size=7))
def test_edits_are_counted_as_defined(one, other):
    assert _edits(one, other) == distance(one, other)
