"""`corr2cause spans label-studio`: rows to Label Studio, and annotations back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.groups import Group
from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.spans.reading import FILE, FORCE, distinct_rows
from corr2cause.cli.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corr2cause.spans.annotating.label_studio.importing import Imported

_SHOWN = 10


@click.group("label-studio", cls=Group)
def label_studio() -> None:
    """Annotate with Label Studio, a server for annotators (not part of this program).

    \b
    Example:
      corr2cause spans label-studio export corpus.jsonl --out studio
      corr2cause spans label-studio import export.json --out annotated
    """


@label_studio.command("export")
@FILE
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for tasks.json and config.xml; made if absent.")
@FORCE
@JSON
def export(file: Path, out: Path, force: bool, as_json: bool) -> None:
    """Write the rows of a corpus as tasks, and the labelling configuration for them.

    FILE may be a folder of files, such as the batches of an annotator. Rows that have pairs or a label are
    pre-annotated. A span is marked where it is found, exactly or nearly; pairs that are marked in other words, or
    cannot be marked, are told, and the latter are named in the task.

    \b
    Example:
      corr2cause spans label-studio export corpus.jsonl --out studio
      corr2cause spans label-studio export batches/ann --out studio/ann
    """
    from corr2cause.files import write_json, write_text
    from corr2cause.locks import folder_lock
    from corr2cause.spans.annotating.annotators import files_of
    from corr2cause.spans.annotating.label_studio.exporting import to_tasks
    from corr2cause.spans.annotating.label_studio.interface import labelling_config

    files = files_of(file)
    rows = distinct_rows(files)
    tasks, unplaced = to_tasks(rows)
    with folder_lock(out):
        for path in (out / "tasks.json", out / "config.xml"):
            refuse_to_replace(path, force, *files)
        write_text(out / "config.xml", labelling_config())
        write_json(out / "tasks.json", tasks)
    hidden = sum(not one.is_shown for one in unplaced)
    if as_json:
        report = {"tasks": len(tasks), "pairs": sum(len(row.pairs) for row in rows)}
        click.echo(json.dumps(report | {"unplaced": [one.to_json() for one in unplaced]}, ensure_ascii=False))
        return
    _tell(f"row {one.row}: {one.pair.cause} -> {one.pair.effect}: {one.problem}" for one in unplaced)
    marked = f", {len(unplaced) - hidden:,} of them marked in other words, {hidden:,} not marked" if unplaced else ""
    click.echo(f"{out}: tasks: {len(tasks):,}, pairs: {sum(len(row.pairs) for row in rows):,}{marked}")


@label_studio.command("import")
@FILE
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for a file of each annotator; made if absent.")
@click.option("--predictions", is_flag=True, help="Read the pre-annotations, as they were before anybody annotated.")
@FORCE
@JSON
def import_(file: Path, out: Path, predictions: bool, force: bool, as_json: bool) -> None:
    """Read what was annotated, from an export of the project as JSON.

    Writes OUT/NAME.jsonl for each annotator, in the release format, with the seconds that a row took. A region that is
    in no relation becomes half a pair, which `spans validate` reports.

    \b
    Example:
      corr2cause spans label-studio import export.json --out annotated
    """
    from corr2cause.files import write_text
    from corr2cause.locks import folder_lock
    from corr2cause.spans.annotating.label_studio.importing import read_export

    found = read_export(file, "predictions" if predictions else "annotations")
    names = _file_names(found.rows)
    with folder_lock(out):
        for name in names.values():
            refuse_to_replace(out / name, force, file)
        for who, rows in found.rows.items():
            lines = (json.dumps(one.to_record(), ensure_ascii=False) + "\n" for one in rows.values())
            write_text(out / names[who], "".join(lines))
    if as_json:
        click.echo(json.dumps(_report(found, names), ensure_ascii=False))
        return
    _tell(found.problems)
    for who, rows in found.rows.items():
        click.echo(f"{out / names[who]}: {counted(len(rows), 'row')}")
    click.echo(
        f"{counted(found.n_tasks, 'task')}; {found.n_open:,} without an annotation, {found.n_skipped:,} were skipped"
    )


def _file_names(names: Iterable[str]) -> dict[str, str]:
    """Give every annotator a file; characters that a file name cannot hold become `_`."""
    found: dict[str, str] = {}
    for name in names:
        safe = "".join(letter if letter.isalnum() or letter in "-_.@" else "_" for letter in name).lstrip(".") or "_"
        times = Counter(taken.casefold() for taken in found.values())
        number = 2
        unique = safe
        while times[f"{unique}.jsonl".casefold()]:
            unique, number = f"{safe}-{number}", number + 1
        found[name] = f"{unique}.jsonl"
    return found


def _tell(problems: Iterable[str]) -> None:
    listed = list(problems)
    for problem in listed[:_SHOWN]:
        click.echo(problem, err=True)
    if len(listed) > _SHOWN:
        click.echo(f"… and {len(listed) - _SHOWN:,} more; --json lists all", err=True)


def _report(found: Imported, names: dict[str, str]) -> dict[str, object]:
    return {
        "tasks": found.n_tasks,
        "open": found.n_open,
        "skipped": found.n_skipped,
        "files": {name: len(found.rows[who]) for who, name in names.items()},
        "problems": found.problems,
    }
