"""What a run will make and take, extrapolated from a small sample of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from corr2cause import __version__
from corr2cause.dataset.balancing import LEFT_OUT
from corr2cause.dataset.building import ClassBlock, block_of, build_rows
from corr2cause.dataset.manifest import Manifest
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.planning import deal
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.graphs.equivalence import Classes, equivalence_classes

_FEW = 20
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
    _try(options, _sample(classes, _FEW), formats)  # what the first rows cost once is not to be multiplied
    warm = time.perf_counter()
    block = _sample(classes, _SAMPLE)
    table, manifest = _try(options, block, formats)
    tried = time.perf_counter()
    to_write = rows / table.num_rows
    return Estimate(
        n=n,
        classes=len(classes),
        rows=rows,
        bytes=round(to_write * sum(entry.bytes for entry in manifest.files)),
        seconds=counted - started + len(classes) / len(block.ranks) * (tried - warm) / workers,
    )


def peak_memory(workers: int) -> int | None:
    """Predict the memory of a run, in bytes: after `estimate`, this process has held what each of its own will hold.

    Returns:
        The sum over all processes; None where the system does not tell (Windows).
    """
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return held if workers == 1 else held * (workers + 1)


def _try(options: GenerationOptions, block: ClassBlock, formats: Sequence[str]) -> tuple[pa.Table, Manifest]:
    """Build and write a few classes somewhere."""
    table = build_rows(options, block)
    with TemporaryDirectory() as folder, DatasetWriter(folder, formats, options.with_steps) as writer:
        writer.write("train", table)
        return table, writer.commit("generate", __version__, options.to_json(), ())


def _sample(classes: Classes, size: int) -> ClassBlock:
    chosen = np.unique(np.linspace(0, len(classes) - 1, size).astype(int))
    return block_of(np.arange(len(chosen)), classes.representatives[chosen])
