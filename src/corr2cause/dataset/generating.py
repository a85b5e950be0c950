"""Make a whole data set: every class of every size, split, written, and accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.building import build_rows, cut_into_blocks
from corr2cause.dataset.manifest import Manifest
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.questions import questions
from corr2cause.dataset.schema import SPLITS
from corr2cause.dataset.splitting import SplitCodes, assign
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.execution import ordered_map
from corr2cause.graphs.equivalence import equivalence_classes

ROWS_PER_BLOCK = 16_384

Progress = Callable[[int], object]


def write_dataset(options: GenerationOptions, writer: DatasetWriter, workers: int, progress: Progress) -> None:
    """Generate everything that the options ask for through an open writer.

    Args:
        options: what to generate.
        writer: where it goes.
        workers: processes to build rows in; the bytes are the same for any number.
        progress: called with the number of rows just written.
    """
    for n in options.sizes:
        for table, split in build_size(options, n, workers):
            for code, name in enumerate(SPLITS):
                part = table.filter(pa.array(split.ravel() == code)) if (split != code).any() else table
                if part.num_rows:
                    writer.write(name, part)
            progress(table.num_rows)


def build_size(options: GenerationOptions, n: int, workers: int) -> Iterator[tuple[pa.Table, SplitCodes]]:
    """Yield the rows of every block of one size and, uint8[C, H], the split that each row falls into."""
    classes = equivalence_classes(n)
    n_questions = len(questions(n, options.hypotheses))
    split = assign(options.split, options.seed, n, (len(classes), n_questions))
    blocks = cut_into_blocks(classes, max(1, ROWS_PER_BLOCK // n_questions))
    tables = ordered_map(partial(build_rows, options), blocks, workers if len(blocks) > 1 else 1)
    for block, table in zip(blocks, tables, strict=True):
        yield table, split[block.ranks.start : block.ranks.stop]
