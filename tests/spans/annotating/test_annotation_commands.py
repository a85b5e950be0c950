"""The commands of annotation: what they print, write and refuse, and their exit codes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from corr2cause.spans.annotating.store import Store
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.rows import Pair, Row
from tests.cli.running import call
from tests.spans.annotating.annotations import ANN, write_both, write_rows


def spans(*words: object):
    return call("spans", *words)


@pytest.fixture
def both(tmp_path):
    return write_both(tmp_path)


@pytest.fixture
def db(both, tmp_path):
    assert spans("queue", *both, "--db", tmp_path / "d.db").returncode == 0
    return tmp_path / "d.db"


def decisions(path, *lines: dict[str, object]):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


EVERYTHING = (
    {"s/n": 1, "item": 0, "action": "accept-1"},
    {"s/n": 1, "item": 1, "action": "accept-2", "author": "adam"},
    {"s/n": 1, "item": 2, "action": "drop", "reason": "vague span"},
    {"s/n": "2", "item": 0, "action": "accept-1"},
    {"s/n": 4, "item": 0, "action": "drop", "reason": "hedged"},
    {"s/n": 6, "item": 0, "action": "accept-2"},
)


def test_batches(both, tmp_path):
    done = spans("batches", both[0], "--annotators", "ann, bob,cid", "--out", tmp_path / "b", "--size", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[2:] == [
        "ann              2     4  bob (1), cid (1)",
        "bob              2     4  ann (1), cid (1)",
        "cid              2     4  ann (1), bob (1)",
    ]
    again = spans("batches", both[0], "--annotators", "ann,bob", "--out", tmp_path / "b")
    assert (again.returncode, "may be annotated" in again.stderr) == (1, True)
    alone = spans("batches", both[0], "--annotators", "ann", "--out", tmp_path / "c")
    assert (alone.returncode, "name at least two" in alone.stderr) == (2, True)


def test_qualify(both):
    done = spans("qualify", both[1], "--gold", both[0], "--mark", 0.75)
    assert done.stdout.splitlines()[2].split() == ["bob", "0.75", "0.78", "0.75", "0.76", "yes"]
    found = json.loads(spans("qualify", *both, "--gold", both[0], "--json").stdout)
    assert [(one["annotator"], one["passed"]) for one in found["applicants"]] == [("ann", True), ("bob", True)]


def test_qualify_tells_missing_rows(tmp_path, both):
    few = write_rows(tmp_path / "cid.jsonl", ANN[:2])
    assert spans("qualify", few, "--gold", both[0]).stderr == "cid: 4 of 6 rows are not annotated\n"


def test_quality(both, tmp_path):
    done = spans("quality", *both)
    assert done.returncode == 0
    assert done.stdout.splitlines()[2].split() == ["ann", "6", "0", "5", "5", "0", "2", "20.00"]
    found = json.loads(spans("quality", *both, "--json", "--replicates", 20).stdout)
    assert found["rows_of_two"] == 6
    ann = found["annotators"][0]
    assert (ann["median_seconds"], ann["agreement"]["detection"]["raw"], ann["disputes"]["verdict"]) == (20, 4 / 6, 2)
    assert ann["agreement"]["cause"]["interval"]


def test_quality_of_batches_that_are_half_done(both, tmp_path):
    spans("batches", both[0], "--annotators", "ann,bob", "--out", tmp_path / "b", "--size", 3)
    mine = read_corpus(tmp_path / "b/ann/batch-001.jsonl").rows
    write_rows(tmp_path / "b/ann/batch-001.jsonl", [replace(mine[0], label=False), *mine[1:]])
    done = spans(
        "quality", tmp_path / "b/ann", tmp_path / "b/bob", "--manifest", tmp_path / "b/manifest.json", "--json"
    )
    missing = [one["missing_rows"] for one in json.loads(done.stdout)["annotators"]]
    assert missing == [5, 6]


def test_queue(both, tmp_path):
    done = spans("queue", *both)
    assert done.stdout.startswith("4 of 6 rows are in dispute, with 6 pairs or verdicts to decide.\n")
    found = json.loads(spans("queue", *both, "--json").stdout)
    assert [row["s/n"] for row in found["queue"]] == ["1", "2", "4", "6"]
    assert found["disputes"]["unmatched"] == 2


def test_queue_tells_rows_that_it_leaves_out(both, tmp_path):
    few = write_rows(tmp_path / "cid.jsonl", ANN[:2])
    done = spans("queue", both[0], few)
    assert done.stderr == "4 rows have one annotator only and are left out (ids 3, 4, 5, 6)\n"
    assert done.stdout == "0 of 2 rows are in dispute, with 0 pairs or verdicts to decide.\n"
    assert spans("queue", both[0]).returncode == 2


def test_queue_never_replaces_decisions(both, db):
    done = spans("queue", *both, "--db", db)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "maybe with decisions" in done.stderr


def test_from_decisions_to_corpus_and_log(db, tmp_path):
    out, log = tmp_path / "corpus.json", tmp_path / "log.jsonl"
    done = spans("outcome", "--db", db, "--out", out)
    assert (done.returncode, out.exists()) == (1, False)
    assert "4 rows wait for a decision" in done.stderr
    done = spans("decide", decisions(tmp_path / "d.jsonl", *EVERYTHING), "--db", db, "--author", "eve")
    assert done.stdout == f"{db}: 6 decisions taken\n"
    done = spans("outcome", "--db", db, "--out", out, "--log", log)
    assert (done.returncode, done.stderr) == (0, "Left out: rows without a whole pair: 3\nLeft out: sources: 1\n")
    assert done.stdout == f"{out}: 3 rows; waiting for a decision: 0 (2 accept-1, 2 accept-2, 1 agreed, 2 drop)\n"
    assert [(row.id, len(row.pairs)) for row in read_corpus(out).rows] == [("1", 2), ("2", 1), ("5", 1)]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["author"] for line in lines] == ["eve", "adam", "eve", "eve", "eve", "eve"]
    assert (lines[2]["reason"], lines[2]["first"], lines[2]["second"]["cause"]) == ("vague span", None, "Poor sleepers")


def test_an_unfinished_outcome(db, tmp_path):
    spans("decide", decisions(tmp_path / "d.jsonl", *EVERYTHING[3:]), "--db", db)
    out = tmp_path / "corpus.jsonl"
    done = spans("outcome", "--db", db, "--out", out, "--to", "release", "--unfinished", "--json")
    found = json.loads(done.stdout)
    assert (found["settled"], found["open"], found["written"]) == (5, ["1"], 5)
    assert [(row.id, row.label) for row in read_corpus(out).rows] == [
        ("2", True), ("3", False), ("4", False), ("5", True), ("6", False),
    ]  # fmt: skip
    assert read_corpus(out).rows[0].source == "4711"
    assert spans("outcome", "--db", db, "--out", out, "--unfinished").returncode == 1  # it is there
    assert spans("outcome", "--db", db, "--out", db, "--unfinished", "--force").returncode == 2


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"item": 0, "action": "accept-1"}, "s/n is missing"),
        ({"s/n": 1, "item": 0, "action": "burn"}, "action is 'burn'; choose from accept-1"),
        ({"s/n": 1, "action": "accept-1"}, "item is None"),
        ({"s/n": 1, "item": 0, "action": "drop", "reason": 3}, "reason is 3"),
        ({"s/n": 1, "item": 0, "action": "edit", "pair": {"cause": "x"}}, "pair is {'cause': 'x'}"),
        ({"s/n": 1, "item": 0, "action": "drop"}, "only with a reason"),
        ({"s/n": 1, "item": 0, "action": "drop", "reason": "\ud800"}, "half a character"),
        ({"s/n": 1, "item": 1, "action": "reopen"}, "nothing was decided that could be reopened"),
        ({"s/n": 99, "item": 0, "action": "accept-1"}, "there is no row 99"),
    ],
)
def test_decisions_that_make_no_sense(db, tmp_path, line, problem):
    file = decisions(tmp_path / "d.jsonl", EVERYTHING[0], line)
    done = spans("decide", file, "--db", db)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"{file}:2: " in done.stderr
    assert problem in done.stderr


@pytest.mark.parametrize("author", ["", "  ", "a\nb", "\udcff"])
def test_authors_that_a_log_cannot_name(db, tmp_path, author):
    done = spans("decide", decisions(tmp_path / "d.jsonl", *EVERYTHING), "--db", db, "--author", author)
    assert (done.returncode, "give a name" in done.stderr) == (2, True)
    odd = {"s/n": 2, "item": 0, "action": "accept-1", "author": author}
    assert spans("decide", decisions(tmp_path / "d.jsonl", odd), "--db", db, "--author", "eve").returncode == 0
    assert [one.author for one in Store(db).log()] == ["eve"]


@pytest.mark.parametrize("command", ["adjudicate", "decide", "outcome"])
def test_no_file_of_adjudication(both, tmp_path, command):
    words = {"decide": [both[0]], "outcome": ["--out", tmp_path / "out.json"]}.get(command, [])
    for file, problem in ((tmp_path / "none.db", "there is no such file"), (both[0], "cannot be used")):
        done = spans(command, *words, "--db", file)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert problem in done.stderr


def test_label_studio_there_and_back(both, tmp_path):
    done = spans("label-studio", "export", both[0], "--out", tmp_path / "studio")
    assert done.stdout == (f"{tmp_path / 'studio'}: tasks: 6, pairs: 5\n")
    assert (tmp_path / "studio/config.xml").read_text().startswith("<View>")
    tasks = tmp_path / "studio/tasks.json"
    done = spans("label-studio", "import", tasks, "--predictions", "--out", tmp_path / "back")
    assert done.stdout.splitlines()[-1] == "6 tasks; 0 without an annotation, 0 were skipped"
    back = read_corpus(tmp_path / "back/predictions.jsonl").rows
    assert [row.pairs for row in back] == [row.pairs for row in ANN]
    assert spans("label-studio", "import", tasks, "--predictions", "--out", tmp_path / "back").returncode == 1
    found = json.loads(spans("label-studio", "import", tasks, "--out", tmp_path / "none", "--json").stdout)
    assert (found["open"], found["files"]) == (6, {})


def test_label_studio_tells_what_it_cannot_mark(tmp_path, both):
    rows = [Row(str(n), "Frost cracks roads", (Pair("snow", "roads", "Explicit", "Intra"),)) for n in range(12)]
    file = write_rows(tmp_path / "rows.jsonl", rows)
    done = spans("label-studio", "export", file, "--out", tmp_path / "studio")
    assert done.stderr.splitlines()[0] == "row 0: snow -> roads: cause not found in the text"
    assert done.stderr.splitlines()[-1] == "… and 2 more; --json lists all"
    assert "0 of them marked in other words, 12 not marked" in done.stdout
    done = spans("label-studio", "export", file, "--out", tmp_path / "studio", "--force", "--json")
    assert len(json.loads(done.stdout)["unplaced"]) == 12


def test_annotators_with_odd_names_get_files_of_their_own(tmp_path):
    data = {"row_id": "1", "text": "x", "source": "", "unplaced": ""}
    names = ["../../etc/x", ".._.._etc_x", "a b", "A_b"]
    tasks = [{"data": data, "annotations": [{"completed_by": name, "result": []} for name in names]}]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    done = spans("label-studio", "import", tmp_path / "tasks.json", "--out", tmp_path / "out")
    assert done.returncode == 0
    files = sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix == ".jsonl")
    assert files == sorted(["_.._etc_x.jsonl", "_.._etc_x-2.jsonl", "a_b.jsonl", "A_b-2.jsonl"])


def test_the_batches_of_an_annotator_become_one_file_of_tasks(both, tmp_path):
    spans("batches", both[0], "--annotators", "ann,bob", "--out", tmp_path / "b", "--size", 4)
    done = spans("label-studio", "export", tmp_path / "b/ann", "--out", tmp_path / "studio")
    assert (done.returncode, done.stderr) == (0, "")
    tasks = json.loads((tmp_path / "studio/tasks.json").read_text())
    assert sorted(task["data"]["row_id"] for task in tasks) == ["1", "2", "3", "4", "5", "6"]


def test_a_queue_of_what_nobody_annotated_makes_no_file(both, tmp_path):
    """An empty one would stand in the way of the queue that is meant."""
    spans("batches", both[0], "--annotators", "ann,bob", "--out", tmp_path / "b")
    done = spans("queue", tmp_path / "b/ann", tmp_path / "b/bob", "--db", tmp_path / "q.db")
    assert (done.returncode, "no row was annotated by two of them" in done.stderr) == (2, True)
    assert not (tmp_path / "q.db").exists()


def test_the_log_does_not_replace_the_corpus(db, tmp_path):
    out = tmp_path / "out.json"
    done = call("spans", "outcome", "--db", db, "--out", out, "--log", out, "--unfinished")
    assert (done.returncode, out.exists()) == (2, False)
    assert "--log: " in done.stderr
