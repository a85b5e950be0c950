"""Files of predictions in every format, laid beside rows; and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corr2cause.checking.predictions import ANSWER_COLUMNS, Predictions, align, read_predictions
from corr2cause.errors import FileError, RowError

Rows = list[dict[str, object]]


def as_csv(path: Path, rows: Rows) -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        lines = csv.DictWriter(out, list(rows[0]))
        lines.writeheader()
        lines.writerows(rows)
    return path


def as_lines(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def as_list(path: Path, rows: Rows) -> Path:
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return path


def as_parquet(path: Path, rows: Rows) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


FORMATS = [as_csv, as_lines, as_list, as_parquet]
YES, NO, UNREADABLE = 1, 0, 2


@pytest.mark.parametrize("write", FORMATS)
@pytest.mark.parametrize(
    ("cells", "answers"),
    [
        ([1, 0, 1], [YES, NO, YES]),
        ([1.0, 0.0, None], [YES, NO, UNREADABLE]),
        ([True, False, None], [YES, NO, UNREADABLE]),
        (["yes", "NO", ""], [YES, NO, UNREADABLE]),
        (["entailment", "neutral", "contradiction"], [YES, NO, NO]),
        (['Well, "so".\nAnswer: Yes', "Yes and No", "2"], [YES, UNREADABLE, UNREADABLE]),
    ],
)
def test_every_format_and_way_to_answer(tmp_path: Path, write: Callable, cells: list, answers: list[int]) -> None:
    rows = [{"id": f"r{place}", "prediction": cell} for place, cell in enumerate(cells)]
    found = read_predictions(write(tmp_path / "predictions", rows))
    assert (found.ids, found.column, found.answers.tolist()) == (("r0", "r1", "r2"), "prediction", answers)


def test_a_missing_answer_in_numbers_of_parquet_is_unreadable(tmp_path: Path) -> None:
    table = pa.table({"prediction": pa.array([1.0, float("nan")])})
    pq.write_table(table, tmp_path / "file")
    assert read_predictions(tmp_path / "file").answers.tolist() == [YES, UNREADABLE]
    pq.write_table(pa.table({"prediction": pa.array([float("nan"), 0.73])}), tmp_path / "file")
    with pytest.raises(RowError, match=r"file:2: the answer 0\.73 is neither 0 nor 1"):
        read_predictions(tmp_path / "file")


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_csv_with_any_delimiter_and_line_end(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "file.txt"
    lines = ["id,prediction", "a,Yes", "", 'b,"No"', ""]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).replace(",", delimiter).encode())
    found = read_predictions(path)
    assert (found.ids, found.answers.tolist()) == (("a", "b"), [YES, NO])


@pytest.mark.parametrize("place", range(len(ANSWER_COLUMNS)))
def test_the_first_known_column_is_read(tmp_path: Path, place: int) -> None:
    columns = ANSWER_COLUMNS[place:]
    row = {name: "Yes" if name == columns[0] else "No" for name in reversed(columns)}
    found = read_predictions(as_lines(tmp_path / "file", [row]))
    assert (found.column, found.ids, found.answers.tolist()) == (columns[0], None, [YES])


def test_the_truth_is_not_taken_for_the_answer(tmp_path: Path) -> None:
    path = as_lines(tmp_path / "file", [{"id": "a", "label": 1, "response": "No"}])
    assert read_predictions(path).answers.tolist() == [NO]
    assert read_predictions(path, "label").answers.tolist() == [YES]


@pytest.mark.parametrize("write", FORMATS)
@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{"id": "a", "prediction": 1}, {"id": "a", "prediction": 1}], ":2: the id 'a' was answered in row 1 already"),
        ([{"id": "a", "prediction": 1}, {"id": None, "prediction": 1}], ":2: the id is empty"),
        ([{"prediction": 0}, {"prediction": 2}], ":2: the answer 2 is neither 0 nor 1"),
        ([{"prediction": 1}, {"prediction": -1}], ":2: the answer -1 is neither 0 nor 1"),
        ([{"prediction": 0.73}, {"prediction": None}], ":1: the answer 0.73 is neither 0 nor 1"),
        ([{"id": "a", "guess": 1}], ": expected CSV, JSON or Parquet with one of the columns prediction, response"),
    ],
)
def test_what_is_refused(tmp_path: Path, write: Callable, rows: Rows, problem: str) -> None:
    path = write(tmp_path / "file", rows)
    with pytest.raises((FileError, RowError)) as caught:
        read_predictions(path)
    assert str(caught.value).startswith(f"{path}{problem}")


def test_an_unknown_column_is_named_with_what_is_there(tmp_path: Path) -> None:
    path = as_lines(tmp_path / "file", [{"id": "a", "prediction": 1}])
    with pytest.raises(FileError, match=r"with the column reply; found the columns id, prediction"):
        read_predictions(path, "reply")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "file: this file is empty; name one that holds answers"),
        (b'{"prediction": 1}\n{"prediction": \n', "file:2: this is not JSON"),
        (b"id,prediction\na,1\nb,1,2\n", "file:2: this cannot be cut into the 2 cells"),
        (b"PAR1 but not really", "file: this Parquet file cannot be read"),
        (b'{"prediction": 1}\n{"prediction": "\xff"}\n', "file:2: this is not UTF-8"),
    ],
)
def test_damage_is_told_in_one_line(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises((FileError, RowError)) as caught:
        read_predictions(path)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        read_predictions(tmp_path / "file")


def predictions(ids: str | None, answers: list[int], name: str = "file") -> Predictions:
    return Predictions(Path(name), "prediction", tuple(ids) if ids is not None else None, np.array(answers, np.int8))


def test_answers_are_laid_beside_their_rows_by_id() -> None:
    found = align([predictions("cab", [2, 1, 0])], "abc")
    assert (found.rows.tolist(), found.answers.tolist(), found.n_unknown) == ([0, 1, 2], [[1, 0, 2]], (0,))


def test_answers_without_ids_follow_the_rows() -> None:
    assert align([predictions(None, [2, 1, 0])], "abc").answers.tolist() == [[2, 1, 0]]
    for partial in (False, True):
        with pytest.raises(FileError, match="file: 2 answers without ids cannot be laid beside 3 rows"):
            align([predictions(None, [2, 1])], "abc", partial)


def test_missing_and_unknown_ids_are_refused() -> None:
    with pytest.raises(RowError, match=r"file:2: the id 'x' \(and 1 more\) is not in the data; .*--partial"):
        align([predictions("axy", [0, 0, 0])], "ab")
    with pytest.raises(
        FileError,
        match=r"file: no answer to the row 'b' \(and 1 more\); --partial scores only rows that have one \(1 of 3\)",
    ):
        align([predictions("a", [0])], "abc")


def test_partial_answers_keep_the_rows_that_they_are_about() -> None:
    found = align([predictions("xca", [1, 1, 0])], "abc", partial=True)
    assert (found.rows.tolist(), found.answers.tolist(), found.n_unknown) == ([0, 2], [[0, 1]], (1,))
    with pytest.raises(FileError, match="none of its ids is in the data"):
        align([predictions("xyz", [0, 0, 0])], "abc", partial=True)


def test_two_files_pair_by_id() -> None:
    found = align([predictions("abc", [0, 1, 2]), predictions("cba", [0, 1, 2], "other")], "abc")
    assert found.answers.tolist() == [[0, 1, 2], [2, 1, 0]]
    found = align([predictions("ab", [0, 1]), predictions("cb", [0, 1], "other")], "abc", partial=True)
    assert (found.rows.tolist(), found.answers.tolist()) == ([1], [[1], [1]])
    with pytest.raises(FileError, match="other: none of its ids is in both the data and file"):
        align([predictions("a", [0]), predictions("c", [0], "other")], "abc", partial=True)
    with pytest.raises(FileError, match="other: no answer to the row 'a'"):
        align([predictions("abc", [0] * 3), predictions("bc", [0] * 2, "other")], "abc")


def test_no_rows_and_no_answers_fit() -> None:
    assert align([predictions(None, [])], []).answers.shape == (1, 0)
    assert align([predictions("", [])], [], partial=True).rows.tolist() == []
