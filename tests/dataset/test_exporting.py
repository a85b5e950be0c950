"""Exports say what the data say, in the same bytes each time, and replace nothing unasked."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
import yaml

from corr2cause.checking import answers
from corr2cause.checking.answers import read_answer
from corr2cause.checking.explanation import explain
from corr2cause.dataset import planning
from corr2cause.dataset.exporting import folder as folder_module
from corr2cause.dataset.exporting import items
from corr2cause.dataset.exporting.exporting import ExportOptions, export
from corr2cause.dataset.exporting.folder import RECORD, STAGING
from corr2cause.dataset.exporting.phrasing import Completion
from corr2cause.dataset.exporting.targets import TARGETS
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, Mode, PerturbationOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.schema import NLI_LABELS
from corr2cause.errors import FileError, OptionError
from corr2cause.files import sha256_of
from corr2cause.graphs.terms import Reading
from corr2cause.rewards import compute_score, grpo_reward
from corr2cause.text.prompting import ANSWERS, Style, question, zero_shot
from tests.dataset.exports import (
    ALL,
    BINARY,
    PARTS,
    READERS,
    csv_rows,
    export_to,
    json_lines,
    labels_of,
    parquet_rows,
    rows_of,
    small_data,
    texts_in,
)
from tests.dataset.folders import contents, data_folder
from tests.dataset.test_schema import some_rows
from tests.dataset.test_writing import write


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return small_data(tmp_path_factory.mktemp("data") / "corr2cause")


@pytest.fixture(scope="module")
def exports(data, tmp_path_factory):
    """Every part, in the format of every target."""
    folder = tmp_path_factory.mktemp("exports")
    for target in TARGETS:
        export_to(data, target, folder / target, *ALL)
    return folder


@pytest.fixture(scope="module")
def truth(data):
    """The rows of each part, as they stand in the data set."""
    return {part: json_lines(data / f"{part}.jsonl") for part in PARTS}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("part", PARTS)
def test_labels_can_be_read_back_in_their_order(exports, truth, target, part):
    assert labels_of(target, exports / target, part) == [row["label"] for row in truth[part]]


def test_labels_of_every_kind_are_there(truth):
    assert {row["label"] for row in truth["train"]} == {0, 1}
    assert {row["nli_label"] for row in truth["train"]} == set(NLI_LABELS)


@pytest.mark.parametrize("part", PARTS)
def test_the_three_classes_can_be_read_back(exports, truth, part):
    expected = [(row["id"], row["premise"], row["hypothesis"], row["nli_label"]) for row in truth[part]]
    published = json.loads((exports / f"published/{part}.json").read_text(encoding="utf-8"))
    assert [(row["id"], row["premise"], row["hypothesis"], row["relation"]) for row in published] == expected
    for rows in (json_lines(exports / f"nli/{part}.jsonl"), parquet_rows(exports / f"nli/{part}.parquet")):
        named = [(row["id"], row["premise"], row["hypothesis"], NLI_LABELS[row["label"]]) for row in rows]
        assert named == expected
    counts = [Counter(row["nli_label"] for row in rows_of("grpo", exports / "grpo", part))]
    counts += [Counter(row["extra_info"]["nli_label"] for row in rows_of("verl", exports / "verl", part))]
    counts += [Counter(row["metadata"]["nli_label"] for row in rows_of("inspect", exports / "inspect", part))]
    assert counts == [Counter(row["nli_label"] for row in truth[part])] * 3


@pytest.mark.parametrize("target", ["chat", "sft", "grpo", "verl", "lm-eval", "inspect"])
@pytest.mark.parametrize("part", PARTS)
def test_each_row_asks_in_the_prompt_of_the_paper(exports, truth, target, part):
    for row, original in zip(rows_of(target, exports / target, part), truth[part], strict=True):
        assert zero_shot(original["premise"], original["hypothesis"]) in set(texts_in(row))


REASONED = (Style.CHAIN_OF_THOUGHT, Style.PC_STEPS)


@pytest.mark.parametrize("target", ["chat", "sft", "grpo", "verl"])
@pytest.mark.parametrize("style", REASONED)
def test_each_row_asks_for_reasoning_if_wanted(data, truth, tmp_path, target, style):
    """The data are in the reading `direct`."""
    folder = export_to(data, target, tmp_path / target, "test", style=style)
    for part in ("test", "perturbation_by_words/test"):
        assert labels_of(target, folder, part) == [row["label"] for row in truth[part]]
        for row, original in zip(rows_of(target, folder, part), truth[part], strict=True):
            assert question(style, original["premise"], original["hypothesis"]) in set(texts_in(row))


@pytest.mark.parametrize("with_steps", [False, True])
@pytest.mark.parametrize("reading", [Reading.PATH, Reading.ANCESTRAL])
def test_completions_of_steps_are_the_explanation_and_read_as_the_label(tmp_path, monkeypatch, with_steps, reading):
    """Also where a batch has other premises than the file, and perturbed rows are exported alone."""
    monkeypatch.setattr(items, "_ROWS_AT_ONCE", 100)
    data = data_folder(tmp_path / "data", GenerationOptions(n=4, reading=reading, with_steps=with_steps))
    perturb(open_dataset(data), PerturbationOptions(Mode.WORDS, ("dev",)))
    chosen = {"style": Style.PC_STEPS, "completion": Completion.STEPS}
    chat, sft = (export_to(data, target, tmp_path / target, "train", "dev", **chosen) for target in ("chat", "sft"))
    alone = export_to(data / "perturbation_by_words", "sft", tmp_path / "alone", **chosen)
    assert (alone / "dev.jsonl").read_bytes() == (sft / "perturbation_by_words/dev.jsonl").read_bytes()
    for part in ("train", "dev", "perturbation_by_words/dev"):
        rows = json_lines(data / f"{part}.jsonl")
        said = [row["messages"][1]["content"] for row in rows_of("chat", chat, part)]
        assert [row["completion"] for row in rows_of("sft", sft, part)] == [f"\n{text}" for text in said]
        assert [read_answer(text) for text in said] == [row["label"] for row in rows]
        for row, text in list(zip(rows, said, strict=True))[::20]:
            assert text == "\n".join(explain(row["premise"], row["hypothesis"], reading).steps())
            prompt = question(Style.PC_STEPS, row["premise"], row["hypothesis"], reading)
            assert prompt in {found["prompt"] for found in rows_of("sft", sft, part)}
    assert "Therefore: Yes." in (sft / "README.md").read_text()
    assert "Therefore: Yes." in (chat / "README.md").read_text()


def test_nothing_hidden_stays_in_an_export(data, tmp_path):
    out = export_to(data, "chat", tmp_path / "out")
    assert not [name for name in os.listdir(out) if name.startswith(".")]
    with pytest.raises(FileError):
        export_to(data, "nli", out)
    assert not [name for name in os.listdir(out) if name.startswith(".")]


def test_columns_are_those_that_each_reader_expects(exports):
    def columns(target):
        return list(rows_of(target, exports / target, "test")[0])

    assert columns("published") == ["input", "label", "num_variables", "template"]
    assert list(json.loads((exports / "published/test.json").read_text())[0]) == [
        *("premise", "hypothesis", "relation", "id")
    ]
    assert columns("chat") == ["messages"]
    assert columns("sft") == ["prompt", "completion"]
    assert columns("verl") == ["data_source", "prompt", "ability", "reward_model", "extra_info"]
    assert columns("inspect") == ["id", "input", "target", "choices", "metadata"]
    assert {"prompt", "answer", "label", "template"} <= set(columns("grpo"))


def test_the_published_columns_are_as_pandas_reads_them(exports, truth):
    frame = pd.read_csv(exports / "published/train.csv")
    assert frame.dtypes.astype(str).to_dict()["label"] == frame.dtypes.astype(str).to_dict()["num_variables"] == "int64"
    assert frame.notna().all().all()
    row = truth["train"][0]
    assert frame.input[0] == f"Premise: {row['premise']}\nHypothesis: {row['hypothesis']}"


def test_places_and_sources_of_verl(exports):
    for part in PARTS:
        rows = rows_of("verl", exports / "verl", part)
        assert [row["extra_info"]["index"] for row in rows] == list(range(len(rows)))
        assert {row["extra_info"]["split"] for row in rows} == {part.rpartition("/")[2]}
    assert {row["data_source"] for row in rows} == {"corr2cause/perturbation_by_words"}
    assert rows_of("verl", exports / "verl", "test")[0]["data_source"] == "corr2cause"


@pytest.mark.parametrize("part", PARTS)
def test_gold_is_rewarded_in_full_and_its_opposite_never(exports, part):
    columns = {name: [row[name] for row in rows_of("grpo", exports / "grpo", part)] for name in ("answer", "label")}
    said = [[{"role": "assistant", "content": answer}] for answer in columns["answer"]]
    assert set(grpo_reward(said, prompts=said, **columns)) == {1.0}
    assert set(grpo_reward(said, [1 - label for label in columns["label"]])) == {0.0}
    for row in rows_of("verl", exports / "verl", part):
        gold = row["reward_model"]["ground_truth"]
        other = ANSWERS[1 - ANSWERS.index(gold)]
        assert compute_score(row["data_source"], gold, gold, row["extra_info"]) == 1.0
        assert compute_score(row["data_source"], other, gold, row["extra_info"]) == 0.0


def imported(path):
    """Import a Python file that an export holds."""
    spec = importlib.util.spec_from_file_location(f"exported_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_verl_finds_the_reward_in_a_file(exports):
    assert imported(exports / "verl/reward.py").compute_score is compute_score


def test_f1_of_the_harness_is_the_harmonic_mean_of_precision_and_recall(exports):
    f1 = imported(exports / "lm-eval/utils.py").f1_entailed
    for code in range(4**4):
        pairs = [(code >> 2 * k & 1, code >> 2 * k + 1 & 1) for k in range(4)]
        found, claimed, true = pairs.count((1, 1)), sum(said for _, said in pairs), sum(truth for truth, _ in pairs)
        expected = 2 / (claimed / found + true / found) if found else 0.0
        assert f1(iter(pairs)) == pytest.approx(expected)


def test_the_reader_of_answers_goes_with_the_samples_and_needs_nothing(exports):
    copy = exports / "inspect/corr2cause_answers.py"
    assert copy.read_bytes() == Path(answers.__file__).read_bytes()
    code = (
        "import corr2cause_answers, sys; print(corr2cause_answers.read_answer('Yes').name, 'corr2cause' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["YES", "False"]


def test_the_harness_has_a_task_for_each_part_and_a_group_of_all(exports):
    class Loader(yaml.SafeLoader):
        """Reads the tag by which the harness names functions."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    folder = exports / "lm-eval"
    group = yaml.safe_load((folder / "corr2cause.yaml").read_text())
    assert group["task"] == [
        *("corr2cause_train", "corr2cause_dev", "corr2cause_test"),
        *("corr2cause_paraphrase_dev", "corr2cause_paraphrase_test"),
        *(f"corr2cause_words_{split}" for split in ALL),
    ]
    for name, part in zip(group["task"], PARTS, strict=True):
        task = yaml.safe_load((folder / f"{name}.yaml").read_text())
        assert (task["task"], task["dataset_kwargs"]["file"]) == (name, f"{part}.parquet")
        template = yaml.load((folder / task["include"]).read_text(), Loader)
        assert tuple(template["doc_to_choice"]) == ANSWERS


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_data_give_the_same_bytes_in_any_folder(data, exports, tmp_path, target):
    again = contents(export_to(data, target, tmp_path / "elsewhere" / target, *ALL))
    assert again == contents(exports / target)
    assert not any(str(tmp_path).encode() in file for file in again.values())


