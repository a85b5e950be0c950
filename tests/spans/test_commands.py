"""`corr2cause spans …` from the command line: what it prints, writes and refuses, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.formats.writing import converted, write_corpus
from corr2cause.spans.pubmed.entrez import API_KEY
from corr2cause.spans.rows import Pair, Row
from tests.cli.running import call, run
from tests.spans.corpus import ROWS, raw_record, write
from tests.spans.pubmed_files import article, article_set, served
from tests.spans.test_fetching import pubmed


@pytest.fixture
def corpus(tmp_path) -> Path:
    write_corpus(tmp_path / "corpus.jsonl", converted(ROWS, "release").rows, "release")
    return tmp_path / "corpus.jsonl"


def spans(*words: object):
    return call("spans", *words)


def test_convert_writes_and_tells_what_is_left_out(corpus, tmp_path):
    done = spans("convert", corpus, tmp_path / "out.json", "--to", "extraction")
    assert (done.returncode, done.stderr) == (0, "Left out: rows without a whole pair: 1\n")
    assert done.stdout == f"{tmp_path / 'out.json'}: 3 of 4 rows, from release to extraction\n"
    assert [row.id for row in read_corpus(tmp_path / "out.json").rows] == ["1", "2", "3"]


def test_convert_repairs_when_asked_and_shows_each_repair(tmp_path):
    """Flaw 15, from the command line."""
    records = [raw_record(7, "Frost causes cracks", ("Frost", "cracks", "", "Explcit"))]
    file, out = write(tmp_path / "raw.json", records), tmp_path / "out.json"
    done = spans("convert", file, out, "--to", "extraction", "--repair")
    assert done.stderr.splitlines() == [
        "Row 7, pair 0: causality 'Explcit' is now Explicit",
        "Row 7, pair 0: sententiality '' is left as it is: nobody can say what was meant",
        "Labels: 1 repaired, 1 left",
    ]
    assert read_corpus(out).rows[0].pairs == (Pair("Frost", "cracks", "Explicit", ""),)
    done = spans("convert", file, out, "--to", "extraction", "--json", "--force")
    assert json.loads(done.stdout)["repairs"] == []
    assert read_corpus(out).rows[0].pairs[0].causality == "Explcit"


def test_convert_replaces_nothing_unasked(corpus, tmp_path):
    (tmp_path / "there.json").write_text("mine")
    for target, code, problem in (
        ("there.json", 1, "this is there already; use --force"),
        ("corpus.jsonl", 2, "would replace what is read"),
    ):
        done = spans("convert", corpus, tmp_path / target, "--to", "raw")
        assert done.returncode == code
        assert problem in done.stderr
    assert (tmp_path / "there.json").read_text() == "mine"
    assert spans("convert", corpus, tmp_path / "there.json", "--to", "raw", "--force").returncode == 0


def test_any_table_can_be_read_with_named_columns(tmp_path):
    table = write(tmp_path / "t.csv", "Gene,Disease,Passage,Year\nABC,ague,ABC causes ague,1999\n")
    columns = "text=Passage,cause=Gene,effect=Disease"
    done = spans("convert", table, tmp_path / "o.jsonl", "--to", "release", "--columns", columns)
    assert (done.returncode, done.stderr) == (0, f"{table}: not read: Year (1 row)\n")
    done = spans("stats", table, "--columns", "Passage")
    assert (done.returncode, "is not ROLE=NAME" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["validate", "align", "stats", "leakage"])
def test_damage_is_one_line_with_file_and_row(tmp_path, command):
    file = write(tmp_path / "bad.json", [{"s/n": 1, "sentence": "x", "pairs": "oops"}])
    done = run("spans", command, file)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {file}:1: pairs is 'oops'")
    assert done.stderr.count("\n") == 1


def test_validate_is_one_for_errors_only(corpus, tmp_path):
    assert spans("validate", corpus).returncode == 0
    row = Row("9", "Frost may cause cracks", (Pair("Frost", "cracks", "Explicit", "Intra"), Pair("Frost", "")))
    write_corpus(tmp_path / "bad.json", [row], "raw")
    done = spans("validate", tmp_path / "bad.json")
    assert done.returncode == 1
    assert f"{tmp_path / 'bad.json'}:1: error: row 9, pair 1: the effect is blank [half-pair]" in done.stdout
    assert "hedged" in done.stdout
    assert "hedged" not in spans("validate", tmp_path / "bad.json", "--errors").stdout
    only = spans("validate", tmp_path / "bad.json", "--rule", "hedged", "--json")
    found = json.loads(only.stdout)
    assert (only.returncode, found["rules"], found["errors"]) == (1, {"hedged": 1}, 0)
    assert found["findings"][0] == {
        "rule": "hedged", "severity": "warning", "row": "9", "place": 1, "pair": 0,
        "message": "'may cause' presents the link as uncertain",
    }  # fmt: skip
    assert spans("validate", corpus, "--rule", "nonsense").returncode == 2


def test_align_counts_and_shows_places(corpus):
    assert spans("align", corpus).stdout == (
        "status    causes  effects\n--------  ------  -------\nexact          4        4\ncasefold       0        0\n"
        "fuzzy          0        0\nnone           0        0\n"
    )
    first = json.loads(spans("align", corpus, "--json").stdout.splitlines()[0])
    assert first == {
        "row": "1", "pair": 0, "side": "cause", "span": "Long frost", "status": "exact", "places": [[0, 10]],
        "score": 1.0,
    }  # fmt: skip


def test_stats_shows_tables_and_json(corpus, tmp_path):
    shown = spans("stats", corpus).stdout
    assert "single pair rows       2" in shown
    assert "Explicit   Intra              3  75.00" in shown
    assert json.loads(spans("stats", corpus, "--json").stdout)["pairs"] == 4
    pytest.importorskip("matplotlib")
    assert spans("stats", corpus, "--plot", tmp_path / "f.svg").returncode == 0
    assert "<svg" in (tmp_path / "f.svg").read_text()
    assert spans("stats", corpus, "--plot", tmp_path / "f.svg").returncode == 1


def test_split_writes_parts_and_indices(tmp_path):
    rows = [Row(str(k), f"Text {k}", (Pair("a", "b", "Explicit", "Intra"),) * (k % 3)) for k in range(30)]
    write_corpus(tmp_path / "raw.json", rows, "raw")
    done = spans("split", tmp_path / "raw.json", "--task", "detection", "--validation", 5, "--out", tmp_path / "d")
    assert done.returncode == 0, done.stderr
    index = json.loads((tmp_path / "d/indices.json").read_text())
    assert {name: len(ids) for name, ids in index["splits"].items()} == {"train": 15, "test": 15, "validation": 5}
    assert [row.id for row in read_corpus(tmp_path / "d/detection_test.json").rows] == index["splits"]["test"]
    assert set(index["splits"]["validation"]) < set(index["splits"]["test"])
    again = spans("split", tmp_path / "raw.json", "--task", "detection", "--out", tmp_path / "d")
    assert (again.returncode, "use --force to replace it" in again.stderr) == (1, True)
    words = ("--task", "extraction", "--profile", "released", "--out", tmp_path / "e")
    assert spans("split", tmp_path / "raw.json", *words).returncode == 0
    index = json.loads((tmp_path / "e/indices.json").read_text())
    assert (index["profile"], index["seed"], len(index["splits"])) == ("released", 42, 6)
    assert len(read_corpus(tmp_path / "e/extraction_combined_train.json").rows) == 10
    assert (
        spans("split", tmp_path / "raw.json", "--task", "detection", "--by-source", "--out", tmp_path / "s").returncode
        == 2
    )
    for wrong in (
        ("extraction", "--validation", 3),
        ("extraction", "--by-source"),
        ("detection", "--profile", "released"),
    ):
        assert spans("split", tmp_path / "raw.json", "--out", tmp_path / "w", "--task", *wrong).returncode == 2


def test_leakage_counts_and_is_one_only_if_strict(corpus, tmp_path):
    write_corpus(tmp_path / "other.json", [ROWS[0], Row("77", "heavy rain led to floods and landslides.")], "release")
    done = spans("leakage", corpus, tmp_path / "other.json")
    assert done.returncode == 0
    assert done.stdout.splitlines()[3].split()[2:] == ["1", "1", "1", "0"]
    assert spans("leakage", corpus, tmp_path / "other.json", "--strict").returncode == 1
    assert spans("leakage", corpus, "--strict").returncode == 0
    twins = json.loads(spans("leakage", corpus, tmp_path / "other.json", "--json").stdout)["twins"]
    assert [(twin["kind"], twin["first"]["id"], twin["second"]["id"]) for twin in twins] == [
        ("exact", "1", "1"),
        ("normalised", "2", "77"),
    ]


def test_fetch_then_build(tmp_path, monkeypatch):
    monkeypatch.delenv(API_KEY, raising=False)
    words = ("spans", "fetch", "causality", "--from", "2025-01-15", "--to", "2025-01-16", "--out", tmp_path / "xml")
    with served(pubmed(2).answer) as url:
        done = call(*words, "--url", url)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'xml'}: 2 records in 1 file\n"), done.stderr
    done = spans("build", tmp_path / "xml", "--out", tmp_path / "rows", "--min-sentences", 1, "--keep-digits", "--json")
    assert (done.returncode, json.loads(done.stdout)["candidates"]) == (0, 2)
    assert spans("build", tmp_path / "xml", "--out", tmp_path / "rows").returncode == 1
    assert spans("build", tmp_path / "xml", "--out", tmp_path / "o", "--max-sentences", 1).returncode == 2
    assert spans("build", tmp_path / "xml", "--out", tmp_path / "o", "--sample", 0).returncode == 2
    assert spans("fetch", "x", "--from", "yesterday", "--to", "2025-01-01", "--out", tmp_path / "o").returncode == 2


def test_build_shows_every_stage(tmp_path):
    file = write(tmp_path / "f.xml", article_set(article(1, "Frost came. Roads cracked.")))
    shown = spans("build", file, "--out", tmp_path / "rows").stdout
    assert "candidates                     1" in shown
    assert "sampled                        1" in shown


def test_card_makes_a_folder_that_the_hub_can_load(tmp_path):
    datasets = pytest.importorskip("datasets")
    folder = tmp_path / "release"
    folder.mkdir()
    rows = converted([ROWS[0], Row("9", "Birds sang", label=False)], "release").rows
    write_corpus(folder / "test.jsonl", rows[::-1], "release")
    write_corpus(folder / "train.jsonl", rows, "release")
    assert spans("card", folder, "--name", "Frost and rain").returncode == 0
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {split: len(part) for split, part in loaded.items()} == {"train": 2, "test": 2}
    assert loaded["test"][1]["pairs"][0]["cause_span"] == "Long frost"
    assert loaded["train"].features == loaded["test"].features
    card = (folder / "README.md").read_text()
    assert "pretty_name: Frost and rain" in card
    assert "| train | 2 | 1 | 1 | 1 | 0 | 1 | 0 |" in card
    assert spans("card", folder, "--name", "Another").returncode == 0
    (folder / "README.md").write_text("mine")
    assert spans("card", folder, "--name", "Another").returncode == 1
    assert (folder / "README.md").read_text() == "mine"


def test_card_tells_what_is_missing_or_of_another_format(tmp_path):
    assert "there is none of train.jsonl" in spans("card", tmp_path, "--name", "x").stderr
    write_corpus(tmp_path / "train.jsonl", ROWS[:1], "extraction")
    assert "not in the release format" in spans("card", tmp_path, "--name", "x").stderr
    write_corpus(tmp_path / "train.jsonl", ROWS[:1], "release")
    write_corpus(tmp_path / "corpus.jsonl", ROWS[:1], "release")
    assert "would both be the training split" in spans("card", tmp_path, "--name", "x").stderr


def test_an_unknown_command_is_wrong_usage():
    assert spans("nonsense").returncode == 2


def test_what_is_no_corpus_is_told_with_what_to_do(tmp_path):
    files = {
        "table.csv": ("Text,Cause,Effect\nrain floods,rain,floods\n", "spans convert --columns reads other tables"),
        "indices.json": ('{\n  "seed": 0\n}\n', "this is one JSON value; expected a list of rows"),
        "damaged.jsonl": ('{"s/n": 1\n', "damaged.jsonl:1: this is not JSON"),
        "book.xlsx": ("PK\x03\x04 and so on", "save the sheet as CSV"),
    }
    for name, (text, problem) in files.items():
        done = spans("validate", write(tmp_path / name, text))
        assert (done.returncode, problem in done.stderr) == (1, True), done.stderr


def test_fields_of_our_own_are_told_only_where_they_get_lost(tmp_path):
    record = {"s/n": 1, "text": "Rain fell", "label": 0, "pairs": [], "start": 0, "seconds": 3, "mood": "grey"}
    file = write(tmp_path / "a.jsonl", json.dumps(record))
    assert spans("validate", file).stderr == f"{file}: not read: mood (1 row)\n"
    converted_ = spans("convert", file, tmp_path / "b.json", "--to", "detection")
    assert converted_.stderr == f"{file}: not read: mood (1 row), seconds (1 row), start (1 row)\n"


def test_a_split_of_pairs_needs_pairs(tmp_path):
    file = write(tmp_path / "a.json", [{"s/n": 1, "sentence": "Rain floods", "label": 1}])
    done = spans("split", file, "--task", "extraction", "--out", tmp_path / "out")
    assert (done.returncode, "no row has a whole pair" in done.stderr) == (2, True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("unit", "other"), [("row", "sentence"), ("sentence", "row")])
def test_build_shows_no_count_of_what_it_did_not_filter(tmp_path, unit, other):
    """A 0 would say that no sentence holds a digit."""
    source = write(tmp_path / "a.xml", article_set(article("1", "We saw 12 frogs. They slept.")))
    shown = spans("build", source, "--out", tmp_path / "out", "--unit", unit).stdout
    assert f"{unit}s with digit" in shown
    assert f"{other}s with digit" not in shown


def test_a_split_of_the_release_keeps_everything_and_has_a_card(tmp_path):
    annotated = [row for row in ROWS if row.is_annotated]
    corpus = tmp_path / "annotated.jsonl"
    write_corpus(corpus, converted(annotated, "release").rows, "release")
    rows = {row.id: row for row in read_corpus(corpus).rows}
    done = spans("split", corpus, "--task", "detection", "--out", tmp_path / "d")
    n_pairs = sum(len(row.pairs) for row in rows.values())
    assert done.stderr == f"Left out: pairs: {n_pairs}; --release keeps them\n"
    done = spans("split", corpus, "--task", "detection", "--release", "--out", tmp_path / "r")
    assert (done.returncode, done.stderr) == (0, "")
    parts = [read_corpus(tmp_path / "r" / f"{name}.jsonl") for name in ("train", "test")]
    assert [part.format for part in parts] == ["release", "release"]
    assert {row.id: row for part in parts for row in part.rows} == rows
    assert spans("card", tmp_path / "r", "--name", "Frost").returncode == 0
    wrong = spans("split", corpus, "--task", "extraction", "--release", "--out", tmp_path / "x")
    assert (wrong.returncode, "--release belongs to --task detection" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("read", "words"),
    [
        ("detection_train.json", ("split", "{file}", "--task", "detection", "--out", "{folder}")),
        ("indices.json", ("split", "{file}", "--task", "extraction", "--out", "{folder}")),
        ("prompts.jsonl", ("prompts", "{file}", "--task", "detection", "--strategy", "cot", "--out", "{file}")),
        ("tasks.json", ("label-studio", "export", "{file}", "--out", "{folder}")),
        ("x_test.json", ("transfer", "x={file}", "--source", "y={file}", "--parts", "{folder}")),
    ],
)
def test_what_is_read_is_never_replaced(tmp_path, read, words):
    pair = Pair("Frost", "number")
    rows = [Row(str(i), f"Frost number {i}", () if i % 2 else (pair,), label=i % 2 == 0) for i in range(1, 41)]
    file = tmp_path / read
    write_corpus(file, rows, "release")
    before = file.read_bytes()
    done = spans(*(word.format(file=file, folder=tmp_path) for word in words), "--force")
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert f"{file} would replace what is read" in done.stderr


@pytest.mark.parametrize("name", ["a/b", "/a", "a/", "."])
def test_a_corpus_whose_name_is_a_folder_is_refused(corpus, tmp_path, name):
    done = spans("transfer", f"{name}={corpus}", "--source", f"y={corpus}", "--parts", tmp_path)
    problem = f"{name!r} cannot begin the name of a file; choose a plain name, without /"
    assert (done.returncode, done.stderr) == (2, f"Error: CORPORA: {problem}\n")


def test_names_that_are_no_text_are_told_or_replaced(corpus, tmp_path):
    odd = tmp_path / "odd\udcff.jsonl"
    odd.write_bytes(corpus.read_bytes())
    assert spans("batches", odd, "--annotators", "a,b", "--out", tmp_path / "batches").returncode == 0
    assert spans("queue", odd, corpus, "--db", tmp_path / "disputes.db").returncode == 0
    done = spans("card", tmp_path, "--name", "x\udcff")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


def test_the_card_does_not_make_numbers_of_ids_with_leading_zeros(tmp_path):
    write_corpus(tmp_path / "train.jsonl", [Row("007", "Frost", label=False), Row("8", "Rain", label=False)], "release")
    assert spans("card", tmp_path, "--name", "x").returncode == 0
    assert "name: s/n\n    dtype: string" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize(
    "words", [("split", "--task", "extraction"), ("batches", "--annotators", "a,b"), ("label-studio export",)]
)
def test_rows_with_one_id_are_told_with_their_places(tmp_path, words):
    for name in ("one.json", "two.json"):
        write_corpus(tmp_path / name, [Row("1", "a"), Row("7" if name == "one.json" else "1", "b")], "release")
    twice = tmp_path / "twice.jsonl"
    twice.write_text((tmp_path / "one.json").read_text() * 2)
    done = spans(*words[0].split(), twice, *words[1:], "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (
        1,
        f"Error: {twice}:3: the id 1 stands in {twice}:1 already; keep one of them\n",
    )
    assert not (tmp_path / "out").exists()


def test_a_row_without_a_label_is_told_with_its_place(tmp_path):
    file = tmp_path / "rows.jsonl"
    write_corpus(file, [Row("1", "a", label=True), Row("2", "b")], "release")
    done = spans("split", file, "--task", "detection", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (
        1,
        f"Error: {file}:2: row 2 is not annotated; give it a label, or leave it out\n",
    )
    for command in (("agreement", file, file), ("score", "detection", "--gold", file, "--predictions", file)):
        assert f"{file}: not causal for want of label and pairs: 1 (first id 2)" in spans(*command).stderr
