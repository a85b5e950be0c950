"""Folders of stories: what stays of each row, who is cast as what, and which classes are left out."""

from __future__ import annotations

import re
from itertools import combinations, permutations
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

from corr2cause.checking.verification import verify
from corr2cause.dataset.bounds import Bounds
from corr2cause.dataset.options import GenerationOptions, PerturbationOptions, StoryMode, StoryOptions, Told
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.schema import ENCODED_SCHEMA, SCHEMA
from corr2cause.dataset.storytelling import stories, tell_rows
from corr2cause.errors import FileError, OptionError
from corr2cause.text.parsing import parse_edges, parse_premise
from corr2cause.text.stories.bank import commonsense, domains
from tests.dataset.folders import contents, data_folder
from tests.dataset.rows import rows_of
from tests.oracles.equivalence import cpdag
from tests.oracles.premise import dags_that_fit, variables

OPTIONS = GenerationOptions(n=4)
RENAMED = ("premise", "hypothesis", "x", "y", "counterexample")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", OPTIONS)


def run(folder: Path, mode: StoryMode = StoryMode.EVERYDAY, splits=("test", "dev"), force: bool = False, **other):
    return stories(open_dataset(folder), StoryOptions(mode, splits, **other), force)


def told(rows, mode: StoryMode, **other) -> list[dict]:
    table = pa.Table.from_pylist(list(rows), schema=SCHEMA).cast(ENCODED_SCHEMA)
    return tell_rows(table, StoryOptions(mode, ("test",), **other)).to_pylist()


ROWS = rows_of(GenerationOptions(n=4))


@pytest.mark.parametrize("mode", StoryMode)
@pytest.mark.parametrize("statements", Told)
def test_label_id_and_proof_stay(mode, statements):
    originals = {row["id"]: row for row in ROWS}
    found = told(ROWS, mode, statements=statements)
    assert len({row["id"] for row in found}) == len(found) > 0
    for row in found:
        original = originals[row["id"]]
        premise, _ = parse_premise(row["premise"])
        facts, _ = parse_premise(original["premise"])
        if statements is Told.MINIMAL:
            facts = facts.with_minimal_sets()
        assert (premise.correlations, premise.independences) == (facts.correlations, facts.independences)
        new = dict(zip(facts.names, premise.names, strict=True))
        assert (row["x"], row["y"]) == (new[original["x"]], new[original["y"]])
        if original["counterexample"] is not None:
            edges = parse_edges(original["counterexample"])
            assert parse_edges(row["counterexample"]) == [(new[u], new[v]) for u, v in edges]
        else:
            assert row["counterexample"] is None
        assert row["n_statements"] == len(facts.independences)
        kept = set(row) - {*RENAMED, "n_statements"}
        assert {name: row[name] for name in kept} == {name: original[name] for name in kept}


def direct_causes(premise: str) -> set[tuple[str, str]]:
    """Return the entailed direct causes of a symbolic premise, by looking at every graph."""
    names = variables(premise)
    return {(names[u], names[v]) for u, v in cpdag(dags_that_fit(premise)).directed}


def renaming(original: str, story: str) -> dict[str, str]:
    return dict(zip(variables(original), parse_premise(story)[0].names, strict=True))


@pytest.mark.parametrize("mode", [StoryMode.CONGRUENT, StoryMode.ANTI])
def test_common_sense_is_right_or_wrong_about_just_the_direct_causes(mode):
    found = {row["class_id"]: row["premise"] for row in told(ROWS, mode)}
    originals = {row["class_id"]: row["premise"] for row in ROWS}
    for class_id, premise in originals.items():
        causes = direct_causes(premise)
        if class_id not in found:
            assert not causes or class_id.startswith("n5"), class_id  # all of four variables can be told
            continue
        new = renaming(premise, found[class_id])
        expected = {(new[u], new[v]) for u, v in causes}
        if mode is StoryMode.ANTI:
            expected = {(effect, cause) for cause, effect in expected}
        known = {pair for pair in permutations(new.values(), 2) if pair in commonsense()}
        assert known == expected != set()


@pytest.mark.parametrize("mode", StoryMode)
def test_a_story_keeps_to_one_domain(mode):
    homes = {quantity.name: domain.name for domain in domains() for quantity in domain.quantities}
    seen = set()
    for premise in {row["premise"] for row in told(ROWS, mode)}:
        (home,) = {homes[name] for name in parse_premise(premise)[0].names}
        seen.add(home)
    assert seen == {"nonce"} if mode is StoryMode.NONCE else "nonce" not in seen and len(seen) >= 4


PLURALS = {"are": "is", "tell": "tells", "stay": "stays", "themselves": "itself"}


def test_modes_differ_in_their_quantities_only():
    def shape(text: str) -> str:
        """Blot out quantities, settings and the number of verbs."""
        for name in sorted(parse_premise(text)[0].names, key=len, reverse=True):
            for said in (f"the {name}", f"The {name}", name, name.capitalize()):
                text = text.replace(said, "Q")
        text = text.split(". ", 1)[1]
        for plural, singular in PLURALS.items():
            text = re.sub(rf"\b{plural}\b", singular, text)
        return text

    nonce, everyday = (dict.fromkeys(row["premise"] for row in told(ROWS, mode)) for mode in list(StoryMode)[:2])
    assert [shape(text) for text in nonce] == [shape(text) for text in everyday]
    assert len({shape(text) for text in nonce}) > 20


