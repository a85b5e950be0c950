"""Verify splits as wholes: counts, ids, texts, and classes that must not be shared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corr2cause.checking.tallies import canonical_keys
from corr2cause.checking.verifying.parts import Notes, Part, SplitRows
from corr2cause.dataset.balancing import out_of_bounds, uneven_cells
from corr2cause.dataset.counting import Tally
from corr2cause.dataset.encoding import Codes, values_and_codes
from corr2cause.dataset.options import Hypotheses

Classes = defaultdict[int, set[tuple[int, ...]]]
"""Derived classes, by size, as digraph masks."""

Splits = Mapping[str, SplitRows]


def check_counts(part: Part, splits: Splits, notes: Notes) -> None:
    """See that each split holds as many classes, rows and positives of each size as the manifest says.

    Of a split that lacks rows, that is told already.
    """
    tally = Tally()
    whole = {split: rows for split, rows in splits.items() if rows.whole}
    for split, rows in whole.items():
        tally.add(split, rows.table)
    told = {(count.split, count.n): count for count in part.manifest.counts if count.split in whole}
    found = {(count.split, count.n): count for count in tally.counts}
    for split, n in sorted({*told, *found}):
        if told.get((split, n)) != found.get((split, n)):
            problem = (
                f"the split {split} holds other classes, rows or positives of {n} variables than the manifest says"
            )
            notes.add(part.place(), None, problem)


def check_left_out(part: Part, splits: Splits, notes: Notes) -> None:
    """See that the splits hold only rows that the options leave in, as far as one split can tell."""
    for split, rows in splits.items():
        if part.options.only_agreeing and not pc.all(rows.table["readings_agree"]).as_py():
            notes.add(part.place(), None, f"the split {split} has rows on which the readings disagree")
        if part.leaves_out:
            continue
        for name in out_of_bounds(part.options, rows.table):
            notes.add(part.place(), None, f"the split {split} has rows that are out of the bounds of {name}")
        for n, template in uneven_cells(rows.table) if part.options.balance else ():
            problem = f"the split {split} is not balanced: rows of {n} variables with the template {template}"
            notes.add(part.place(), None, problem)


def check_repeats(part: Part, splits: Splits, notes: Notes) -> None:
    """See that no id is given twice, and that no text stands under two ids."""
    if not splits:
        return
    asked = ["premise", "hypothesis"]
    if part.options.hypotheses is Hypotheses.ORDERED:  # that A is a parent of B and B a child of A is one sentence
        asked += ["relation", "x", "y"]
    together = pa.concat_tables([rows.table.select(["id", *asked]) for rows in splits.values()]).unify_dictionaries()
    ids, code = values_and_codes(together["id"])
    counts = np.bincount(code)
    for place in np.flatnonzero(counts > 1).tolist():
        notes.add(part.place(), None, f"the id {ids[place]} is given to {counts[place]} rows")
    for rows_of_text in _rows_of_repeated_texts([values_and_codes(together[name])[1] for name in asked]):
        under = sorted({ids[place] for place in code[rows_of_text].tolist()})
        if len(under) > 1:
            notes.add(part.place(), None, f"the text of the row {under[0]} stands under {len(under)} ids")


def _rows_of_repeated_texts(codes: list[Codes]) -> list[Codes]:
    """Return the places of the rows that say the same, for each text that is said more than once.

    By sorting, which takes 8 bytes a row; grouping would keep a set for each text, and nearly all are said once.
    """
    order = np.lexsort(codes)
    as_before = np.all([code[order[1:]] == code[order[:-1]] for code in codes], axis=0)
    padded = np.diff(np.concatenate([[0], as_before, [0]]).astype(np.int8))
    starts, ends = np.flatnonzero(padded == 1), np.flatnonzero(padded == -1)
    return [order[start : end + 1] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def check_shared_classes(part: Part, classes: Mapping[str, Classes], notes: Notes) -> None:
    """Report premises that two of train, dev and test share, renamed or not."""
    canonical = {
        split: {form for n, graphs in by_size.items() for form in canonical_keys(graphs)}
        for split, by_size in classes.items()
        if split != "reserve"
    }
    for one, other in combinations(canonical, 2):
        if shared := len(canonical[one] & canonical[other]):
            notes.add(part.place(), None, f"{one} and {other} share {shared} premises, renamed or not")
