"""Anybody's file is read for what it says, and copied with other labels and nothing else changed."""

from __future__ import annotations

import gc
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corr2cause.dataset.foreign.labels import read_label
from corr2cause.dataset.published import ForeignFile, ForeignRow, Label, LabelKind, RefusedRow, open_foreign
from corr2cause.errors import FileError, RowError
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from tests.dataset.foreign_files import Row, Written, parquet_writers, rows_of, text_writers, written

SHARED = [parent / "shared" / "data" / "corr2cause" for parent in Path(__file__).parents[3:5]]
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def corrected(path: Path, labels: list) -> bytes:
    """Copy a file with these labels."""
    out = path.with_suffix(".out")
    file = open_foreign(path)
    with file.corrected(out) as corrector:
        for row, label in zip(file.rows(), labels, strict=True):
            corrector.put(row, label)
    return out.read_bytes()


def drawn(data: st.DataObject, how: Written) -> tuple[list[Row], list[Row]]:
    """Draw rows, and the same rows with other labels."""
    rows = data.draw(rows_of(how.kind))
    return rows, [replace(row, label=data.draw(st.sampled_from(how.kind.labels))) for row in rows]


@given(written(st.one_of(text_writers(), parquet_writers)), st.data())
@in_one_folder
def test_rows_are_read_back(tmp_path, how, data):
    rows, _ = drawn(data, how)
    path = tmp_path / "rows.txt"
    path.write_bytes(how.file(rows))
    file = open_foreign(path)
    assert file.label_kind is how.kind
    found = list(file.rows())
    assert [Row(row.premise, row.hypothesis, row.label) for row in found] == rows
    assert [row.number for row in found] == list(range(len(rows)))
    if how.layout == "published":
        assert {(row.template, row.n) for row in found} == {("child", 3)}


@given(written(st.one_of(text_writers(), parquet_writers)), st.data())
@in_one_folder
def test_a_copy_without_changes_has_the_same_bytes(tmp_path, how, data):
    rows, _ = drawn(data, how)
    path = tmp_path / "rows.txt"
    path.write_bytes(how.file(rows))
    assert corrected(path, [row.label for row in rows]) == path.read_bytes()
    assert corrected(path, [None for _ in rows]) == path.read_bytes()


@given(written(text_writers()), st.data())
@in_one_folder
def test_a_corrected_text_file_is_what_would_have_been_written_with_these_labels(tmp_path, how, data):
    rows, others = drawn(data, how)
    path = tmp_path / "rows.txt"
    path.write_bytes(how.file(rows))
    assert corrected(path, [row.label for row in others]) == how.file(others)


@given(written(parquet_writers), st.data())
@in_one_folder
def test_a_corrected_parquet_file_differs_in_values_only(tmp_path, how, data):
    rows, others = drawn(data, how)
    path, expected = tmp_path / "rows.txt", tmp_path / "expected.parquet"
    path.write_bytes(how.file(rows))
    expected.write_bytes(how.file(others))
    corrected(path, [row.label for row in others])
    found, wanted = (pq.ParquetFile(name) for name in (tmp_path / "rows.out", expected))
    assert found.read().equals(wanted.read())
    assert found.schema_arrow.equals(wanted.schema_arrow, check_metadata=True)
    assert found.metadata.metadata == wanted.metadata.metadata
    assert found.num_row_groups == wanted.num_row_groups
    for place in range(found.num_row_groups):
        group, model = found.metadata.row_group(place), wanted.metadata.row_group(place)
        assert group.num_rows == model.num_rows
        assert group.column(0).compression == model.column(0).compression


HEADER = "input,label\n"


def published(label: str, name: str = "A") -> str:
    return f'"Premise: {name} is one.\nHypothesis: {name} directly causes B.",{label}\n'


def read(tmp_path: Path, text: str | bytes) -> list[ForeignRow | RefusedRow]:
    path = tmp_path / "rows"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(open_foreign(path).rows())


def test_a_single_2_makes_all_labels_three_way(tmp_path):
    rows = read(tmp_path, HEADER + published("0") + published("1") + published("2"))
    assert [row.label for row in rows] == ["neutral", "entailment", "contradiction"]
    assert [row.label_text for row in rows] == ["0", "1", "2"]


@pytest.mark.parametrize("label", ["2x", "3", "-1", "NaN", "NA", "", "neutral", "01", "²"])
def test_a_label_of_no_kind_is_refused_and_the_next_row_read(tmp_path, label):
    refused, row, _ = read(tmp_path, HEADER + published(label) + published("1") + published("0"))
    assert refused == RefusedRow(0, "expected a label of the kind 0/1", label)
    assert (row.number, row.label) == (1, 1)