def test_another_seed_tells_other_stories():
    assert told(ROWS[:40], StoryMode.EVERYDAY) == told(ROWS[:40], StoryMode.EVERYDAY, seed=0)
    assert told(ROWS[:40], StoryMode.EVERYDAY) != told(ROWS[:40], StoryMode.EVERYDAY, seed=1)


@pytest.mark.parametrize("formats", [("jsonl",), ("parquet",), ("jsonl", "parquet")], ids="+".join)
def test_a_folder_of_stories_is_a_configuration_and_is_verified(tmp_path, formats):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, with_steps=True), formats)
    for mode in (StoryMode.NONCE, StoryMode.ANTI):
        assert run(folder, mode, ("dev", "test", "train")).made
    head = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    configs = {config["config_name"]: config["data_files"] for config in head["configs"]}
    assert {"stories_nonce", "stories_anti"} <= set(configs)
    assert {file["split"] for file in configs["stories_nonce"]} == {"train", "validation", "test"}
    assert "corr2cause stories --mode anti --seed 0" in (folder / "README.md").read_text()
    assert "what is said of these is made up" in (folder / "README.md").read_text().replace("\n", " ")
    assert verify(folder).findings == ()


def test_stories_of_a_balanced_data_set_are_verified_too(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=5, balance=True), ("parquet",))
    run(folder, StoryMode.CONGRUENT, ("train", "dev", "test"))
    run(folder, StoryMode.NONCE, ("dev", "test"), statements="minimal")
    assert verify(folder).findings == ()


def test_bounds_are_kept_by_the_originals_of_minimal_stories(tmp_path):
    bounds = Bounds.parse("--statements", "5-12")
    folder = data_folder(tmp_path / "data", GenerationOptions(n=4, statements=bounds))
    run(folder, StoryMode.NONCE, open_dataset(folder).splits, statements="minimal")
    assert verify(folder).findings == ()


def test_a_changed_story_is_found(folder):
    run(folder, StoryMode.EVERYDAY)
    path = folder / "stories_everyday/test.jsonl"
    text = path.read_text()
    path.write_text(text.replace('"label": 1', '"label": 0', 1))
    problems = [finding.problem for finding in verify(folder).findings]
    assert any("sha256" in problem for problem in problems)
    assert any("label says 0, the text gives 1" in problem for problem in problems)


def test_again_is_a_no_op_and_other_options_are_refused(folder):
    first = run(folder)
    before = contents(folder)
    assert (first.made, run(folder).made) == (True, False)
    with pytest.raises(FileError, match="statements full instead of minimal"):
        run(folder, statements="minimal")
    assert contents(folder) == before
    assert run(folder, statements="minimal", force=True).made


def test_nothing_is_left_where_nothing_can_be_told(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=2))
    before = contents(folder)
    with pytest.raises(OptionError, match="can be told so"):
        run(folder, StoryMode.CONGRUENT)
    assert contents(folder) == before
    assert not (folder / "stories_congruent").exists()
    assert run(folder, StoryMode.NONCE).made


def test_what_others_put_there_stays_where_nothing_can_be_told(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=2))
    theirs = folder / "stories_congruent" / "notes.txt"
    theirs.parent.mkdir()
    theirs.write_text("mine")
    for force in (False, True):
        with pytest.raises(OptionError, match="can be told so"):
            run(folder, StoryMode.CONGRUENT, force=force)
        assert [path.name for path in theirs.parent.iterdir()] == ["notes.txt"]
        assert theirs.read_text() == "mine"


def test_only_a_data_set_is_told(folder):
    perturb(open_dataset(folder), PerturbationOptions("words", ("test",)))
    run(folder)
    for name in ("perturbation_by_words", "stories_everyday"):
        with pytest.raises(OptionError, match="folder of the original"):
            run(folder / name)
    with pytest.raises(OptionError, match="should be some of"):
        run(folder, splits=("tset",))


def test_minimal_stories_say_what_minimal_premises_say(tmp_path):
    minimal = rows_of(GenerationOptions(n=4, premise="minimal"))
    full = told(ROWS, StoryMode.NONCE, statements="minimal")
    for row, original in zip(full, minimal, strict=True):
        found, facts = parse_premise(row["premise"])[0], parse_premise(original["premise"])[0]
        assert (found.correlations, found.independences, found.minimal) == (
            facts.correlations,
            facts.independences,
            True,
        )
        assert row["n_statements"] == original["n_statements"]


def test_every_pair_is_spoken_of(folder):
    for row in told(ROWS[-90:], StoryMode.EVERYDAY):
        names = parse_premise(row["premise"])[0].names
        sentences = row["premise"].removesuffix(".").split(". ")[3:]
        assert len(sentences) == len(list(combinations(names, 2)))
