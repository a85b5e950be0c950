"""The table of the data set against loops over plain rows, on rows made by hand and on generated ones."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.dataset_statistics import dataset_statistics
from corr2cause.checking.statistics import DatasetStatistics
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import (
    GenerationOptions,
    Hypotheses,
    Mode,
    Names,
    PerturbationOptions,
    SplitOptions,
    SplitUnit,
)
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.schema import SCHEMA, SPLITS
from corr2cause.errors import FileError, RowError
from tests.checking import by_definition
from tests.checking.small_data import Row, read_lines, row, write_folder, write_lines

Splits = dict[str, list[Row]]

LABELS = st.sampled_from([(1, "entailment"), (0, "neutral"), (0, "contradiction")])
ROWS = st.builds(
    lambda n, premise, hypothesis, relation, label: row(
        num_variables=n, premise=premise, hypothesis=hypothesis, relation=relation, label=label[0], nli_label=label[1]
    ),
    st.sampled_from([2, 3, 6, 12]),
    st.sampled_from(["", "A.", "A and B are (i.e., X_1).", "Ä ⊥ B | C", "one two three"]),
    st.sampled_from(["A.", "B causes A.", "A  causes\nB", ""]),
    st.sampled_from(by_definition.RELATIONS),
    LABELS,
)


def assert_agrees(found: DatasetStatistics, splits: Splits | list[Row]) -> None:
    rows = splits if isinstance(splits, list) else [row for part in splits.values() for row in part]
    assert [r.to_json() for r in found.rows] == by_definition.dataset_records(splits)
    assert [r.to_json() for r in found.relations] == by_definition.relation_records(rows)


@settings(max_examples=40, deadline=None)
@given(
    splits=st.dictionaries(st.sampled_from(SPLITS), st.lists(ROWS, max_size=8)),
    form=st.sampled_from(["jsonl", "parquet"]),
)
def test_folders_agree_with_loops_over_rows(splits: Splits, form: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert_agrees(dataset_statistics(write_folder(Path(folder), splits, (form,))), splits)


@settings(max_examples=20, deadline=None)
@given(rows=st.lists(ROWS, max_size=12), is_parquet=st.booleans())
def test_plain_files_agree_with_loops_over_rows(rows: list[Row], is_parquet: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows")
        if is_parquet:
            pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
        else:
            write_lines(path, rows)
        assert_agrees(dataset_statistics(path), rows)


def test_a_small_data_set_counted_by_hand(tmp_path: Path) -> None:
    yes = {"label": 1, "nli_label": "entailment"}
    two_words, one_word = "one two.", "one!"
    splits = {
        "train": [row(premise=two_words, **yes), row(premise=two_words, hypothesis="A?")],
        "dev": [row(premise=two_words, **yes), row(premise=one_word)],
        "test": [row(premise=one_word, num_variables=3), row(premise="", num_variables=3)],
        "reserve": [row(premise=one_word, num_variables=3, relation="has_collider")],
    }
    found = dataset_statistics(write_folder(tmp_path / "data", splits))
    two, three, overall = found.rows
    assert (found.sizes, two.n, three.n, overall.n) == ((2, 3), 2, 3, "all")
    assert (two.samples, three.samples, overall.samples) == (4, 3, 7)
    assert (two.positives, three.positives, overall.positives) == (2, 0, 2)
    assert (two.premise_tokens, three.premise_tokens, overall.premise_tokens) == (3 * 3 + 2, 2 + 0 + 2, 15)
    assert overall.tokens_per_premise == 15 / 7
    assert overall.hypothesis_tokens == 6 * 5 + 2
    assert three.vocabulary == len({"one", "!", "A", "directly", "causes", "B", "."})
    assert (two.premises, three.premises, overall.premises) == (2, 2, 3)
    # one row of dev repeats one of train; the reserve asks the very question of test
    assert (two.duplicates, three.duplicates) == (1, 1)
    # `one!` stands in dev for 2 variables and in test for 3: only all rows together share it
    assert overall.duplicates == 3
    assert [(part.split, part.rows, part.premises) for part in overall.splits] == [
        ("train", 2, 1),
        ("dev", 2, 2),
        ("test", 2, 2),
        ("reserve", 1, 1),
    ]
    assert [(s.splits, s.premises) for s in two.shared] == [
        (("train", "dev"), 1),
        (("train", "test"), 0),
        (("dev", "test"), 0),
    ]
    assert [s.premises for s in overall.shared] == [1, 0, 1]
    collider = next(r for r in found.relations if (r.n, r.relation) == (3, "has_collider"))
    assert (collider.samples, collider.positives, collider.neutral, collider.positive_percent) == (1, 0, 1, 0.0)
    absent = next(r for r in found.relations if (r.n, r.relation) == (2, "has_confounder"))
    assert (absent.samples, absent.positive_percent) == (0, None)


@pytest.mark.parametrize("formats", [("jsonl",), ("parquet",), ("jsonl", "parquet")])
@pytest.mark.parametrize(
    "options",
    [
        GenerationOptions(n=4),
        GenerationOptions(n=4, min_n=3, names=Names.WORDS, seed=7),
        GenerationOptions(n=4, hypotheses=Hypotheses.ORDERED, names=Names.ORDERED),
        GenerationOptions(n=4, split=SplitOptions(split_by=SplitUnit.ROW)),
    ],
    ids=["default", "words", "ordered", "by row"],
)
def test_generated_data_agree_with_loops_over_rows(
    tmp_path: Path, options: GenerationOptions, formats: tuple[str, ...]
) -> None:
    generate(options, Target(tmp_path / "lines", ("jsonl",)))
    splits = {s: read_lines(tmp_path / f"lines/{s}.jsonl") for s in open_dataset(tmp_path / "lines").splits}
    generate(options, Target(tmp_path / "data", formats))
    assert_agrees(dataset_statistics(tmp_path / "data"), splits)


def test_ordered_hypotheses_repeat_half_of_the_sure_ones(tmp_path: Path) -> None:
    """Is-Parent(A, B) and Is-Child(B, A) are one sentence: what the paper removed from its version 1.0."""
    options = GenerationOptions(n=3, hypotheses=Hypotheses.ORDERED)
    generate(options, Target(tmp_path / "data", ("parquet",)))
    overall = dataset_statistics(tmp_path / "data").rows[-1]
    assert overall.samples == 2 * 102
    assert overall.duplicates >= 2 * 17  # two direct causes for each pair of each class


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper's data set: 2 to 6 variables."""
    folder = tmp_path_factory.mktemp("six")
    generate(GenerationOptions(n=6), Target(folder, ("parquet",)))
    return folder


