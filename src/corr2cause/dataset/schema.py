"""The one row schema: what each column holds, in which type and unit, and whether it may be empty.

The same in JSONL and Parquet, in this order. `COLUMNS` is the table that the hub card prints; everything else
here is derived from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import pyarrow as pa
import pyarrow.compute as pc

from corr2cause.errors import quoted

SPLITS = ("train", "dev", "test", "reserve")

FORMATS = ("jsonl", "parquet")


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        name: as in the files.
        type: "string", "int64" or "bool".
        meaning: one sentence for the reader of the data, with the unit.
        values: the only values that may occur; empty where any may.
        nullable: whether a row may have none.
    """

    name: str
    type: str
    meaning: str
    values: tuple[str | int, ...] = ()
    nullable: bool = False


NLI_LABELS = ("entailment", "neutral", "contradiction")
RELATIONS = ("is_parent", "is_ancestor", "is_child", "is_descendant", "has_collider", "has_confounder")
TEMPLATES = (
    "parent",
    "non-parent ancestor",
    "child",
    "non-child descendant",
    "has_collider",
    "has_confounder",
)

COLUMNS = (
    Column("id", "string", "Name of the row, unique in the data set; a perturbed row keeps that of its original."),
    Column("premise", "string", "The variables and all statistical relations among them, as English text."),
    Column("hypothesis", "string", "One causal claim about two of the variables, as an English sentence."),
    Column("label", "int64", "1 if the hypothesis holds in every graph of the class, else 0.", (0, 1)),
    Column(
        "nli_label",
        "string",
        "entailment if it holds in every graph, contradiction if in none, else neutral.",
        NLI_LABELS,
    ),
    Column("num_variables", "int64", "Number of variables in the premise."),
    Column("relation", "string", "The relation of x to y that the hypothesis claims.", RELATIONS),
    Column("template", "string", "The relation that the sentence words, in the published spelling.", TEMPLATES),
    Column("x", "string", "Name of the first variable of the pair, in naming order."),
    Column("y", "string", "Name of the second variable of the pair, in naming order."),
    Column("class_id", "string", "The Markov equivalence class (up to renaming) that the premise describes."),
    Column("class_size", "int64", "Number of labelled graphs in the class."),
    Column("holds_in", "int64", "Number of graphs of the class in which the hypothesis holds."),
    Column(
        "counterexample",
        "string",
        "Edges of a graph of the class in which the hypothesis fails, as A->B, C->B (empty: a graph without edges); "
        "null if it holds in all.",
        nullable=True,
    ),
    Column("readings_agree", "bool", "Whether the readings direct, path and ancestral give the same label."),
    Column("n_edges", "int64", "Number of edges in each graph of the class."),
    Column("n_statements", "int64", "Number of independence statements in the premise."),
    Column("n_compelled", "int64", "Number of edges that point the same way in every graph of the class."),
)

STEPS = "steps"
"""Name of the column that data sets made with `--with-steps` have last."""

_STEPS_COLUMN = Column(STEPS, "string", "The reasoning from premise to answer: numbered steps, one a line.")


def columns(with_steps: bool) -> tuple[Column, ...]:
    """Return the columns of a data set, in order."""
    return (*COLUMNS, _STEPS_COLUMN) if with_steps else COLUMNS


_TYPES = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_()}

STRING_COLUMNS = tuple(column.name for column in columns(with_steps=True) if column.type == "string")
"""The columns that are dictionary-encoded in memory and on disk."""

FIELDS = {c.name: pa.field(c.name, _TYPES[c.type], nullable=c.nullable) for c in columns(with_steps=True)}
"""Every column as it stands in the files."""

SCHEMA = pa.schema([FIELDS[column.name] for column in COLUMNS])
"""The schema of the files."""


def encoded_schema(names: Sequence[str]) -> pa.Schema:
    """Return the schema of tables in memory that have some columns, in the order asked for.

    Strings are dictionary-encoded there: a premise that ninety rows share is held once.
    """
    encoded = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([FIELDS[name].with_type(encoded) if name in STRING_COLUMNS else FIELDS[name] for name in names])


ENCODED_SCHEMA = encoded_schema(SCHEMA.names)
"""The schema of tables in memory, without steps."""


def misfits(table: pa.Table) -> list[tuple[int, str]]:
    """Find the rows that hold a null or a value where the schema allows none.

    A label of 2, as in the published three-way files, is such a value: it is never read as a binary label.

    Args:
        table: any of the columns of a data set, encoded or not.

    Returns:
        The index of each such row and what is wrong there, by row and then by column.
    """
    there = [column for column in columns(with_steps=True) if column.name in table.column_names]
    return sorted((found for column in there for found in _misfits_in(column, table[column.name])), key=itemgetter(0))


def _misfits_in(column: Column, cells: pa.ChunkedArray) -> Iterator[tuple[int, str]]:
    if not column.nullable and cells.null_count:
        for row in _places(pc.is_null(cells)):
            yield row, f"the column {column.name} is empty"
    if column.values:
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(pa.string())
        strange = pc.and_(pc.is_valid(cells), pc.invert(pc.is_in(cells, pa.array(column.values, _TYPES[column.type]))))
        for row in _places(strange):
            expected = ", ".join(map(str, column.values))
            yield row, f"the column {column.name} says {quoted(cells[row].as_py())}, expected one of {expected}"


def _places(truths: pa.ChunkedArray) -> list[int]:
    places: list[int] = pc.indices_nonzero(truths).to_pylist()
    return places
