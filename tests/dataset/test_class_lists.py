"""Classes that were found before: kept, read, proved complete, and made into the same data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from corr2cause.dataset import class_lists, discovering, planning
from corr2cause.dataset.class_lists import classes_of, discover
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from corr2cause.errors import FileError
from tests.dataset.folders import contents


@pytest.fixture
def _nothing_discovered(monkeypatch):
    monkeypatch.setattr(class_lists, "_discovered", {})


def refuse(*_):
    raise AssertionError("this was found before")


@pytest.mark.usefixtures("_nothing_discovered")
def test_what_was_discovered_is_kept(tmp_path, monkeypatch):
    first = discover(6, tmp_path)
    monkeypatch.setattr(discovering, "survey", refuse)
    again = discover(6, tmp_path)
    np.testing.assert_array_equal(again.representatives, first.representatives)
    np.testing.assert_array_equal(again.automorphisms, first.automorphisms)
    assert (again.n, again.n_dags, again.n_edges) == (first.n, first.n_dags, first.n_edges)
    assert classes_of(6) is again
    with pytest.raises(FileError, match="does not hold all classes of 5 variables"):
        discover(5, tmp_path)


@pytest.mark.usefixtures("_nothing_discovered")
@pytest.mark.parametrize("lost", [1, 500, 0.5])
def test_damaged_classes_are_not_taken(tmp_path, lost):
    discover(5, tmp_path)
    path = tmp_path / "classes.arrow"
    content = path.read_bytes()
    path.write_bytes(content[: -lost if lost >= 1 else int(len(content) * lost)])
    with pytest.raises(FileError, match=r"classes\.arrow: this is damaged; remove it"):
        discover(5, tmp_path)


@pytest.mark.usefixtures("_nothing_discovered")
@pytest.mark.parametrize("changed", [0, 300, -2])
def test_a_wrong_graph_is_not_taken_though_the_classes_add_up(tmp_path, changed):
    graphs = discover(5, tmp_path).representatives.tobytes()
    path = tmp_path / "classes.arrow"
    content = bytearray(path.read_bytes())
    content[content.index(graphs) + changed % len(graphs)] ^= 4
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"classes\.arrow: this is damaged; remove it"):
        discover(5, tmp_path)


@pytest.mark.usefixtures("_nothing_discovered")
def test_classes_that_do_not_add_up_are_not_taken(tmp_path):
    whole = discover(5, tmp_path)
    fewer = replace(whole, representatives=whole.representatives[1:], automorphisms=whole.automorphisms[1:])
    class_lists.write_classes(tmp_path / "classes.arrow", fewer)
    with pytest.raises(FileError, match="does not hold all classes of 5 variables"):
        discover(5, tmp_path)


@pytest.mark.usefixtures("_nothing_discovered")
def test_data_of_discovered_classes_are_those_of_enumerated_ones(tmp_path, monkeypatch):
    """The way of eight variables, gone by five."""
    options, formats = GenerationOptions(n=5, min_n=5), ("jsonl", "parquet")
    generate(options, Target(tmp_path / "enumerated", formats))
    planning.deal.cache_clear()
    monkeypatch.setattr(class_lists, "MAX_COUNTED", 5)
    monkeypatch.setattr(class_lists, "CLASSES_OF_EIGHT", 142)
    discover(5, tmp_path / "scratch")
    monkeypatch.setattr(class_lists, "equivalence_classes", refuse)
    generate(options, Target(tmp_path / "discovered", formats))
    assert contents(tmp_path / "discovered") == contents(tmp_path / "enumerated")