def test_the_paper_s_data_set_has_the_known_numbers(six: Path) -> None:
    found = dataset_statistics(six)
    assert [r.n for r in found.rows] == [2, 3, 4, 5, 6, "all"]
    assert [r.samples for r in found.rows] == [12, 90, 720, 8520, 198_090, 207_432]
    assert [r.positives for r in found.rows] == [0, 3, 55, 1103, 34_900, 36_061]
    assert [r.premises for r in found.rows] == [2, 5, 20, 142, 2201, 2370]
    assert [r.duplicates for r in found.rows] == [0] * 6
    assert [s.premises for r in found.rows for s in r.shared] == [0] * 18
    overall = {part.split: part for part in found.rows[-1].splits}
    assert sum(part.rows for part in overall.values()) == 207_432
    assert overall["test"].premises >= 100
    # six relations for each of 34,572 pairs, every row with one of three labels
    assert [r.samples for r in found.relations if r.n == "all"] == [34_572] * 6
    assert sum(r.entailment for r in found.relations if r.n == "all") == 36_061


def test_splitting_by_rows_shares_premises(tmp_path: Path) -> None:
    options = GenerationOptions(n=4, split=SplitOptions(split_by=SplitUnit.ROW))
    generate(options, Target(tmp_path / "data", ("parquet",)))
    assert min(s.premises for s in dataset_statistics(tmp_path / "data").rows[-1].shared) > 0


@pytest.mark.parametrize("mode", [Mode.PARAPHRASE, Mode.WORDS])
def test_a_perturbation_folder_is_counted_like_any_other(tmp_path: Path, mode: Mode) -> None:
    generate(GenerationOptions(n=4), Target(tmp_path, ("jsonl",)))
    perturb(open_dataset(tmp_path), PerturbationOptions(mode, ("dev", "test"), seed=0))
    folder = tmp_path / f"perturbation_by_{mode}"
    assert_agrees(dataset_statistics(folder), {s: read_lines(folder / f"{s}.jsonl") for s in ("dev", "test")})


def test_progress_adds_up_to_the_number_of_splits(tmp_path: Path) -> None:
    write_folder(tmp_path / "data", {"test": [row()]})
    for path in (tmp_path / "data", tmp_path / "data/test.jsonl"):
        steps: list[int] = []
        dataset_statistics(path, steps.append)
        assert sum(steps) == len(SPLITS)


def test_no_rows_have_no_means(tmp_path: Path) -> None:
    (overall,) = dataset_statistics(write_lines(tmp_path / "empty.jsonl", [])).rows
    assert (overall.n, overall.samples, overall.vocabulary, overall.splits) == ("all", 0, 0, ())
    assert (overall.tokens_per_premise, overall.tokens_per_hypothesis, overall.positive_percent) == (None, None, None)


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", {"test": [row()]})
    path = folder / "test.jsonl"
    path.write_text(path.read_text().replace('"label": 0', '"label": 1'))
    with pytest.raises(FileError) as caught:
        dataset_statistics(folder)
    assert caught.value.path == str(path)


def test_a_three_way_label_is_no_binary_one(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [row(), row(label=2)])
    with pytest.raises(RowError) as caught:
        dataset_statistics(path)
    assert caught.value.row == 2
