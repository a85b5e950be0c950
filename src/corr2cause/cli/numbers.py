"""Numbers on the command line."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.FloatRange):
    """A number in a range, neither infinite nor NaN, which click lets into every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        found = super().convert(value, param, ctx)
        return found if math.isfinite(found) else self.fail(f"{value} is no number to work with", param, ctx)
