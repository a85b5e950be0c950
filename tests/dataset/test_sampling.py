"""Rows of sampled classes, against every member by definition; blocks, ids and files."""

from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest

from corr2cause.dataset import planning
from corr2cause.dataset.drawing import draw_classes
from corr2cause.dataset.generating import Target
from corr2cause.dataset.manifest import read_manifest
from corr2cause.dataset.options import Names, PremiseStyle
from corr2cause.dataset.planning import Portion, plan_sample
from corr2cause.dataset.questions import questions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.sampling import row_count, sample
from corr2cause.dataset.schema import SPLITS
from corr2cause.graphs.terms import Reading
from tests.dataset.folders import contents
from tests.oracles import relations as oracle
from tests.oracles.dags import edge_set, labelled_dags, pairs
from tests.oracles.equivalence import cpdag, members
from tests.oracles.members import members_by_reversal
from tests.oracles.premise import claim, dags_that_fit, independences, variables
from tests.oracles.separation import conditioning_sets, is_separated_in_moral_graph, minimal
from tests.oracles.translation import as_graph

BOTH = ("jsonl", "parquet")


def portion_of(options, classes):
    """All classes of a sample in their order, with every question."""
    kept = np.ones((len(classes.sizes), len(questions(options.n, options.hypotheses))), dtype=np.bool_)
    return Portion(np.arange(len(classes.sizes)), classes.representatives, kept, sampled=True)


def rows_of(options, classes=None):
    portion = portion_of(options, classes or draw_classes(options))
    return [row for table in portion.tables(options) for row in table.to_pylist()]


@pytest.mark.parametrize("reading", list(Reading))
def test_labels_are_those_of_all_dags_that_fit_the_premise(reading):
    """Members are found by brute force from the words of the premise."""
    fitting = cache(dags_that_fit)
    counted = cache(lambda text: oracle.counts(fitting(text), reading))
    for row in rows_of(SampleOptions(n=4, classes=12, reading=reading, premise=PremiseStyle.FULL)):
        size, held = len(fitting(row["premise"])), counted(row["premise"])
        s = held[claim(row["hypothesis"], variables(row["premise"]))]
        assert (row["class_size"], row["holds_in"], row["label"]) == (size, s, int(s == size))


@pytest.mark.parametrize("n", [8, pytest.param(9, marks=pytest.mark.slow), pytest.param(10, marks=pytest.mark.slow)])
def test_labels_of_many_variables_are_those_of_the_members_by_definition(n):
    """Members by covered-edge reversals, relations by listing paths, separations in moral graphs; one by one."""
    options = SampleOptions(n=n, classes=3, names=Names.ORDERED, max_class_size=40)
    classes = draw_classes(options)
    rows = rows_of(options, classes)
    per_class = len(rows) // options.classes
    for place, representative in enumerate(classes.representatives):
        graph = as_graph(representative)
        every = members_by_reversal(graph)
        assert len(every) == classes.sizes[place]
        readings = {reading: oracle.counts(every, reading) for reading in oracle.READINGS}
        pattern = cpdag(every)
        for row in rows[place * per_class : (place + 1) * per_class]:
            asked = claim(row["hypothesis"], variables(row["premise"]))
            s = readings["direct"][asked]
            assert (row["class_size"], row["holds_in"], row["label"]) == (len(every), s, int(s == len(every)))
            assert row["readings_agree"] == (len({held[asked] == len(every) for held in readings.values()}) == 1)
            assert (row["n_compelled"], row["n_edges"]) == (len(pattern.directed), graph.number_of_edges())
        separated = {
            (i, j, given)
            for i, j in pairs(n)
            for given in conditioning_sets(n, i, j)
            if is_separated_in_moral_graph(graph, (i, j, given))
        }
        least = minimal_of_each_pair(separated)
        assert independences(rows[place * per_class]["premise"]) == least
        assert rows[place * per_class]["n_statements"] == len(least)


def minimal_of_each_pair(separated):
    """Keep the minimal sets; pair by pair, because all at once takes long."""
    return {
        found
        for pair in {(i, j) for i, j, _ in separated}
        for found in minimal({statement for statement in separated if statement[:2] == pair})
    }


def test_ids_name_the_class_and_mean_the_same_in_every_sample():
    """With both directions asked, all ids of a class are the same whatever the seed, names and other classes."""
    one, two = (
        {row["id"]: row["holds_in"] for row in rows_of(SampleOptions(n=4, classes=18, hypotheses="ordered", **chosen))}
        for chosen in ({"seed": 0}, {"seed": 1, "names": "words", "distribution": "dags"})
    )
    common = set(one) & set(two)
    assert len(common) >= 16 * 72
    assert all(one[row_id] == two[row_id] for row_id in common)
    assert len(one) == len(two) == 18 * 72
    assert all(row_id.startswith("n4-s") for row_id in one)


