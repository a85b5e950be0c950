"""Where things of a figure stand: nodes on a circle, labels beside them, all in inches. No drawing here.

On a circle no edge runs through a node that it does not join, and labels stand outside, where no edge runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

Point = tuple[float, float]
Measure = Callable[[str], tuple[float, float]]  # text -> width, height

NODE_RADIUS = 0.11
_LABEL_GAP = 0.08
_TURN = 1.6  # from 0.625 of the way on, it is the corner
_LEAST_RADIUS, _RADIUS_PER_NODE = 0.75, 0.13


@dataclass(frozen=True, slots=True)
class Label:
    """A text whose box has its lower left corner at (left, bottom)."""

    text: str
    left: float
    bottom: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The middle of the box."""
        return self.left + self.width / 2, self.bottom + self.height / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of nodes and labels, in a box whose lower left corner is `corner`."""

    nodes: tuple[Point, ...]
    labels: tuple[Label, ...]
    corner: Point
    width: float
    height: float

    def moved(self, corner: Point) -> Layout:
        """Return the same with the box's lower left corner elsewhere."""
        x, y = corner[0] - self.corner[0], corner[1] - self.corner[1]
        return Layout(
            tuple((u + x, v + y) for u, v in self.nodes),
            tuple(replace(label, left=label.left + x, bottom=label.bottom + y) for label in self.labels),
            corner,
            self.width,
            self.height,
        )


def circle(texts: Sequence[str], measure: Measure) -> Layout:
    """Place nodes clockwise on a circle, the first at the top, with their labels outside."""
    n = len(texts)
    radius = _LEAST_RADIUS + _RADIUS_PER_NODE * n
    angles = [math.pi / 2 - 2 * math.pi * k / n for k in range(n)]
    nodes = tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)
    labels = tuple(_beside(text, angle, radius, measure(text)) for text, angle in zip(texts, angles, strict=True))
    reach = radius + NODE_RADIUS
    left = min(-reach, *(label.left for label in labels))
    bottom = min(-reach, *(label.bottom for label in labels))
    right = max(reach, *(label.left + label.width for label in labels))
    top = max(reach, *(label.bottom + label.height for label in labels))
    return Layout(nodes, labels, (left, bottom), right - left, top - bottom)


def _beside(text: str, angle: float, radius: float, size: tuple[float, float]) -> Label:
    """Put a box outside the circle so that its near corner, or the middle of its near side, faces the node."""
    width, height = size
    right, up = (max(-1.0, min(1.0, _TURN * f(angle))) for f in (math.cos, math.sin))
    x, y = ((radius + NODE_RADIUS + _LABEL_GAP) * f(angle) for f in (math.cos, math.sin))
    return Label(text, x - width * (1 - right) / 2, y - height * (1 - up) / 2, width, height)


def spread(values: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Move values apart as little as needed to stand `gap` from each other, inside bounds, in the same order.

    >>> spread([10, 50, 11], 4, 0, 100)
    [8.5, 50.0, 12.5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    free = [values[k] - rank * gap for rank, k in enumerate(order)]  # these need only ascend: isotonic regression
    places = [0.0] * len(values)
    for rank, k in enumerate(order):
        # the min-max formula (Barlow et al. 1972): cubic, which is nothing for seven labels
        ends = range(rank + 1, len(free) + 1)
        fitted = max(min(fmean(free[start:end]) for end in ends) for start in range(rank + 1))
        places[k] = max(least, min(most - (len(free) - 1) * gap, fitted)) + rank * gap
    return places
