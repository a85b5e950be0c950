"""How long annotators took, where their files say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

SECONDS, WHEN = "seconds", "annotated_at"
"""Fields of annotated rows: how long a row took, and when it was done, as ISO 8601 writes it."""

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
        found = record.get(SECONDS)
        if isinstance(found, int | float) and not isinstance(found, bool) and found >= 0:
            seconds.append(float(found))
        elif moment := _moment(record.get(WHEN)):
            moments.append(moment)
    if not seconds:
        gaps = [later - earlier for earlier, later in pairwise(sorted(moments))]
        seconds = [gap.total_seconds() for gap in gaps if gap <= LONGEST_PAUSE]
    return Times(tuple(seconds))


def _moment(found: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(found) if isinstance(found, str) else None
    except ValueError:
        return None
    return moment.astimezone() if moment else None  # so that moments with and without a zone can be compared
