"""Every DAG on n nodes once up to isomorphism, in code order."""

from __future__ import annotations

import numpy as np

from corr2cause.graphs.bitdags import Masks, first_occurrences
from corr2cause.graphs.canonical import canonical_forms
from corr2cause.graphs.terms import MAX_ENUMERATED, require_size


def unlabelled_dags(n: int) -> Masks:
    """Return the representative of every isomorphism class of DAGs on n nodes (OEIS A003087).

    The representative is the first of its class in code order (see `bitdags.from_codes`). Nodes 1..n-1 of a
    representative form a representative on n-1 nodes, since a smaller code for them would give a smaller code for the
    whole; so all candidates come by adding a source to each smaller representative, in order already.

    Returns:
        uint16[B, n] with B = 1, 2, 6, 31, 302, 5984, 243668.  About 3 s for n = 7.

    Raises:
        SizeError: n is not in 1..7.
    """
    require_size(n, most=MAX_ENUMERATED)
    dags = np.zeros((1, 1), dtype=np.uint16)
    for _ in range(1, n):
        candidates = add_source(dags)
        dags = candidates[first_occurrences(canonical_forms(candidates))]
    return dags


def add_source(dags: Masks) -> Masks:
    """Put a source before the nodes of each DAG, once with every set of children.

    Returns:
        uint16[B 2^n, n + 1], in code order if the DAGs are.
    """
    count, n = dags.shape
    child_sets = np.arange(1 << n)
    is_child = (child_sets[:, None] >> np.arange(n)) & 1
    rest = (dags[:, None, :] << np.uint16(1)) | is_child[None].astype(np.uint16)
    with_source = np.zeros((count, 1 << n, n + 1), dtype=np.uint16)
    with_source[:, :, 1:] = rest
    return with_source.reshape(-1, n + 1)
