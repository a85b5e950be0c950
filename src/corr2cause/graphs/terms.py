"""The terms that questions are put in, and the sizes that can be answered. Light to import: no arrays here."""

from __future__ import annotations

from enum import StrEnum

from corr2cause.errors import SizeError

MAX_NODES = 16  # the bits of a mask
MAX_ENUMERATED = 7  # 243,668 DAGs: a process holds them all at once
MAX_COUNTED = 8  # 20 million DAGs, found by many processes; of nine nodes there would be three billion
MAX_SEPARATED = 12  # 2**n sets for each pair of a graph and a node


def require_size(n: int, least: int = 1, most: int = MAX_NODES) -> None:
    """Raise SizeError unless least <= n <= most."""
    if not least <= n <= most:
        raise SizeError(n, least, most)


class Relation(StrEnum):
    """What a hypothesis says of an ordered pair (x, y)."""

    IS_PARENT = "is_parent"
    IS_ANCESTOR = "is_ancestor"
    IS_CHILD = "is_child"
    IS_DESCENDANT = "is_descendant"
    HAS_COLLIDER = "has_collider"
    HAS_CONFOUNDER = "has_confounder"


class Reading(StrEnum):
    """What "indirect cause", "collider" and "confounder" mean.

    `direct` is the text of the paper (a child, a parent of both), `path` what its published labels follow (disjoint
    directed paths), `ancestral` the widest (a common descendant, a common ancestor).
    """

    DIRECT = "direct"
    PATH = "path"
    ANCESTRAL = "ancestral"
