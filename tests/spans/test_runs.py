"""Folders of runs, the choice of strategies, and what corpora cover."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corr2cause.errors import FileError, OptionError
from corr2cause.spans.coverage import coverage
from corr2cause.spans.detection import join_verdicts
from corr2cause.spans.gold import read_gold
from corr2cause.spans.profiles import PROFILES
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.runs import best_strategies, detection_verdicts, find_runs, read_run, score_runs
from corr2cause.spans.stability import choose, rows_among, samples
from tests.spans.corpora import as_records, write_json

CORPUS = [([("lung cancer", "death", "", "")], [("lung", "death", "", "")]), ([("p", "q", "", "")], [])]
STEM = "extraction_X_only_some_model_cot-fewshot_20260308_184255"


def run(folder: Path, stem: str, corpus: Any = CORPUS, **head: str) -> Path:
    return write_json(folder / f"{stem}.json", {**head, "predictions": as_records(corpus, 1)})


def test_a_run_says_itself_what_it_is(tmp_path: Path) -> None:
    head = {"model": "m", "prompt_strategy": "react", "split_type": "Y_only", "timestamp": "20260101_000000"}
    found = read_run(run(tmp_path, STEM, **head))
    assert (found.task, found.split, found.model, found.strategy) == ("extraction", "Y_only", "m", "react")
    assert found.timestamp == "20260101_000000"


def test_the_name_tells_what_the_content_leaves_out(tmp_path: Path) -> None:
    found = read_run(run(tmp_path, STEM))
    assert (found.split, found.model, found.strategy) == ("X_only", "some_model", "cot-fewshot")
    assert found.timestamp == "20260308_184255"
    with pytest.raises(FileError, match="names no model"):
        read_run(run(tmp_path, "other"))


def test_the_latest_run_of_each_model_and_strategy_is_judged_anew(tmp_path: Path) -> None:
    perfect = [(gold, gold) for gold, _ in CORPUS]
    head = {"model": "m", "prompt_strategy": "few-shot", "split_type": "combined"}
    run(tmp_path, "a", perfect, timestamp="20260101_000000", **head)
    run(tmp_path, "b", CORPUS, timestamp="20260201_000000", **head)
    run(tmp_path, "c", perfect, timestamp="20260101_000000", **{**head, "prompt_strategy": "cot"})
    run(tmp_path, "d", CORPUS, timestamp="20260101_000000", **{**head, "model": "n"})
    (tmp_path / "e.json").write_text("{")
    found, passed_over = find_runs(tmp_path)
    assert [path.path.stem for path in found] == ["b", "c", "d"]
    assert len(passed_over) == 2
    gold = read_gold(write_json(tmp_path / "gold.jsonl", as_records(CORPUS, 0)))
    scores = score_runs(found, lambda _: gold, PROFILES["described"], None)
    assert [round(one.main, 4) for one in scores] == [round(2 * 5 / 6 / 3, 4), 1, round(2 * 5 / 6 / 3, 4)]
    assert [(one.run.model, one.run.strategy) for one in best_strategies(scores)] == [("m", "cot"), ("n", "few-shot")]


def test_of_equally_good_strategies_the_first_is_best(tmp_path: Path) -> None:
    for strategy in ("react", "cot", "zero-shot"):
        run(tmp_path, strategy, model="m", prompt_strategy=strategy)
    gold = read_gold(write_json(tmp_path / "gold.jsonl", as_records(CORPUS, 0)))
    scores = score_runs(find_runs(tmp_path)[0], lambda _: gold, PROFILES["released"], None)
    assert [one.run.strategy for one in best_strategies(scores)] == ["zero-shot"]


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no \.json file"):
        find_runs(tmp_path)
    (tmp_path / "x.json").write_text("5")
    with pytest.raises(FileError, match="is a run"):
        find_runs(tmp_path)


ROWS = [Row(str(number), "text") for number in range(8)]
TRUTH = [True, True, True, True, False, False, False, False]


def verdicts(answers: str) -> Any:
    return join_verdicts(ROWS, TRUTH, list(answers), PROFILES["described"])


def test_strategies_are_chosen_by_f1_on_all_rows_and_on_samples() -> None:
    answers = {"m": {"zero-shot": verdicts("11110000"), "cot": verdicts("10101100")}}
    drawn = np.array([[True] * 8, [False, False, False, True, True, True, True, True], [True] + [False] * 7])
    (choice,) = choose(answers, drawn)
    assert choice.on_all == ("zero-shot", 1.0)
    assert choice.times == {"zero-shot": 3}  # of equal ones the first, as on the last sample
    (other,) = choose({"m": {"a": verdicts("11110000"), "b": verdicts("00001111")}}, ~drawn[1:2])
    assert other.is_stable
    assert other.agreement == 1
    weak = {"m": {"a": verdicts("10000000"), "b": verdicts("01110000")}}
    (unstable,) = choose(weak, np.array([[True] + [False] * 7, [False] + [True] * 7]))
    assert (unstable.on_all[0], unstable.on_sample[0], unstable.agreement) == ("b", "a", 0.5)


def test_samples_are_of_one_size_and_come_again() -> None:
    drawn = samples(50, 20, 120, 3)
    assert drawn.shape == (120, 50)
    assert set(drawn.sum(axis=1)) == {20}
    assert np.array_equal(drawn[:7], samples(50, 20, 7, 3))
    assert not np.array_equal(drawn, samples(50, 20, 120, 4))
    assert drawn.mean(axis=0).min() > 0.2
    with pytest.raises(OptionError, match="--sample"):
        samples(5, 6, 1, 0)


def test_a_validation_file_is_one_sample() -> None:
    assert rows_among(ROWS, [Row("3", "text"), Row("99", "text")], "v.json").tolist() == [[k == 3 for k in range(8)]]
    with pytest.raises(FileError, match=r"v\.json"):
        rows_among(ROWS, [Row("99", "text")], "v.json")


def test_detection_runs_are_told_from_others(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"model": "m", "prompt_strategy": "cot", "predictions": ["Yes", "No"]})
    run(tmp_path, STEM)
    gold = read_gold(write_json(tmp_path / "gold.jsonl", as_records(CORPUS, 0)))
    found = detection_verdicts(find_runs(tmp_path)[0], gold, PROFILES["described"])
    assert found["m"]["cot"].says_causal == (True, False)
    with pytest.raises(OptionError, match="detection"):
        detection_verdicts([read_run(tmp_path / f"{STEM}.json")], gold, PROFILES["described"])


def test_coverage_is_counted() -> None:
    pairs = (Pair("lung cancer", "death", "Explicit", "Intra"), Pair("salt", "high pressure", "implicit", ""))
    rows = [Row("1", "text", pairs), Row("2", "text"), Row("3", "text", (Pair("half", ""),))]
    found = coverage("ours", rows).to_json()
    assert (found["rows"], found["causal_rows"], found["pairs"]) == (3, 2, 2)
    assert [found[name] for name in ("pair", "explicit", "implicit", "intra", "inter", "span")] == [
        *("yes", "yes", "yes", "yes", "no", "yes")
    ]
    few = [Row(str(k), "text", (Pair("a", "b", "Explicit", "Inter" if k == 0 else "Intra"),)) for k in range(200)]
    assert coverage("few", few).to_json()["inter"] == "partly"
    assert coverage("few", few).to_json()["span"] == "no"
