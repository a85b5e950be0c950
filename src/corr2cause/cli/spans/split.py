"""`corr2cause spans split`: training and test parts of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.spans.reading import COLUMNS, FORCE, distinct_rows
from corr2cause.cli.tables import as_text
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.spans.rows import Row

_RELEASE = "release"


@click.command()
@click.argument("files", nargs=-1, required=True, type=NAMED_PATH, metavar="FILE...")
@click.option("--out", required=True, type=NAMED_PATH, help="Folder for the splits; made if absent.")
@click.option(
    "--task", required=True, type=click.Choice(["detection", "extraction"]),
    help="Split by label, or rows with pairs by whether they have one or more.",
)  # fmt: skip
@click.option(
    "--profile", type=click.Choice(["described", "released"]), default="described", show_default=True,
    help="Extraction: as the paper describes it, or in the order of its released script (seed 42).",
)  # fmt: skip
@click.option("--validation", type=int, metavar="N", help="Detection: draw N rows of test as a validation subset too.")
@click.option("--by-source", is_flag=True, help="Detection: keep the rows of one source (abstract) on one side.")
@click.option(
    "--release", is_flag=True,
    help="Detection: write train.jsonl and so on with pairs and sources, in the release format, as `card` takes them.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the described profile.")
@COLUMNS
@FORCE
def split(
    files: tuple[Path, ...], out: Path, task: str, profile: str, validation: int | None, by_source: bool, release: bool,
    seed: int, columns: str | None, force: bool,
) -> None:  # fmt: skip
    """Split a corpus 50:50, and write the parts and their indices.

    Several FILEs are taken as one corpus, in their order. Each part becomes a file of the prepared format, in which
    detection has no pairs, and indices.json holds the ids of all parts in their order.

    \b
    Example:
      corr2cause spans split corpus.json --task detection --validation 1000 --out data/detection
      corr2cause spans split corpus.jsonl --task detection --by-source --release --out release
      corr2cause spans split train.json test.json --task extraction --profile released --out data/extraction
    """
    from corr2cause.spans.splitting import detection_split, extraction_split, source_split, validation_subset

    of_detection = {"--validation": validation is not None, "--by-source": by_source, "--release": release}
    if task == "extraction" and any(of_detection.values()):
        option = next(name for name, is_given in of_detection.items() if is_given)
        raise click.UsageError(f"{option} belongs to --task detection; leave it out, or choose that task")
    if profile == "released" and task == "detection":
        raise click.UsageError("--profile released: the detection script was never released; leave the option out")
    rows = distinct_rows(files, columns, annotated=task == "detection")
    if task == "detection":
        splits = source_split(rows, seed) if by_source else detection_split(rows, seed)
        if validation is not None:
            splits["validation"] = validation_subset(splits["test"], validation, seed)
    else:
        splits = extraction_split(rows, "released" if profile == "released" else "described", seed)
        if not any(splits.values()):
            raise OptionError("FILE", "no row has a whole pair, so that nothing can be split; give files with pairs")
    form = _RELEASE if release else task
    _write(splits, out, form, {"task": task, **_options(profile, seed, by_source)}, force, files)
    if form == "detection" and (n_pairs := sum(len(row.pairs) for row in rows)):
        click.echo(f"Left out: pairs: {n_pairs:,}; --release keeps them", err=True)
    click.echo(as_text(("split", "rows", "pairs"), [_counted(name, part) for name, part in splits.items()]))


def _options(profile: str, seed: int, by_source: bool) -> dict[str, object]:
    from corr2cause.spans.splitting import RELEASED_SEED

    return {"profile": profile, "seed": RELEASED_SEED if profile == "released" else seed, "by_source": by_source}


def _counted(name: str, part: list[Row]) -> tuple[str, int, int]:
    return name, len(part), sum(len(row.pairs) for row in part)


def _write(
    splits: dict[str, list[Row]], out: Path, form: str, options: dict[str, object], force: bool,
    sources: Sequence[Path],
) -> None:  # fmt: skip
    from corr2cause.files import write_json
    from corr2cause.locks import folder_lock
    from corr2cause.spans.formats.writing import converted, write_corpus
    from corr2cause.spans.splitting import indices

    with folder_lock(out):
        targets = {name: out / (f"{name}.jsonl" if form == _RELEASE else f"{form}_{name}.json") for name in splits}
        index = out / "indices.json"
        for path in (*targets.values(), index):
            refuse_to_replace(path, force, *sources)
        index.unlink(missing_ok=True)  # it is written last: with it the parts are complete
        for name, path in targets.items():
            write_corpus(path, converted(splits[name], form).rows, form)
        write_json(index, {**options, "splits": indices(splits)})
