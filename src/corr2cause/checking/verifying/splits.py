"""Verify splits as wholes: counts, ids, texts, and classes that must not be shared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations

import pyarrow as pa
import pyarrow.compute as pc

from corr2cause.checking.tallies import canonical_keys
from corr2cause.checking.verifying.parts import Notes, Part, SplitRows
from corr2cause.dataset.balancing import out_of_bounds, uneven_cells
from corr2cause.dataset.counting import Tally
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
    ids = together["id"].cast(pa.string())
    for count in _repeated(ids):
        notes.add(part.place(), None, f"the id {count['values']} is given to {count['counts']} rows")
    codes = {name: pa.chunked_array([chunk.indices for chunk in together[name].chunks]) for name in asked}
    first = pa.table({**codes, "id": ids}).group_by(asked).aggregate([("id", "count_distinct"), ("id", "min")])
    for said in first.filter(pc.greater(first["id_count_distinct"], 1)).to_pylist():
        problem = f"the text of the row {said['id_min']} stands under {said['id_count_distinct']} ids"
        notes.add(part.place(), None, problem)


def _repeated(values: pa.ChunkedArray) -> list[dict[str, object]]:
    counts = pc.value_counts(values)
    found: list[dict[str, object]] = counts.filter(pc.greater(counts.field("counts"), 1)).to_pylist()
    return found


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
