"""Tables of published figures: CSV with any of the columns accuracy, precision, recall, f1."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import plain_errors
from corr2cause.spans.consistency import METRICS, Reported


def read_reported(path: Path) -> dict[str, Reported]:
    """Read figures, exactly as decimals; a row is named by its other columns.

    Raises:
        FileError: it cannot be read, or has none of the columns or no rows.
        RowError: a figure is no number from 0 to 1.
    """
    with plain_errors(path):
        data = path.read_bytes()
    try:
        lines = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig")), restval=""))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError(str(path), f"this is not CSV in UTF-8 ({error})") from error
    columns = {name.strip().lower(): name for name in (lines[0] if lines else {}) if isinstance(name, str)}
    if not set(METRICS) & set(columns):
        raise FileError(str(path), f"expected rows with some of the columns {', '.join(METRICS)}")
    found: dict[str, Reported] = {}
    for number, line in enumerate(lines, start=2):
        others = [str(line[name]).strip() for key, name in columns.items() if key not in METRICS]
        name = " ".join(filter(None, others)) or f"line {number}"
        figures = {metric: _figure(line, columns.get(metric), path, number) for metric in METRICS}
        found[name if name not in found else f"{name} (line {number})"] = Reported(**figures)
    return found


def _figure(line: Mapping[str, str], column: str | None, path: Path, number: int) -> Fraction | None:
    text = (line[column] or "").strip() if column is not None else ""
    if not text:
        return None
    try:
        figure = Fraction(text) if "/" not in text and len(text) < 30 else None
    except ValueError:
        figure = None
    if figure is None or not 0 <= figure <= 1:
        raise RowError(str(path), number, f"{column} is {quoted(text)}; expected a number from 0 to 1, such as 0.7391")
    return figure
