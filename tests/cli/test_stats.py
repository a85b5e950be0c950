"""`corr2cause stats` from the command line: what it prints, and how it fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corr2cause.checking.dataset_statistics import dataset_statistics
from corr2cause.checking.graph_statistics import graph_statistics
from corr2cause.cli.border import ErrorBorder
from corr2cause.cli.stats import stats
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from tests.checking.small_data import row, write_folder, write_lines

GRAPH_KEYS = [
    "n",
    "dags",
    "edges_per_dag",
    "classes",
    "dags_per_class",
    "members",
    "largest_class",
    "labelled_classes",
    "known_labelled_classes",
    "complete",
]
DATASET_KEYS = [
    "n",
    "samples",
    "train",
    "dev",
    "test",
    "reserve",
    "tokens_per_premise",
    "tokens_per_hypothesis",
    "positives",
    "positive_percent",
    "vocabulary",
    "duplicates",
    "premises",
    "premises_train",
    "premises_dev",
    "premises_test",
    "premises_reserve",
    "premises_shared_train_dev",
    "premises_shared_train_test",
    "premises_shared_dev_test",
]
RELATION_KEYS = [
    "n",
    "relation",
    "samples",
    "positives",
    "positive_percent",
    "entailment",
    "neutral",
    "contradiction",
]


TEXT = r"""
Graphs that there are, up to renaming of their nodes (labelled classes: the sum of n!/|Aut| over the classes; complete:
this equals the number of labelled Markov equivalence classes, OEIS A007984)

n  DAGs  edges per DAG  classes  DAGs per class  members  largest class  labelled classes  complete
-  ----  -------------  -------  --------------  -------  -------------  ----------------  --------
2     2           0.50        2            1.00        3              2                 2       yes
3     6           1.67        5            1.20       13              6                11       yes

Rows (a token is what the regular expression \w+|[^\w\s] matches)

n    samples  train  dev  test  reserve  tokens/premise  tokens/hypothesis  % positive  vocabulary
---  -------  -----  ---  ----  -------  --------------  -----------------  ----------  ----------
2          3      1    0     2        0            7.00               4.00        0.00          11
3          1      1    0     0        0            6.00               5.00      100.00           7
all        4      2    0     2        0            6.75               4.25       25.00          13

Distinct premises, in each split and in both of two (reserve shares its premises with dev and test by design), and rows
that repeat the premise and hypothesis of an earlier one

n    premises  train  dev  test  reserve  train & dev  train & test  dev & test  duplicate rows
---  --------  -----  ---  ----  -------  -----------  ------------  ----------  --------------
2           1      1    0     1        0            0             1           0               1
3           1      1    0     0        0            0             0           0               0
all         2      2    0     1        0            0             1           0               1

Labels by relation

relation        samples  positive  % positive  entailment  neutral  contradiction
--------------  -------  --------  ----------  ----------  -------  -------------
is_parent             3         0        0.00           0        2              1
is_ancestor           0         0           –           0        0              0
is_child              0         0           –           0        0              0
is_descendant         0         0           –           0        0              0
has_collider          1         1      100.00           1        0              0
has_confounder        0         0           –           0        0              0
"""

LATEX = r"""\begin{tabular}{rrrrrrrrr}
\toprule
n & DAGs & edges per DAG & classes & DAGs per class & members & largest class & labelled classes & complete \\
\midrule
2 & 2 & 0.50 & 2 & 1.00 & 3 & 2 & 2 & yes \\
3 & 6 & 1.67 & 5 & 1.20 & 13 & 6 & 11 & yes \\
\bottomrule
\end{tabular}

