"""The column `steps`: true, complete, last, and only where it was asked for."""

import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from corr2cause.checking.explanation import explain, explain_row
from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.encoding import encode_each
from corr2cause.dataset.estimating import estimate
from corr2cause.dataset.exporting.hub_card import command
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, Mode, Names, PerturbationOptions, PremiseStyle
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.row_files import read_rows
from corr2cause.dataset.schema import ENCODED_SCHEMA, SCHEMA, STEPS
from corr2cause.dataset.stepping import add_steps
from corr2cause.errors import FileError
from corr2cause.graphs.equivalence import equivalence_classes
from corr2cause.graphs.terms import Reading
from corr2cause.text.parsing import parse_edges, parse_premise
from tests.checking.step_reader import Case, check_steps
from tests.oracles.dags import dag
from tests.oracles.equivalence import members
from tests.oracles.premise import claim

OPTIONS = GenerationOptions(n=4, with_steps=True)


def rows_of(options):
    return [
        row
        for n in options.sizes
        for block in cut_into_blocks(equivalence_classes(n), 1000)
        for row in build_rows(options, block).to_pylist()
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"reading": Reading.PATH, "premise": PremiseStyle.MINIMAL},
        {"reading": Reading.ANCESTRAL, "names": Names.WORDS},
        {"premise": PremiseStyle.SYMBOLIC, "names": Names.ORDERED, "seed": 7},
    ],
)
def test_steps_are_those_of_an_explanation_and_end_in_the_label(changes):
    options = replace(OPTIONS, **changes)
    for row in rows_of(options)[::7]:
        found = explain(row["premise"], row["hypothesis"], options.reading)
        assert row["steps"] == "\n".join(found.steps())
        assert row["steps"].endswith("Therefore: Yes." if row["label"] else "Therefore: No.")


def test_steps_of_larger_rows_are_true():
    """Rows of six variables, read back step by step; their class by definition from their own counterexample."""
    classes = equivalence_classes(6)
    (block, *_) = cut_into_blocks(classes, 40)[30:]
    checked = 0
    for row in build_rows(GenerationOptions(n=6, with_steps=True), block).to_pylist()[::41]:
        if row["counterexample"] is None:
            continue
        names = parse_premise(row["premise"])[0].names
        edges = [(names.index(u), names.index(v)) for u, v in parse_edges(row["counterexample"])]
        case = Case(names, members(dag(6, edges)), False, claim(row["hypothesis"], names), "direct")
        check_steps(row["steps"].split("\n"), case)
        checked += 1
    assert checked > 50


def test_the_column_is_last_and_changes_no_other():
    with_steps, without = rows_of(OPTIONS), rows_of(replace(OPTIONS, with_steps=False))
    assert list(with_steps[0]) == [*SCHEMA.names, STEPS]
    assert [{name: value for name, value in row.items() if name != STEPS} for row in with_steps] == without


def test_a_foreign_premise_without_a_class_gets_no_answer():
    """Steps come from the statements, not from what the row was made of."""
    (block,) = cut_into_blocks(equivalence_classes(2), 1000)
    table = build_rows(GenerationOptions(n=2), block)
    texts = table["premise"].to_pylist()
    said = "A correlates with B."
    contradictory = [text.replace(said, f"{said} However, A is independent of B.") for text in texts]
    edited = table.set_column(1, ENCODED_SCHEMA.field("premise"), encode_each(contradictory))
    endings = {text.split("\n")[-1] for text in add_steps(edited, Reading.DIRECT)["steps"].to_pylist()}
    assert endings == {"Therefore: No.", "Therefore: no answer, for no graph fits the premise."}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steps") / "data"
    generate(replace(OPTIONS, reading=Reading.PATH), Target(folder, ["jsonl", "parquet"]))
    return folder


def test_files_hold_the_column_and_are_read_back(folder):
    dataset = open_dataset(folder)
    assert dataset.columns == (*SCHEMA.names, STEPS)
    table = dataset.read("train")
    assert table.column_names == [*SCHEMA.names, STEPS]
    assert pq.read_schema(folder / "train.parquet").names == [*SCHEMA.names, STEPS]
    lines = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    assert lines == table.to_pylist()
    assert dataset.read("train", [STEPS, "id"]).column_names == [STEPS, "id"]
    for form in ("jsonl", "parquet"):
        assert read_rows(folder / f"train.{form}").column_names == SCHEMA.names


def test_the_manifest_remembers(folder):
    manifest = open_dataset(folder).manifest
    assert GenerationOptions.from_json(manifest.options).with_steps
    assert "--with-steps" in command(manifest).split()
    assert "| `steps` | string | no |" in (folder / "README.md").read_text()
    plain = {**manifest.options, "with_steps": False}
    with pytest.raises(FileError, match="with_steps True instead of False"):
        finished_before(folder, "generate", plain, force=False)


def test_without_the_option_nothing_has_steps(tmp_path):
    generate(GenerationOptions(n=3), Target(tmp_path / "plain", ["jsonl", "parquet"]))
    dataset = open_dataset(tmp_path / "plain")
    assert dataset.columns == tuple(SCHEMA.names)
    assert dataset.read("test").schema.equals(ENCODED_SCHEMA)
    assert STEPS not in json.loads((tmp_path / "plain" / "test.jsonl").read_text().splitlines()[0])
    assert "steps" not in (tmp_path / "plain" / "README.md").read_text()
    perturb(dataset, PerturbationOptions(Mode.WORDS, dataset.splits))
    assert open_dataset(tmp_path / "plain" / "perturbation_by_words").columns == tuple(SCHEMA.names)


@pytest.mark.parametrize("mode", list(Mode))
def test_steps_of_perturbed_rows_speak_of_the_new_words(folder, mode):
    dataset = open_dataset(folder)
    outcome = perturb(dataset, PerturbationOptions(mode, dataset.splits))
    assert "--with-steps" not in command(outcome.manifest).split()
    perturbed = open_dataset(folder / f"perturbation_by_{mode}")
    for row in perturbed.read("train").to_pylist()[::23]:
        assert row["steps"] == "\n".join(explain_row(perturbed, row["id"]).steps())
        assert row["steps"] == "\n".join(explain(row["premise"], row["hypothesis"], Reading.PATH).steps())
        assert row["steps"].endswith("Yes." if row["label"] else "No.")


def test_an_estimate_counts_the_longer_rows():
    plain = estimate(GenerationOptions(n=3), ["jsonl"], workers=1)
    longer = estimate(GenerationOptions(n=3, with_steps=True), ["jsonl"], workers=1)
    assert [e.rows for e in plain] == [e.rows for e in longer]
    assert all(long.bytes > short.bytes for long, short in zip(longer, plain, strict=True))
