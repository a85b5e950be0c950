"""Charts as files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from corr2cause.checking.chart_drawing import draw_chart
from corr2cause.checking.charts import AnyChart
from corr2cause.checking.drawing import FORMATS, drawn, is_ours
from corr2cause.errors import FileError
from corr2cause.files import plain_errors, whole_file


def write_charts(folder: str | Path, charts: Sequence[AnyChart]) -> tuple[Path, ...]:
    """Write each chart as a PNG and an SVG file into a folder, which is made if absent.

    Earlier charts of the same names are replaced, but no file that was not drawn here. All are drawn before the first
    is written.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FileError: a file of somebody else is in the way, or the folder cannot be written.
    """
    paths = {Path(folder, f"{chart.name}.{form}"): (chart, form) for chart in charts for form in FORMATS}
    pictures = {path: drawn(partial(draw_chart, chart), form) for path, (chart, form) in paths.items()}
    for path in paths:
        with plain_errors(path):
            if path.exists() and not is_ours(path.read_bytes()):
                raise FileError(str(path), "this was not drawn by corr2cause; move it or choose another folder")
    with plain_errors(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
    for path, picture in pictures.items():
        with whole_file(path) as out:
            out.write(picture)
    return tuple(paths)
