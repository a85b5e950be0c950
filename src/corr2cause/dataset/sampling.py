"""Make a data set of sampled classes: drawn, built, split, written, and accounted for."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.building import ClassBlock, build_rows
from corr2cause.dataset.class_ids import sampled_class
from corr2cause.dataset.counting import Tally
from corr2cause.dataset.drawing import Sample, draw_classes
from corr2cause.dataset.generating import ROWS_WORTH_WORKERS, Outcome, Target
from corr2cause.dataset.overwriting import finished_before
from corr2cause.dataset.planning import ROWS_PER_BLOCK
from corr2cause.dataset.questions import questions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.schema import FORMATS, SPLITS
from corr2cause.dataset.splitting import SplitCodes, assign
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.errors import OptionError
from corr2cause.execution import Progress, available_cores, ignore, ordered_map

_MEMBERS_PER_BLOCK = 1 << 16  # with what holds in each, some 100 MB at twelve variables


def sample(
    options: SampleOptions,
    target: Target,
    workers: int = 1,
    drawn: Progress = ignore,
    progress: Progress = ignore,
) -> Outcome:
    """Draw classes and write every row about them, unless the target holds just that already.

    Args:
        options: what to draw.
        target: where it goes.
        workers: processes to draw and build in; the bytes are the same for any number.
        drawn: called with the number of classes just drawn.
        progress: called with the number of rows just written.

    Raises:
        OptionError: the target is no folder.
        SamplingError: draw after draw gives no new class that fits.
        FileError: the target holds something else and may not be replaced, or cannot be written.
        WorkerError: a worker process died.
    """
    folder = target.folder
    if not isinstance(folder, Path):
        raise OptionError("--out", f"{folder} is a URL; a sample goes into a folder, to be copied from there")
    recorded = {**options.to_json(), "format": [form for form in FORMATS if form in target.formats]}
    if (manifest := finished_before(folder, "sample", recorded, target.force)) is not None:
        return Outcome(manifest, made=False)
    tally = Tally()
    with DatasetWriter(folder, target.formats, options.with_steps, target.force) as writer:
        classes = draw_classes(options, workers, drawn)
        with closing(build(options, classes, workers)) as built:
            for table, split in built:
                for number, name in enumerate(SPLITS):
                    part = table.filter(pa.array(split == number))
                    writer.write(name, part)
                    tally.add(name, part)
                progress(table.num_rows)
        manifest = writer.commit("sample", __version__, recorded, tally.counts, classes.to_json())
    return Outcome(manifest, made=True)


def build(options: SampleOptions, classes: Sample, workers: int) -> Generator[tuple[pa.Table, SplitCodes], None, None]:
    """Yield the rows of every block and, uint8[rows], the split that each row falls into."""
    n_questions = len(questions(options.n, options.hypotheses))
    split = assign(options.split, options.seed, options.n, (options.classes, n_questions))
    blocks = cut_into_blocks(classes, max(1, ROWS_PER_BLOCK // n_questions))
    with closing(ordered_map(partial(build_rows, options), blocks, min(workers, len(blocks)))) as tables:
        for block, table in zip(blocks, tables, strict=True):
            yield table, split[block.ranks].ravel()


def row_count(options: SampleOptions) -> int:
    """Count the rows that the options ask for."""
    return options.classes * len(questions(options.n, options.hypotheses))


def default_workers(options: SampleOptions) -> int:
    """Return how many processes pay off."""
    return available_cores() if row_count(options) >= ROWS_WORTH_WORKERS else 1


def cut_into_blocks(classes: Sample, most: int) -> list[ClassBlock]:
    """Cut the classes into blocks of at most `most` classes, and of no more members than memory should hold."""
    starts, members = [0], 0
    for place, size in enumerate(classes.sizes.tolist()):
        if place > starts[-1] and (place - starts[-1] == most or members + size > _MEMBERS_PER_BLOCK):
            starts.append(place)
            members = 0
        members += size
    stops = [*starts[1:], len(classes.sizes)]
    return [_block(range(start, stop), classes) for start, stop in zip(starts, stops, strict=True)]


def _block(ranks: range, classes: Sample) -> ClassBlock:
    graphs = classes.representatives[ranks.start : ranks.stop]
    return ClassBlock(np.arange(ranks.start, ranks.stop), graphs, tuple(map(sampled_class, graphs)))
