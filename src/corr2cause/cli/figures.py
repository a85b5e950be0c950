"""The option `--figures` of the commands that draw charts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH

if TYPE_CHECKING:
    from corr2cause.checking.charts import AnyChart

figures_option = click.option(
    "--figures", type=NAMED_PATH, metavar="DIR", help="Also draw charts into this folder, as PNG and SVG."
)


def draw_into(folder: Path, charts: Sequence[AnyChart]) -> None:
    """Draw charts and say which files they are. Call it before anything is printed: if it fails, nothing should be."""
    from corr2cause.checking.chart_files import write_charts

    names = ", ".join(path.name for path in write_charts(folder, charts))
    click.echo(f"{folder}: {names or 'no charts, since there is nothing to show'}.", err=True)
