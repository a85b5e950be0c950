"""Make a data set of sampled classes: drawn, planned as pieces, each built and written, and accounted for."""

from __future__ import annotations

from functools import partial

from corr2cause import __version__
from corr2cause.dataset.drawing import draw_classes
from corr2cause.dataset.generating import Outcome, Target, make_piece
from corr2cause.dataset.manifest import Manifest
from corr2cause.dataset.planning import plan_sample
from corr2cause.dataset.questions import questions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.staging import gather, make_missing
from corr2cause.dataset.writing import Layout
from corr2cause.execution import Progress, Workers, ignore


def sample(
    options: SampleOptions,
    target: Target,
    workers: Workers = 1,
    drawn: Progress = ignore,
    progress: Progress = ignore,
) -> Outcome:
    """Draw classes and write every row about them, unless the target holds just that already.

    A run that was killed is continued by the next one with the same options: it draws again, and makes what is missing.

    Args:
        options: what to draw.
        target: where it goes; with a cluster, a folder that all its workers see under this name.
        workers: who draws and builds; the bytes are the same whoever does.
        drawn: called with the number of classes just drawn.
        progress: called with the number of rows just built, or found from before.

    Raises:
        SamplingError: draw after draw gives no new class that fits.
        FileError: the target holds something else and may not be replaced, or cannot be written.
        OptionError: no scheduler answers.
        WorkerError: a worker process died.
    """
    recorded = target.recorded(options)
    if (manifest := target.finished_before("sample", recorded)) is not None:
        return Outcome(manifest, made=False)
    with target.staging(recorded) as staging:
        classes = draw_classes(options, workers, drawn)
        pieces = plan_sample(options, classes.representatives)
        make = partial(make_piece, options, staging.place, Layout(tuple(target.formats), options.with_steps))
        done = make_missing(staging, {piece.name: piece for piece in pieces}, make, workers, progress)
        manifest = Manifest("sample", __version__, recorded, *gather(done), classes.to_json())
        staging.commit(manifest)
    return Outcome(manifest, made=True)


def row_count(options: SampleOptions) -> int:
    """Count the rows that the options ask for."""
    return options.classes * len(questions(options.n, options.hypotheses))