@pytest.mark.parametrize("target", BINARY)
def test_the_format_of_the_source_makes_no_difference_to_rows(exports, tmp_path, target):
    folder = export_to(small_data(tmp_path / "data", ("parquet",)), target, tmp_path / target, *ALL)
    changing = {"README.md", RECORD}  # the command and the fingerprint of other data
    made, before = contents(folder), contents(exports / target)
    assert {name: file for name, file in made.items() if name not in changing} == {
        name: file for name, file in before.items() if name not in changing
    }


@pytest.mark.parametrize("target", TARGETS)
def test_the_record_holds_the_hash_of_every_file(exports, target):
    record = json.loads((exports / target / RECORD).read_text())
    visible = set(contents(exports / target)) - {RECORD}
    assert {file["name"] for file in record["files"] if not file["name"].startswith(".")} == visible
    for file in record["files"]:
        assert file["sha256"] == sha256_of(exports / target / file["name"])
        assert file["bytes"] == (exports / target / file["name"]).stat().st_size
    assert record["options"]["split"] == [*ALL]


def test_splits_are_chosen_and_those_without_rows_left_out(data, tmp_path):
    for target in ("lm-eval", "inspect"):
        files = contents(export_to(data, target, tmp_path / target))
        assert {name.rpartition("/")[2].partition(".")[0] for name in files if name.endswith(("t", "l"))} & {*ALL} == {
            "test"
        }
    assert set(contents(export_to(data, "chat", tmp_path / "chat", "train", "reserve"))) == {
        *("README.md", RECORD, "train.jsonl", "perturbation_by_words/train.jsonl")
    }
    with pytest.raises(OptionError, match="has no rows there; it has train, dev, test"):
        export_to(data, "chat", tmp_path / "none", "reserve")
    assert not (tmp_path / "none").exists()


