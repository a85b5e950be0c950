"""All labelled DAGs on a few nodes as one batch, and the sizes up to which tests look at every one of them."""

from functools import cache

import pytest

from tests.oracles.dags import labelled_dags
from tests.oracles.translation import Masks, as_masks

SIZES = [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)]


@cache
def labelled_masks(n: int) -> Masks:
    """Return the DAGs of `labelled_dags(n)`, in that order, as parents of uint16[B, n]; read only."""
    masks = as_masks(labelled_dags(n))
    masks.flags.writeable = False
    return masks
