"""The commands that judge, as a person runs them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from corr2cause.spans.alignment_table import COLUMNS
from tests.cli.running import call, run
from tests.spans.corpora import as_records, write_files, write_json

CORPUS = [
    (
        [("long frost", "cracks in roads", "Explicit", "Intra")],
        [("frost", "cracks in roads", "Explicit", "Intra")],
    ),
    ([("rain", "floods", "Explicit", "Intra")], [("floods", "rain", "Implicit", "Intra"), ("x", "y", "", "")]),
    ([("drought", "dust", "Implicit", "Inter")], []),
]


def as_json(*words: object) -> Any:
    done = call("spans", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("profile", ["described", "released"])
def test_extraction_as_json_has_its_keys(tmp_path: Path, profile: str) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    found = as_json("score", "extraction", "--gold", gold, "--predictions", answers, "--profile", profile)
    for tier in ("exact", "token", "cosine"):
        for level in ("pair", "cause", "effect"):
            assert {"precision", "recall", "f1"} <= found[tier][level].keys()
    assert found["buckets"]["switched"] == 1
    assert set(found["label_f1"]) == {"Explicit", "Implicit", "Intra", "Inter"}
    assert (found["profile"], found["embedder"]) == (profile, "hashing")
    assert found["token"]["pair"]["precision"] == pytest.approx((2 / 3 + 1) / 2 / 3)


def test_extraction_as_tables_and_as_a_table_of_alignments(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    done = call("spans", "score", "extraction", "--gold", gold, "--predictions", answers,
                "--alignment", tmp_path / "beside.csv")  # fmt: skip
    assert done.returncode == 0, done.stderr
    for title in ("Scores (%)", "Buckets", "By complexity", "Examples: switched", "floods → rain"):
        assert title in done.stdout
    lines = list(csv.DictReader((tmp_path / "beside.csv").open(encoding="utf-8")))
    assert tuple(lines[0]) == COLUMNS
    assert len(COLUMNS) == 20
    assert [(line["s/n"], line["pred_pair_index"], line["gold_effect"]) for line in lines] == [
        *(("1", "0", "cracks in roads"), ("2", "0", "floods"), ("2", "1", "floods"))
    ]
    assert [line["soft_token_overlap_match"] for line in lines] == ["True", "False", "False"]


def test_without_an_embedder_there_is_no_cosine_tier(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    found = as_json("score", "extraction", "--gold", gold, "--predictions", answers, "--embedder", "none")
    assert "cosine" not in found
    assert found["cosine_both_sides"] is None


def test_what_does_not_fit_is_said_on_stderr(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    records = as_records(CORPUS, 1)
    records[0]["s/n"], records[1]["pairs"] = "99", ["rain causes floods"]
    write_json(answers, records)
    done = call("spans", "score", "extraction", "--gold", gold, "--predictions", answers)
    assert done.returncode == 0
    assert "1 gold rows have no prediction" in done.stderr
    assert "1 predictions are about rows that are not in the gold file" in done.stderr
    assert "left out: 1 pairs that are no object (str)" in done.stderr


def test_a_file_of_which_no_id_fits_is_said_loudly(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    write_json(answers, [{**record, "s/n": str(record["s/n"])} for record in as_records(CORPUS, 1)])
    released = call("spans", "score", "extraction", "--gold", gold, "--predictions", answers, "--profile", "released")
    assert "every figure is 0" in released.stderr
    assert "every figure is 0" not in call(
        "spans", "score", "extraction", "--gold", gold, "--predictions", answers
    ).stderr  # fmt: skip


def test_detection(tmp_path: Path) -> None:
    rows = [{"s/n": k, "sentence": f"text {k}", "label": int(k < 3)} for k in range(1, 5)]
    gold = write_json(tmp_path / "gold.json", rows)
    answers = write_json(tmp_path / "run.json", {"predictions": ["Yes", "Unknown", "No", "Yes"]})
    pairs = write_json(tmp_path / "pairs.json", as_records(CORPUS[:2], 0))
    found = as_json("score", "detection", "--gold", gold, "--predictions", answers, "--pairs", pairs)
    assert found["confusion"] == {"tp": 1, "fp": 1, "fn": 1, "tn": 1}
    assert (found["precision"], found["recall"], found["accuracy"], found["unreadable"]) == (0.5, 0.5, 0.5, 1)
    assert found["errors"]["an explicit pair"]["rows"] == 2
    done = call("spans", "score", "detection", "--gold", gold, "--predictions", answers)
    assert "4 rows, 2 causal; 1 unreadable" in done.stdout


def test_agreement(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    write_json(answers, as_records(CORPUS, 1)[:2])
    found = as_json("agreement", gold, answers)
    assert found["rows_of_one_file"] == [1, 0]
    assert found["detection"]["undefined"] is True
    done = call("spans", "agreement", gold, answers)
    assert "undefined: one label throughout" in done.stdout
    assert "1 rows are not in the other file" in done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("cause span"))
    value, low, high = (float(number) for number in re.search(r"(\d\.\d+)\s+(\d\.\d+) to (\d\.\d+)", line).groups())
    assert low <= value <= high <= 1, "one scale"


def test_runs_and_stability(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    gold, answers = write_files(tmp_path, CORPUS, model="m", prompt_strategy="cot", split_type="combined")
    answers.rename(folder / "a.json")
    for name, verdicts in (("b", ["Yes", "Yes", "No"]), ("c", ["Yes", "No", "No"])):
        write_json(folder / f"{name}.json", {"model": "m", "prompt_strategy": f"s-{name}", "predictions": verdicts})
    found = as_json("runs", folder, "--gold", gold)
    assert [(one["task"], one["strategy"]) for one in found["best"]] == [("detection", "s-b"), ("extraction", "cot")]
    assert len(found["runs"]) == 3
    done = call("spans", "runs", folder, "--gold", gold)
    assert "Extraction, every strategy" in done.stdout
    chosen = as_json("stability", folder, "--gold", gold, "--sample", 2, "--samples", 9)
    assert chosen["choices"][0]["test_strategy"] == "s-b"
    assert call("spans", "stability", folder, "--gold", gold, "--validation", gold).returncode == 0
    other = call("spans", "runs", folder, "--gold", f"elsewhere={gold}")
    assert other.returncode == 2
    assert "--gold combined=FILE" in other.stderr or "--gold detection=FILE" in other.stderr


def test_coverage_and_consistency(tmp_path: Path) -> None:
    gold, _ = write_files(tmp_path, CORPUS)
    (found,) = as_json("coverage", f"Ours={gold}")
    assert (found["name"], found["pairs"], found["inter"]) == ("Ours", 3, "yes")
    table = tmp_path / "table.csv"
    table.write_text("model,accuracy,precision,recall,f1\nBERT,0.9284,0.7249,0.7344,0.7296\n")
    right = call("spans", "consistency", table, "--rows", 15000, "--positives", 1973)
    assert (right.returncode, "1449/550" in right.stdout) == (0, True)
    wrong = call("spans", "consistency", table, "--rows", 15000, "--positives", 1972)
    assert (wrong.returncode, "impossible" in wrong.stdout) == (1, True)
    searched = call("spans", "consistency", table, "--rows", 300, "--json")
    assert json.loads(searched.stdout)["impossible"] == 1


def test_figures_under_other_names_are_told_and_f1_alone_is_searched_in_no_time(tmp_path: Path) -> None:
    """Without bounds from F1 this took more than ten minutes."""
    table = tmp_path / "table.csv"
    table.write_text("model,Acc,P,R,F1\nBERT,0.9304,0.7289,0.7496,0.7391\n")
    done = call("spans", "consistency", table, "--rows", 15000)
    assert done.returncode == 0
    assert "there is no accuracy and no precision and no recall; only the other figures are judged" in done.stderr


def test_predictions_of_the_other_task_are_refused(tmp_path: Path) -> None:
    gold, pairs = write_files(tmp_path, CORPUS)
    verdicts = write_json(tmp_path / "verdicts.json", {"predictions": ["Yes", "No", "Yes"]})
    done = call("spans", "score", "extraction", "--gold", gold, "--predictions", verdicts)
    assert (done.returncode, "spans score detection" in done.stderr) == (1, True)
    done = call("spans", "score", "detection", "--gold", gold, "--predictions", pairs)
    assert (done.returncode, "spans score extraction" in done.stderr) == (1, True)


def test_pairs_are_not_judged_by_a_file_without_any(tmp_path: Path) -> None:
    _, pairs = write_files(tmp_path, CORPUS)
    gold = write_json(tmp_path / "detection.json", [{"s/n": 1, "sentence": "Frost causes cracks", "label": 1}])
    for words in (["score", "extraction", "--predictions", pairs], ["runs", tmp_path / "runs"]):
        (tmp_path / "runs").mkdir(exist_ok=True)
        run_ = {"model": "m", "prompt_strategy": "cot", "predictions": [{"s/n": 1, "pairs": []}]}
        write_json(tmp_path / "runs" / "one.json", run_)
        done = call("spans", *words, "--gold", gold)
        assert (done.returncode, "no row of it has a pair" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        ["score", "extraction", "--gold", "none.json", "--predictions", "none.json"],
        ["score", "detection", "--gold", "none.json", "--predictions", "none.json"],
        ["agreement", "none.json", "none.json"],
        ["runs", "nowhere", "--gold", "none.json"],
        ["stability", "nowhere", "--gold", "none.json"],
        ["coverage", "none.json"],
        ["consistency", "none.csv", "--rows", "10"],
    ],
    ids=" ".join,
)
def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, words: list[str]) -> None:
    done = run("spans", *words, cwd=tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_released_has_its_own_normalisers(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    done = call("spans", "score", "extraction", "--gold", gold, "--predictions", answers,
                "--profile", "released", "--normaliser", "plain")  # fmt: skip
    assert (done.returncode, "--normaliser" in done.stderr) == (2, True)


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    gold, answers = write_files(tmp_path, CORPUS)
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        done = call("spans", "score", "extraction", "--gold", gold, "--predictions", answers, "--embedder", "no/model")
        assert (done.returncode, "corr2cause[embed]" in done.stderr) == (1, True)
    else:
        pytest.skip("the library is installed")
