"""Make a whole data set: planned as pieces, each built and written on its own, then named and accounted for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.balancing import LEFT_OUT
from corr2cause.dataset.class_lists import class_count
from corr2cause.dataset.manifest import Json, Kind, Manifest, SplitCount
from corr2cause.dataset.options import GenerationOptions, RowOptions
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.planning import Piece, deal, plan
from corr2cause.dataset.questions import questions
from corr2cause.dataset.remote import RemoteStaging, is_url, remote_finished_before
from corr2cause.dataset.schema import FORMATS, SPLITS
from corr2cause.dataset.staging import Place, Staging, Written, gather, make_missing
from corr2cause.dataset.writing import Layout, write_piece
from corr2cause.errors import OptionError
from corr2cause.execution import Progress, Workers, available_cores, ignore, tell
from corr2cause.graphs.equivalence import equivalence_classes, members
from corr2cause.graphs.terms import MAX_ENUMERATED

ROWS_WORTH_WORKERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """Where a data set goes.

    Attributes:
        folder: made if absent; or a URL that fsspec knows, such as s3://BUCKET/FOLDER.
        formats: some of `schema.FORMATS`.
        force: replace what stands there, whatever it is.

    Raises:
        OptionError: there is no format, or one that is unknown.
    """

    folder: Place
    formats: Sequence[str]
    force: bool = False

    def __post_init__(self) -> None:
        if not is_url(self.folder):
            object.__setattr__(self, "folder", Path(self.folder))
        if not self.formats or not set(self.formats) <= set(FORMATS):
            raise OptionError("--format", f"{self.formats!r} should be some of {', '.join(FORMATS)}")

    def recorded(self, options: RowOptions) -> dict[str, Json]:
        """Return the options as the manifest keeps them."""
        return {**options.to_json(), "format": [form for form in FORMATS if form in self.formats]}

    def finished_before(self, kind: Kind, recorded: Mapping[str, Json]) -> Manifest | None:
        """Return the manifest if just what these options make is here already; see `overwriting`."""
        if isinstance(self.folder, Path):
            return finished_before(self.folder, kind, recorded, self.force)
        return remote_finished_before(self.folder, kind, recorded, self.force)

    def staging(self, recorded: Mapping[str, Json]) -> Staging | RemoteStaging:
        """Return the place where it grows."""
        if isinstance(self.folder, Path):
            return Staging(self.folder, recorded, self.force)
        return RemoteStaging(self.folder, recorded, self.force)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A complete data set: its manifest, and whether it was made now or stood there before."""

    manifest: Manifest
    made: bool


def generate(
    options: GenerationOptions,
    target: Target,
    workers: Workers = 1,
    progress: Progress = ignore,
    continuing: Progress = ignore,
) -> Outcome:
    """Generate every row that the options ask for, unless the target holds just that already.

    A run that was killed is continued by the next one with the same options: what it finished is not made again.

    Args:
        options: what to generate.
        target: where it goes; with a cluster, a folder that all its workers see under this name.
        workers: who builds the rows; the bytes are the same whoever does.
        progress: called with the number of rows just built, or found from before.
        continuing: called, before anything is built, with the number of rows that a run that was stopped has left.

    Raises:
        FileError: the target holds something else and may not be replaced, or cannot be written.
        OptionError: no row is left.
        SizeError: there are eight variables, whose classes `class_lists.discover` has to find in this process first.
        WorkerError: a worker process died.
    """
    recorded = target.recorded(options)
    if (manifest := target.finished_before("generate", recorded)) is not None:
        return Outcome(manifest, made=False)
    pieces = plan(options)
    if not pieces:
        option = f"--{next(iter(options.bounds), 'balance').replace('_', '-')}"
        raise OptionError(option, "no row is left; give wider bounds, or a larger --n")
    with target.staging(recorded) as staging:
        if staging.finished:
            continuing(sum(written.rows for written in staging.finished.values()))
        make = partial(make_piece, options, staging.place, Layout(tuple(target.formats), options.with_steps))
        done = make_missing(staging, {piece.name: piece for piece in pieces}, make, workers, progress)
        manifest = Manifest("generate", __version__, recorded, *gather(done))
        staging.commit(manifest)
    return Outcome(manifest, made=True)


def make_piece(options: RowOptions, place: Place, layout: Layout, piece: Piece) -> Written:
    """Build and write one piece, telling the rows as they are built."""
    return write_piece(place, piece.name, piece.split, layout, map(_told, piece.tables(options)))


def _told(table: pa.Table) -> pa.Table:
    tell(table.num_rows)
    return table


def row_count(options: GenerationOptions) -> int:
    """Count the rows that the options ask for; quick, but for those that leave rows out."""
    return sum(rows_of_size(options, n) for n in options.sizes)


def rows_of_size(options: GenerationOptions, n: int) -> int:
    """Count the rows of one size that the options ask for."""
    if options.leaves_out:
        return int(np.count_nonzero(deal(options, n) != LEFT_OUT))
    return class_count(n) * len(questions(n, options.hypotheses))


def default_workers(rows: int) -> int:
    """Return how many processes pay off: starting them takes longer than building some hundred thousand rows."""
    return available_cores() if rows >= ROWS_WORTH_WORKERS else 1


@dataclass(frozen=True, slots=True)
class SizeSummary:
    """What a data set holds of one size, or of all; `split_rows` is in the order of `SPLITS`.

    Members are not counted, None, where there are too many to list at once.
    """

    n: int | str
    classes: int
    members: int | None
    rows: int
    positives: int
    split_rows: tuple[int, ...]

    @property
    def positive_percent(self) -> float | None:
        """Percentage of the rows whose label is 1, None if there are no rows."""
        return 100 * self.positives / self.rows if self.rows else None


def summarise(options: GenerationOptions, manifest: Manifest) -> list[SizeSummary]:
    """Sum up a generated data set by size, and in all."""
    sizes = [_summarise_size(n, [count for count in manifest.counts if count.n == n]) for n in options.sizes]
    return [
        *sizes,
        SizeSummary(
            n="all",
            classes=sum(size.classes for size in sizes),
            members=None if any(size.members is None for size in sizes) else sum(size.members or 0 for size in sizes),
            rows=sum(size.rows for size in sizes),
            positives=sum(size.positives for size in sizes),
            split_rows=tuple(map(sum, zip(*(size.split_rows for size in sizes), strict=True))),
        ),
    ]


def _summarise_size(n: int, counts: Sequence[SplitCount]) -> SizeSummary:
    return SizeSummary(
        n=n,
        classes=class_count(n),
        members=len(members(equivalence_classes(n).representatives).parents) if n <= MAX_ENUMERATED else None,
        rows=sum(count.rows for count in counts),
        positives=sum(count.positives for count in counts),
        split_rows=tuple(sum(count.rows for count in counts if count.split == split) for split in SPLITS),
    )