def test_a_2_is_never_read_as_a_two_way_label():
    assert read_label("2", LabelKind.BINARY) is None
    assert read_label("2.0", LabelKind.BINARY) is None


def test_a_column_of_nothing_but_wrong_labels_is_refused(tmp_path):
    assert [type(row) for row in read(tmp_path, HEADER + published("7") + published(""))] == [RefusedRow] * 2


def test_a_column_of_empty_labels_is_none(tmp_path):
    (row,) = read(tmp_path, HEADER + published(""))
    assert row.label is None


def test_our_relation_is_no_label(tmp_path):
    line = json.dumps({"premise": "p", "hypothesis": "h", "relation": "is_parent"})
    (tmp_path / "rows").write_text(line)
    file = open_foreign(tmp_path / "rows")
    assert file.label_kind is LabelKind.NONE
    assert next(file.rows()).label is None
    with pytest.raises(FileError, match="no labels"), file.corrected(tmp_path / "out"):
        pass


def test_a_2_elsewhere_in_a_json_row_is_no_label(tmp_path):
    rows = [
        {"premise": 'says "label": 2 ', "hypothesis": "label", "label": 0, "id": "2"},
        {"premise": "p", "hypothesis": "h", "label": 1, "more": {"label": 2}},
        {"more": {"label": 2}, "premise": "p", "hypothesis": "h"},
    ]
    found = read(tmp_path, "\n".join(map(json.dumps, rows)))
    assert [row.label for row in found[:2]] == [0, 1]
    assert found[2] == RefusedRow(2, "expected a label of the kind 0/1", "")


def test_of_equal_keys_the_last_counts(tmp_path):
    path = tmp_path / "rows"
    path.write_text('{"label": 2, "premise": "p", "hypothesis": "h", "label" : 0 }')
    assert open_foreign(path).label_kind is LabelKind.BINARY
    assert [row.label for row in open_foreign(path).rows()] == [0]
    assert corrected(path, [1]) == b'{"label": 2, "premise": "p", "hypothesis": "h", "label" : 1 }'


@pytest.mark.parametrize("text_type", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
@pytest.mark.parametrize("label_type", [pa.int8(), pa.int64(), pa.float32(), pa.bool_(), pa.string()])
def test_every_type_of_a_parquet_column_is_kept(tmp_path, text_type, label_type):
    path = tmp_path / "rows"
    schema = pa.schema(
        [("premise", text_type), ("hypothesis", text_type), pa.field("label", label_type, nullable=False)]
    )
    texts = pa.array(["p"] * 4), pa.array(["h"] * 4)
    labels, others = pa.array([1, 0, 1, 1]).cast(label_type), pa.array([0, 0, 1, 0]).cast(label_type)
    for store_schema in (True, False):
        pq.write_table(pa.table([*texts, labels], schema.names).cast(schema), path, store_schema=store_schema)
        corrected(path, [0, 0, 1, 0])
        before, after = pq.ParquetFile(path), pq.ParquetFile(tmp_path / "rows.out")
        assert after.schema_arrow == before.schema_arrow
        assert after.schema == before.schema
        assert (after.metadata.metadata is None) == (before.metadata.metadata is None)
        assert after.read()["label"].combine_chunks() == others
        assert after.read(["premise", "hypothesis"]) == before.read(["premise", "hypothesis"])


@pytest.mark.parametrize(
    ("given_label", "label", "wanted"),
    [
        ('"\\u0031"', 0, '"0"'),
        ('" 1 "', 0, '" 0 "'),
        ("1e0", 0, "0.0"),
        ('"ent\\u0061ilment"', "neutral", '"neutral"'),
        ('"YES"', 0, '"NO"'),
        ("true", 0, "false"),
    ],
)
def test_a_label_is_spelled_as_the_given_one(tmp_path, given_label, label, wanted):
    path = tmp_path / "rows"
    path.write_text(f'{{"premise":"p","label":{given_label},"hypothesis":"h"}}')
    assert corrected(path, [label]) == path.read_bytes().replace(given_label.encode(), wanted.encode())


DAMAGED_JSON = [
    b'{"premise": "p", "hypothesis": "h", "label": 1',
    b'{"premise": "p", "hypothesis": "h" "label": 1}',
    b'{"premise": 5, "hypothesis": "h", "label": 1}',
    b'{"premise": ["p"], "hypothesis": "h", "label": 1}',
    b'{"hypothesis": "h", "label": 1}',
    b'{"premise": null, "hypothesis": "h", "label": 1}',
    b'{"premise": "  ", "hypothesis": "h", "label": 1}',
    b'{"premise": "\\ud83d", "hypothesis": "h", "label": 1}',
    b'{"premise": "\xff", "hypothesis": "h", "label": 1}',
    b'{"premise": "p", "hypothesis": "h", "label": NaN}',
    b'{"premise": "p", "hypothesis": "h", "label": [1]}',
    b'{"premise": "p", "hypothesis": "h", "label": ' + b"1" * 5000 + b"}",
    b'{"premise": "p", "hypothesis": "h", "label": 1, "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'"a text"',
    b'"%b"' % (b"a longer text " * 30_000),
    b"null",
    b"7" * 600_000,
    b"nonsense",
]
GOOD_JSON = b'{"premise": "p", "hypothesis": "h", "label": 1}'


@pytest.mark.parametrize("damaged", DAMAGED_JSON)
def test_a_damaged_row_of_json_lines_does_not_hide_the_next(tmp_path, damaged):
    first, refused, last = read(tmp_path, b"\n".join([GOOD_JSON, damaged, GOOD_JSON]))
    assert isinstance(refused, RefusedRow)
    assert len(refused.sentence) <= 161
    assert first == last._replace(number=0, start=first.start, end=first.end)


@pytest.mark.parametrize("damaged", [*DAMAGED_JSON, b'{"premise": "p, "hypothesis": "h", "label": 1}'])
def test_a_damaged_member_of_a_json_list_does_not_hide_the_next(tmp_path, damaged):
    found = read(tmp_path, b"[" + b",\n ".join([GOOD_JSON, damaged, GOOD_JSON]) + b"]\n")
    assert [type(row) for row in found if row.number != 1][:2] == [ForeignRow, ForeignRow]
    assert isinstance(found[1], RefusedRow)


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (b"", "the list has no end"),
        (b",", "the list has no end"),
        (b', {"premise": "p', "this has no end"),
        (b"]]", "expected nothing after"),
        (b'] {"premise": "p", "hypothesis": "h", "label": 1}', "expected nothing after"),
    ],
)
def test_a_json_list_must_end_well(tmp_path, ending, reason):
    row, refused = read(tmp_path, b"[" + GOOD_JSON + ending)[:2]
    assert row.label == 1
    assert refused.number == 1
    assert reason in refused.reason


