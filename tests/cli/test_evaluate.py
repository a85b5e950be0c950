"""`corr2cause evaluate` from the command line: every form of output, and how it fails."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corr2cause.counts import Counts
from tests.checking.small_data import row, write_folder, write_lines
from tests.cli.running import call, environment, run

ENTAILED = {"label": 1, "nli_label": "entailment"}
LARGE = {"num_variables": 5, "n_edges": 6, "n_statements": 12, "class_size": 8}
ROWS = [
    row(id="a1", class_id="n2-a", **ENTAILED),
    row(id="a2", class_id="n2-a", relation="has_collider"),
    row(id="b1", class_id="n5-b", **LARGE, **ENTAILED),
    row(id="b2", class_id="n5-b", **LARGE, relation="has_collider", readings_agree=False),
    row(id="c1", class_id="n5-c", **LARGE),
    row(id="c2", class_id="n5-c", **LARGE, **ENTAILED, relation="has_collider"),
]
ORIGINAL = ["Yes.", "No.", "So: yes", "Answer: Yes", "I cannot say.", "no"]
PERTURBED = ["yes", "yes", "no", "yes", "neither", "yes"]

TEXT = """\
All rows (precision, recall and F1 of what follows; everything in per cent, with 95 % intervals over classes)

     rows  positives  classes  unreadable  precision  recall     F1  95 %            accuracy  95 %
---  ----  ---------  -------  ----------  ---------  ------  -----  --------------  --------  --------------
all     6          3        3           1      66.67   66.67  66.67  39.00 to 86.07     50.00  16.25 to 83.75

Answers by label

label            yes  no  unreadable
---------------  ---  --  ----------
follows            2   1           0
does not follow    1   1           1

By relation

relation      rows  positives  classes  unreadable  precision  recall      F1  95 %             accuracy  95 %
------------  ----  ---------  -------  ----------  ---------  ------  ------  ---------------  --------  ---------------
is_parent        3          2        3           1     100.00  100.00  100.00  97.50 to 100.00     66.67  32.50 to 100.00
has_collider     3          1        3           0       0.00    0.00    0.00  0.00 to 0.00        33.33  0.00 to 67.50

By variables

variables  rows  positives  classes  unreadable  precision  recall      F1  95 %           accuracy  95 %
---------  ----  ---------  -------  ----------  ---------  ------  ------  -------------  --------  -------------
2             2          1        1           0     100.00  100.00  100.00  –                100.00  –
5             4          2        2           1      50.00   50.00   50.00  0.00 to 66.67     25.00  0.00 to 50.00

By readings

readings  rows  positives  classes  unreadable  precision  recall     F1  95 %             accuracy  95 %
--------  ----  ---------  -------  ----------  ---------  ------  -----  ---------------  --------  ---------------
disagree     1          0        1           0          –       –      –  –                    0.00  –
agree        5          3        3           1     100.00   66.67  80.00  48.75 to 100.00     60.00  19.50 to 100.00

By difficulty

difficulty          rows  positives  classes  unreadable  precision  recall      F1  95 %           accuracy  95 %
------------------  ----  ---------  -------  ----------  ---------  ------  ------  -------------  --------  -------------
class_size 2           2          1        1           0     100.00  100.00  100.00  –                100.00  –
class_size 7-24        4          2        2           1      50.00   50.00   50.00  0.00 to 66.67     25.00  0.00 to 50.00
n_statements 0-9       2          1        1           0     100.00  100.00  100.00  –                100.00  –
n_statements 10-19     4          2        2           1      50.00   50.00   50.00  0.00 to 66.67     25.00  0.00 to 50.00
n_edges 0-4            2          1        1           0     100.00  100.00  100.00  –                100.00  –
n_edges 5-7            4          2        2           1      50.00   50.00   50.00  0.00 to 66.67     25.00  0.00 to 50.00

Robustness

metric     original  perturbed  difference  95 %
---------  --------  ---------  ----------  ---------------
precision     66.67      50.00      -16.67  -50.00 to 18.75
recall        66.67      66.67        0.00  -67.50 to 67.50
F1            66.67      57.14       -9.52  -46.93 to 37.32
accuracy      50.00      33.33      -16.67  -50.00 to 17.50

Robustness by relation (consistent: the same readable answer to both)

