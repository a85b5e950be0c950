"""Which rows of a size stay, if not all do: of classes in bounds, beyond dispute, as many that follow as do not.

`--edges`, `--density`, `--class-size` and `--statements` leave out the rows about classes that are not in their bounds.
`--only-agreeing` leaves out the rows on which the three readings disagree. `--balance` then evens out the labels of
each cell: the rows of one size, one split and one form of sentence, which is its template and whether it names the two
variables in the order of the premise. (With ordered names, where letters tell the place in the graph, it is which two
variables it names.) All rows of the rarer label stay, and as many of the other; so nothing that can be seen without the
premise tells the label, and a cell without entailed rows vanishes. `--rows-per-n` at last draws so many rows of train,
of either label in each cell the same part if they are balanced.

Which rows stay depends on the options alone: labels are found before any text is written, one byte each, and chance is
a hash of (seed, "balance", n, rank of the class), whatever the pieces and the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause import streams
from corr2cause.dataset.building import ClassBlock, cut_into_blocks, draw_surfaces, judge, name_classes, write_premises
from corr2cause.dataset.options import GenerationOptions, Hypotheses, Names, RowOptions
from corr2cause.dataset.questions import Surface, all_surfaces
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import TRAIN, SplitCodes
from corr2cause.graphs.bitdags import Integers, Truths
from corr2cause.graphs.equivalence import equivalence_classes, members

LEFT_OUT = np.uint8(len(SPLITS))
"""Stands in the place of a split for rows that belong to none."""

_CLASSES_AT_ONCE = 256

Cells = npt.NDArray[np.uint16]

NO_CELL = np.uint16(9999)
"""Stands in the place of a cell for rows that belong to none; there are at most a thousand cells."""


def leave_out(options: GenerationOptions, n: int, split: SplitCodes) -> SplitCodes:
    """Take the rows that the options leave out from their splits.

    Args:
        options: what is generated.
        n: number of variables.
        split: uint8[C, H]; the split of each row of that size.

    Returns:
        uint8[C, H]; the split of each row that stays, `LEFT_OUT` for the others.  About 1 µs a row.
    """
    if not options.leaves_out:
        return split
    blocks = cut_into_blocks(equivalence_classes(n), _CLASSES_AT_ONCE)
    found = [_label(options, block) for block in blocks]
    kept = np.ones(split.shape, dtype=np.bool_)
    if options.bounds:
        kept &= np.concatenate([within(options, block) for block in blocks])[:, None]
    if options.only_agreeing:
        kept &= np.concatenate([labels.agreed for labels in found])
    form, entailed = (np.concatenate([getattr(labels, name) for labels in found]) for name in ("form", "entailed"))
    draw = streams.words(options.seed, "balance", n, rows=range(len(split)), columns=split.shape[1])
    cell = np.where(kept, form * np.uint16(len(SPLITS)) + split, NO_CELL)
    if options.balance:
        kept = even_out(cell, entailed, draw)
    if options.rows_per_n:
        stratum = 2 * cell.astype(np.int64) + entailed if options.balance else np.zeros(split.shape, dtype=np.int64)
        kept &= (split != TRAIN) | draw_evenly(np.where(kept & (split == TRAIN), stratum, -1), draw, options.rows_per_n)
    return np.where(kept, split, LEFT_OUT)


def within(options: GenerationOptions, block: ClassBlock) -> Truths:
    """Return which classes keep all bounds of the options: bool[C]."""
    pairs = block.n * (block.n - 1) // 2
    kept = np.ones(len(block.ranks), dtype=np.bool_)
    for name, bounds in options.bounds.items():
        low, high = bounds.whole(scale=pairs if name == "density" else 1)
        value = _PROPERTIES[name](options, block)
        kept &= (low <= value) & (value <= high)
    return kept


def _edges(_: GenerationOptions, block: ClassBlock) -> Integers:
    return np.asarray(np.bitwise_count(block.representatives).sum(axis=1), dtype=np.int64)


def _sizes(_: GenerationOptions, block: ClassBlock) -> Integers:
    return members(block.representatives).sizes


def _statements(options: GenerationOptions, block: ClassBlock) -> Integers:
    return write_premises(name_classes(options, block), options.premise).n_statements


_PROPERTIES: Mapping[str, Callable[[GenerationOptions, ClassBlock], Integers]] = {
    "edges": _edges,
    "density": _edges,  # over the number of pairs
    "class_size": _sizes,
    "statements": _statements,
}


def draw_evenly(stratum: Integers, draw: streams.Words, most: int) -> Truths:
    """Choose at most so many rows, of each stratum the same part, those with the lowest draw.

    Args:
        stratum: of each row, in any shape; rows of a negative one are out.
        draw: a random number of each row.
        most: how many rows in all.

    Returns:
        Which rows are chosen, in the same shape: all if they are not more; else of each stratum the same part,
        rounded down, so that strata of equal size stay equal.
    """
    flat, random = stratum.ravel(), draw.ravel()
    chosen = np.zeros(len(flat), dtype=np.bool_)
    total = int((flat >= 0).sum())
    for one in np.unique(flat[flat >= 0]).tolist():
        rows = np.flatnonzero(flat == one)
        share = min(len(rows), len(rows) * most // total)
        chosen[rows[np.argsort(random[rows], kind="stable")[:share]]] = True
    return chosen.reshape(stratum.shape)


def even_out(cell: Cells, label: Truths, draw: streams.Words) -> Truths:
    """Choose as many rows of the one label as of the other in each cell, those with the lowest draw.

    Args:
        cell: of each row, in any shape; rows of the cell `NO_CELL` are out.
        label: of each row.
        draw: a random number of each row; of equal ones the first is the lower.

    Returns:
        Which rows are chosen, in the same shape.
    """
    shape = cell.shape
    cell, label, draw = cell.ravel(), label.ravel(), draw.ravel()
    chosen = np.zeros(len(cell), dtype=np.bool_)
    group = 2 * cell + label  # at most 20,000
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(2 * NO_CELL + 2))
    for one in set(np.unique(cell).tolist()) - {NO_CELL}:
        groups = [order[starts[2 * one + value] : starts[2 * one + value + 1]] for value in (0, 1)]
        size = min(map(len, groups))
        for rows in groups:
            chosen[rows[np.argsort(draw[rows], kind="stable")[:size]]] = True
    return chosen.reshape(shape)


def uneven_cells(table: pa.Table) -> list[tuple[int, str]]:
    """List the sizes and templates of which a table, one split of a data set, has not as many rows of either label.

    Args:
        table: with the columns `num_variables`, `template` and `label`.
    """
    template = table["template"].cast(pa.string())
    plain = pa.table({"n": table["num_variables"], "template": template, "label": table["label"]})
    cells = plain.group_by(["n", "template"]).aggregate([("label", "sum"), ("label", "count")]).to_pylist()
    return sorted((cell["n"], cell["template"]) for cell in cells if 2 * cell["label_sum"] != cell["label_count"])


_COLUMNS = {"edges": "n_edges", "density": "n_edges", "class_size": "class_size", "statements": "n_statements"}


def out_of_bounds(options: RowOptions, table: pa.Table) -> list[str]:
    """List the options whose bounds some row of a table does not keep, by what it says of its class."""
    sizes = table["num_variables"].to_numpy()
    found = []
    for name, bounds in options.bounds.items():
        values = table[_COLUMNS[name]].to_numpy()
        for n in np.unique(sizes).tolist():
            low, high = bounds.whole(scale=n * (n - 1) // 2 if name == "density" else 1)
            here = values[sizes == n]
            if ((here < low) | (here > high)).any():
                found.append(f"--{name.replace('_', '-')}")
                break
    return found


@dataclass(frozen=True, slots=True)
class _Labels:
    """What is known of the rows of a block before they are written, each [C, H].

    Attributes:
        entailed: whether the label is 1.
        agreed: whether the three readings give one label.
        form: uint16; the number of the form of the sentence.
    """

    entailed: Truths
    agreed: Truths
    form: Cells


def _label(options: GenerationOptions, block: ClassBlock) -> _Labels:
    judged = judge(name_classes(options, block), options)
    return _Labels(
        entailed=judged.holds_in == judged.members.sizes[:, None],
        agreed=judged.readings_agree,
        form=_forms(block.n, options.hypotheses, options.names)[draw_surfaces(options, block.n, block.ranks)],
    )


@lru_cache(maxsize=16)
def _forms(n: int, hypotheses: Hypotheses, names: Names) -> Cells:
    """Number the forms of `all_surfaces`: uint16[2H]."""
    forms = [(surface.template, *_order(surface, names)) for surface in all_surfaces(n, hypotheses)]
    distinct = sorted(set(forms))
    return np.array([distinct.index(form) for form in forms], dtype=np.uint16)


def _order(surface: Surface, names: Names) -> tuple[int, ...]:
    """Return what the names in a sentence could tell by themselves."""
    if names is Names.ORDERED:
        return surface.first, surface.second
    return (int(surface.first < surface.second),)
