"""`corr2cause shortcuts` from the command line."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.checking.small_data import row, write_folder, write_lines
from tests.cli.running import call
from tests.dataset.folders import data_folder

TEXT = """\
N-grams of the hypothesis that go along with a label: the 4 largest differences of 5 in at least 1 of 4 rows
(PMI: pointwise mutual information with a label, in bits; alike: others in exactly the same texts, not listed)

n-gram      alike  rows  label 1  % label 1  PMI label 1  PMI label 0  difference
----------  -----  ----  -------  ---------  -----------  -----------  ----------
A               1     3        0       0.00         -inf         0.42        -inf
A directly      7     2        0       0.00         -inf         0.42        -inf
A .             7     1        0       0.00         -inf         0.42        -inf
C               9     1        1     100.00         2.00         -inf         inf
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the default data set of four variables."""
    data_folder(tmp_path / "data/corr2cause", GenerationOptions(n=4), ("parquet", "jsonl"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_for_programs(folder: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    done = call("shortcuts", "--json", "--top", 3)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["rows", "positives", "min_count", "hypothesis", "premise", "leak"]
    assert (found["rows"], found["positives"], found["min_count"]) == (576, 54, 30)
    for field in ("hypothesis", "premise"):
        assert len(found[field]) == 3
        assert all(one["rows"] >= 30 for one in found[field])
    leak = found["leak"]
    best = leak["baselines"][leak["best"]]
    assert best["dev_f1"] == max(one["dev_f1"] or 0 for one in leak["baselines"].values())
    for above in ("majority", "always-yes"):
        assert leak[f"above_{above.replace('-', '_')}"]["f1"] == best["f1"] - leak["baselines"][above]["f1"]


def test_the_counts_are_those_of_the_rows(folder: Path) -> None:
    found = json.loads(call("shortcuts", "--json", "--no-leak", "--top", 1000, "--min-count", 100).stdout)
    rows = [json.loads(line) for line in (folder / "data/corr2cause/train.jsonl").read_text().splitlines()]
    (directly,) = (one for one in found["hypothesis"] if "directly causes" in one["ngrams"])
    holding = [one for one in rows if "directly causes" in one["hypothesis"]]
    assert (directly["rows"], directly["positives"]) == (len(holding), sum(one["label"] for one in holding))
    assert directly["pmi_positive"] == pytest.approx(
        math.log2((directly["positives"] / len(holding)) / (found["positives"] / len(rows)))
    )
    assert found["leak"] is None


def test_a_file_gives_the_ngrams_of_its_split(folder: Path) -> None:
    of_folder = json.loads(call("shortcuts", "--json", "--no-leak", "--split", "dev").stdout)
    done = call("shortcuts", "data/corr2cause/dev.jsonl", "--json")
    assert json.loads(done.stdout) == of_folder
    assert done.stderr == (
        "data/corr2cause/dev.jsonl: no leak score, since that takes the splits train, dev and test.\n"
    )


def test_tables_for_people(folder: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    done = call("shortcuts", "--top", 2)
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split("\n\n")
    assert len(parts) == 8
    assert "Leak on test: F1 of the best shortcut (on dev: bag-of-words)" in done.stdout
    assert [line.split()[0] for line in parts[-1].splitlines()[2:]] == ["majority", "always-yes"]


def test_infinite_differences_come_first(tmp_path: Path) -> None:
    claims = ["B directly causes A.", "A directly causes B.", "A directly causes B.", "D directly causes C."]
    rows = [row(id=str(k), hypothesis=claim, label=int("D" in claim)) for k, claim in enumerate(claims)]
    rows[3]["nli_label"] = "entailment"
    done = call("shortcuts", write_lines(tmp_path / "rows.jsonl", rows), "--min-count", 1, "--top", 4)
    assert done.stdout.split("\n\nN-grams of the premise")[0] + "\n" == TEXT


def test_without_the_extra_ngrams_can_be_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    done = call("shortcuts")
    assert (done.returncode, done.stdout) == (1, "")
    assert 'pip install "corr2cause[baselines]"' in done.stderr
    assert call("shortcuts", "--no-leak").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["nowhere"], 1, "nowhere: there is no such folder"),
        (["--split", "validation"], 1, "no rows in the split 'validation'"),
        (["data/corr2cause/test.jsonl", "--split", "test"], 2, "is one file and has no splits; leave the option out"),
        (["data/corr2cause/manifest.json"], 1, "no Corr2Cause rows are recognised here"),
        (["--top", "0"], 2, "--top"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_does_not_fit_is_told(arguments: list[str], code: int, expected: str) -> None:
    done = call("shortcuts", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert expected in done.stderr


def test_labels_that_are_all_alike_go_along_with_nothing(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", {"train": [row()], "test": [row(id="t")], "dev": [row(id="d")]})
    done = call("shortcuts", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "all labels are the same here" in done.stderr


@pytest.mark.parametrize(("rows", "least"), [(100, 30), (3001, 31)])
def test_the_least_count_grows_with_the_rows(tmp_path: Path, rows: int, least: int) -> None:
    lines = [f"p,{'A' if row < least else 'B'},{int(row == 0)}\n" for row in range(rows)]
    (tmp_path / "rows.csv").write_text("premise,hypothesis,label\n" + "".join(lines))
    found = json.loads(call("shortcuts", tmp_path / "rows.csv", "--json").stdout)
    assert found["min_count"] == least
    assert [(one["ngrams"], one["rows"]) for one in found["hypothesis"]] == [(["B"], rows - least), (["A"], least)]
