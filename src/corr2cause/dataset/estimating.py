"""What a run will make and take, extrapolated from a small sample of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import numpy as np

from corr2cause import __version__
from corr2cause.dataset.balancing import LEFT_OUT
from corr2cause.dataset.building import ClassBlock, build_rows
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.planning import deal
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.graphs.equivalence import Classes, equivalence_classes

_SAMPLE = 200  # classes of each size, evenly spread over the code order


@dataclass(frozen=True, slots=True)
class Estimate:
    """What to expect of one size.

    Attributes:
        n: number of variables.
        classes: how many there are; exact.
        rows: how many there will be; exact.
        bytes: of all files together.
        seconds: of wall time, the enumeration, and the choice of the rows that stay, included.
    """

    n: int
    classes: int
    rows: int
    bytes: int
    seconds: float


def estimate(options: GenerationOptions, formats: Sequence[str], workers: int) -> tuple[Estimate, ...]:
    """Predict each size by enumerating its classes, and building and writing a sample of them."""
    return tuple(_estimate_size(options, n, formats, workers) for n in options.sizes)


def _estimate_size(options: GenerationOptions, n: int, formats: Sequence[str], workers: int) -> Estimate:
    started = time.perf_counter()
    classes = equivalence_classes(n)
    rows = int(np.count_nonzero(deal(options, n) != LEFT_OUT))
    counted = time.perf_counter()
    block = _sample(classes)
    table = build_rows(options, block)
    built = time.perf_counter()
    with TemporaryDirectory() as folder, DatasetWriter(folder, formats, options.with_steps) as writer:
        writer.write("train", table)
        manifest = writer.commit("generate", __version__, options.to_json(), ())
    written = time.perf_counter()
    to_build, to_write = len(classes) / len(block.ranks), rows / table.num_rows
    return Estimate(
        n=n,
        classes=len(classes),
        rows=rows,
        bytes=round(to_write * sum(entry.bytes for entry in manifest.files)),
        seconds=counted - started + to_build * (built - counted) / workers + to_write * (written - built),
    )


def _sample(classes: Classes) -> ClassBlock:
    chosen = np.unique(np.linspace(0, len(classes) - 1, _SAMPLE).astype(int))
    return ClassBlock(np.arange(len(chosen)), classes.representatives[chosen])
