"""The census through a folder: stopped, continued, shared out, and the same."""

from __future__ import annotations

import numpy as np
import pytest

from corr2cause.dataset import discovering
from corr2cause.dataset.discovering import list_classes, n_pieces, take_census
from corr2cause.errors import FileError, SizeError
from corr2cause.graphs.equivalence import equivalence_classes, labelled_class_count
from tests.known import GRAPH_COUNTS


@pytest.fixture(autouse=True)
def _small_shares(monkeypatch):
    monkeypatch.setattr(discovering, "REPRESENTATIVES_PER_SHARE", 50)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_counts_are_the_published_ones(tmp_path, workers):
    known = GRAPH_COUNTS[5]
    moved: list[int] = []
    found = take_census(6, tmp_path / "scratch", workers, moved.append)
    assert (found.dags, found.classes, found.labelled_classes) == (
        known.unlabelled_dags,
        known.classes,
        known.labelled_classes,
    )
    assert sum(moved) == n_pieces(6) == 14


def test_listed_classes_are_the_enumerated_ones(tmp_path):
    found, expected = list_classes(6, tmp_path), equivalence_classes(6)
    np.testing.assert_array_equal(found.representatives, expected.representatives)
    np.testing.assert_array_equal(found.automorphisms, expected.automorphisms)
    assert (found.n, found.n_dags, found.n_edges) == (6, expected.n_dags, expected.n_edges)
    assert labelled_class_count(found) == 1_067_825


def test_a_stopped_count_goes_on_from_its_files(tmp_path, monkeypatch):
    surveyed = []
    survey = discovering.survey

    def limited(smaller, ranks):
        if len(surveyed) == 3:
            raise KeyboardInterrupt
        surveyed.append(ranks)
        return survey(smaller, ranks)

    with monkeypatch.context() as patched:
        patched.setattr(discovering, "survey", limited)
        with pytest.raises(KeyboardInterrupt):
            take_census(6, tmp_path)
    moved: list[int] = []
    assert take_census(6, tmp_path, progress=moved.append).classes == 2_201
    assert moved[0] == 3


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileError, match="other files"):
        take_census(4, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_another_count_is_not_mixed_in(tmp_path):
    take_census(4, tmp_path)
    with pytest.raises(FileError, match="another count was begun here"):
        take_census(5, tmp_path)


@pytest.mark.parametrize("n", [0, 1, 9])
def test_other_sizes_are_refused(tmp_path, n):
    with pytest.raises(SizeError):
        take_census(n, tmp_path)


def test_the_time_of_a_discovery_is_extrapolated():
    assert 0.001 < discovering.discovery_seconds(6) < 60
