"""`corr2cause spans consistency`: can published detection figures be true."""

from __future__ import annotations

import json
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.tables import Cell, as_text

_MOST_SHOWN = 3


@click.command()
@click.argument("file", type=NAMED_PATH)
@click.option("--rows", type=click.IntRange(1), required=True, help="Rows that were judged.")
@click.option("--positives", type=click.IntRange(0), help="Causal rows among them; searched for by default.")
@click.option("--decimals", type=click.IntRange(1, 12), default=4, show_default=True, help="Places of the figures.")
@JSON
@click.pass_context
def consistency(ctx: click.Context, file: Path, rows: int, positives: int | None, decimals: int, as_json: bool) -> None:
    """Look for whole numbers behind published accuracy, precision, recall and F1.

    FILE is CSV with the columns accuracy, precision, recall and f1, of which some may be missing or empty; any other
    columns name the row. A row is possible if some true and false positives round to all its figures. The exit code is
    1 if a row is impossible.

    \b
    Example:
      corr2cause spans consistency table.csv --rows 15000 --positives 1973
      corr2cause spans consistency table.csv --rows 15000 --json
    """
    from corr2cause.spans.consistency import METRICS, Setting, possible_positives, solutions
    from corr2cause.spans.published_figures import read_reported

    table = read_reported(file)
    if absent := [name for name in METRICS if all(getattr(one, name) is None for one in table.values())]:
        click.echo(f"{file}: there is no {' and no '.join(absent)}; only the other figures are judged", err=True)
    if positives is None:
        best = possible_positives(table, rows, decimals)
        most = next(iter(best.values()))
        click.echo(f"{most:,} of {len(table):,} rows fit {_listed(list(best))} positives", err=True)
        positives = next(iter(best))
    found = {name: list(solutions(one, Setting(rows, positives, decimals))) for name, one in table.items()}
    n_impossible = sum(not one for one in found.values())
    if as_json:
        listed = [{"row": name, "possible": bool(one), "solutions": one} for name, one in found.items()]
        head = {"rows": rows, "positives": positives, "decimals": decimals, "impossible": n_impossible}
        click.echo(json.dumps(head | {"figures": listed}))
    else:
        lines: list[list[Cell]] = [
            [name, len(one), ", ".join(f"{hits}/{alarms}" for hits, alarms in one[:_MOST_SHOWN]) or "impossible"]
            for name, one in found.items()
        ]
        click.echo(as_text(["row", "solutions", "TP/FP"], lines))
        click.echo(f"\n{len(found) - n_impossible:,} of {len(found):,} rows are possible with {positives:,} positives")
    ctx.exit(1 if n_impossible else 0)


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(f"{number:,}" for number in numbers[:10])
    return f"{shown}, …" if len(numbers) > 10 else shown