def test_reserve_is_exported_when_asked_for(tmp_path):
    write(tmp_path / "data", [("test", some_rows(9)), ("reserve", some_rows(5, 20))])
    assert not (export_to(tmp_path / "data", "chat", tmp_path / "chat") / "reserve.jsonl").exists()
    assert len(json_lines(export_to(tmp_path / "data", "chat", tmp_path / "all", "reserve") / "reserve.jsonl")) == 5


def test_shards_are_one_file_of_rows_and_described_one_by_one(tmp_path, monkeypatch):
    whole = export_to(data_folder(tmp_path / "whole", GenerationOptions(n=4)), "verl", tmp_path / "as-one")
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 100)
    generate(GenerationOptions(n=4), Target(tmp_path / "data", ("parquet",)))
    shards = {path.name for path in (tmp_path / "data").glob("*-of-*.parquet")}
    assert len(shards) > 3
    rows = rows_of("verl", export_to(tmp_path / "data", "verl", tmp_path / "verl"), "train")
    assert rows == rows_of("verl", whole, "train")
    described = export_to(tmp_path / "data", "croissant", tmp_path / "croissant")
    assert shards < set(contents(described))
    found = json.loads((described / "croissant.json").read_text())
    assert shards <= {file["@id"] for file in found["distribution"]}
    assert {records["@id"] for records in found["recordSet"]} >= {f"default/{Path(name).stem}" for name in shards}
    assert shards < set(contents(export_to(tmp_path / "data", "hub-card", tmp_path / "hub")))


