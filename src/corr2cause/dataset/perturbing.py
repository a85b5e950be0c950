"""Perturb a data set: its rows said in another way, in a folder beside the originals."""

from __future__ import annotations

from functools import partial

from corr2cause.dataset.beside import Variant, write_beside
from corr2cause.dataset.generating import Outcome
from corr2cause.dataset.options import PerturbationOptions
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.rephrasing import rephrase
from corr2cause.dataset.variant_folders import folder_name
from corr2cause.execution import Progress, ignore


def perturb(
    source: Dataset,
    options: PerturbationOptions,
    force: bool = False,
    workers: int = 1,
    progress: Progress = ignore,
) -> Outcome:
    """Write the perturbed rows of some splits into `perturbation_by_<mode>` and name them in the data card.

    Args:
        source: the data set; rows keep the ids, labels and files' formats of it.
        options: what to change, and where.
        force: replace a perturbation that was made with other options or from other data.
        workers: processes to work in, a file of the data set each; the bytes are the same for any number.
        progress: called with the number of rows just written.

    Raises:
        OptionError: there are no such splits, or none of them has rows, or the data set is a perturbation itself.
        FileError: something else stands there, or the data are damaged, or the folder cannot be written, or
            another process is writing into it.
    """
    retell = partial(rephrase, mode=options.mode, seed=options.seed)
    recorded = {"mode": options.mode.value, "seed": options.seed}
    variant = Variant("perturb", folder_name(options.mode), options.splits, recorded, retell)
    return write_beside(source, variant, force, workers, progress)
