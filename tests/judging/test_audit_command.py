"""`corr2cause audit`, from outside."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from corr2cause.dataset.options import GenerationOptions
from corr2cause.text.parsing import parse_premise
from corr2cause.text.verbalisation import verbalise_premise
from tests.cli.running import call
from tests.dataset.folders import data_folder
from tests.judging.texts import premise_of

FLIPPED = (0, 7, 40)
SHARED = next(
    (p / "shared/data/corr2cause" for p in Path(__file__).parents if (p / "shared/data/corr2cause").is_dir()), None
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> list[dict]:
    """Rows of four variables as `generate` wrote them, labelled under the default reading."""
    folder = data_folder(tmp_path_factory.mktemp("audited") / "data", GenerationOptions(n=4, min_n=4))
    return [json.loads(line) for line in (folder / "test.jsonl").read_text(encoding="utf-8").splitlines()]


def as_published(rows: list[dict], path: Path, line_end: str = "\r\n", mark: str = "") -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        out.write(mark)
        writer = csv.writer(out, lineterminator=line_end)
        writer.writerow(["input", "label", "num_variables", "template"])
        for row in rows:
            text = f"Premise: {row['premise']}\nHypothesis: {row['hypothesis']}"
            writer.writerow([text, row["label"], row["num_variables"], row["template"]])
    return path


def as_lines(rows: list[dict], path: Path) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def as_list(rows: list[dict], path: Path) -> Path:
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return path


def as_parquet(rows: list[dict], path: Path) -> Path:
    pd.DataFrame(rows).to_parquet(path, index=False)
    return path


def flipped(rows: list[dict]) -> list[dict]:
    return [{**row, "label": 1 - row["label"]} if k in FLIPPED else row for k, row in enumerate(rows)]


def audited(*arguments: object) -> list[dict]:
    done = call("audit", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


WRITERS = {
    "published": as_published,
    "published, unix": lambda rows, path: as_published(rows, path, "\n"),
    "published, with a byte order mark": lambda rows, path: as_published(rows, path, mark="\ufeff"),
    "lines": as_lines,
    "list": as_list,
    "parquet": as_parquet,
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_just_the_flipped_labels_disagree(rows, tmp_path, write):
    (found,) = audited(write(flipped(rows), tmp_path / "file"), "--reading", "direct")
    assert (found["rows"], found["parsed"], found["refused"]) == (len(rows), len(rows), 0)
    direct = found["readings"]["direct"]
    assert (direct["agree"], direct["disagree"]) == (len(rows) - len(FLIPPED), len(FLIPPED))
    assert direct["disagreements"] == [
        {
            "row": k,
            "given": 1 - rows[k]["label"],
            "derived": rows[k]["label"],
            "holds_in": rows[k]["holds_in"],
            "class_size": rows[k]["class_size"],
            "counterexample": rows[k]["counterexample"],
        }
        for k in FLIPPED
    ]


def test_every_reading_is_judged_and_the_best_named(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, reading="path"))
    (found,) = audited(folder / "train.jsonl")
    assert set(found["readings"]) == {"direct", "path", "ancestral"}
    assert found["readings"]["path"]["disagree"] == 0 < found["readings"]["direct"]["disagree"]
    assert found["best_readings"] == ["path"]
    assert "The reading that fits best: path." in call("audit", folder / "train.jsonl").stdout
    assert "fits best" not in call("audit", folder / "train.jsonl", "--reading", "path").stdout


def test_readings_that_fit_equally_well_are_all_named(rows, tmp_path):
    same = [row for row in rows if row["readings_agree"]]
    shown = call("audit", as_lines(same, tmp_path / "rows")).stdout
    assert "Readings that fit best, equally well: direct, path, ancestral.\n" in shown


def test_what_is_written_is_named_with_the_number_of_corrections(rows, tmp_path):
    file, copy, report = as_lines(flipped(rows), tmp_path / "rows"), tmp_path / "copy", tmp_path / "report"
    done = call("audit", file, "--reading", "direct", "--out", copy, "--report", report)
    assert done.stderr == f"{copy}: written; labels corrected: {len(FLIPPED)}.\n{report}: written.\n"


def test_every_table_says_what_it_shows(rows, tmp_path):
    shown = call("audit", as_lines(flipped(rows), tmp_path / "rows"), "--reading", "direct").stdout
    titles = [line for line in shown.splitlines() if line.endswith(":")]
    assert titles == [
        "By variables:",
        "By template:",
        "What disagrees:",
        "Labels of each template:",
        "Derived labels of claims that one variable causes another:",
        "The first that disagree (rows from 0):",
    ]


def test_three_way_labels_are_compared_three_way(rows, tmp_path):
    numbers = {"neutral": 0, "entailment": 1, "contradiction": 2}
    texts = [{"premise": row["premise"], "hypothesis": row["hypothesis"]} for row in rows]
    numbered = [{**t, "label": numbers[row["nli_label"]]} for t, row in zip(texts, rows, strict=True)]
    worded = [{**t, "relation": row["nli_label"]} for t, row in zip(texts, rows, strict=True)]
    for labelled in (numbered, worded):
        (found,) = audited(as_lines(labelled, tmp_path / "rows"), "--reading", "direct")
        assert found["readings"]["direct"]["disagree"] == 0
    contradicted = next(k for k, row in enumerate(rows) if row["nli_label"] == "contradiction")
    numbered[contradicted]["label"] = 0  # right as a binary label, wrong as a three-way one
    (found,) = audited(as_lines(numbered, tmp_path / "rows"), "--reading", "direct")
    assert [(one["row"], one["derived"]) for one in found["readings"]["direct"]["disagreements"]] == [
        (contradicted, "contradiction")
    ]


def test_what_has_no_label_is_told_apart(rows, tmp_path):
    chain = premise_of("A->B, B->C, C->D", "ABCD")
    cut = chain.replace(" A and D are independent given B and C.", "")
    unsatisfiable = chain.replace("A and C are independent given B.", "A and C are independent given D.")
    labelled = [
        {"premise": text, "hypothesis": "A directly causes B.", "label": 1}
        for text in (chain, cut, unsatisfiable, "Nothing is known.")
    ]
    (found,) = audited(as_lines(labelled, tmp_path / "rows"))
    assert [(one["row"], one["why"]) for one in found["undecided"]] == [
        (1, "incomplete"),
        (2, "unsatisfiable"),
        (3, "unreadable"),
    ]
    assert "A and D given B and C." in found["undecided"][0]["reason"]
    assert (found["refused"], found["parsed"]) == (1, 3)
    assert all(one["agree"] + one["disagree"] == 1 for one in found["readings"].values())
    shown = call("audit", tmp_path / "rows").stdout
    assert max(map(len, shown.splitlines())) < 160
    assert 'expected "Suppose there is a closed system of' in shown


@pytest.mark.parametrize("options", [{"premise": "minimal"}, {"premise": "symbolic"}, {"names": "words"}])
def test_other_styles_and_names_are_judged(tmp_path, options):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, **options))
    (found,) = audited(folder / "train.jsonl", "--reading", "direct")
    assert found["readings"]["direct"] == {"agree": 576, "disagree": 0, "disagreements": []}


def test_only_wrong_labels_are_corrected(rows, tmp_path):
    right, wrong = as_published(rows, tmp_path / "right.csv"), as_published(flipped(rows), tmp_path / "wrong.csv")
    assert call("audit", wrong, "--reading", "direct", "--out", tmp_path / "corrected.csv").returncode == 0
    assert (tmp_path / "corrected.csv").read_bytes() == right.read_bytes()
    assert wrong.read_bytes() != right.read_bytes()


def test_a_copy_over_the_file_itself_is_refused(rows, tmp_path):
    file = as_published(flipped(rows), tmp_path / "wrong.csv")
    before = file.read_bytes()
    done = call("audit", file, "--reading", "direct", "--out", file)
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert call("audit", file, "--out", tmp_path / "other.csv").returncode == 2  # which reading?


def test_the_report_has_a_line_for_each_disagreement(rows, tmp_path):
    file, report = as_lines(flipped(rows), tmp_path / "rows"), tmp_path / "report.jsonl"
    assert call("audit", file, "--reading", "direct", "--report", report).returncode == 0
    lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    assert [(line["file"], line["row"]) for line in lines] == [(str(file), k) for k in FLIPPED]
    assert [line["counterexample"] for line in lines] == [rows[k]["counterexample"] for k in FLIPPED]


def test_the_report_replaces_no_other_file(rows, tmp_path):
    file = as_lines(flipped(rows), tmp_path / "rows")
    before = file.read_bytes()
    assert call("audit", file, "--report", file).returncode == 2
    assert (
        call("audit", file, "--reading", "direct", "--out", tmp_path / "o", "--report", tmp_path / "o").returncode == 2
    )
    assert file.read_bytes() == before


def test_strict_exits_with_1_unless_all_is_right(rows, tmp_path):
    assert call("audit", "--strict", as_lines(rows, tmp_path / "right")).returncode == 0
    assert call("audit", "--strict", as_lines(flipped(rows), tmp_path / "wrong")).returncode == 1
    assert call("audit", as_lines(flipped(rows), tmp_path / "wrong")).returncode == 0
    nonsense = [{**rows[0], "premise": "Nothing is known."}]
    assert call("audit", "--strict", as_lines([*rows, *nonsense], tmp_path / "unreadable")).returncode == 1


def test_a_renamed_copy_of_a_premise_is_found(rows, tmp_path):
    premise, _ = parse_premise(rows[0]["premise"])
    renamed = verbalise_premise(type(premise)(("W", "X", "Y", "Z"), premise.correlations, premise.independences))
    one = as_lines(rows[:1], tmp_path / "one")
    other = as_lines([{**rows[0], "premise": renamed, "hypothesis": "W directly causes X."}], tmp_path / "other")
    line = call("audit", one, other).stdout.splitlines()[-1].split()
    assert line[-2:] == ["0", "1"]  # as they stand, up to renaming


def test_repeated_rows_and_opposite_labels_are_counted(rows, tmp_path):
    opposite = {**rows[1], "label": 1 - rows[1]["label"]}
    (found,) = audited(as_lines([*rows, rows[0], opposite], tmp_path / "rows"))
    assert (found["repeated_rows"], found["same_text_other_label"]) == (2, 1)


def test_batches_do_not_matter(rows, tmp_path):
    many = flipped(rows) + rows * 60
    (found,) = audited(as_lines(many, tmp_path / "rows"), "--reading", "direct")
    assert found["rows"] == len(many) > 4096
    assert [one["row"] for one in found["readings"]["direct"]["disagreements"]] == list(FLIPPED)


def test_ordered_names_leak_and_it_shows(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, names="ordered"))
    (found,) = audited(folder / "train.jsonl")
    assert found["alphabet"]["direct"]["later causes earlier"]["entailed"] == 0
    assert found["alphabet"]["direct"]["earlier causes later"]["entailed"] > 0


@pytest.mark.parametrize("content", [None, b"", b"\x00\x01\x02", b"a,b\n1,2\n"])
def test_what_is_no_such_file_is_one_line(tmp_path, content):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    done = call("audit", path)
    assert done.returncode in (1, 2)
    assert len(done.stderr.strip().splitlines()) == 1
    assert call("audit", tmp_path).returncode in (1, 2)


@pytest.mark.skipif(SHARED is None, reason="the sample of published rows is not beside this repository")
def test_the_published_sample_has_the_known_errors():
    """Under `path`, exactly the listed rows disagree, with the listed labels."""
    expected = json.loads((SHARED / "published_sample.expected.json").read_text())["rows"]
    (found,) = audited(SHARED / "published_sample.csv")
    wrong = found["readings"]["path"]["disagreements"]
    assert [(one["row"], one["given"], one["derived"]) for one in wrong] == [
        (one["row"], one["published"], one["path"]) for one in expected
    ]
    (found,) = audited(SHARED / "corr2causepp_sample.json")
    assert (found["refused"], found["undecided"], found["readings"]["direct"]["disagree"]) == (0, [], 0)


def test_a_file_without_labels_is_derived_and_disagrees_with_nothing(rows, tmp_path):
    texts = [{"premise": row["premise"], "hypothesis": row["hypothesis"]} for row in rows]
    (found,) = audited(as_lines(texts, tmp_path / "rows"))
    assert (found["parsed"], found["labels"]) == (len(rows), "none")
    assert all((one["agree"], one["disagree"]) == (0, 0) for one in found["readings"].values())
