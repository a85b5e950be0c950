"""The scanners agree with the standard library, nothing but our errors escapes, and memory stays flat."""

from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from corr2cause.dataset.foreign.csv_source import open_csv
from corr2cause.dataset.foreign.json_source import JsonSource
from corr2cause.dataset.published import ForeignRow, open_foreign
from corr2cause.errors import Corr2CauseError
from tests.dataset.foreign_files import parquet_writers, rows_of, text_writers, written

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

cells = st.one_of(st.text(st.sampled_from('ab",;\t\n\r {}[]\\é'), max_size=8), st.text(max_size=5)).filter(
    lambda text: "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
)


@given(
    st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), max_size=6)),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from([",", "\t", ";"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
@in_one_folder
def test_csv_is_read_as_the_csv_module_reads_it(tmp_path, rows, quoting, delimiter, newline):
    header = [f"column {place}" for place in range(len(rows[0]) if rows else 2)]
    rows = [[f"x{first}", *rest] for first, *rest in rows]  # a row of white space alone would be an empty line
    if quoting == csv.QUOTE_MINIMAL:  # the writer quotes no line breaks but its own
        rows = [[re.sub(f"[^\\S\t {newline}]", "", cell) for cell in row] for row in rows]
    out = io.StringIO(newline="")
    csv.writer(out, quoting=quoting, delimiter=delimiter, lineterminator=newline).writerows([header, *rows])
    path = tmp_path / "rows"
    path.write_bytes(out.getvalue().encode())
    source = open_csv(path, delimiter.encode(), path.read_bytes(), 0)
    assert list(csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter)) == [header, *rows]
    records = list(source.records(header[::-1]))
    assert [record.cells for record in records] == [tuple(row[::-1]) for row in rows]
    data = path.read_bytes()
    assert b"".join(data[record.start : record.end] for record in records) == data[source.body :]


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(st.sampled_from('a"\\{}[],:é '), max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from('k"{}\\'), inner, max_size=3)),
    max_leaves=8,
)
json_objects = st.dictionaries(st.sampled_from(["key", "label", 'q"', "}"]), json_values, max_size=4)


@given(
    st.lists(json_objects, max_size=5),
    st.sampled_from([None, 0, 3]),
    st.booleans(),
    st.sampled_from(["key", "label", 'q"']),
)
@in_one_folder
def test_json_is_read_as_the_json_module_reads_it(tmp_path, objects, indent, ascii_only, key):
    path = tmp_path / "rows"
    path.write_text(json.dumps(objects, indent=indent, ensure_ascii=ascii_only), encoding="utf-8", newline="")
    source = JsonSource(path, is_list=True, body=1)
    records = list(source.records((key,)))
    assert [record.cells[0] for record in records] == [member.get(key) for member in objects]
    data = path.read_bytes()
    for record, member in zip(records, objects, strict=True):
        raw = data[record.start : record.end]
        assert json.loads(raw) == member
        if key in member:
            start, end = source.cell_span(raw, key)
            assert json.loads(raw[start:end]) == member[key]


@given(st.lists(json_objects, max_size=5))
@in_one_folder
def test_labels_are_seen_without_parsing_as_with_it(tmp_path, objects):
    path = tmp_path / "rows"
    path.write_text("\n".join(json.dumps(member) for member in objects), encoding="utf-8")
    source = JsonSource(path, is_list=False, body=0)
    slowly = [member.get("label") for member in objects]
    found = list(source.label_texts("label"))
    for text, label in zip(found, slowly, strict=True):
        if isinstance(label, str):
            assert text == label
        elif label is None or isinstance(label, bool | int):
            assert text == ("" if label is None else json.dumps(label))


def use(path: Path) -> None:
    """Read a file, and turn all labels around that can be read."""
    out = path.with_suffix(".out")
    file = open_foreign(path)
    rows = list(file.rows())
    assert [row.number for row in rows] == list(range(len(rows)))
    if not file.label_kind.labels:
        return
    with file.corrected(out) as corrector:
        for row in rows:
            if isinstance(row, ForeignRow):
                corrector.put(row, next(label for label in file.label_kind.labels if label != row.label))
    again = list(open_foreign(out).rows())
    assert [type(row) for row in again] == [type(row) for row in rows] or file.label_kind.labels[0] != 0


