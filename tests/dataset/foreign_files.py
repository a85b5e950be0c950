"""Random files in everybody's layouts and formats, written by the standard libraries from known rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from corr2cause.dataset.published import Label, LabelKind

OURS = "Suppose there is a closed system of 3 variables, {}, {} and {}. All that is known: {} correlates with {}."
THEIRS = "Suppose there is a closed system of 2 variables, X and Y.  All that is known: X indep Y | Z; Y indep Z."

# names that readers of tables take for a missing cell, or that need quotes or escapes
NAMES = ["A", "B", "NA", "null", "None", "nan", 'so "called"', "Ärger", "血圧", "back\\slash", "} { [", "💤"]

names = st.sampled_from(NAMES)
premise_texts = st.one_of(
    st.builds(lambda a, b, c: OURS.format(a, b, c, a, b), names, names, names), st.sampled_from(["NA", "null", THEIRS])
)
hypothesis_texts = st.one_of(
    st.builds("{} directly causes {}.".format, names, names),
    st.builds("{} is a cause for {}, but not a direct one.".format, names, names),
    st.sampled_from(["None", "nan"]),
)


@dataclass(frozen=True)
class Row:
    """What a row says."""

    premise: str
    hypothesis: str
    label: Label


Cells = dict[str, Any]

# How each group lays out a row; the label is put in by the caller.
LAYOUTS: dict[str, Callable[[int, Row, Any], Cells]] = {
    "published": lambda number, row, label: {
        "input": f"Premise: {row.premise}\nHypothesis: {row.hypothesis}",
        "label": label,
        "num_variables": 3,
        "template": "child",
    },
    "tfds": lambda number, row, label: {
        "input": f"Premise: {row.premise}\nHypothesis: {row.hypothesis}",
        "label": label,
    },
    "tasksource": lambda number, row, label: {
        "premise": row.premise,
        "hypothesis": row.hypothesis,
        "relation": label,
    },
    "json form": lambda number, row, label: {
        "premise": row.premise,
        "hypothesis": row.hypothesis,
        "relation": label,
        "id": f"num_nodes=3__causal_relation=child__prob={number}.00",
    },
    "ours": lambda number, row, label: {
        "id": f"n3-c{number}",
        "premise": row.premise,
        "hypothesis": row.hypothesis,
        "label": label,
        "nli_label": "neutral",
        "relation": "is_parent",
        "class_id": "n3-c1",
        "counterexample": None,
    },
    "corr2cause++": lambda number, row, label: {
        "label": label,
        "relation_type": "confounder",
        "forced_edges": json.dumps([["W", "U"]]),
        "query": f"Premise:\n{row.premise}\n\nHypothesis:  {row.hypothesis}",
        "num_edges": 1,
    },
}

THREE_WAY = ("neutral", "entailment", "contradiction")

# How a label of each kind is written in a cell.
SPELLINGS: dict[LabelKind, list[Callable[[Any], Any]]] = {
    LabelKind.BINARY: [int, float, str],
    LabelKind.THREE_WAY: [THREE_WAY.index, lambda label: float(THREE_WAY.index(label))],
    LabelKind.WORDS: [str, str.upper, str.capitalize],
    LabelKind.YES_NO: [
        lambda label: ("no", "yes")[label],
        lambda label: ("No", "Yes")[label],
        lambda label: ("FALSE", "TRUE")[label],
        bool,
    ],
}


@dataclass(frozen=True)
class Written:
    """How a file is written.

    Attributes:
        layout: a key of LAYOUTS.
        kind: of the labels.
        spelling: makes a cell of a label.
        write: makes bytes of rows of cells.
    """

    layout: str
    kind: LabelKind
    spelling: Callable[[Any], Any]
    write: Callable[[list[Cells]], bytes]

    def file(self, rows: list[Row]) -> bytes:
        lay_out = LAYOUTS[self.layout]
        return self.write([lay_out(number, row, self.spelling(row.label)) for number, row in enumerate(rows)])


def to_csv(quoting: int, delimiter: str, newline: str, gap: str, ending: str) -> Callable[[list[Cells]], bytes]:
    """A gap stands between the rows, an ending behind the last."""

    def write(rows: list[Cells]) -> bytes:
        lines = []
        for cells in (list(rows[0]), *(list(row.values()) for row in rows)):
            line = io.StringIO(newline="")
            csv.writer(line, quoting=quoting, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
            lines.append(line.getvalue().removesuffix("\r\n"))
        return ((newline + gap).join(lines) + ending).encode()

    return write


def to_jsonl(ascii_only: bool, tight: bool, newline: str, gap: str, ending: str) -> Callable[[list[Cells]], bytes]:
    separators = (",", ":") if tight else (", ", ": ")

    def write(rows: list[Cells]) -> bytes:
        lines = [json.dumps(row, ensure_ascii=ascii_only, separators=separators) for row in rows]
        return ((newline + gap).join(lines) + ending).encode()

    return write


def to_json(ascii_only: bool, indent: int | None, newline: str, ending: str) -> Callable[[list[Cells]], bytes]:
    def write(rows: list[Cells]) -> bytes:
        nested = [{**row, "deep": [{"label": 2}, "}"]} for row in rows] if indent else rows
        return (json.dumps(nested, ensure_ascii=ascii_only, indent=indent).replace("\n", newline) + ending).encode()

    return write


def to_parquet(rows_per_group: int, compression: str) -> Callable[[list[Cells]], bytes]:
    def write(rows: list[Cells]) -> bytes:
        table = pa.Table.from_pylist(rows).replace_schema_metadata({"huggingface": '{"info": 1}'})
        out = io.BytesIO()
        pq.write_table(table, out, row_group_size=rows_per_group, compression=compression)
        return out.getvalue()

    return write


newlines = st.sampled_from(["\n", "\r\n"])


@st.composite
def text_writers(draw: st.DrawFn) -> Callable[[list[Cells]], bytes]:
    newline = draw(newlines)
    gap, ending = draw(st.sampled_from(["", newline])), draw(st.sampled_from(["", newline, newline * 2]))
    mark = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    write = draw(
        st.one_of(
            st.builds(
                to_csv,
                st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
                st.sampled_from([",", "\t", ";"]),
                st.just(newline),
                st.just(gap),
                st.just(ending),
            ),
            st.builds(to_jsonl, st.booleans(), st.booleans(), st.just(newline), st.just(gap), st.just(ending)),
            st.builds(to_json, st.booleans(), st.sampled_from([None, 0, 2]), st.just(newline), st.just(ending)),
        )
    )
    return lambda rows: mark + write(rows)


parquet_writers = st.builds(to_parquet, st.integers(1, 3), st.sampled_from(["none", "snappy", "zstd", "gzip"]))


@st.composite
def written(draw: st.DrawFn, writers: st.SearchStrategy[Callable[[list[Cells]], bytes]]) -> Written:
    kind = draw(st.sampled_from(list(SPELLINGS)))
    return Written(draw(st.sampled_from(list(LAYOUTS))), kind, draw(st.sampled_from(SPELLINGS[kind])), draw(writers))


@st.composite
def rows_of(draw: st.DrawFn, kind: LabelKind) -> list[Row]:
    """Some rows; the first says 2 if that is what makes the labels three-way."""
    labels = draw(st.lists(st.sampled_from(kind.labels), min_size=1, max_size=6))
    if kind is LabelKind.THREE_WAY:
        labels[0] = "contradiction"
    return [Row(draw(premise_texts), draw(hypothesis_texts), label) for label in labels]