def test_a_perturbation_can_be_exported_alone(data, tmp_path):
    folder = export_to(data / "perturbation_by_paraphrase", "published", tmp_path / "out")
    assert {"dev.csv", "test.csv"} < set(contents(folder))
    assert csv_rows(folder / "test.csv")[0]["input"].endswith(
        "\nHypothesis: " + json_lines(data / "perturbation_by_paraphrase/test.jsonl")[0]["hypothesis"]
    )
    with pytest.raises(OptionError, match="name the folder of the original"):
        export_to(data / "perturbation_by_paraphrase", "croissant", tmp_path / "none")


def test_perturbations_of_other_data_stay_out(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    perturb(open_dataset(folder), PerturbationOptions(Mode.RENAME, ALL))
    record = json.loads((folder / "perturbation_by_rename/manifest.json").read_text())
    record["options"]["source"] = "0" * 64
    (folder / "perturbation_by_rename/manifest.json").write_text(json.dumps(record))
    assert not (export_to(folder, "sft", tmp_path / "sft") / "perturbation_by_rename").exists()


def test_texts_from_anywhere_come_back_as_they_were(tmp_path):
    """Quotes, commas, line breaks and what CSV readers take for nothing."""
    rows = some_rows(6)
    strange = ['a "b", c', "line\nbreak", "NA", "é∉😀", "tab\t\\", " "]
    rows = rows.set_column(rows.column_names.index("premise"), "premise", [strange])
    write(tmp_path / "data", [("test", rows)], ["jsonl"])
    for target in READERS:
        folder = export_to(tmp_path / "data", target, tmp_path / target)
        for row, text in zip(rows_of(target, folder, "test"), strange, strict=True):
            assert any(text in found for found in texts_in(row)), (target, text)


def test_the_same_export_again_does_nothing(data, tmp_path):
    out = tmp_path / "out"
    assert export(open_dataset(data), ExportOptions("sft"), out).made
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert not export(open_dataset(data), ExportOptions("sft"), out).made
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_nothing_is_replaced_unasked(data, tmp_path):
    out = export_to(data, "sft", tmp_path / "out")
    before = contents(out)
    for target, splits, options, difference in (
        ("chat", (), {}, "to sft, not chat"),
        ("sft", ("dev",), {}, r"made with other options \(split train and dev and test instead of dev\)"),
        ("sft", (), {"style": Style.PC_STEPS}, r"made with other options \(style zero-shot instead of pc-steps\)"),
    ):
        with pytest.raises(FileError, match=rf"this holds another export, {difference}; use --force"):
            export_to(data, target, out, *splits, **options)
    other = data_folder(tmp_path / "other", GenerationOptions(n=3))
    with pytest.raises(FileError, match="this holds another export, made from other data; use --force"):
        export_to(other, "sft", out)
    (out / "dev.jsonl").write_text("{}\n")
    with pytest.raises(FileError, match=r"dev.jsonl: this was changed or damaged; use --force"):
        export_to(data, "sft", out)
    assert contents(out) == {**before, "dev.jsonl": b"{}\n"}
    assert contents(export_to(data, "sft", out, force=True)) == before
    (out / "mine.txt").touch()
    export_to(data, "sft", out, "dev", force=True)
    assert set(contents(out)) == {
        *("README.md", RECORD, "dev.jsonl", "mine.txt"),
        *("perturbation_by_paraphrase/dev.jsonl", "perturbation_by_words/dev.jsonl"),
    }


@pytest.mark.parametrize("damage", ["{", "[]", '{"program": "corr2cause"}', '{"program": "other"}'])
def test_a_damaged_record_is_no_leave_to_write(data, tmp_path, damage):
    out = export_to(data, "sft", tmp_path / "out")
    (out / RECORD).write_text(damage)
    with pytest.raises(FileError, match="--force"):
        export_to(data, "sft", out)
    export_to(data, "sft", out, force=True)
    assert not export(open_dataset(data), ExportOptions("sft"), out).made


def test_a_record_leads_to_no_file_outside(data, tmp_path):
    out = export_to(data, "sft", tmp_path / "out")
    (tmp_path / "precious").write_text("kept")
    record = json.loads((out / RECORD).read_text())
    record["files"] += [{**record["files"][0], "name": name} for name in ("../precious", str(tmp_path / "precious"))]
    (out / RECORD).write_text(json.dumps(record))
    export_to(data, "chat", out, force=True)
    assert (tmp_path / "precious").read_text() == "kept"


def test_files_of_others_are_kept(data, tmp_path):
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(FileError, match="there are other files here"):
        export_to(data, "chat", tmp_path)
    assert contents(tmp_path) == {"README.md": b"mine"}
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file"):
        export_to(data, "chat", tmp_path / "file")


def test_an_interrupted_export_leaves_nothing_and_can_be_made_again(data, tmp_path, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(folder_module.ExportFolder, "write_text", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        export_to(data, "sft", out)
    assert contents(out) == {}
    monkeypatch.undo()
    (out / STAGING).mkdir()  # of a run that was killed while it moved its files
    (out / "train.jsonl").touch()
    assert "test.jsonl" in contents(export_to(data, "sft", out))
    assert not (out / STAGING).exists()


def test_damaged_data_are_not_exported(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    text = (folder / "test.jsonl").read_text()
    (folder / "test.jsonl").write_text(text.replace("causes", "cauSes", 1))
    for target in ("chat", "croissant"):
        with pytest.raises(FileError, match=r"does not match its manifest"):
            export_to(folder, target, tmp_path / target)
        assert contents(tmp_path / target) == {}


@pytest.mark.parametrize("formats", [("jsonl",), ("jsonl", "parquet")])
def test_the_card_of_the_data_folder_is_rendered_to_the_same_bytes(tmp_path, formats):
    write(tmp_path / "data", [("test", some_rows(9)), ("reserve", some_rows(5, 20))], formats)
    before = contents(tmp_path / "data")
    assert not export(open_dataset(tmp_path / "data"), ExportOptions("hub-card"), tmp_path / "data").made
    (tmp_path / "data/README.md").unlink()
    assert export(open_dataset(tmp_path / "data"), ExportOptions("hub-card"), tmp_path / "data").made
    assert contents(tmp_path / "data") == before
    (tmp_path / "data/README.md").write_text("mine")
    with pytest.raises(FileError, match=r"README.md: this says something else; move it, or use --force"):
        export_to(tmp_path / "data", "hub-card", tmp_path / "data")
    assert contents(export_to(tmp_path / "data", "hub-card", tmp_path / "data", force=True)) == before


def test_a_description_stands_beside_the_data_and_nothing_else_may(tmp_path):
    folder = small_data(tmp_path / "data")
    before = contents(folder)
    export_to(folder, "croissant", folder)
    described = contents(folder)
    assert set(described) == {*before, "croissant.json"}
    assert {name: file for name, file in described.items() if name in before} == before
    elsewhere = export_to(folder, "croissant", tmp_path / "out")
    assert (elsewhere / "croissant.json").read_bytes() == described["croissant.json"]
    for target, out in (("chat", folder), ("chat", folder / "perturbation_by_words")):
        with pytest.raises(OptionError, match="holds a data set; choose another folder"):
            export_to(folder, target, out)
    assert contents(folder) == described


def test_croissant_names_every_file_with_its_hash(data, exports, tmp_path):
    described = json.loads((exports / "croissant/croissant.json").read_text(encoding="utf-8"))
    assert "datePublished" not in described
    assert {file["contentUrl"] for file in described["distribution"]} == {f"{part}.jsonl" for part in PARTS}
    for file in described["distribution"]:
        assert (
            file["sha256"]
            == sha256_of(exports / "croissant" / file["contentUrl"])
            == sha256_of(data / file["contentUrl"])
        )
    assert (exports / "croissant/.gitattributes").read_text() == "*.jsonl -text\n"
    dated = export_to(data, "croissant", tmp_path, date="2024-05-07")
    assert json.loads((dated / "croissant.json").read_text())["datePublished"] == "2024-05-07"


def test_the_folder_for_a_hub_is_the_data_folder_in_one_format(tmp_path):
    data = small_data(tmp_path / "data", ("jsonl", "parquet"))
    files = contents(export_to(data, "hub-card", tmp_path / "out"))
    assert set(files) == {"README.md", RECORD, *(f"{part}.parquet" for part in PARTS)}
    assert {name: file for name, file in files.items() if name.endswith("parquet")} == {
        name: file for name, file in contents(data).items() if name.endswith("parquet")
    }
    assert "jsonl`" not in files["README.md"].decode()
    card = (data / "README.md").read_text().partition("\n---\n")[0]
    assert files["README.md"].decode().partition("\n---\n")[0] == card


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"target": "word"}, "--to: 'word' should be one of published, nli"),
        ({"target": "nli", "splits": ("validation",)}, "--split"),
        ({"target": "nli", "splits": "test"}, "--split"),
        ({"target": "croissant", "date": "7 May"}, "--date: '7 May' should be a day, written YYYY-MM-DD"),
        ({"target": "croissant", "date": "20240507"}, "--date"),
    ],
)
def test_options_that_make_no_sense(options, says):
    with pytest.raises(OptionError) as refused:
        ExportOptions(**options)
    assert says in str(refused.value)


