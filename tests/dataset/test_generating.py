"""A data set as a whole: every row once, files that agree, a manifest and a summary that count them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from corr2cause import __version__
from corr2cause.dataset import planning
from corr2cause.dataset.generating import SizeSummary, Target, generate, row_count, summarise
from corr2cause.dataset.options import GenerationOptions, Hypotheses, SplitOptions
from corr2cause.dataset.schema import COLUMNS, SCHEMA
from corr2cause.errors import OptionError
from tests.dataset.folders import contents, data_folder
from tests.dataset.rows import rows_of, split_rows_of
from tests.known import ENTAILED_COUNTS, GRAPH_COUNTS

OPTIONS = GenerationOptions(n=5)
BOTH = ("jsonl", "parquet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return data_folder(tmp_path_factory.mktemp("made") / "data", OPTIONS, BOTH)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_files_hold_the_rows_of_their_splits_in_order(folder):
    for split, rows in split_rows_of(OPTIONS).items():
        assert lines_of(folder / f"{split}.jsonl") == list(rows)
        assert pq.read_table(folder / f"{split}.parquet").to_pylist() == list(rows)


def test_every_row_is_in_one_split(folder):
    ids = [row["id"] for path in sorted(folder.glob("*.jsonl")) for row in lines_of(path)]
    assert len(ids) == len(set(ids)) == 9_342
    assert set(ids) == {row["id"] for row in rows_of(OPTIONS)}
    assert not any(row_id.isdecimal() for row_id in ids)


PUBLIC_COLUMNS = (
    *("id", "premise", "hypothesis", "label", "nli_label", "num_variables", "relation", "template", "x", "y"),
    *("class_id", "class_size", "holds_in", "counterexample", "readings_agree"),
    *("n_edges", "n_statements", "n_compelled"),
)


def test_columns_have_the_order_and_types_of_the_schema(folder):
    assert tuple(column.name for column in COLUMNS) == PUBLIC_COLUMNS
    for path in folder.glob("*.jsonl"):
        assert all(tuple(row) == PUBLIC_COLUMNS for row in lines_of(path))
    for path in folder.glob("*.parquet"):
        assert pq.read_schema(path).equals(SCHEMA)


def test_the_manifest_tells_everything(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["version"] == __version__
    assert manifest["options"] == {**OPTIONS.to_json(), "format": ["jsonl", "parquet"]}
    data = {name: found for name, found in contents(folder).items() if name not in ("README.md", "manifest.json")}
    assert {entry["name"]: (entry["bytes"], entry["sha256"]) for entry in manifest["files"]} == {
        name: (len(found), hashlib.sha256(found).hexdigest()) for name, found in data.items()
    }
    rows, positives, classes = Counter(), Counter(), {}
    for split, found in split_rows_of(OPTIONS).items():
        for row in found:
            key = row["num_variables"], split
            rows[key] += 1
            positives[key] += row["label"]
            classes.setdefault(key, set()).add(row["class_id"])
    assert {(c["n"], c["split"]): (c["rows"], c["positives"], c["classes"]) for c in manifest["counts"]} == {
        key: (rows[key], positives[key], len(classes[key])) for key in rows
    }
    assert all(entry["rows"] == sum(rows[n, entry["split"]] for n in range(2, 6)) for entry in manifest["files"])


@pytest.mark.parametrize(("workers", "rows_per_block"), [(1, 1), (1, 200), (2, 200)])
def test_neither_workers_nor_blocks_change_a_byte(tmp_path, monkeypatch, workers, rows_per_block):
    options = replace(OPTIONS, n=4)
    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", rows_per_block)
    generate(options, Target(tmp_path / "made", BOTH), workers)
    assert contents(tmp_path / "made") == contents(data_folder(tmp_path / "usual", options, BOTH))


@pytest.mark.parametrize("formats", [(), ("csv",), ("jsonl", "csv"), "jsonl"])
def test_formats_that_are_none_are_refused(tmp_path, formats):
    """Else a data set without files would be complete."""
    with pytest.raises(OptionError, match=r"--format: .* should be some of jsonl, parquet"):
        Target(tmp_path, formats)


def test_a_folder_may_be_given_as_text(tmp_path):
    assert generate(GenerationOptions(n=2), Target(f"{tmp_path}/data", ("jsonl",))).made
    assert not generate(GenerationOptions(n=2), Target(tmp_path / "data", ["jsonl"])).made


def test_progress_reaches_the_number_of_rows(tmp_path):
    for options in (OPTIONS, GenerationOptions(n=4, min_n=3, hypotheses=Hypotheses.ORDERED)):
        moved: list[int] = []
        generate(options, Target(tmp_path / str(options.n), ("jsonl",)), progress=moved.append)
        assert sum(moved) == row_count(options)


def test_row_counts_are_those_of_the_specification():
    assert [row_count(GenerationOptions(n=k.n, min_n=k.n)) for k in ENTAILED_COUNTS] == [
        k.rows for k in ENTAILED_COUNTS
    ]
    assert row_count(GenerationOptions(n=6)) == 207_432
    assert row_count(GenerationOptions(n=6, hypotheses=Hypotheses.ORDERED)) == 414_864


def test_the_summary_adds_up(folder):
    manifest = generate(OPTIONS, Target(folder, BOTH)).manifest
    *sizes, total = summarise(OPTIONS, manifest)
    for size, graphs, entailed in zip(sizes, GRAPH_COUNTS[1:], ENTAILED_COUNTS, strict=False):
        assert (size.n, size.classes, size.members) == (graphs.n, graphs.classes, graphs.members)
        assert (size.rows, size.positives) == (entailed.rows, entailed.direct)
        assert sum(size.split_rows) == size.rows
    assert total == SizeSummary("all", 169, 839, 9_342, 1_161, (7_416, 614, 632, 680))


@pytest.mark.parametrize("split", [SplitOptions(whole_classes=True), SplitOptions(split_threshold=10**6)])
def test_a_split_without_rows_has_no_file(tmp_path, split):
    options = GenerationOptions(n=4, split=split)
    folder = data_folder(tmp_path / "data", options, BOTH)
    filled = {name for name, rows in split_rows_of(options).items() if rows}
    assert {path.stem for path in folder.glob("*.*l*") if path.suffix in (".jsonl", ".parquet")} == filled
    assert all(path.stat().st_size > 0 for path in folder.iterdir() if not path.name.startswith("."))
    assert "reserve" not in filled


def test_an_error_while_building_leaves_no_file(tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("half-way")

    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", 200)
    moved: list[int] = []

    def progress(rows):
        moved.append(rows)
        if len(moved) == 5:
            fail()

    with pytest.raises(RuntimeError):
        generate(OPTIONS, Target(tmp_path, BOTH), progress=progress)
    assert contents(tmp_path) == {}
    assert generate(OPTIONS, Target(tmp_path, BOTH)).made


def test_a_piece_is_built_a_block_at_a_time():
    """So that memory stays small, and progress is seen."""
    train = next(piece for piece in planning.plan(GenerationOptions(n=6)) if piece.split == "train")
    first = next(train.tables(GenerationOptions(n=6)))
    assert 0 < first.num_rows <= planning.ROWS_PER_BLOCK