\begin{tabular}{lrrrrrrrrr}
\toprule
n & samples & train & dev & test & reserve & tokens/premise & tokens/hypothesis & \% positive & vocabulary \\
\midrule
2 & 3 & 1 & 0 & 2 & 0 & 7.00 & 4.00 & 0.00 & 11 \\
3 & 1 & 1 & 0 & 0 & 0 & 6.00 & 5.00 & 100.00 & 7 \\
all & 4 & 2 & 0 & 2 & 0 & 6.75 & 4.25 & 25.00 & 13 \\
\bottomrule
\end{tabular}
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(ErrorBorder("corr2cause", {"stats": stats}), ["stats", *map(str, arguments)])


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated data set of 2 to 4 variables."""
    folder = tmp_path_factory.mktemp("four")
    generate(GenerationOptions(n=4), Target(folder, ("parquet",)))
    return folder


def test_json_is_one_object_with_a_row_for_each_size(four: Path) -> None:
    result = run(four, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert list(found) == ["graphs", "dataset", "relations", "sampled", "tokeniser"]
    assert found["sampled"] == []
    assert [list(record) for record in found["graphs"]] == [GRAPH_KEYS] * 3
    assert [list(record) for record in found["dataset"]] == [DATASET_KEYS] * 4
    assert [list(record) for record in found["relations"]] == [RELATION_KEYS] * 24
    assert [record["n"] for record in found["graphs"]] == [2, 3, 4]
    assert [record["n"] for record in found["dataset"]] == [2, 3, 4, "all"]
    assert [record["samples"] for record in found["dataset"]] == [12, 90, 720, 822]
    assert [record["positives"] for record in found["dataset"]] == [0, 3, 55, 58]
    assert [record["labelled_classes"] for record in found["graphs"]] == [2, 11, 185]
    assert [record["complete"] for record in found["graphs"]] == [True] * 3
    assert found["tokeniser"] == r"\w+|[^\w\s]"


def test_json_says_what_the_library_says(four: Path) -> None:
    found = json.loads(run("--json", four).stdout)
    dataset = dataset_statistics(four)
    assert found["graphs"] == [record.to_json() for record in graph_statistics(dataset.sizes)]
    assert found["dataset"] == [record.to_json() for record in dataset.rows]
    assert found["relations"] == [record.to_json() for record in dataset.relations]


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    """Four rows of two and three variables in two splits, with everything to be seen in the tables."""
    entailed = {"label": 1, "nli_label": "entailment", "relation": "has_collider"}
    splits = {
        "train": [row(), row(premise="A, B, C.", num_variables=3, **entailed)],
        "test": [row(hypothesis="So?"), row(nli_label="contradiction")],
    }
    return write_folder(tmp_path / "data", splits)


def test_text_for_people(by_hand: Path) -> None:
    result = run(by_hand)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == TEXT.lstrip()


def test_latex_for_papers(by_hand: Path) -> None:
    result = run(by_hand, "--latex")
    assert result.exit_code == 0
    assert result.stdout == LATEX


def test_without_a_path_the_default_folder_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_folder(tmp_path / "data/corr2cause", {"test": [row()] * 3})
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("--json").stdout)["dataset"][-1]["samples"] == 3


def test_a_plain_file_has_no_splits(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [row(), row(num_variables=3)])
    found = json.loads(run("--json", path).stdout)
    assert [record["n"] for record in found["dataset"]] == [2, 3, "all"]
    assert [list(record) for record in found["dataset"]] == [DATASET_KEYS] * 3
    assert [found["dataset"][-1][key] for key in ("samples", "train", "premises_test")] == [2, None, None]
    assert run(path).stdout.count("–") > 10


def test_sizes_too_large_to_enumerate_are_counted_as_rows_only(tmp_path: Path) -> None:
    rows = [row(num_variables=n) for n in (8, 2, 0)]
    result = run("--json", write_lines(tmp_path / "rows.jsonl", rows))
    found = json.loads(result.stdout)
    assert [record["n"] for record in found["graphs"]] == [2]
    assert [record["n"] for record in found["dataset"]] == [0, 2, 8, "all"]
    assert "up to 7 variables" in result.stderr


def test_an_empty_file_is_counted_too(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [])
    for form in ([], ["--latex"], ["--json"]):
        assert run(path, *form).exit_code == 0
    found = json.loads(run(path, "--json").stdout)
    assert found["graphs"] == []
    assert found["dataset"][0]["tokens_per_premise"] is None


def _damage_parquet(folder: Path) -> Path:
    path = folder / "train.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    return folder


def _shorten(folder: Path) -> Path:
    path = folder / "train.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    return folder


def _remove_split(folder: Path) -> Path:
    (folder / "test.parquet").unlink()
    return folder


def _remove_manifest(folder: Path) -> Path:
    (folder / "manifest.json").unlink()
    return folder


def _damage_manifest(folder: Path) -> Path:
    (folder / "manifest.json").write_text("{")
    return folder


def _foreign_manifest(folder: Path) -> Path:
    (folder / "manifest.json").write_text('{"name": "something else"}')
    return folder


def _damaged_plain_file(folder: Path) -> Path:
    path = folder / "rows.parquet"
    path.write_bytes((folder / "train.parquet").read_bytes()[:500])
    return path


def _foreign_plain_file(folder: Path) -> Path:
    path = folder / "rows.csv"
    path.write_text("premise,hypothesis\nA,B\n")
    return path


def _three_way_file(folder: Path) -> Path:
    return write_lines(folder / "rows.jsonl", [row(label=2)])


@pytest.mark.parametrize(
    ("break_it", "expected"),
    [
        (lambda folder: folder / "nowhere", "nowhere: there is no such folder"),
        (_damage_parquet, "train.parquet: this does not match its manifest"),
        (_shorten, "train.parquet: this has "),
        (_remove_split, "test.parquet: this file of the data set is missing"),
        (_remove_manifest, "there is no manifest.json here"),
        (_damage_manifest, "manifest.json: the manifest is damaged"),
        (_foreign_manifest, "manifest.json: this manifest was not written by corr2cause"),
        (_damaged_plain_file, "rows.parquet: this Parquet file cannot be read"),
        (_foreign_plain_file, "rows.csv:1: this is not JSON"),
        (_three_way_file, "rows.jsonl:1: the column label says 2"),
    ],
)
def test_broken_input_is_told_in_one_line(tmp_path: Path, break_it: Callable[[Path], Path], expected: str) -> None:
    folder = write_folder(tmp_path / "data", {"train": [row()], "test": [row()]}, ("parquet",))
    result = run(break_it(folder))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert expected in result.stderr


def test_one_form_at_a_time(by_hand: Path) -> None:
    result = run(by_hand, "--json", "--latex")
    assert result.exit_code == 2
    assert "--json and --latex exclude each other" in result.stderr


def test_help_shows_an_example() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "corr2cause stats --json data/corr2cause/test.parquet" in result.stdout


def test_the_module_imports_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "pandas", "tqdm")
    script = f"import sys, corr2cause.cli.stats; print([module for module in {heavy} if module in sys.modules])"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