@pytest.mark.parametrize(
    "damaged",
    [
        '"Premise: p.\nHypothesis: h.",1,more\n',
        '"Premise: p.\nHypothesis: h."\n',
        '"Premise: p. Hypothesis: h.",1\n',
        '"Premise: p.\nH: h.",1\n',
        '"Some premise.\nHypothesis: h.",1\n',
        '"Premise:\nHypothesis: h.",1\n',
        '"Premise: p.\nHypothesis: ",1\n',
        "NA,1\n",
        "nonsense\n",
    ],
)
def test_a_damaged_row_of_csv_does_not_hide_the_next(tmp_path, damaged):
    first, refused, last = read(tmp_path, HEADER + published("1") + damaged + published("0"))
    assert (first.label, last.label) == (1, 0)
    assert (refused.number, last.number) == (1, 2)
    assert isinstance(refused, RefusedRow)


def test_a_quote_that_is_not_closed_costs_one_row_of_csv(tmp_path):
    rows = read(tmp_path, HEADER + published("1") + published("1").replace('",', ",") + published("0") + published("1"))
    assert [row.label for row in rows if isinstance(row, ForeignRow)] == [1, 0, 1]


def test_bytes_that_are_no_text_cost_one_row_of_csv(tmp_path):
    rows = read(
        tmp_path, (HEADER + published("1", "A") + published("1", "Z") + published("0")).encode().replace(b"Z", b"\xff")
    )
    assert [type(row) for row in rows] == [ForeignRow, RefusedRow, ForeignRow]
    assert "UTF-8" in rows[1].reason


def test_equal_texts_are_one_object(tmp_path):
    first, second = read(tmp_path, HEADER + published("1") + published("0"))
    assert first.premise is second.premise
    assert first.hypothesis is second.hypothesis


@pytest.mark.parametrize(
    "content",
    [b"", b"\xef\xbb\xbf", b"   \n", b"a,b\n1,2\n", b"[]", b"[1, 2]", b'{"a": 1}', b"{", b"PAR1", b"\x00" * 99, b'"'],
)
def test_no_such_file_is_said_in_one_line(tmp_path, content):
    path = tmp_path / "rows"
    path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        open_foreign(path)
    assert "\n" not in str(caught.value)
    for wrong in (tmp_path, tmp_path / "absent"):
        with pytest.raises(FileError):
            open_foreign(wrong)


