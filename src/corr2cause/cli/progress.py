"""Progress bars: on stderr, silent when that is not a terminal or with --quiet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(total: int | None, unit: str, quiet: bool) -> Iterator[Callable[[int], object]]:
    """Show a bar while the block runs; it yields the function that moves it on by a number of units."""
    from tqdm import tqdm

    silent = quiet or sys.stderr is None or not sys.stderr.isatty()  # None: started with it closed
    with tqdm(total=total, unit=unit, unit_scale=True, disable=silent, leave=False) as bar:
        yield bar.update


def note(text: str) -> None:
    """Print a line on stderr above a bar that is shown."""
    from tqdm import tqdm

    if sys.stderr is not None:
        tqdm.write(text, file=sys.stderr)