def use_if_possible(path: Path) -> None:
    """Let only errors of ours pass, each of one line."""
    problem = ""
    try:
        use(path)
    except Corr2CauseError as error:
        problem = str(error)
    assert "\n" not in problem


fragments = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(b"input,label\n", b"premise,hypothesis,relation\r\n", b'"Premise: p\nHypothesis: h",1\n', b"PAR1"),
                *(b'{"premise": "p", "hypothesis": "h", "label": 1}', b"[", b"]", b"{", b"}", b'"', b",", b"\\", b"\n"),
                *(b'"label": 2', b"NaN", b"\xef\xbb\xbf", b"\xff", b" ", b"entailment", b"\r"),
            ]
        ),
        st.binary(max_size=4),
    ),
    max_size=20,
).map(b"".join)


@given(fragments)
@example(b"input\n")
@example(b"input,label")
@example(b'input,label\n"')
@settings(parent=in_one_folder, max_examples=300)
def test_nonsense_raises_nothing_but_our_errors(tmp_path, content):
    path = tmp_path / "rows"
    path.write_bytes(content)
    use_if_possible(path)


@given(written(st.one_of(text_writers(), parquet_writers)), st.data())
@settings(parent=in_one_folder, max_examples=200)
def test_damage_raises_nothing_but_our_errors(tmp_path, how, data):
    content = how.file(data.draw(rows_of(how.kind)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content)))
        end = place + data.draw(st.sampled_from([0, 1, 3, 50]))
        content = (
            content[:place] + data.draw(st.sampled_from([b"", b'"', b"\\", b"{", b"\xff", b"\n", b"2"])) + content[end:]
        )
    path = tmp_path / "rows"
    path.write_bytes(content)
    use_if_possible(path)


N_ROWS = 50_000


def csv_lines() -> Iterator[str]:
    yield "input,label\n"
    for number in range(N_ROWS):
        yield f'"Premise: {"different " * 25}{number}.\nHypothesis: A directly causes B.",{number % 2}\n'


def json_lines() -> Iterator[str]:
    for number in range(N_ROWS):
        yield json.dumps({"premise": f"{'different ' * 25}{number}.", "hypothesis": "h", "label": number % 2}) + "\n"


def json_list() -> Iterator[str]:
    for number, line in enumerate(json_lines()):
        yield ("," if number else "[") + line
    yield "]"


@pytest.mark.parametrize("lines", [csv_lines, json_lines, json_list])
def test_memory_does_not_grow_with_the_file(tmp_path, lines):
    path, out = tmp_path / "rows", tmp_path / "out"
    with path.open("w") as stream:
        stream.writelines(lines())
    tracemalloc.start()
    try:
        file = open_foreign(path)
        with file.corrected(out) as corrector:
            for row in file.rows():
                corrector.put(row, 1 if row.number % 100 == 0 else None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert row.number == N_ROWS - 1
    assert out.stat().st_size == path.stat().st_size > 14_000_000
    assert peak < 12_000_000, f"{peak:,} bytes"  # of which the remembered texts take 7 million


@pytest.mark.parametrize("lines", [csv_lines, json_lines, json_list])
def test_records_across_the_reading_windows_are_whole(tmp_path, lines):
    path = tmp_path / "rows"
    with path.open("w") as stream:
        stream.writelines(lines())
    rows = list(open_foreign(path).rows())
    assert [row.premise.rpartition(" ")[2] for row in rows] == [f"{number}." for number in range(N_ROWS)]
    data = path.read_bytes()
    for row in rows[:: N_ROWS // 100]:
        assert f" {row.number}." in data[row.start : row.end].decode()


def test_a_long_record_is_read_and_an_endless_one_refused(tmp_path):
    path = tmp_path / "rows"
    for size, kinds in ((3_000_000, ["ForeignRow"] * 2), (9_000_000, ["RefusedRow", "ForeignRow"])):
        long = json.dumps({"premise": "p" * size, "hypothesis": "h", "label": 1})
        short = json.dumps({"premise": "p", "hypothesis": "h", "label": 1})
        path.write_text(f"[{short}, {long}, {short}]")
        assert [type(row).__name__ for row in open_foreign(path).rows()][1:] == kinds