@pytest.fixture
def one_row(tmp_path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(HEADER + published("1") + published("1"))
    return path


def test_the_layout_is_told(one_row):
    assert open_foreign(one_row).layout == "CSV, as the TFDS readers take it (input, label)"


def test_the_input_is_never_overwritten(one_row, tmp_path):
    before = one_row.read_bytes()
    link = tmp_path / "link"
    link.symlink_to(one_row)
    for out in (one_row, str(one_row), link):
        with pytest.raises(FileError, match="choose another name"), open_foreign(one_row).corrected(out):
            pass
    assert one_row.read_bytes() == before


def put(file: ForeignFile, out: Path, *corrections: tuple[ForeignRow, Label | None]) -> None:
    with file.corrected(out) as corrector:
        for row, label in corrections:
            corrector.put(row, label)


def test_a_copy_that_fails_leaves_nothing(one_row, tmp_path):
    file = open_foreign(one_row)
    first, second = file.rows()
    with pytest.raises(RowError, match="'neutral' is no label"):
        put(file, tmp_path / "out", (first, 0), (second, "neutral"))
    assert sorted(tmp_path.iterdir()) == [one_row]


def test_a_parquet_copy_that_fails_leaves_nothing_and_says_nothing_later(tmp_path, monkeypatch):
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    path = tmp_path / "rows"
    pq.write_table(pa.table({"premise": ["p", "p"], "hypothesis": ["h", "h"], "label": [1, 1]}), path, row_group_size=1)
    first, second = open_foreign(path).rows()
    with pytest.raises(RowError, match="'neutral' is no label"):
        put(open_foreign(path), tmp_path / "out", (first, 0), (second, "neutral"))
    gc.collect()
    assert sorted(tmp_path.iterdir()) == [path]
    assert complaints == []


def test_a_damaged_parquet_file_is_said_in_one_line(tmp_path):
    path = tmp_path / "rows"
    pq.write_table(pa.table({"premise": ["p"], "hypothesis": ["h"], "label": [1]}), path)
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 12 + content[16:])
    with pytest.raises(FileError, match="this Parquet file cannot be read") as caught:
        list(open_foreign(path).rows())
    assert "\n" not in str(caught.value)


def test_rows_are_corrected_in_order(one_row, tmp_path):
    file = open_foreign(one_row)
    first, second = file.rows()
    with pytest.raises(RowError, match="in order"):
        put(file, tmp_path / "out", (second, None), (first, 0))


def test_rows_may_be_left_out(one_row, tmp_path):
    file = open_foreign(one_row)
    with file.corrected(tmp_path / "out") as corrector:
        corrector.put(list(file.rows())[1], 0)
    assert (tmp_path / "out").read_text() == HEADER + published("1") + published("0")


def test_a_file_that_changes_meanwhile_is_noticed(one_row, tmp_path):
    file = open_foreign(one_row)
    row = next(file.rows())
    one_row.write_text(HEADER)
    for corrections in ([(row, 0)], []):
        with pytest.raises(FileError, match="changed while"):
            put(file, tmp_path / "out", *corrections)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "n_rows"), [("published_sample.csv", 132), ("corr2causepp_sample.json", 20)])
def test_the_samples_are_read_without_a_refusal(name, n_rows, tmp_path):
    sample = next((folder / name for folder in SHARED if (folder / name).exists()), None)
    if sample is None:
        pytest.skip("the samples are not beside this repository (../shared/data/corr2cause)")
    file = open_foreign(sample)
    assert file.label_kind is LabelKind.BINARY
    rows = list(file.rows())
    assert len(rows) == n_rows
    for row in rows:
        premise, _ = parse_premise(row.premise)
        parse_hypothesis(row.hypothesis, premise.names)
    out = tmp_path / "out"
    with file.corrected(out) as corrector:
        for row in rows:
            corrector.put(row, 1 - row.label)
    assert [row.label for row in open_foreign(out).rows()] == [1 - row.label for row in rows]
    changed = [
        place
        for place, pair in enumerate(zip(sample.read_bytes(), out.read_bytes(), strict=True))
        if len(set(pair)) > 1
    ]
    assert len(changed) == n_rows


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_before_it_is_waited_for(tmp_path):
    os.mkfifo(tmp_path / "rows")
    with pytest.raises(FileError, match=r"this is a pipe, .* save them in a file first"):
        open_foreign(tmp_path / "rows")


def test_a_refused_text_cannot_command_a_terminal(tmp_path):
    (row,) = read(tmp_path, (HEADER + '"\x1b[2J\x07 A\tcauses\x00 B",1,2,x\n').encode())
    assert isinstance(row, RefusedRow)
    assert row.sentence.isprintable()
    assert "A causes\ufffd B" in row.sentence
