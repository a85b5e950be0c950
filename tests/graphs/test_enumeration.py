"""Every unlabelled DAG once, in code order."""

import numpy as np
import pytest

from corr2cause.errors import SizeError
from corr2cause.graphs import bitdags, canonical, enumeration
from tests.known import GRAPH_COUNTS, UNLABELLED_DAGS_7
from tests.oracles.dags import representative_codes


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_each_class_is_represented_by_the_first_code_met(n):
    dags = enumeration.unlabelled_dags(n)
    assert dags.dtype == np.uint16
    assert bitdags.codes(dags).tolist() == representative_codes(n)


@pytest.mark.parametrize("known", GRAPH_COUNTS)
def test_as_many_as_published(known):
    dags = enumeration.unlabelled_dags(known.n)
    assert dags.shape == (known.unlabelled_dags, known.n)
    assert round(float(np.bitwise_count(dags).sum() / len(dags)), 2) == known.edges_per_dag


def test_every_smaller_dag_is_the_rest_of_some_larger_one_without_its_source():
    """Nodes 2..n form the representative of a smaller DAG (high bits), node 1 is a source."""
    without_source = np.unique(bitdags.codes(enumeration.unlabelled_dags(6)) >> 5)
    assert np.array_equal(without_source, bitdags.codes(enumeration.unlabelled_dags(5)))


def test_the_representatives_stand_for_all_labelled_dags():
    """The orbits of the representatives, n!/|Aut| each, add up to OEIS A003024."""
    for known in GRAPH_COUNTS:
        automorphisms = canonical.automorphism_counts(enumeration.unlabelled_dags(known.n))
        assert (known.largest_class // automorphisms).sum() == known.labelled_dags


@pytest.mark.parametrize("n", [0, 8])
def test_more_nodes_than_can_be_enumerated_are_refused(n):
    with pytest.raises(SizeError):
        enumeration.unlabelled_dags(n)


@pytest.mark.slow
def test_seven_nodes():
    dags = enumeration.unlabelled_dags(7)
    codes = bitdags.codes(dags)
    assert len(dags) == UNLABELLED_DAGS_7
    assert (np.diff(codes) > 0).all()
    assert (5040 // canonical.automorphism_counts(dags)).sum() == 1_138_779_265  # OEIS A003024