LOAD = """
import json, sys
from datasets import load_dataset
configs = [None, "perturbation_by_paraphrasing", "perturbation_by_words"]
loaded = {}
for folder in sys.argv[1:]:
    found = [load_dataset(folder, config) for config in configs]
    loaded[folder] = [{split: rows.to_list() for split, rows in data.items()} for data in found]
    if folder.endswith("nli"):
        loaded["names"] = found[0]["test"].features["label"].names
json.dump(loaded, sys.stdout)
"""


def test_exports_load_offline_with_all_configurations(exports, truth, tmp_path):
    """One target of each format: CSV, Parquet, conversations in JSONL, structs in Parquet."""
    pytest.importorskip("datasets", reason="the package datasets is not installed")
    targets = ("published", "nli", "chat", "verl")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, *(str(exports / target) for target in targets)],
        env={**os.environ, **offline, "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    assert tuple(loaded["names"]) == NLI_LABELS
    for target in targets:
        default, *perturbed = loaded[str(exports / target)]
        assert [list(config) for config in (default, *perturbed)] == [
            *(["train", "validation", "test"], ["validation", "test"], ["train", "validation", "test"])
        ]
        rows = [rows for config in (default, *perturbed) for rows in config.values()]
        _, label = READERS[target]
        assert [[label(row) for row in part] for part in rows] == [[row["label"] for row in truth[p]] for p in PARTS]
