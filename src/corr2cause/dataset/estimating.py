"""What a run will make and take, extrapolated from a small sample of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory

import numpy as np

from corr2cause import __version__
from corr2cause.dataset.building import block_of, build_rows, sampled_block
from corr2cause.dataset.class_lists import class_count
from corr2cause.dataset.discovering import discovery_seconds
from corr2cause.dataset.drawing import draw_classes
from corr2cause.dataset.generating import rows_of_size
from corr2cause.dataset.options import GenerationOptions, RowOptions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.writing import DatasetWriter
from corr2cause.graphs.bitdags import Masks
from corr2cause.graphs.equivalence import equivalence_classes
from corr2cause.graphs.terms import MAX_ENUMERATED

_SAMPLE = 200  # classes of each size
_BYTES_TO_PLAN_A_ROW = 4


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
    """Predict each size by enumerating its classes, and building and writing a sample of them.

    Eight variables are not enumerated for that: some classes are drawn, and a part of the discovery is tried.
    """
    return tuple(_estimate_size(options, n, formats, workers) for n in options.sizes)


def estimate_sample(options: SampleOptions, formats: Sequence[str], workers: int) -> Estimate:
    """Predict a sample by drawing, building and writing the first classes of it.

    Raises:
        SamplingError: draw after draw gives no new class that fits.
    """
    started = time.perf_counter()
    classes = draw_classes(replace(options, classes=min(_SAMPLE, options.classes))).representatives
    drawing = time.perf_counter() - started
    trial = _try(options, formats, classes, sampled=True)
    times = options.classes / len(classes)
    seconds = times * (drawing + trial.seconds) / workers
    return Estimate(options.n, options.classes, round(times * trial.rows), round(times * trial.bytes), seconds)


def _estimate_size(options: GenerationOptions, n: int, formats: Sequence[str], workers: int) -> Estimate:
    started = time.perf_counter()
    representatives = _some_classes(options, n)
    rows = rows_of_size(options, n)
    before = time.perf_counter() - started + (discovery_seconds(n) / workers if n > MAX_ENUMERATED else 0)
    trial = _try(options, formats, representatives, sampled=False)
    return Estimate(
        n=n,
        classes=class_count(n),
        rows=rows,
        bytes=round(rows / trial.rows * trial.bytes),
        seconds=before + class_count(n) / len(representatives) * trial.seconds / workers,
    )


def _some_classes(options: GenerationOptions, n: int) -> Masks:
    """Return some classes of a size, evenly spread over the code order, or drawn where they are not enumerated."""
    if n > MAX_ENUMERATED:
        return draw_classes(SampleOptions(n=n, classes=_SAMPLE, seed=options.seed)).representatives
    classes = equivalence_classes(n)
    return np.take(classes.representatives, np.unique(np.linspace(0, len(classes) - 1, _SAMPLE).astype(int)), axis=0)


def peak_memory(rows: int, workers: int) -> int | None:
    """Predict the memory of a run, in bytes: after `estimate`, this process has held what each of its own will hold.

    The process that directs holds some bytes for each row besides.

    Returns:
        The sum over all processes; None where the system does not tell (Windows).
    """
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return held * (1 if workers == 1 else workers + 1) + rows * _BYTES_TO_PLAN_A_ROW


@dataclass(frozen=True, slots=True)
class _Trial:
    """What some classes took, and gave before any row is left out."""

    rows: int
    bytes: int
    seconds: float


def _try(options: RowOptions, formats: Sequence[str], representatives: Masks, sampled: bool) -> _Trial:
    """Build and write some classes somewhere, a few before: what the first rows cost once is not to be multiplied."""
    block = sampled_block if sampled else block_of
    trial = _Trial(0, 0, 0)
    for chosen in (representatives[::10], representatives):
        started = time.perf_counter()
        table = build_rows(options, block(np.arange(len(chosen)), chosen))
        with TemporaryDirectory() as folder, DatasetWriter(folder, formats, options.with_steps) as writer:
            writer.write("train", table)
            files = writer.commit("generate", __version__, options.to_json(), ()).files
        trial = _Trial(table.num_rows, sum(file.bytes for file in files), time.perf_counter() - started)
    return trial
