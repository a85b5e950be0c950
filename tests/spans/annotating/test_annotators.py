"""What annotators handed in, who annotated the same rows, and how long it took."""

from __future__ import annotations

import pytest

from corr2cause.errors import FileError, OptionError, RowError
from corr2cause.spans.annotating.annotators import Annotator, pair_up, read_annotator, read_annotators
from corr2cause.spans.annotating.timing import times_of
from corr2cause.spans.rows import Row
from tests.spans.annotating.annotations import ANN, BOB, write_rows


def annotator(name: str, *rows: Row) -> Annotator:
    return Annotator(name, {row.id: row for row in rows})


def test_a_folder_is_an_annotator_with_all_its_files(tmp_path):
    (tmp_path / "ann").mkdir()
    write_rows(tmp_path / "ann/batch-001.jsonl", ANN[:2], seconds=10)
    write_rows(tmp_path / "ann/batch-002.jsonl", [*ANN[2:], Row("7", "nobody read this")], seconds=30)
    (tmp_path / "ann/notes.txt").write_text("not a row")
    found = read_annotator(tmp_path / "ann")
    assert (found.name, list(found.rows), found.unannotated) == ("ann", ["1", "2", "3", "4", "5", "6"], ("7",))
    assert sorted(found.times.seconds) == [10, 10, 30, 30, 30, 30, 30]
    assert found.times.median == 30


def test_a_row_counts_once(tmp_path):
    (tmp_path / "ann").mkdir()
    for name in ("a", "b"):
        write_rows(tmp_path / f"ann/{name}.jsonl", ANN[:1])
    with pytest.raises(
        RowError, match=r"b\.jsonl:1: the id 1 was there already; .*name the files instead of the folder"
    ):
        read_annotator(tmp_path / "ann")


def test_nothing_to_read(tmp_path):
    with pytest.raises(FileError, match=r"no \.jsonl or \.json file"):
        read_annotator(tmp_path)


def test_two_annotators_of_one_name(tmp_path):
    (tmp_path / "ann").mkdir()
    one, other = write_rows(tmp_path / "ann.jsonl", ANN), write_rows(tmp_path / "ann/ann.jsonl", BOB)
    with pytest.raises(OptionError, match="two are called ann"):
        read_annotators([one, other])


def test_rows_meet_whoever_has_them():
    found = pair_up([annotator("ann", *ANN[:4]), annotator("bob", *BOB[:2]), annotator("cid", *BOB[2:5])])
    assert [(one.first, one.second, one.ours.id) for one in found.doubled] == [
        ("ann", "bob", "1"), ("ann", "bob", "2"), ("ann", "cid", "3"), ("ann", "cid", "4"),
    ]  # fmt: skip
    assert found.single == ("5",)


def test_three_of_a_row_and_two_texts_under_one_id():
    with pytest.raises(OptionError, match="row 1 was annotated by ann, bob, cid"):
        pair_up([annotator(name, ANN[0]) for name in ("ann", "bob", "cid")])
    with pytest.raises(OptionError, match="row 1 has one text for ann and another for bob"):
        pair_up([annotator("ann", ANN[0]), annotator("bob", Row("1", "another", label=False))])


def test_times_from_moments_leave_pauses_out():
    minutes = ["2025-05-01T10:00:00+00:00", "2025-05-01T12:01:00+02:00", "2025-05-01T10:30:00Z", "2025-05-01T10:32:00Z"]
    records = [("1", {"annotated_at": moment}) for moment in [minutes[1], minutes[0], *minutes[2:], "yesterday"]]
    assert times_of(records).seconds == (60.0, 120.0)


def test_no_times_at_all():
    odd = ("soon", -1, True, None, float("inf"), 10**400)
    assert times_of([("1", {"seconds": found}) for found in odd]).median is None
    assert times_of([("1", {"annotated_at": found}) for found in (3, "0001-01-01T00:00", "x")]).median is None
