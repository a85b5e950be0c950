"""Draw classes: distinct up to renaming, within bounds, and sized up before any member is listed.

The draws stand in a row, and draw t depends on (seed, n, distribution, t) alone. The sample holds the first draws that
are kept, so that a longer sample begins with a shorter one and nothing depends on how the draws are batched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import count

import numpy as np

from corr2cause import streams
from corr2cause.dataset.bounds import Bounds
from corr2cause.dataset.options import PremiseStyle
from corr2cause.dataset.sample_options import Distribution, SampleOptions
from corr2cause.errors import SamplingError
from corr2cause.execution import Progress, Workers, ignore, ordered_map
from corr2cause.graphs.bitdags import Integers, Masks, Truths
from corr2cause.graphs.counting import labelled_dag_count
from corr2cause.graphs.equivalence import Cpdags, cpdags
from corr2cause.graphs.numbering import labelled_dag, unlabelled_dag, unlabelled_dag_numbers
from corr2cause.graphs.rooting import class_sizes
from corr2cause.graphs.sampling import orbit_sizes, representatives
from corr2cause.graphs.separation import minimal, separations

_AT_ONCE = 512  # draws that are looked at together

_IN_VAIN = 100_000  # draws without a new class after which hardly any can be left


class Fate(StrEnum):
    """What becomes of a draw."""

    TAKEN = "taken"  # a new class of the sample
    PASSED_OVER = "passed_over"  # so that classes of many DAGs are drawn no more often than others
    TOO_LARGE = "too_large"  # the class has more than --max-class-size members
    UNFIT = "unfit"  # outside of the bounds
    REPEATED = "repeated"  # a class that is in the sample already


@dataclass(frozen=True, slots=True)
class Sample:
    """Classes that were drawn.

    Attributes:
        representatives: uint16[C, n]; one DAG of each, topologically numbered, which depends on the class alone.
        sizes: int64[C]; number of members.
        fates: what became of how many draws.
    """

    representatives: Masks
    sizes: Integers
    fates: Counter[Fate]

    def to_json(self) -> dict[str, int]:
        """Return the numbers that the manifest keeps: draws and their fates, and members."""
        fates = {fate.value: self.fates[fate] for fate in Fate}
        return {"draws": self.fates.total(), **fates, "members": int(self.sizes.sum())}


def draw_classes(options: SampleOptions, workers: Workers = 1, progress: Progress = ignore) -> Sample:
    """Draw as many classes as the options ask for.

    Args:
        options: what to draw.
        workers: who draws; the sample is the same whoever does.
        progress: called with the number of classes just found.

    Returns:
        The sample. About 0.4 ms a draw at n = 10, of which some 4 give a class, without bounds.

    Raises:
        SamplingError: draw after draw gives no new class that fits.
        WorkerError: a worker process died.
    """
    with closing(_draws(options, workers)) as draws:
        return _take(options, draws, progress)


def _take(options: SampleOptions, draws: Iterable[tuple[Fate, Masks, int]], progress: Progress) -> Sample:
    """Take the first draws that give a new class each, as many as are asked for."""
    found: dict[bytes, tuple[Masks, int]] = {}
    fates: Counter[Fate] = Counter()
    last = 0
    for fate, representative, size in draws:
        if fate is Fate.TAKEN and representative.tobytes() in found:
            fate = Fate.REPEATED
        fates[fate] += 1
        if fate is Fate.TAKEN:
            found[representative.tobytes()] = representative, size
            last = fates.total()
            progress(1)
            if len(found) == options.classes:
                break
        if fates.total() - last == _IN_VAIN:
            raise SamplingError(options.classes, len(found), fates.total(), _IN_VAIN)
    graphs, sizes = zip(*found.values(), strict=True)
    return Sample(np.stack(graphs), np.array(sizes, dtype=np.int64), fates)


def _draws(options: SampleOptions, workers: Workers) -> Generator[tuple[Fate, Masks, int], None, None]:
    """Yield what becomes of each draw by itself, the representative uint16[n] if it may be taken, and its size."""
    rows = (range(start, start + _AT_ONCE) for start in count(0, _AT_ONCE))
    with closing(ordered_map(partial(_look_at, options), rows, workers)) as batches:
        for fates, graphs, sizes in batches:
            yield from zip(fates, graphs, sizes, strict=True)


def _look_at(options: SampleOptions, rows: range) -> tuple[list[Fate], Masks, list[int]]:
    """Make some draws and decide on each by itself; only of those that may be taken the representative is sought."""
    graphs = _draw(options, rows)
    mixed = cpdags(graphs)
    sizes = class_sizes(mixed)
    passed_over = _passed_over(options, rows, orbit_sizes(graphs, mixed), sizes)
    too_large = sizes > options.max_class_size
    fits = ~passed_over & ~too_large
    fits[fits] = _fits(options, graphs[fits], sizes[fits])
    graphs[fits] = representatives(Cpdags(mixed.directed[fits], mixed.undirected[fits]))
    fates = np.select([fits, passed_over, too_large], [0, 1, 2], default=3)
    named = (Fate.TAKEN, Fate.PASSED_OVER, Fate.TOO_LARGE, Fate.UNFIT)
    return [named[fate] for fate in fates.tolist()], graphs, sizes.tolist()


def _draw(options: SampleOptions, rows: range) -> Masks:
    """Draw DAGs: uniform over the labelled ones, or over those up to renaming."""
    n = options.n
    is_labelled = options.distribution is Distribution.DAGS
    bound, number_to_dag = (
        (labelled_dag_count(n), labelled_dag) if is_labelled else (unlabelled_dag_numbers(n), unlabelled_dag)
    )
    numbers = streams.integers(
        options.seed, "sample", options.distribution.value, n, rows=rows, bounds=[bound] * len(rows)
    )
    return np.array([number_to_dag(n, number) for number in numbers], dtype=np.uint16)


def _passed_over(options: SampleOptions, rows: range, orbits: Integers, sizes: Integers) -> Truths:
    """Choose the draws that would give classes of many DAGs, up to renaming, more than their share."""
    if options.distribution is Distribution.DAGS:
        return np.zeros(len(rows), dtype=bool)
    lots = streams.integers(options.seed, "sample acceptance", options.n, rows=rows, bounds=sizes.tolist())
    passed_over: Truths = np.array(lots) >= orbits
    return passed_over


def _fits(options: SampleOptions, graphs: Masks, sizes: Integers) -> Truths:
    """Return which classes lie within all bounds; what costs most is counted last."""
    n = options.n
    edges = np.bitwise_count(graphs).sum(axis=1, dtype=np.int64)
    fits = _within(options.edges, edges) & _within(options.density, edges, scale=n * (n - 1) // 2)
    fits &= _within(options.class_size, sizes)
    if options.statements:
        fits[fits] = _within(options.statements, _statement_counts(graphs[fits], options.premise))
    return fits


def _within(bounds: Bounds | None, numbers: Integers, scale: int = 1) -> Truths:
    least, most = bounds.whole(scale) if bounds else (0, np.iinfo(np.int64).max)
    within: Truths = (numbers >= least) & (numbers <= most)
    return within


def _statement_counts(graphs: Masks, style: PremiseStyle) -> Integers:
    separated = separations(graphs)
    listed = minimal(separated, graphs.shape[1]) if style is PremiseStyle.MINIMAL else separated
    counts: Integers = listed.sum(axis=1)
    return counts
