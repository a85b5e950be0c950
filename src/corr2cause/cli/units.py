"""Sizes, times and numbers of things as people read them."""

from __future__ import annotations


def as_size(size: float) -> str:
    """Show a number of bytes.

    >>> as_size(39_422_274_022), as_size(812)
    ('39.4 GB', '812 B')
    """
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= least:
            return f"{size / least:.3g} {unit}"
    return f"{size:.0f} B"


def as_duration(seconds: float) -> str:
    """Show a time, roughly.

    >>> as_duration(0.2), as_duration(42), as_duration(190), as_duration(9000)
    ('under 1 s', '42 s', '3 min', '2.5 h')
    """
    if seconds < 1:
        return "under 1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def counted(number: int, noun: str) -> str:
    """Show a number of things.

    >>> counted(1, "row"), counted(2201, "row")
    ('1 row', '2,201 rows')
    """
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
