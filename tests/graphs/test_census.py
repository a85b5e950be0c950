"""The census by shares and bins finds what the enumeration of all finds, however it is cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.graphs.bitdags import keys
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.graphs.census import Census, Forms, candidates_at, count_bin, merge, survey, unpack
from corr2cause.graphs.enumeration import add_source, unlabelled_dags
from corr2cause.graphs.equivalence import equivalence_classes
from tests.known import GRAPH_COUNTS


def shared_out(n, size, n_bins):
    """Take the census in shares of some size and in some bins; return the merged bins."""
    smaller = unlabelled_dags(n - 1)
    cuts = [range(start, min(start + size, len(smaller))) for start in range(0, len(smaller), size)]
    shares = [survey(smaller[cut.start : cut.stop], cut) for cut in cuts]
    dags = zip(*(share.dags.bins(n_bins) for share in shares), strict=True)
    classes = zip(*(share.classes.bins(n_bins) for share in shares), strict=True)
    return [(merge([*one]), merge([*other])) for one, other in zip(dags, classes, strict=True)]


@settings(max_examples=25, deadline=None)
@given(known=st.sampled_from(GRAPH_COUNTS[1:5]), size=st.integers(1, 40), n_bins=st.integers(1, 9))
def test_however_it_is_cut_the_counts_are_the_published_ones(known, size, n_bins):
    found = sum((count_bin(dags, classes, known.n) for dags, classes in shared_out(known.n, size, n_bins)), Census())
    assert (found.dags, found.classes, found.labelled_classes) == (
        known.unlabelled_dags,
        known.classes,
        known.labelled_classes,
    )
    assert found.edges == sum(mask.bit_count() for dag in unlabelled_dags(known.n).tolist() for mask in dag)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_representatives_are_those_of_the_enumeration(n):
    bins = shared_out(n, 7, 3)
    places = np.sort(np.concatenate([classes.places for _, classes in bins]))
    np.testing.assert_array_equal(candidates_at(unlabelled_dags(n - 1), places), equivalence_classes(n).representatives)
    places = np.sort(np.concatenate([dags.places for dags, _ in bins]))
    np.testing.assert_array_equal(candidates_at(unlabelled_dags(n - 1), places), unlabelled_dags(n))


def test_censuses_add_up_field_by_field():
    assert Census(1, 20, 300, 4000) + Census(5, 60, 700, 8000) == Census(6, 80, 1000, 12000)


@pytest.mark.parametrize("count", [2, 7, 16])
def test_bins_share_the_forms_evenly(count):
    """Words of digraphs are alike in their last bits, so those alone would fill few bins."""
    words = keys(canonical_forms(unlabelled_dags(6)))[:, 0]
    bins = Forms(words, np.arange(len(words))).bins(count)
    sizes = [len(one.words) for one in bins]
    assert sum(sizes) == len(words)
    assert min(sizes) > 0.8 * len(words) / count
    for one in bins:
        np.testing.assert_array_equal(words[one.places], one.words)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_candidate_is_had_by_its_number(n):
    smaller = unlabelled_dags(n - 1)
    found = candidates_at(smaller, np.arange(len(smaller) << (n - 1)))
    np.testing.assert_array_equal(found, add_source(smaller))
    assert found.dtype == np.uint16


@pytest.mark.parametrize("n", range(2, 7))
def test_words_unpack_to_what_they_were_packed_from(n):
    forms = canonical_forms(unlabelled_dags(n))
    np.testing.assert_array_equal(unpack(keys(forms)[:, 0], n), forms)


def test_eight_nodes_fit_into_a_word():
    """Random candidates of eight nodes, too many to enumerate here."""
    smaller = unlabelled_dags(7)[::5000]
    candidates = add_source(smaller)
    np.testing.assert_array_equal(unpack(keys(candidates)[:, 0], 8), candidates)
    found = survey(smaller, range(len(smaller)))
    assert len(found.dags.words) == len(np.unique(canonical_forms(candidates), axis=0))
    assert len(found.classes.words) <= len(found.dags.words)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), max_size=8), min_size=1, max_size=5),
)
def test_merging_keeps_the_first_place_of_each_word(parts):
    expected: dict[int, int] = {}
    for word, place in (pair for part in parts for pair in part):
        expected[word] = min(place, expected.get(word, place))
    forms = [
        Forms(np.array([w for w, _ in part], dtype=np.uint64), np.array([p for _, p in part], dtype=np.int64))
        for part in parts
    ]
    merged = merge(forms)
    assert dict(zip(merged.words.tolist(), merged.places.tolist(), strict=True)) == expected
    assert merged.words.tolist() == sorted(expected)