def test_ordered_names_follow_a_topological_order_of_a_member():
    rows = rows_of(SampleOptions(n=6, classes=20, names=Names.ORDERED))
    assert not any(row["label"] for row in rows if row["relation"] == "is_child")
    assert any(row["label"] for row in rows if row["relation"] == "is_parent")


@pytest.mark.parametrize(("most", "most_members"), [(1, 10**6), (4, 10**6), (100, 1), (100, 12)])
def test_blocks_hold_every_class_once_in_order(monkeypatch, most, most_members):
    monkeypatch.setattr(planning, "MEMBERS_PER_BLOCK", most_members)
    options = SampleOptions(n=8, classes=11)
    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", most * 168)
    classes = draw_classes(options)
    blocks = list(portion_of(options, classes).blocks())
    assert [rank for block in blocks for rank in block.ranks] == list(range(11))
    for block in blocks:
        sizes = classes.sizes[block.ranks]
        assert len(block.ranks) <= most
        assert len(sizes) == 1 or sizes.sum() <= most_members
    for block, after in pairwise(blocks):
        room = most_members - classes.sizes[block.ranks].sum()
        starts_anew = after.ranks[0] % most == 0
        assert starts_anew or classes.sizes[after.ranks[0]] > room, "the next class would not have fitted in"


def test_a_longer_sample_says_the_same_of_the_classes_of_a_shorter_one():
    long, short = (rows_of(SampleOptions(n=8, classes=classes)) for classes in (9, 4))
    assert long[: len(short)] == short


@pytest.mark.parametrize(("workers", "rows_per_block"), [(1, 1), (2, 300)])
def test_neither_workers_nor_blocks_change_a_byte(tmp_path, monkeypatch, workers, rows_per_block):
    options = SampleOptions(n=6, classes=30)
    sample(options, Target(tmp_path / "usual", BOTH))
    monkeypatch.setattr(planning, "ROWS_PER_BLOCK", rows_per_block)
    sample(options, Target(tmp_path / "made", BOTH), workers)
    assert contents(tmp_path / "made") == contents(tmp_path / "usual")


def test_the_manifest_counts_rows_and_draws(tmp_path):
    options = SampleOptions(n=5, classes=40)
    drawn, moved = [], []
    made = sample(options, Target(tmp_path, BOTH), drawn=drawn.append, progress=moved.append)
    manifest = read_manifest(tmp_path)
    assert made.made
    assert made.manifest == manifest
    assert (sum(drawn), sum(moved)) == (40, row_count(options))
    assert sum(count.rows for count in manifest.counts) == row_count(options) == 40 * 60
    assert manifest.drawing == draw_classes(options).to_json()
    assert manifest.options == {**options.to_json(), "format": list(BOTH)}
    assert not sample(options, Target(tmp_path, BOTH)).made
    sizes = {row["class_id"]: row["class_size"] for row in rows_of(options)}
    assert sum(sizes.values()) == manifest.drawing["members"]


def test_a_store_behind_a_url_gets_the_same_bytes(tmp_path):
    options = SampleOptions(n=4, classes=9)
    sample(options, Target(tmp_path / "here", BOTH))
    sample(options, Target(f"file://{tmp_path}/there", BOTH))
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert not sample(options, Target(f"file://{tmp_path}/there", BOTH)).made


def test_a_large_sample_is_cut_into_shards_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 300)
    options, moved = SampleOptions(n=6, classes=30), []
    sample(options, Target(tmp_path / "usual", BOTH))
    assert {"train-00000-of-00008.parquet", "train-00007-of-00008.jsonl"} <= set(contents(tmp_path / "usual"))

    def stop(rows):
        moved.append(rows)
        if sum(moved) > 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sample(options, Target(tmp_path / "data", BOTH), progress=stop)
    again = []
    sample(options, Target(tmp_path / "data", BOTH), progress=again.append)
    assert again[0] > 500, "what was finished is not made again"
    assert contents(tmp_path / "data") == contents(tmp_path / "usual")


def test_no_class_is_shared_by_splits():
    options = SampleOptions(n=7, classes=60)
    where = {}
    for piece in plan_sample(options, draw_classes(options).representatives):
        for table in piece.tables(options):
            for class_id in table["class_id"].to_pylist():
                where.setdefault(class_id, set()).add(piece.split)
    train, dev, test, reserve = SPLITS
    assert {frozenset(codes) for codes in where.values()} == {
        frozenset(codes) for codes in ({train}, {test, reserve}, {dev, reserve})
    }
    assert not any(
        {one, other} <= codes for codes in where.values() for one, other in combinations((train, dev, test), 2)
    )


def test_members_by_reversal_are_those_of_equal_shape():
    """The oracle itself, against another one."""
    for graph in labelled_dags(4)[::7]:
        assert {edge_set(m) for m in members_by_reversal(graph)} == {edge_set(m) for m in members(graph)}
