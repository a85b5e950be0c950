"""How long annotators took, where their files say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

SECONDS, WHEN = "seconds", "annotated_at"
"""Fields of annotated rows: how long a row took, and when it was done, as ISO 8601 writes it."""

_CENTURY = 100 * 365 * 24 * 3600

LONGEST_PAUSE = timedelta(minutes=10)
"""Two rows that lie further apart say nothing about how long the second took."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that rows took.

    Attributes:
        seconds: of each row that is known.
    """

    seconds: tuple[float, ...] = ()

    @property
    def median(self) -> float | None:
        """The median; None if nothing is known."""
        return median(self.seconds) if self.seconds else None


def times_of(records: Iterable[tuple[str, Mapping[str, object]]]) -> Times:
    """Read how long rows took: `seconds` of the records, else the gaps between successive `annotated_at`.

    >>> times_of([("1", {"annotated_at": "2025-05-01T10:00:00Z"}), ("2", {"annotated_at": "2025-05-01T10:00:40Z"})])
    Times(seconds=(40.0,))
    """
    seconds, moments = [], []
    for _, record in records:
        if (found := seconds_of(record.get(SECONDS))) is not None:
            seconds.append(found)
        elif moment := _moment(record.get(WHEN)):
            moments.append(moment)
    if not seconds:
        gaps = [later - earlier for earlier, later in pairwise(sorted(moments))]
        seconds = [gap.total_seconds() for gap in gaps if gap <= LONGEST_PAUSE]
    return Times(tuple(seconds))


def seconds_of(found: object) -> float | None:
    """Read a number of seconds; None of anything else, and of what no row can have taken."""
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if 0 <= found < _CENTURY else None


def _moment(found: object) -> datetime | None:
    try:  # in one zone, so that moments with and without one can be compared
        return datetime.fromisoformat(found).astimezone() if isinstance(found, str) else None
    except (ValueError, OverflowError):
        return None
