"""Files of predictions in whatever state: counted, never a traceback, never lost without a word."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corr2cause.errors import FileError, RowError
from corr2cause.spans.embedding import HashingEmbedder
from corr2cause.spans.extraction import score
from corr2cause.spans.gold import read_gold
from corr2cause.spans.joining import join
from corr2cause.spans.predictions import id_text, read_extraction, told
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Pair, Row
from tests.spans.corpora import write_json

PAIR = {"cause": "smoking", "effect": "cancer"}


def flaws(folder: Path, *rows: Any) -> dict[str, int]:
    return dict(read_extraction(write_json(folder / "run.json", {"predictions": list(rows)})).flaws)


@pytest.mark.parametrize(
    ("row", "flaw"),
    [
        ("a causes b", "entries that are no object"),
        (None, "entries that are no object"),
        ({"s/n": 1}, "rows without a list of pairs"),
        ({"s/n": 1, "pairs": None}, "rows without a list of pairs"),
        ({"s/n": 1, "pairs": "a causes b"}, "rows without a list of pairs"),
        ({"s/n": 1, "pairs": ["a causes b"]}, "pairs that are no object (str)"),
        ({"s/n": 1, "pairs": [None]}, "pairs that are no object (null)"),
        ({"s/n": 1, "pairs": [{"cause": "a"}]}, "pairs without effect"),
        ({"s/n": 1, "pairs": [{"effect": "a"}]}, "pairs without cause"),
        ({"s/n": 1, "pairs": [{"cause": ["a"], "effect": "b"}]}, "spans or labels that are no text (list)"),
        ({"s/n": 1, "pairs": [{"cause": 5, "effect": "b"}]}, "spans or labels that are no text (int)"),
        ({"s/n": [1], "pairs": []}, "ids that are neither number nor text"),
        ({"s/n": 1, "response": "?"}, "answers without pairs: it holds neither JSON with pairs nor tuples"),
    ],
)
def test_what_cannot_be_read_is_counted(tmp_path: Path, row: Any, flaw: str) -> None:
    assert flaws(tmp_path, row, {"s/n": 2, "pairs": [PAIR]}) == {flaw: 1}


def test_a_sound_file_has_no_flaws(tmp_path: Path) -> None:
    assert flaws(tmp_path, {"s/n": 1, "sentence": "…", "pairs": [PAIR]}, {"s/n": 2, "pairs": []}) == {}


def test_spans_in_lists_and_nulls_are_read_as_the_released_code_does(tmp_path: Path) -> None:
    row = {"s/n": 1, "pairs": [{"cause": ["x", "y"], "effect": None}, {"cause": [], "effect": 5}]}
    (read,) = read_extraction(write_json(tmp_path / "run.json", {"predictions": [row]})).rows
    assert read.pairs == (Pair("x", ""), Pair("", "5"))


def test_raw_answers_are_read_and_their_forms_counted(tmp_path: Path) -> None:
    answers = [json.dumps({"pairs": [PAIR]}), '{"pairs": [{"cause": "a", "effect": "b"}, {"c', "[]", "none of it"]
    rows = [{"s/n": number, "response": answer} for number, answer in enumerate(answers)]
    found = read_extraction(write_json(tmp_path / "run.json", {"model": "m", "predictions": rows}))
    assert found.statuses == {"ok": 1, "salvaged": 1, "ok_empty": 1, "null": 1}
    assert [len(row.pairs) for row in found.rows] == [1, 1, 0, 0]
    assert found.head == {"model": "m"}


@pytest.mark.parametrize("form", ["object", "list", "lines", "one line"])
def test_forms_of_a_file(tmp_path: Path, form: str) -> None:
    rows = [{"s/n": 1, "pairs": [PAIR]}, {"s/n": 2, "pairs": []}]
    texts = {
        "object": json.dumps({"predictions": rows}),
        "list": json.dumps(rows),
        "lines": "\n".join(map(json.dumps, rows)),
        "one line": json.dumps(rows[0]),
    }
    path = tmp_path / "run.json"
    path.write_text(texts[form], encoding="utf-8")
    assert [row.key for row in read_extraction(path).rows] == ([1] if form == "one line" else [1, 2])


@pytest.mark.parametrize(
    ("text", "error"),
    [("", RowError), ("{", RowError), ("5", FileError), ('{"predictions": {}}', FileError), ('{"a": 1}', FileError)],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(error, match=r"run\.json") as caught:
        read_extraction(path)
    assert "\n" not in str(caught.value)


def test_a_repeated_id_in_the_gold_file_is_refused(tmp_path: Path) -> None:
    rows = [{"s/n": 1, "sentence": "t", "pairs": [PAIR]}, {"s/n": "1", "sentence": "t", "pairs": [PAIR]}]
    with pytest.raises(RowError, match="the id 1 stands"):
        read_gold(write_json(tmp_path / "gold.json", rows))


def test_gold_ids_keep_the_type_of_the_file(tmp_path: Path) -> None:
    rows = [{"s/n": 7, "sentence": "t", "pairs": []}, {"s/n": "8", "sentence": "t", "pairs": []}]
    gold = read_gold(write_json(tmp_path / "gold.json", rows))
    assert gold.typed_ids() == [7, "8"]
    assert [row.id for row in gold.rows] == ["7", "8"]
    assert [id_text(key) for key in (7, 7.0, " 7", "x")] == ["7", "7", "7", "x"]


def test_flaws_are_told_with_the_most_frequent_first() -> None:
    assert list(told({"a": 1, "b": 2000})) == ["2,000 b", "1 a"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["s/n", "pairs", "cause", "effect", "causality", "sententiality", "response", "sentence"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_json_breaks_the_scores(tmp_path: Path, entries: list[Any]) -> None:
    rows = [Row("1", "text", (Pair("smoking", "cancer"),)), Row("2", "text")]
    found = read_extraction(write_json(tmp_path / "run.json", {"predictions": entries}))
    assert len(found.rows) == len(entries)
    for profile in PROFILES.values():
        joined = join(rows, found.rows, [1, 2] if profile.typed_ids else None)
        judged = score(joined, profile, HashingEmbedder())
        assert sum(judged.buckets.values()) >= len(joined.predicted)


def test_a_pipe_is_refused_since_it_is_read_more_than_once(tmp_path):
    os.mkfifo(tmp_path / "run.json")
    with pytest.raises(FileError, match="this is a pipe"):
        read_extraction(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"s/n": 1, "pairs": []}\n{"s/n": 2, "pairs": []}\n{"s/n": 3,\n', 3),  # a run that was killed
        ('[\n{"s/n": 1, "pairs": []},\n{"s/n": 2, "pairs" []}\n]\n', 3),
        ('{\n"predictions": [\n}\n', 3),
        ('{"s/n": 1', 1),
    ],
)
def test_damage_is_told_with_its_line(tmp_path, text, place):
    (tmp_path / "run.jsonl").write_text(text)
    with pytest.raises(RowError, match=f"jsonl:{place}: this is not JSON"):
        read_extraction(tmp_path / "run.jsonl")
