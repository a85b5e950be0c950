"""The row schema, and a maker of small valid tables that the other tests of the data set share."""

from __future__ import annotations

import pyarrow as pa
import pytest

from corr2cause.dataset.schema import (
    COLUMNS,
    ENCODED_SCHEMA,
    NLI_LABELS,
    RELATIONS,
    SCHEMA,
    STEPS,
    STRING_COLUMNS,
    TEMPLATES,
    encoded_schema,
    misfits,
)


def some_rows(n_rows: int, start: int = 0, **changed: object) -> pa.Table:
    """Make a valid table of `ENCODED_SCHEMA`; row r depends on start + r alone, but for changed columns."""
    rows = range(start, start + n_rows)
    columns = {
        "id": [f"n4-row{r}" for r in rows],
        "premise": [f'Class {r // 90}: "A" correlates with B – always.' for r in rows],
        "hypothesis": [f"{'AB'[r % 2]} directly causes {'BA'[r % 2]}." for r in rows],
        "label": [int(r % 5 == 0) for r in rows],
        "nli_label": ["entailment" if r % 5 == 0 else NLI_LABELS[1 + r % 2] for r in rows],
        "num_variables": [4 for _ in rows],
        "relation": [RELATIONS[r % 6] for r in rows],
        "template": [TEMPLATES[r % 6] for r in rows],
        "x": [["NA", "null", "A"][r % 3] for r in rows],
        "y": [["None", "B"][r % 2] for r in rows],
        "class_id": [f"n4-class{r // 90}" for r in rows],
        "class_size": [24 for _ in rows],
        "holds_in": [24 if r % 5 == 0 else 12 * (1 - r % 2) for r in rows],
        "counterexample": [None if r % 5 == 0 else f"A->B, C->{'BD'[r % 2]}" for r in rows],
        "readings_agree": [r % 7 != 0 for r in rows],
        "n_edges": [3 + r // 90 % 3 for r in rows],
        "n_statements": [10 for _ in rows],
        "n_compelled": [2 for _ in rows],
        **changed,
    }
    plain = [pa.array(columns[name], SCHEMA.field(name).type) for name in SCHEMA.names]
    encoded = [
        cells.dictionary_encode() if name in STRING_COLUMNS else cells
        for name, cells in zip(SCHEMA.names, plain, strict=True)
    ]
    return pa.table(encoded, schema=ENCODED_SCHEMA)


def test_the_columns_stand_in_the_promised_order():
    promised = (
        "id premise hypothesis label nli_label num_variables relation template x y class_id class_size "
        "holds_in counterexample readings_agree n_edges n_statements n_compelled"
    )
    assert SCHEMA.names == ENCODED_SCHEMA.names == promised.split()


def test_the_types_are_those_that_readers_expect():
    types = {field.name: str(field.type) for field in SCHEMA}
    assert {name for name, kind in types.items() if kind == "bool"} == {"readings_agree"}
    assert {name for name, kind in types.items() if kind == "int64"} == {
        *("label", "num_variables", "class_size", "holds_in", "n_edges", "n_statements", "n_compelled")
    }
    assert {name for name, kind in types.items() if kind == "string"} == set(STRING_COLUMNS) - {STEPS}
    assert len(STRING_COLUMNS) == 11
    assert [field.name for field in SCHEMA if field.nullable] == ["counterexample"]


def test_strings_are_held_once_in_memory():
    assert encoded_schema([STEPS]).field(STEPS).type == ENCODED_SCHEMA.field("premise").type
    for field in ENCODED_SCHEMA:
        assert pa.types.is_dictionary(field.type) == (field.name in STRING_COLUMNS)
        assert field.nullable == SCHEMA.field(field.name).nullable
    assert encoded_schema(["label", "id"]) == pa.schema([ENCODED_SCHEMA.field("label"), ENCODED_SCHEMA.field("id")])


def test_each_column_says_what_it_means():
    for column in COLUMNS:
        assert column.meaning.endswith(".")
        assert "|" not in column.meaning, "it stands in a table of the card"


def test_a_valid_table_fits():
    assert misfits(some_rows(300)) == []
    assert misfits(some_rows(0)) == []
    assert misfits(some_rows(9).select(["x", "label"])) == []


@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [
        ("label", 2, "label says 2, expected one of 0, 1"),
        ("label", None, "label is empty"),
        ("nli_label", "Entailment", "nli_label says 'Entailment'"),
        ("relation", "parent", "relation says 'parent'"),
        ("template", "is_parent", "template says 'is_parent'"),
        ("premise", None, "premise is empty"),
        ("readings_agree", None, "readings_agree is empty"),
    ],
)
def test_every_row_that_does_not_fit_is_found(column, bad, words):
    cells = some_rows(20)[column].to_pylist()
    cells[7] = cells[11] = bad
    found = misfits(some_rows(20, **{column: cells}))
    assert [row for row, _ in found] == [7, 11]
    assert all(words in problem for _, problem in found)


def test_misfits_come_by_row():
    labels = [0] * 10
    labels[5] = 2
    relations = ["is_parent"] * 10
    relations[3] = "cousin"
    found = misfits(some_rows(10, label=labels, relation=relations))
    assert [(row, problem.split()[2]) for row, problem in found] == [(3, "relation"), (5, "label")]


def test_misfits_of_a_row_come_by_column():
    found = misfits(some_rows(2, template=["parent", "cousin"], class_id=["n4-class0", None]))
    assert [(row, problem.split()[2]) for row, problem in found] == [(1, "template"), (1, "class_id")]
