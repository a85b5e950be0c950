"""`corr2cause spans transfer`: what detection learned on one corpus is worth on others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.judging import JSON
from corr2cause.cli.tables import Cell, as_text
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.spans.transfer.parts import Parts
    from corr2cause.spans.transfer.running import Transfer


@click.command()
@click.argument("corpora", nargs=-1, required=True, metavar="[NAME=]FILE…")
@click.option("--source", required=True, metavar="[NAME=]FILE", help="The corpus to learn from.")
@click.option("--seed", type=click.IntRange(0), default=42, show_default=True, help="Of the parts.")
@click.option("--parts", type=NAMED_PATH, metavar="FOLDER", help="Write the parts too, for other models to learn from.")
@click.option("--force", is_flag=True, help="Replace parts that are there already.")
@JSON
@click.option("--quiet", is_flag=True, help="Show no progress.")
def transfer(
    corpora: tuple[str, ...], source: str, seed: int, parts: Path | None, force: bool, as_json: bool, quiet: bool
) -> None:
    """Test a detector of causal texts within each corpus and across from another one.

    Every corpus, in any format that is known, is cut into 70 % train and 30 % test, stratified; train is brought to as
    many causal rows as others, and 14 % of it are for validation. The detector is logistic regression on TF-IDF (extra
    baselines), trained here, once on each corpus (within) and once on the source (across).

    \b
    Example:
      corr2cause spans transfer BioCause=biocause.csv AltLex=altlex.csv --source PubMedCausal=detection_train.json
      corr2cause spans transfer biocause.csv --source detection_train.json --parts data/transfer --json
    """
    from corr2cause.spans.transfer.running import run_transfer

    named = [_named(one) for one in (source, *corpora)]
    learned, *tested = (_cut(name, path, seed) for name, path in named)
    if len({one.name for one in (learned, *tested)}) <= len(tested):
        raise OptionError("CORPORA", "two corpora have one name; give each its own as NAME=FILE")
    if parts:
        _write(parts, (learned, *tested), force, [path for _, path in named])
    with progress_bar(1 + len(tested), " models", quiet) as progress:
        found = run_transfer(learned, tested, progress)
    if as_json:
        click.echo(json.dumps({"source": learned.name, "seed": seed, "corpora": [one.to_json() for one in found]}))
    else:
        click.echo(_told(learned, found))


def _named(corpus: str) -> tuple[str, Path]:
    """Return name and file of what was given as NAME=FILE or FILE."""
    name, equals, path = corpus.partition("=")
    if equals and not path:
        raise OptionError("CORPORA", f"{corpus!r} names no file; give NAME=FILE")
    if equals and name != Path(name).name:
        raise OptionError("CORPORA", f"{name!r} cannot begin the name of a file; choose a plain name, without /")
    return (name, Path(path)) if equals else (Path(corpus).stem, Path(corpus))


def _cut(name: str, path: Path, seed: int) -> Parts:
    from corr2cause.spans.formats.reading import read_corpus
    from corr2cause.spans.transfer.parts import cut

    return cut(name, read_corpus(path).rows, seed)


def _write(folder: Path, corpora: Sequence[Parts], force: bool, sources: Sequence[Path]) -> None:
    from corr2cause.locks import folder_lock
    from corr2cause.spans.formats.writing import converted, write_corpus

    with folder_lock(folder):
        targets = {
            folder / f"{one.name}_{part}.json": getattr(one, part)
            for one in corpora
            for part in ("train", "validation", "test")
        }
        for path in targets:
            refuse_to_replace(path, force, *sources)
        for path, rows in targets.items():
            write_corpus(path, converted(rows, "detection").rows, "detection")


def _told(source: Parts, found: Sequence[Transfer]) -> str:
    rows: list[list[Cell]] = [
        [
            one.parts.name,
            len(one.parts.train),
            len(one.parts.validation),
            len(one.parts.test),
            one.within.positives,
            one.parts.n_seen,
            100 * one.within.f1,
            100 * one.cross.f1,
            100 * one.delta,
        ]
        for one in found
    ]
    header = ["corpus", "train", "validation", "test", "causal", "seen", "F1 within", "F1 across", "difference"]
    about = (
        f"Across is from {source.name}: {len(source.train):,} train rows, {len(source.validation):,} validation rows. "
        "F1 of the causal class in %. Seen: test rows whose very text is in the corpus's own train rows too."
    )
    return f"{as_text(header, rows)}\n\n{about}"
