"""`corr2cause verify`, from outside: clean data pass, every planted fault is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call
from tests.dataset.folders import data_folder

OPTIONS = {
    "default": {},
    "path, ordered names": {"reading": "path", "names": "ordered"},
    "ancestral, words": {"reading": "ancestral", "names": "words"},
    "minimal": {"premise": "minimal"},
    "symbolic": {"premise": "symbolic"},
    "both directions": {"hypotheses": "ordered"},
    "steps": {"with_steps": True},
    "balanced": {"balance": True, "only_agreeing": True},
}


ROWS = {"hypotheses": 1644, "balance": 116}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_clean_data_pass(tmp_path, options):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, **options), ("jsonl", "parquet"))
    done = call("verify", folder, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["findings"]) == (0, [])
    assert found["rows"] == found["rows_derived"] == ROWS.get(next(iter(options), ""), 822)


def test_perturbations_pass_too(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    for mode in ("paraphrase", "refactor", "rename", "words", "reorder", "symbolic"):
        assert call("perturb", "--mode", mode, "--data", folder, "--quiet").returncode == 0
    done = call("verify", folder, "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"]) == (0, 7 * 102)


def test_a_sample_is_derived_and_no_more(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4))
    found = json.loads(call("verify", folder, "--json", "--sample", 10).stdout)
    assert (found["rows"], found["rows_derived"]) == (822, 30)


@pytest.fixture
def folder(tmp_path) -> Path:
    return data_folder(tmp_path / "data", GenerationOptions(n=4))


def rewrite(folder: Path, name: str, change: Callable[[list[dict]], list[dict]]) -> None:
    """Change the rows of a file and give the manifest the new size and hash, so that only a deeper look can tell."""
    path = folder / name
    rows = change([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    data = path.read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        if entry["name"] == name:
            entry.update(bytes=len(data), rows=len(rows), sha256=hashlib.sha256(data).hexdigest())
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def findings(folder: Path) -> list[tuple[str, int | None, str]]:
    done = call("verify", folder, "--json")
    assert done.returncode == 1, done.stderr
    return [(one["place"], one["row"], one["problem"]) for one in json.loads(done.stdout)["findings"]]


def first(rows: list[dict], **changes: object) -> list[dict]:
    """Change the third row."""
    return [*rows[:2], {**rows[2], **changes}, *rows[3:]]


WRONG_CELLS = {
    "label": lambda row: 1 - row["label"],
    "nli_label": lambda row: "neutral" if row["nli_label"] != "neutral" else "contradiction",
    "num_variables": lambda row: row["num_variables"] + 1,
    "relation": lambda row: "is_child" if row["relation"] != "is_child" else "is_parent",
    "template": lambda row: "child" if row["template"] != "child" else "parent",
    "x": lambda row: row["y"],
    "class_size": lambda row: row["class_size"] + 1,
    "holds_in": lambda row: row["holds_in"] + 1,
    "counterexample": lambda row: "A->B, B->A",
    "readings_agree": lambda row: not row["readings_agree"],
    "n_edges": lambda row: row["n_edges"] + 1,
    "n_statements": lambda row: row["n_statements"] + 1,
    "n_compelled": lambda row: row["n_compelled"] + 1,
}


@pytest.mark.parametrize("column", WRONG_CELLS)
def test_a_wrong_cell_is_found(folder, column):
    rewrite(folder, "train.jsonl", lambda rows: first(rows, **{column: WRONG_CELLS[column](rows[2])}))
    found = findings(folder)
    assert {(place, row) for place, row, _ in found if row is not None} == {("train.jsonl", 3)}
    assert any(column in problem for _, _, problem in found)


@pytest.mark.parametrize(
    ("option", "problem"),
    [("balance", "is not balanced"), ("only_agreeing", "has rows on which the readings disagree")],
)
def test_rows_that_the_options_leave_out_are_found(folder, option, problem):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["options"][option] = True
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = findings(folder)
    assert {f"the split {split} {problem}" for split in ("train", "dev")} <= {
        said.split(":")[0] for _, _, said in found
    }


def test_label_2_is_found(folder):
    rewrite(folder, "train.jsonl", lambda rows: first(rows, label=2))
    assert [(place, row) for place, row, _ in findings(folder)] == [("train.jsonl", 3)]


def test_an_independence_less_is_found(folder):
    lines = (folder / "train.jsonl").read_text(encoding="utf-8").splitlines()
    premise = next(p for p in (json.loads(line)["premise"] for line in lines) if "independent given" in p)
    sentence = next(s for s in premise.split(". ") if "independent given" in s).removeprefix("However, ").rstrip(".")
    edited = premise.replace(f"{sentence}.", "", 1).replace("  ", " ").strip()

    def leave_out(rows: list[dict]) -> list[dict]:
        return [{**row, "premise": edited} if row["premise"] == premise else row for row in rows]

    rewrite(folder, "train.jsonl", leave_out)
    assert {place for place, _, _ in findings(folder)} == {"train.jsonl"}


def test_an_independence_too_many_is_found(folder):
    def add(rows: list[dict]) -> list[dict]:
        stated = " However, A is independent of B."
        return [
            {**row, "premise": row["premise"] + stated} if "independent" not in row["premise"] else row for row in rows
        ]

    rewrite(folder, "train.jsonl", add)
    found = [(place, row) for place, row, problem in findings(folder) if "unsatisfiable" in problem]
    assert len(found) == 36
    assert {place for place, _ in found} == {"train.jsonl"}


def test_a_repeated_id_is_found(folder):
    rewrite(folder, "train.jsonl", lambda rows: first(rows, id=rows[1]["id"]))
    assert any("is given to 2 rows" in problem for _, _, problem in findings(folder))


def test_classes_that_splits_share_are_found(folder):
    moved: list[dict] = []

    def take(rows: list[dict]) -> list[dict]:
        moved.extend(rows[:1])
        return rows[1:]

    rewrite(folder, "train.jsonl", take)
    rewrite(folder, "test.jsonl", lambda rows: [*rows, *moved])
    assert any("train and test share 1 premises" in problem for _, _, problem in findings(folder))


def test_exchanged_splits_are_found(folder):
    train, test = ((folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines() for split in ("train", "test"))
    rewrite(folder, "train.jsonl", lambda rows: [json.loads(line) for line in test])
    rewrite(folder, "test.jsonl", lambda rows: [json.loads(line) for line in train])
    assert any("than the manifest says" in problem for _, _, problem in findings(folder))


def test_left_out_rows_are_found(folder):
    rewrite(folder, "train.jsonl", lambda rows: rows[:-30])
    assert any("the split train holds other" in problem for _, _, problem in findings(folder))


@pytest.mark.parametrize("changes", [{"id": "17"}, {"class_id": "n4-c9999"}, {"id": "n4-c1-1-2-is_uncle"}])
def test_an_id_that_names_something_else_is_found(folder, changes):
    rewrite(folder, "train.jsonl", lambda rows: first(rows, **changes))
    assert ("train.jsonl", 3) in [(place, row) for place, row, _ in findings(folder)]


def test_formats_that_differ_are_found(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4), ("jsonl", "parquet"))
    rewrite(folder, "train.jsonl", lambda rows: rows[::-1])
    assert any("rows are not those of" in problem for _, _, problem in findings(folder))


def test_damage_is_found_by_its_checksum(folder):
    data = bytearray((folder / "dev.jsonl").read_bytes())
    data[-20] ^= 1
    (folder / "dev.jsonl").write_bytes(data)
    assert ("dev.jsonl", None) in [(place, row) for place, row, problem in findings(folder) if "sha256" in problem]


def test_a_missing_file_is_found(folder):
    (folder / "dev.jsonl").unlink()
    assert [place for place, _, _ in findings(folder)] == ["dev.jsonl"]


def test_a_perturbed_row_that_contradicts_its_original_is_found(folder):
    assert call("perturb", "--mode", "words", "--data", folder, "--quiet").returncode == 0
    rewrite(folder / "perturbation_by_words", "test.jsonl", lambda rows: first(rows, label=1 - rows[2]["label"]))
    found = findings(folder)
    assert ("perturbation_by_words/test.jsonl", 3) in [(place, row) for place, row, _ in found]
    assert any("something else than its original" in problem for _, _, problem in found)


def test_a_perturbation_of_other_data_is_found(folder):
    assert call("perturb", "--mode", "words", "--data", folder, "--quiet").returncode == 0
    assert call("generate", "--n", 4, "--seed", 1, "--format", "jsonl", "--out", folder, "--force").returncode == 0
    assert any("made from other data" in problem for _, _, problem in findings(folder))


def test_the_terminal_shows_places(folder):
    rewrite(folder, "train.jsonl", lambda rows: first(rows, label=1 - rows[2]["label"]))
    done = call("verify", folder)
    assert done.returncode == 1
    assert "train.jsonl" in done.stdout
    assert call("verify", folder / "nowhere").returncode == 1
