"""Make a whole data set: every class of every size, split, written, and accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.counting import Tally
from corr2cause.dataset.manifest import Manifest, SplitCount
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.questions import questions
from corr2cause.dataset.schema import FORMATS, SPLITS
from corr2cause.dataset.splitting import SplitCodes, assign
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.errors import OptionError
from corr2cause.execution import available_cores, ordered_map
from corr2cause.graphs.equivalence import equivalence_classes, members

ROWS_PER_BLOCK = 16_384

ROWS_WORTH_WORKERS = 1_000_000

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a data set goes.

    Attributes:
        folder: made if absent.
        formats: some of `schema.FORMATS`.
        force: replace what stands there, whatever it is.

    Raises:
        OptionError: there is no format, or one that is unknown.
    """

    folder: Path
    formats: Sequence[str]
    force: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))
        if not self.formats or not set(self.formats) <= set(FORMATS):
            raise OptionError("--format", f"{self.formats!r} should be some of {', '.join(FORMATS)}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A complete data set: its manifest, and whether it was made now or stood there before."""

    manifest: Manifest
    made: bool


def generate(
    options: GenerationOptions, target: Target, workers: int = 1, progress: Progress = lambda rows: None
) -> Outcome:
    """Generate every row that the options ask for, unless the target holds just that already.

    Args:
        options: what to generate.
        target: where it goes.
        workers: processes to build rows in; the bytes are the same for any number.
        progress: called with the number of rows just written.

    Raises:
        FileError: the target holds something else and may not be replaced, or cannot be written.
        WorkerError: a worker process died.
    """
    recorded = {**options.to_json(), "format": [form for form in FORMATS if form in target.formats]}
    if (manifest := finished_before(target.folder, "generate", recorded, target.force)) is not None:
        return Outcome(manifest, made=False)
    tally = Tally()
    with DatasetWriter(target.folder, target.formats, options.with_steps) as writer:
        for table, split in build(options, workers):
            for code, name in enumerate(SPLITS):
                part = table.filter(pa.array(split == code))
                writer.write(name, part)
                tally.add(name, part)
            progress(table.num_rows)
        manifest = writer.commit("generate", __version__, recorded, tally.counts)
    return Outcome(manifest, made=True)


def build(options: GenerationOptions, workers: int) -> Iterator[tuple[pa.Table, SplitCodes]]:
    """Yield the rows of every block of every size and, uint8[rows], the split that each row falls into."""
    for n in options.sizes:
        classes = equivalence_classes(n)
        n_questions = len(questions(n, options.hypotheses))
        split = assign(options.split, options.seed, n, (len(classes), n_questions))
        blocks = cut_into_blocks(classes, max(1, ROWS_PER_BLOCK // n_questions))
        tables = ordered_map(partial(build_rows, options), blocks, min(workers, len(blocks)))
        for block, table in zip(blocks, tables, strict=True):
            yield table, split[block.ranks.start : block.ranks.stop].ravel()


def row_count(options: GenerationOptions) -> int:
    """Count the rows that the options ask for."""
    return sum(len(equivalence_classes(n)) * len(questions(n, options.hypotheses)) for n in options.sizes)


def default_workers(options: GenerationOptions) -> int:
    """Return how many processes pay off: starting them takes longer than building some hundred thousand rows."""
    return available_cores() if row_count(options) >= ROWS_WORTH_WORKERS else 1


@dataclass(frozen=True, slots=True)
class SizeSummary:
    """What a data set holds of one size, or of all; `split_rows` is in the order of `SPLITS`."""

    n: int | str
    classes: int
    members: int
    rows: int
    positives: int
    split_rows: tuple[int, ...]


def summarise(options: GenerationOptions, manifest: Manifest) -> list[SizeSummary]:
    """Sum up a generated data set by size, and in all."""
    sizes = [_summarise_size(n, [count for count in manifest.counts if count.n == n]) for n in options.sizes]
    return [
        *sizes,
        SizeSummary(
            n="all",
            classes=sum(size.classes for size in sizes),
            members=sum(size.members for size in sizes),
            rows=sum(size.rows for size in sizes),
            positives=sum(size.positives for size in sizes),
            split_rows=tuple(map(sum, zip(*(size.split_rows for size in sizes), strict=True))),
        ),
    ]


def _summarise_size(n: int, counts: Sequence[SplitCount]) -> SizeSummary:
    classes = equivalence_classes(n)
    return SizeSummary(
        n=n,
        classes=len(classes),
        members=len(members(classes.representatives).parents),
        rows=sum(count.rows for count in counts),
        positives=sum(count.positives for count in counts),
        split_rows=tuple(sum(count.rows for count in counts if count.split == split) for split in SPLITS),
    )
