"""Options that the judging commands share, and what they say of files on stderr."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.errors import OptionError

if TYPE_CHECKING:
    from corr2cause.bootstrap import Interval
    from corr2cause.spans.embedding import Embedder
    from corr2cause.spans.joining import IdReport
    from corr2cause.spans.profiles import Profile
    from corr2cause.spans.rows import Row

GOLD = click.option("--gold", type=NAMED_PATH, required=True, metavar="FILE", help="The rows with their true pairs.")
PREDICTIONS = click.option(
    "--predictions", type=NAMED_PATH, required=True, metavar="FILE", help="What a model answered."
)
PROFILE = click.option(
    "--profile",
    type=click.Choice(["described", "released"]),
    default="described",
    show_default=True,
    help="Judge as the paper describes it, or as its released code does, flaws included.",
)
NORMALISER = click.option(
    "--normaliser",
    type=click.Choice(["verbatim", "plain", "table", "brackets", "collapsed", "stable"]),
    help="How spans are brought together before they are compared, under `described`.  [default: stable]",
)
EMBEDDER = click.option(
    "--embedder",
    default="hashing",
    show_default=True,
    metavar="NAME",
    help="For cosines: hashing (letters), none, or a model of sentence-transformers (extra embed).",
)
CACHE = click.option(
    "--embedding-cache",
    type=NAMED_PATH,
    metavar="FOLDER",
    help="Where vectors of a model are kept.  [default: ~/.cache]",
)
REPLICATES = click.option(
    "--replicates",
    type=click.IntRange(0, 1_000_000),
    default=1000,
    show_default=True,
    help="Of the bootstrap over rows.",
)
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")


def profile_of(name: str, normaliser: str | None) -> Profile:
    """Return a profile, with another normaliser if one is named.

    Raises:
        OptionError: `released` has normalisers of its own.
    """
    from corr2cause.spans.names import RELEASED
    from corr2cause.spans.profiles import PROFILES, described

    if name == RELEASED and normaliser:
        raise OptionError("--normaliser", "the profile released has its own; use it with --profile described")
    return described(normaliser) if normaliser else PROFILES[name]


def embedder_called(name: str, cache: Path | None) -> Embedder | None:
    """Return the embedder of a name; None for `none`."""
    from corr2cause.spans.embedding import embedder_of

    return None if name == "none" else embedder_of(name, cache)


def keep_vectors(embedder: Embedder | None) -> None:
    """Write the vectors of a model to its cache."""
    from corr2cause.spans.embedding import Remembering

    if isinstance(embedder, Remembering):
        embedder.save()


def tell(path: Path, sentences: Iterable[str]) -> None:
    """Say on stderr what a reader of the figures should know of a file."""
    for sentence in sentences:
        click.echo(f"{path}: {sentence}", err=True)


def tell_unannotated(path: Path, rows: Iterable[Row]) -> None:
    """Say on stderr how many rows nobody seems to have annotated."""
    bare = [row.id for row in rows if not row.is_annotated]
    if bare:
        tell(path, [f"not causal for want of label and pairs: {len(bare):,} (first id {bare[0]})"])


def tell_ids(path: Path, ids: IdReport) -> None:
    """Say on stderr which ids did not meet."""
    if ids.by_position:
        tell(path, ["no prediction has an id; they are laid beside the gold rows in their order"])
    tell(path, ids.told())
    if not ids.n_matched:
        tell(path, ["no prediction is about a gold row: every figure is 0; is this about other rows?"])


def as_range(bounds: Interval | None, scale: int = 100) -> str | None:
    """Show an interval, in per cent unless another scale is given."""
    return f"{scale * bounds.low:.2f} to {scale * bounds.high:.2f}" if bounds else None