relation      rows  positives      F1  perturbed  difference  95 %             accuracy  perturbed  difference  consistent  95 %
------------  ----  ---------  ------  ---------  ----------  ---------------  --------  ---------  ----------  ----------  --------------
all              6          3   66.67      57.14       -9.52  -46.93 to 37.32     50.00      33.33      -16.67       33.33  16.25 to 50.00
is_parent        3          2  100.00      66.67      -33.33  -100.00 to 0.00     66.67      33.33      -33.33       33.33  0.00 to 67.50
has_collider     3          1    0.00      50.00       50.00  0.00 to 80.50       33.33      33.33        0.00       33.33  0.00 to 67.50
"""  # noqa: E501
LATEX = r"""% Robustness by relation (consistent: the same readable answer to both)
\begin{tabular}{lrrrrrlrrrrl}
\toprule
relation & rows & positives & F1 & perturbed & difference & 95 \% & accuracy & perturbed & difference & consistent & 95 \% \\
\midrule
all & 6 & 3 & 66.67 & 57.14 & -9.52 & -46.93 to 37.32 & 50.00 & 33.33 & -16.67 & 33.33 & 16.25 to 50.00 \\
is\_parent & 3 & 2 & 100.00 & 66.67 & -33.33 & -100.00 to 0.00 & 66.67 & 33.33 & -33.33 & 33.33 & 0.00 to 67.50 \\
has\_collider & 3 & 1 & 0.00 & 50.00 & 50.00 & 0.00 to 80.50 & 33.33 & 33.33 & 0.00 & 33.33 & 0.00 to 67.50 \\
\bottomrule
\end{tabular}
"""  # noqa: E501
CSV = """\
grouping,group,answers,against,n,n_positives,n_classes,n_unreadable,hits,false_alarms,misses,correct_rejections,unreadable_positives,unreadable_negatives,precision,precision_low,precision_high,recall,recall_low,recall_high,f1,f1_low,f1_high,accuracy,accuracy_low,accuracy_high,consistency,consistency_low,consistency_high
overall,all,original,,6,3,3,1,2,1,1,1,0,1,0.6666666666666666,0.48750000000000004,1.0,0.6666666666666666,0.325,1.0,0.6666666666666666,0.39000000000000007,0.8607142857142854,0.5,0.1625,0.8374999999999998,,,
overall,all,perturbed,perturbed,6,3,3,1,2,2,1,0,0,1,0.5,0.24375000000000002,0.7562499999999996,0.6666666666666666,0.325,1.0,0.5714285714285714,0.2785714285714286,0.8607142857142854,0.3333333333333333,0.1625,0.5,,,
overall,all,difference,perturbed,6,3,3,,,,,,,,-0.16666666666666663,-0.5,0.18749999999999878,0.0,-0.675,0.6749999999999996,-0.09523809523809523,-0.4693452380952381,0.3732142857142848,-0.16666666666666669,-0.5,0.17499999999999954,0.3333333333333333,0.1625,0.5
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data and two files of answers, which is the working folder."""
    write_folder(tmp_path / "data", {"test": ROWS, "dev": [row(id="d", class_id="d")]})
    for name, answers in (("original", ORIGINAL), ("perturbed", PERTURBED)):
        rows = [{"id": one["id"], "response": answer} for one, answer in zip(ROWS, answers, strict=True)]
        write_lines(tmp_path / f"{name}.jsonl", rows[::-1])
    monkeypatch.chdir(tmp_path)
    return tmp_path


PAIR = ("evaluate", "original.jsonl", "--data", "data", "--against", "perturbed.jsonl", "--replicates", 40)


@pytest.mark.usefixtures("folder")
def test_text_for_people() -> None:
    done = call(*PAIR)
    assert done.returncode == 0
    assert done.stdout == TEXT
    assert re.search(r"\d to -?\d", done.stdout)
    assert done.stderr.splitlines() == [
        "original.jsonl: answers from the column response, by id.",
        "perturbed.jsonl: answers from the column response, by id.",
    ]


@pytest.mark.usefixtures("folder")
def test_latex_for_papers() -> None:
    assert call(*PAIR, "--latex").stdout.split("\n\n")[-1] == LATEX
    alone = call("evaluate", "original.jsonl", "--data", "data", "--latex").stdout
    assert alone.count(r"\begin{tabular}") == alone.count(r"\bottomrule") == 6


@pytest.mark.usefixtures("folder")
def test_csv_has_a_line_for_each_group() -> None:
    printed = call(*PAIR, "--csv").stdout
    assert "".join(printed.splitlines(keepends=True)[:4]) == CSV
    lines = list(csv.DictReader(io.StringIO(printed)))
    assert [line["answers"] for line in lines].count("original") == len(lines) - 2 * 3
    found = json.loads(call(*PAIR, "--json").stdout)
    for line in lines:
        if line["answers"] == "difference":
            continue
        side = found if line["answers"] == "original" else found["robustness"]
        score = side[line["grouping"]] if line["group"] == "all" else side[line["grouping"]][line["group"]]
        score = score.get(line["answers"], score)
        for key in ("precision", "recall", "f1", "accuracy", "n", "n_positives", "n_unreadable", "n_classes"):
            assert float(line[key]) == score[key]
            if bounds := (score["intervals"] or {}).get(key):
                assert [float(line[f"{key}_low"]), float(line[f"{key}_high"])] == bounds


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("a/words.csv", "b/reorder.csv"), ["words", "reorder"]),
        (("words/test.csv", "reorder/test.csv"), ["words", "reorder"]),
        (("one/x/a.csv", "two/x/b.csv", "two/y/a.csv"), ["x/a", "x/b", "y/a"]),
        (("one/x/a.csv", "two/x/a.csv"), ["one/x/a.csv", "two/x/a.csv"]),
    ],
)
def test_each_perturbed_file_is_compared_and_named(folder: Path, paths: tuple[str, ...], names: list[str]) -> None:
    answers = {path: (folder / "perturbed.jsonl").read_text() for path in paths}
    answers[paths[-1]] = (folder / "original.jsonl").read_text()
    for path, text in answers.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    several = ("evaluate", "original.jsonl", "--data", "data", "--replicates", 40)
    several += tuple(word for path in paths for word in ("--against", path))
    found = json.loads(call(*several, "--json").stdout)
    alone = json.loads(call(*PAIR, "--json").stdout)
    assert "robustness" not in found
    assert list(found["robustness_by_file"]) == names
    assert found["robustness_by_file"][names[0]] == alone["robustness"]
    assert found["robustness_by_file"][names[-1]]["overall"]["difference"]["f1"] == 0
    lines = list(csv.DictReader(io.StringIO(call(*several, "--csv").stdout)))
    for name in names:
        mine = [line for line in lines if line["against"] == name]
        assert [line["answers"] for line in mine] == ["perturbed", "difference"] * 3
    printed = call(*several).stdout
    latex = call(*several, "--latex").stdout
    for name in names:
        assert f"\n\nRobustness against {name}\n\n" in printed
        assert f"\n\n% Robustness against {name}\n\\begin{{tabular}}" in latex
    together = printed.split("\n\nRobustness of all rows (consistent: the same readable answer to both)\n\n")[1]
    _, _, *told = together.split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in told] == names
    assert "Robustness of all rows" not in call(*PAIR).stdout
    for name, line in zip(names, told, strict=True):  # the same figures as where the file stands alone
        own = printed.split(f"Robustness by relation against {name} (")[1].split("\n\n")[1].splitlines()[2]
        assert line.split()[1:] == own.split()[1:]


@pytest.mark.usefixtures("folder")
def test_a_file_is_compared_once() -> None:
    done = call(*PAIR, "--against", "./perturbed.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: --against: perturbed.jsonl is given twice; leave one out\n"


def test_where_nothing_follows_a_dash_stands_for_f1(folder: Path) -> None:
    rows = [row(id=f"{k}", class_id=f"{k}") for k in range(3)]
    write_lines(folder / "negatives.jsonl", rows)
    write_lines(folder / "answers.jsonl", [{"id": one["id"], "prediction": 0} for one in rows])
    asked = ("evaluate", "answers.jsonl", "--data", "negatives.jsonl")
    cells = call(*asked).stdout.splitlines()[4].split()
    assert cells == ["all", "3", "0", "3", "0", "–", "–", "–", "–", "100.00", "100.00", "to", "100.00"]
    assert json.loads(call(*asked, "--json").stdout)["overall"]["f1"] == 0.0
    changed = call(*asked, "--against", "negatives.jsonl")
    assert ["F1", "–", "–", "–", "–"] in [line.split() for line in changed.stdout.splitlines()]


@pytest.mark.usefixtures("folder")
def test_json_for_programs() -> None:
    alone = json.loads(call("evaluate", "original.jsonl", "--data", "data", "--json").stdout)
    assert list(alone) == ["overall", "by_relation", "by_n", "by_reading_agreement", "by_difficulty"]
    overall = alone["overall"]
    assert [overall[key] for key in ("precision", "recall", "accuracy")] == [2 / 3, 2 / 3, 0.5]
    assert (overall["n"], overall["n_unreadable"], overall["n_positives"], overall["n_classes"]) == (6, 1, 3, 3)
    assert Counts(**overall["confusion"]) == Counts(2, 1, 1, 1, 0, 1)
    assert alone["by_n"]["2"]["accuracy"] == 1.0
    assert alone["by_n"]["2"]["intervals"] is None
    assert {name: score["n"] for name, score in alone["by_relation"].items()} == {"is_parent": 3, "has_collider": 3}
    both = json.loads(call(*PAIR, "--json").stdout)
    assert list(both["robustness"]) == ["overall", "by_relation"]
    assert both["robustness"]["overall"]["consistency"] == 2 / 6


@pytest.mark.usefixtures("folder")
def test_the_same_bytes_in_any_process_and_other_ones_for_another_seed() -> None:
    first, second = (run(*PAIR, "--json", PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.returncode == 0
    assert first.stdout == second.stdout == call(*PAIR, "--json").stdout
    other = json.loads(call(*PAIR, "--json", "--seed", 1).stdout)
    assert other["overall"]["intervals"] != json.loads(first.stdout)["overall"]["intervals"]
    assert other["overall"]["confusion"] == json.loads(first.stdout)["overall"]["confusion"]


@pytest.mark.usefixtures("folder")
def test_without_replicates_there_are_no_intervals() -> None:
    done = call(*PAIR, "--replicates", 0)
    assert done.returncode == 0
    assert not re.search(r"\d to -?\d", done.stdout)
    assert json.loads(call(*PAIR, "--json", "--replicates", 0).stdout)["overall"]["intervals"] is None


def test_our_own_rows_answer_themselves(folder: Path) -> None:
    found = json.loads(call("evaluate", "data/test.jsonl", "--data", "data/test.jsonl", "--json").stdout)
    assert [found["overall"][key] for key in ("precision", "recall", "f1", "accuracy")] == [1.0] * 4
    alike = json.loads(
        call("evaluate", "data/test.jsonl", "--data", "data", "--answer-column", "nli_label", "--json").stdout
    )
    assert alike == found


def test_answers_in_the_order_of_the_rows_are_said_aloud(folder: Path) -> None:
    write_lines(folder / "plain", [{"prediction": answer} for answer in ORIGINAL])
    done = call("evaluate", "plain", "--data", "data", "--json")
    assert done.stderr == (
        "plain: answers from the column prediction, in the order of the rows, since there is no column id.\n"
    )
    assert done.stdout == call("evaluate", "original.jsonl", "--data", "data", "--json").stdout


def test_partial_answers_are_counted_aloud(folder: Path) -> None:
    write_lines(folder / "some", [{"id": name, "prediction": 1} for name in ("a1", "d", "a2")])
    done = call("evaluate", "some", "--data", "data", "--partial", "--json")
    assert json.loads(done.stdout)["overall"]["n"] == 2
    assert done.stderr.splitlines() == [
        "some: answers from the column prediction, by id; passed over: 1 about rows that are not in the data.",
        "2 of 6 rows have an answer and are scored.",
    ]


@pytest.mark.usefixtures("folder")
def test_any_split_can_be_scored() -> None:
    done = call("evaluate", "data/dev.jsonl", "--data", "data", "--split", "dev", "--json")
    assert json.loads(done.stdout)["overall"]["n"] == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["data/dev.jsonl"], "data/dev.jsonl:1: the id 'd' is not in the data; is this about another split?"),
        (["original.jsonl", "--split", "dev"], "original.jsonl:1: the id 'c2' (and 5 more) is not in the data"),
        (["original.jsonl", "--split", "dev", "--partial"], "original.jsonl: none of its ids is in the data"),
        (["original.jsonl", "--split", "train"], "data: this data set has no rows in the split 'train'"),
        (["nowhere.csv"], "nowhere.csv: there is no such file"),
        (["original.jsonl", "--data", "nowhere"], "nowhere"),
        (["original.jsonl", "--answer-column", "reply"], "with the column reply; found the columns id, response"),
        (["original.jsonl", "--against", "data/dev.jsonl"], "data/dev.jsonl:1: the id 'd' is not in the data"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_does_not_fit_is_told_in_one_line(arguments: list[str], expected: str) -> None:
    done = run("evaluate", "--data", "data", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert expected in done.stderr


@pytest.mark.usefixtures("folder")
def test_one_form_at_a_time() -> None:
    done = call(*PAIR, "--json", "--csv")
    assert done.returncode == 2
    assert "exclude each other" in done.stderr


def test_the_modules_import_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "pandas", "tqdm")
    script = f"import sys, corr2cause.cli.evaluate; print([module for module in {heavy} if module in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.usefixtures("folder")
def test_a_file_has_no_splits() -> None:
    done = call("evaluate", "original.jsonl", "--data", "data/test.jsonl", "--split", "test")
    assert done.returncode == 2
    assert done.stderr == "Error: --split: data/test.jsonl is one file and has no splits; leave the option out\n"
