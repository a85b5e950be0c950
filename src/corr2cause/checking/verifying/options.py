"""Verify what the manifest says the data were made with: the options, done again, must give the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from corr2cause import __version__
from corr2cause.checking.verifying.parts import Notes, Part, SplitRows
from corr2cause.checking.verifying.splits import Splits
from corr2cause.dataset.manifest import MANIFEST
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.planning import deal, plan
from corr2cause.dataset.schema import SCHEMA, SPLITS
from corr2cause.graphs.terms import MAX_ENUMERATED

_ROWS_AT_ONCE = 4096


def check_options(part: Part, splits: Splits, notes: Notes) -> None:
    """See that the options of a data set are those that its rows were made with.

    Only the version that made the data can make them again; of other versions, files and sizes are compared. With a
    sample the rows are counted, not made; with eight variables they are neither.
    """
    manifest, options = part.manifest, part.options
    compare_option(part, "format", [*manifest.formats], notes)
    if not isinstance(options, GenerationOptions):
        return  # a sample: its classes are known by their names, which are derived row by row
    for n in sorted({count.n for count in manifest.counts} - set(options.sizes)):
        notes.add(part.place(MANIFEST), None, f"its options ask for no rows of {n} variables, and it counts some")
    if manifest.version != __version__ or options.n > MAX_ENUMERATED:
        return  # eight variables are too many to be made again here
    told = Counter({(count.split, count.n): count.rows for count in manifest.counts})
    for n in options.sizes:
        dealt = deal(options, n)
        for code, split in enumerate(SPLITS):
            if (wanted := int((dealt == code).sum())) != told[split, n]:
                problem = f"its options give {wanted} rows of {n} variables to {split}, it counts {told[split, n]}"
                notes.add(part.place(MANIFEST), None, problem)
    if notes.sample is None:
        pieces = plan(options)
        for split, rows in splits.items():
            made = (table for piece in pieces if piece.split == split for table in piece.tables(options))
            compare_rows(rows, made, SCHEMA.names, "its options make", notes)


def compare_option(part: Part, option: str, found: object, notes: Notes) -> None:
    """See that the manifest records what was found."""
    told = part.manifest.options.get(option)
    if told != found:
        notes.add(part.place(MANIFEST), None, f"its option {option} says {told!r}, the data have {found!r}")


def compare_rows(rows: SplitRows, made: Iterable[pa.Table], columns: list[str], making: str, notes: Notes) -> None:
    """Tell of the first row that is not what is made again; of splits that lack rows that is told already."""
    if not rows.whole:
        return
    start = 0
    for table in made:
        for offset in range(0, table.num_rows, _ROWS_AT_ONCE):
            wanted = _plain(table.select(columns).slice(offset, _ROWS_AT_ONCE))
            found = _plain(rows.table.select(columns).slice(start, wanted.num_rows))
            if not found.equals(wanted):
                _tell_first_difference(rows, start, found, wanted, making, notes)
                return
            start += wanted.num_rows


def _tell_first_difference(
    rows: SplitRows, start: int, found: pa.Table, wanted: pa.Table, making: str, notes: Notes
) -> None:
    for place, (one, other) in enumerate(zip(found.to_pylist(), wanted.to_pylist(), strict=False)):
        for name, value in one.items():
            if value != other[name]:
                problem = f"{name} is not what {making}; of the rows after it nothing is known"
                notes.add(*rows.locate(start + place), problem)
                return


def _plain(table: pa.Table) -> pa.Table:
    """Decode the strings, so that equal rows are equal tables."""
    return table.cast(pa.schema([SCHEMA.field(name) for name in table.column_names])).combine_chunks()
