"""Texts and labels, of our folders and of anybody's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr2cause.checking.labelled_texts import LabelledTexts, read_file, read_split
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import FileError, RowError
from tests.dataset.folders import data_folder
from tests.dataset.rows import split_rows_of

OPTIONS = GenerationOptions(n=4)


def plain(rows: LabelledTexts) -> list[tuple[str, str, int]]:
    columns = [[column.texts[code] for code in column.codes.tolist()] for column in (rows.premise, rows.hypothesis)]
    assert all(len(set(column.texts)) == len(column.texts) for column in (rows.premise, rows.hypothesis))
    return list(zip(*columns, rows.labels.tolist(), strict=True))


EXPECTED = [(row["premise"], row["hypothesis"], row["label"]) for row in split_rows_of(OPTIONS)["train"]]


def test_a_split_of_a_folder_and_its_file_say_the_same(tmp_path: Path) -> None:
    folder = data_folder(tmp_path / "data", OPTIONS)
    seen: list[int] = []
    assert plain(read_split(open_dataset(folder), "train")) == EXPECTED
    assert plain(read_file(folder / "train.jsonl", seen.append)) == EXPECTED
    assert sum(seen) == len(EXPECTED)


def test_every_third_row(tmp_path: Path) -> None:
    folder = data_folder(tmp_path / "data", OPTIONS)
    assert plain(read_split(open_dataset(folder), "train").every(3)) == EXPECTED[::3]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["0", "1", "1"], [0, 1, 1]),
        (["0", "1", "2"], [0, 1, 0]),
        (["neutral", "entailment", "contradiction"], [0, 1, 0]),
    ],
)
def test_published_labels_are_read_by_what_they_mean(tmp_path: Path, labels: list[str], expected: list[int]) -> None:
    file = tmp_path / "published.csv"
    file.write_text("premise,hypothesis,label\n" + "".join(f"p,h,{label}\n" for label in labels))
    assert read_file(file).labels.tolist() == expected


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_text("premise,hypothesis\np,h\n")
    with pytest.raises(FileError, match="no labels"):
        read_file(tmp_path / "bare.csv")


def test_a_row_that_cannot_be_taken_apart_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("premise,hypothesis,label\np,h,1\n,h,0\n")
    with pytest.raises(RowError, match=r"bad\.csv:2: the premise or the hypothesis is empty"):
        read_file(tmp_path / "bad.csv")
