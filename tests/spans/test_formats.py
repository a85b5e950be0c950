"""Every format there and back, conversions as the published preparation does them, and damage told in one line."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import Corr2CauseError, FileError, OptionError, RowError
from corr2cause.spans.formats.foreign import columns_layout
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.formats.writing import FORMATS, converted, write_corpus
from corr2cause.spans.pubmed.records import xml_files
from corr2cause.spans.rows import Pair, Row
from tests.spans.corpus import ROWS, raw_record, write
from tests.spans.strategies import CAUSAL_ROWS, TEXT
from tests.spans.strategies import ROWS as ANY_ROWS

_TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = Path(_TEMPORARY.name)


def there_and_back(rows: list[Row], form: str, ending: str = "") -> tuple[Row, ...]:
    path = FOLDER / f"{form}{ending}"
    write_corpus(path, rows, form)
    corpus = read_corpus(path)
    assert corpus.format == form
    assert corpus.left_out == {}
    return corpus.rows


@given(st.lists(ANY_ROWS, min_size=1, max_size=4))
def test_release_holds_everything(rows):
    assert there_and_back(rows, "release") == tuple(rows)


@given(st.lists(ANY_ROWS, min_size=1, max_size=4))
def test_raw_holds_pairs_of_any_kind_and_the_label_that_they_say(rows):
    expected = tuple(
        Row(row.id, row.sentence, row.pairs, any(p.cause.strip() or p.effect.strip() for p in row.pairs))
        for row in rows
    )
    assert there_and_back(rows, "raw") == there_and_back(rows, "raw", ".csv") == expected
    assert converted(rows, "raw").rows == expected


@given(st.lists(CAUSAL_ROWS, min_size=1, max_size=4))
def test_extraction_holds_whole_pairs(rows):
    assert there_and_back(rows, "extraction") == tuple(rows) == converted(rows, "extraction").rows


@given(st.lists(st.builds(Row, st.integers().map(str), TEXT.filter(str.strip), label=st.booleans()), min_size=1))
def test_detection_holds_labels(rows):
    assert there_and_back(rows, "detection") == there_and_back(rows, "detection", ".csv") == tuple(rows)


def test_a_csv_is_one_for_spreadsheets_and_never_json_by_another_name(tmp_path):
    write_corpus(tmp_path / "a.csv", [Row("7", "α, or β", label=True)], "detection")
    assert (tmp_path / "a.csv").read_bytes().decode() == '\ufeffs/n,sentence,label\r\n7,"α, or β",1\r\n'
    for form in ("extraction", "release"):
        with pytest.raises(FileError, match=r"a\.csv: .* choose raw"):
            write_corpus(tmp_path / "a.csv", ROWS, form)


@given(st.lists(ANY_ROWS.filter(lambda row: row.is_annotated), min_size=1, max_size=4), st.sampled_from(FORMATS))
def test_what_a_conversion_says_is_kept_is_kept(rows, form):
    conversion = converted(rows, form)
    if conversion.rows:
        assert there_and_back(list(conversion.rows), form) == conversion.rows
    if not conversion.left_out:
        same = [replace(row, label=row.is_causal) for row in rows]
        assert [replace(row, label=row.is_causal) for row in conversion.rows] == same


def test_ids_are_numbers_if_all_of_them_are(tmp_path):
    for ids, expected in ((["7", "08"], ["7", "08"]), (["7", "8"], [7, 8])):
        write_corpus(tmp_path / "f", [Row(name, "text") for name in ids], "release")
        found = [json.loads(line)["s/n"] for line in (tmp_path / "f").read_text().splitlines()]
        assert found == expected


def test_the_prepared_file_has_the_published_shape(tmp_path):
    """JSON array, indent 2, no line break at the end; s/n, sentence, pairs, num_pairs."""
    row = Row("7", "Frost – cracks", (Pair("Frost", "cracks", "Implicit", "Intra"),))
    write_corpus(tmp_path / "f.json", [row], "extraction")
    assert (tmp_path / "f.json").read_text(encoding="utf-8") == (
        '[\n  {\n    "s/n": 7,\n    "sentence": "Frost – cracks",\n    "pairs": [\n      {\n        "cause": "Frost",\n'
        '        "effect": "cracks",\n        "sententiality": "Intra",\n        "causality": "Implicit"\n      }\n'
        '    ],\n    "num_pairs": 1\n  }\n]'
    )


# conversions


def test_half_a_pair_is_causal_for_detection_and_absent_from_extraction(tmp_path):
    record = raw_record(1, "Frost came", ("Frost", "  ", "Intra", "Explicit"))
    (row,) = read_corpus(write(tmp_path / "raw.json", [record])).rows
    assert row.pairs == (Pair("Frost", "  ", "Explicit", "Intra"),)
    assert converted([row], "detection").rows == (Row("1", "Frost came", label=True),)
    extraction = converted([row], "extraction")
    assert extraction.rows == ()
    assert extraction.left_out == {"pairs of which one side is blank": 1, "rows without a whole pair": 1}


def test_extraction_strips_and_keeps_the_order_over_gaps(tmp_path):
    record = raw_record(1, "s", ("a ", " b", " Intra", "Explicit "), ("", "", "", ""), ("c", "d", "", ""))
    (row,) = read_corpus(write(tmp_path / "raw.json", [record])).rows
    assert converted([row], "extraction").rows[0].pairs == (Pair("a", "b", "Explicit", "Intra"), Pair("c", "d"))


def test_a_raw_record_without_spans_is_not_causal(tmp_path):
    (row,) = read_corpus(write(tmp_path / "raw.json", [raw_record(1, "text")])).rows
    assert row.label is False
    assert not row.is_causal


def test_rows_that_nobody_annotated_have_no_label():
    with pytest.raises(OptionError, match="row 4 is not annotated, and detection needs a label"):
        converted(ROWS, "detection")
    assert converted(ROWS[3:], "release").rows[0].label is None
    assert converted(ROWS[3:], "raw").left_out == {"rows that nobody annotated, now without a cause": 1}


def test_what_a_format_has_no_place_for_is_counted():
    row = Row("1", "text", (Pair("a", "b"),), label=False, source="123")
    assert converted([row], "raw").left_out == {"sources": 1, "labels that the spans do not say": 1}
    assert converted([row], "detection").left_out == {"pairs": 1, "sources": 1}
    assert converted([row], "extraction").left_out == {"labels that the pairs do not say": 1, "sources": 1}
    assert converted([row], "release").left_out == {}


def test_a_blank_pair_is_not_lost_silently():
    conversion = converted([Row("1", "text", (Pair("", " "), Pair("a", "b")))], "raw")
    assert conversion.rows[0].pairs == (Pair("a", "b"),)
    assert conversion.left_out == {"blank pairs": 1}


def test_seventeen_pairs_do_not_fit_a_raw_record(tmp_path):
    with pytest.raises(FileError, match="row 1 has 17 pairs, and a raw record holds 16"):
        write_corpus(tmp_path / "raw.json", [Row("1", "s", (Pair("a", "b"),) * 17)], "raw")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused():
    with pytest.raises(OptionError, match="tsv is no format; choose from raw, detection"):
        converted(ROWS, "tsv")


# other people's files


def csv_text(*rows: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


UNICAUSAL = ["corpus", "doc_id", "sent_id", "eg_id", "index", "text", "text_w_pairs", "seq_label", "pair_label"]


def test_unicausal(tmp_path):
    marked = "<ARG1>The road cracked</ARG1> <SIG0>because of</SIG0> <ARG0>the  <SIG0>hard</SIG0> frost</ARG0>."
    text = "The road cracked because of the hard frost."
    file = csv_text(
        UNICAUSAL,
        ["altlex", "d1", "0", "0", "altlex_d1_0_0", text, marked, "1", "1"],
        ["altlex", "d1", "0", "1", "altlex_d1_0_1", text, marked, "1", "0"],
        ["altlex", "d2", "0", "0", "altlex_d2_0_0", "No marks", "", "1", "1"],
    )
    corpus = read_corpus(write(tmp_path / "altlex.csv", file))
    assert corpus.format == "UniCausal"
    assert corpus.rows == (
        Row("altlex_d1_0_0", text, (Pair("the hard frost", "The road cracked"),), True, "d1"),
        Row("altlex_d1_0_1", text, (), False, "d1"),
        Row("altlex_d2_0_0", "No marks", (), True, "d2"),
    )
    assert corpus.left_out == {"corpus": 3, "eg_id": 3, "sent_id": 3, "seq_label": 3}


def test_numbered_columns(tmp_path):
    """Causal iff (Cause1 and Effect1) or (Cause2 and Effect2): unlike in raw files, half a pair is not enough."""
    file = csv_text(
        ["Sentences", "Cause1", "Effect1", "Sententiality1", "Causality1", "Cause2", "Effect2"],
        ["one", "a", "b", "Intra", "Explicit", "", ""],
        ["two", "a", "", "", "", "", ""],
        ["three", "", "", "", "", "c", "d"],
        ["four", "", " ", "", "", "", ""],
    )
    corpus = read_corpus(write(tmp_path / "fincausal.csv", file))
    assert [(row.id, row.label, row.pairs) for row in corpus.rows] == [
        ("1", True, (Pair("a", "b", "Explicit", "Intra"),)),
        ("2", False, (Pair("a", ""),)),
        ("3", True, (Pair("c", "d"),)),
        ("4", False, ()),
    ]


def test_a_label_that_contradicts_the_spans_is_told(tmp_path):
    file = csv_text(["S/N", "Sentences", "Cause1", "Effect1", "Label"], ["9", "one", "a", "b", "Non-Causal"])
    with pytest.raises(RowError, match=r"biocause.csv:2: Label is 'Non-Causal', but the spans say otherwise"):
        read_corpus(write(tmp_path / "biocause.csv", file))


SEMEVAL = (
    '1\t"The <e1>damage</e1> came from the <e2>frost</e2>."\nCause-Effect(e2,e1)\nComment: plain\n\n'
    '2\t"A <e1>wheel</e1> of the <e2>cart</e2>."\nComponent-Whole(e1,e2)\nComment:\n\n\n'
    '3\t"<e1>Salt</e1> eats <e2>iron</e2>."\nOther\n'
)


def test_semeval(tmp_path):
    corpus = read_corpus(write(tmp_path / "TRAIN_FILE.TXT", SEMEVAL))
    assert corpus.format == "SemEval-2010 task 8"
    assert corpus.rows == (
        Row("1", "The damage came from the frost.", (Pair("frost", "damage"),), True),
        Row("2", "A wheel of the cart.", (), False),
        Row("3", "Salt eats iron.", (), False),
    )
    assert corpus.places == (1, 5, 10)
    odd = SEMEVAL.replace("came from", "came\u2028from").replace("\n", "\r\n")
    assert read_corpus(write(tmp_path / "odd.txt", odd)).rows[0].sentence == "The damage came\u2028from the frost."


@pytest.mark.parametrize(
    ("damage", "line", "problem"),
    [
        (SEMEVAL.replace("Other\n", ""), 10, "names no relation"),
        (SEMEVAL.replace("(e2,e1)", ""), 1, "needs a direction"),
        (SEMEVAL.replace("2\t", "2 "), 5, "expected a number, a tab"),
        (SEMEVAL.replace("</e2>.", "."), 1, "both nominals"),
        (SEMEVAL.replace("\n\n\n3", "\n3"), 5, "expected a comment or an empty line"),
    ],
)
def test_damage_in_semeval_is_told_with_its_block(tmp_path, damage, line, problem):
    with pytest.raises(RowError, match=problem) as raised:
        read_corpus(write(tmp_path / "f.txt", damage))
    assert raised.value.row == line


def test_causenet(tmp_path):
    relation = {
        "causal_relation": {"cause": {"concept": "hard_frost"}, "effect": {"concept": "damage"}},
        "sources": [
            {"type": "wikipedia_infobox", "payload": {"wikipedia_page_id": "1"}},
            {"type": "sentence", "payload": {"wikipedia_page_id": "77", "sentence": "Hard frost does damage."}},
            {"type": "sentence", "payload": {"sentence": "Damage comes of hard frost."}},
        ],
    }
    boxes = {**relation, "sources": relation["sources"][:1]}
    lines = "".join(json.dumps(one) + "\n" for one in (relation, boxes))
    corpus = read_corpus(write(tmp_path / "causenet.jsonl", lines))
    pair = Pair("hard frost", "damage")
    assert corpus.rows == (
        Row("hard frost-damage-1", "Hard frost does damage.", (pair,), source="77"),
        Row("hard frost-damage-2", "Damage comes of hard frost.", (pair,)),
    )
    assert corpus.left_out == {"records without a text": 1}


def test_any_table_with_named_columns(tmp_path):
    file = csv_text(["Gene", "Disease", "Passage", "y", "year"], ["ABC", "ague", "ABC causes ague", "1", "1999"])
    layout = columns_layout({"text": "Passage", "cause": "Gene", "effect": "Disease", "label": "y"})
    corpus = read_corpus(write(tmp_path / "cred.csv", file), layout)
    assert corpus.rows == (Row("1", "ABC causes ague", (Pair("ABC", "ague"),), True),)
    assert corpus.left_out == {"year": 1}
    with pytest.raises(RowError, match="Disease is missing"):
        read_corpus(write(tmp_path / "other.csv", csv_text(["a"], ["b"])), layout)
    for columns in ({"cause": "Gene"}, {"text": "Passage", "author": "x"}):
        with pytest.raises(OptionError, match="give text=NAME"):
            columns_layout(columns)


# recognition and damage


@pytest.mark.parametrize("form", FORMATS)
def test_the_content_tells_the_format_in_a_list_and_on_lines(tmp_path, form):
    rows = converted(ROWS[:3], form).rows
    write_corpus(tmp_path / "f", rows, form)
    text = (tmp_path / "f").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()] if form == "release" else json.loads(text)
    for content in (json.dumps(records), "\ufeff" + "\r\n".join(map(json.dumps, records)) + "\r\n\r\n"):
        found = read_corpus(write(tmp_path / "misleading.csv", content))
        assert (found.format, found.rows) == (form, rows)


GOOD = {"s/n": 1, "sentence": "text", "pairs": [{"cause": "a", "effect": "b"}], "num_pairs": 1}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"s/n": None}, "s/n is None; expected a number or a name"),
        ({"s/n": True}, "s/n is True"),
        ({"s/n": 1.5}, "s/n is 1.5"),
        ({"s/n": " "}, "s/n is ' '"),
        ({"sentence": ""}, "sentence is missing or blank"),
        ({"sentence": 7}, "sentence is 7; expected text"),
        ({"sentence": "\ud800"}, "half a character"),
        ({"pairs": "a causes b"}, "pairs is 'a causes b'; expected a list"),
        ({"pairs": ["a causes b"]}, "expected a list of objects"),
        ({"pairs": [{"cause": "a"}], "num_pairs": 1}, "a pair is {'cause': 'a'}"),
        ({"pairs": [{"cause": 1, "effect": "b"}]}, "cause is 1; expected text"),
        ({"pairs": [{"cause": "a", "effect": "b", "why": "c"}]}, "a pair has 'why', for which there is no place"),
        ({"num_pairs": 2}, "num_pairs is 2, but there are 1 pairs"),
    ],
)
def test_a_record_that_cannot_be_one_is_told_with_its_place(tmp_path, change, problem):
    file = write(tmp_path / "f.json", [GOOD, {**GOOD, **change}])
    with pytest.raises(RowError) as raised:
        read_corpus(file)
    assert str(raised.value).startswith(f"{file}:2: ")
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("[]", "there are no rows in it"),
        ("{}", "the fields [] are those of no known format"),
        ("[1]", ":1: expected a JSON object, found 1"),
        ('{"s/n": 1}\n{', ":1: the fields"),
        ('[{"sentence": "x"', "this is not JSON"),
        ("a,b\n1,2\n", 'the fields ["a", "b"] are those of no known format'),
        ("Sentences,Cause1,Effect1\nx,y\n", ":2: this has 2 cells, and the header has 3"),
        ('Sentences,Cause1,Effect1\n"x,y,z\n', "this is not CSV"),
        ("Sentences,Cause1,Cause1\n", ":1: two columns have one name"),
        ("Sentences,Cause1,Effect1\n", "there are no rows in it"),
        ('{"s/n": 1, "sentence": "x", "label": 2}', "label is 2; expected 0 or 1"),
        ('{"s/n": 1, "sentence": "x", "label": null}', "label is missing"),
        ('{"s/n": 1, "sentence": "x", "label": 1}\n{"s/n": 2, "sentence": "x"}', ":2: label is missing; every row"),
    ],
)
def test_a_file_that_is_no_corpus_is_told_in_one_line(tmp_path, content, problem):
    with pytest.raises((RowError, FileError)) as raised:
        read_corpus(write(tmp_path / "f", content))
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_bytes_that_are_not_utf8_are_told_with_their_line(tmp_path):
    (tmp_path / "f.csv").write_bytes(b"Sentences,Cause1,Effect1\nx,y,z\n\xe9,y,z\n")
    with pytest.raises(RowError, match=r":3: this is not UTF-8 text"):
        read_corpus(tmp_path / "f.csv")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        read_corpus(tmp_path / "none.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_is_not_awaited_for_ever(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="this is a pipe"):
        read_corpus(tmp_path / "pipe")
    with pytest.raises(FileError, match="this is a pipe"):
        xml_files(tmp_path / "pipe")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    (FOLDER / "bytes").write_bytes(data)
    with suppress(Corr2CauseError):
        assert read_corpus(FOLDER / "bytes").rows


SEEDS = [
    json.dumps([GOOD, GOOD]),
    json.dumps([raw_record(1, "s", ("a", "b", "Intra", "Explicit"))]),
    '{"s/n": 1, "text": "t", "label": 1, "pairs": [{"cause_span": "a", "effect_span": "b"}]}\n' * 2,
    csv_text(UNICAUSAL, ["c", "d", "0", "0", "i", "t", "<ARG0>a</ARG0> <ARG1>b</ARG1>", "1", "1"]),
    SEMEVAL,
    json.dumps({"causal_relation": {"cause": {"concept": "a"}, "effect": {"concept": "b"}}, "sources": []}),
]


@settings(max_examples=300)
@given(st.sampled_from(SEEDS), st.data())
def test_any_damage_to_a_good_file_is_read_or_refused(seed, data):
    """Cut a stretch out, or put something in its place."""
    content = seed.encode()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 8)))
    middle = data.draw(
        st.one_of(st.binary(max_size=4), st.sampled_from([b"null", b"[", b"{}", b'"', b"1e999", b",", b"\n"]))
    )
    (FOLDER / "damaged").write_bytes(content[:start] + middle + content[end:])
    with suppress(Corr2CauseError):
        assert read_corpus(FOLDER / "damaged").rows


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["s/n", "sentence", "text", "label", "pairs", "num_pairs", "Sentence", "Cause 1", "source", "pair_label",
     "causal_relation", "sources", "Sentences", "Cause1", "Effect1", "index"]
)  # fmt: skip


@given(st.lists(st.dictionaries(KEYS, JSON, min_size=2, max_size=6), min_size=1, max_size=3))
def test_any_records_are_read_or_refused(records):
    write(FOLDER / "records", records)
    with suppress(Corr2CauseError):
        assert read_corpus(FOLDER / "records").rows


@given(st.dictionaries(TEXT.filter(lambda key: key not in GOOD), TEXT, max_size=3))
def test_no_field_is_lost_silently(extra):
    write(FOLDER / "extra", [{**GOOD, **extra}])
    assert read_corpus(FOLDER / "extra").left_out == {key: 1 for key, value in extra.items() if value.strip()}


def test_a_seventeenth_slot_is_not_lost_silently(tmp_path):
    record = {**raw_record(1, "s"), "Cause 17": "a", "Effect 17": "b"}
    assert read_corpus(write(tmp_path / "raw.json", [record])).left_out == {"Cause 17": 1, "Effect 17": 1}
