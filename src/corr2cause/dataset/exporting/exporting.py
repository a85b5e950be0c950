"""Export a data set: check what stands in the way, then let the target write its files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause import __version__
from corr2cause.dataset.exporting.folder import ExportedFile, export_folder, made_before
from corr2cause.dataset.exporting.items import Selection, original_of, select
from corr2cause.dataset.exporting.phrasing import Completion, Phrasing
from corr2cause.dataset.exporting.targets import TARGETS, ExportTarget
from corr2cause.dataset.manifest import MANIFEST, row_options
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.schema import SPLITS
from corr2cause.errors import FileError, OptionError
from corr2cause.files import sha256_of
from corr2cause.text.prompting import WITHOUT_EXAMPLES, Style


@dataclass(frozen=True)
class ExportOptions:
    """How to export.

    Attributes:
        target: one of `TARGETS`.
        splits: some of `schema.SPLITS`; those that the target is for by default.
        date: of publication, as YYYY-MM-DD; only `croissant` says it.
        force: replace what stands in the folder.
        style: of prompts, one of `WITHOUT_EXAMPLES`; for the targets that ask.
        completion: what a model is taught to say, for the targets that complete; steps want a style that asks for
            reasoning.

    Raises:
        OptionError: one of them makes no sense, or they do not go together.
    """

    target: str
    splits: tuple[str, ...] = ()
    date: str | None = None
    force: bool = False
    style: Style = Style.ZERO_SHOT
    completion: Completion = Completion.ANSWER

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise OptionError("--to", f"{self.target!r} should be one of {', '.join(TARGETS)}")
        if isinstance(self.splits, str) or not set(self.splits) <= set(SPLITS):
            raise OptionError("--split", f"{self.splits!r} should be some of {', '.join(SPLITS)}")
        if self.date is not None and not _is_date(self.date):
            raise OptionError("--date", f"{self.date!r} should be a day, written YYYY-MM-DD")
        if self.style not in WITHOUT_EXAMPLES:
            raise OptionError("--style", f"{self.style!r} should be one of {', '.join(WITHOUT_EXAMPLES)}")
        self._check_phrasing()

    def _check_phrasing(self) -> None:
        if self.style is not Style.ZERO_SHOT and not self.format.asks:
            raise OptionError("--style", f"{self.target} does not leave it open; it is for {_names('asks')}")
        if self.completion is Completion.STEPS and not self.format.completes:
            raise OptionError("--completion", f"{self.target} holds no completions; it is for {_names('completes')}")
        if self.completion is Completion.STEPS and not self.style.is_reasoned:
            problem = f"a {self.style} prompt asks for yes or no alone; add --style {Style.CHAIN_OF_THOUGHT}"
            raise OptionError("--completion", problem)

    @property
    def format(self) -> ExportTarget:
        """The target itself."""
        return TARGETS[self.target]


@dataclass(frozen=True)
class Export:
    """A complete export: its files, and whether it was made now or stood there before."""

    files: tuple[ExportedFile, ...]
    made: bool


def export(
    source: Dataset, options: ExportOptions, folder: str | Path, progress: Callable[[int], object] = lambda rows: None
) -> Export:
    """Write a data set, with those perturbations that lie in its folder, in the format of somebody else.

    Equal data and options give equal bytes in any folder.

    Args:
        source: the data set.
        options: the format, and what goes into it.
        folder: made if absent. Only a target that describes data files may go into the folder of the data set.
        progress: called with the number of rows just written.

    Raises:
        OptionError: there are no rows to export, or the target cannot go there.
        FileError: something else stands there, or the data are damaged, or the folder cannot be written.
    """
    folder = Path(folder)
    selection = select(source, options.splits or options.format.splits, _phrasing(source, options))
    if options.format.describes and source.manifest.is_perturbed:
        raise OptionError("--to", f"{source.folder} is made from another data set; name the folder of the original")
    if (folder / MANIFEST).exists():
        return _describe_in_place(selection, options, folder)
    header = _header(selection, options)
    if not options.force and (made := made_before(folder, header)) is not None:
        return Export(made, made=False)
    with export_folder(folder, progress) as out:
        options.format.writer(selection, out, options.date)
        return Export(out.commit(header), made=True)


def _describe_in_place(selection: Selection, options: ExportOptions, folder: Path) -> Export:
    """Put the description of data files beside them."""
    if not options.format.describes or not folder.samefile(selection.dataset.folder):
        raise OptionError("--out", f"{folder} holds a data set; choose another folder")
    with export_folder(folder, beside_data=True) as out:
        options.format.writer(selection, out, options.date)
        there = [file for file in out.files if (folder / file.name).exists()]
        changed = [file for file in there if sha256_of(folder / file.name) != file.sha256]
        if changed and not options.force:
            raise FileError(str(folder / changed[0].name), "this says something else; move it, or use --force")
        made = bool(changed) or len(there) < len(out.files)
        return Export(out.commit() if made else tuple(out.files), made)


def _names(kind: str) -> str:
    return ", ".join(target.name for target in TARGETS.values() if getattr(target, kind))


def _phrasing(source: Dataset, options: ExportOptions) -> Phrasing:
    """Return how rows are asked; only reasoning depends on the reading of the data."""
    if not options.style.is_reasoned:
        return Phrasing()
    original = original_of(source)
    reading = row_options(original.folder, original.manifest).reading
    return Phrasing(options.style, options.completion, reading)


def _header(selection: Selection, options: ExportOptions) -> dict[str, Any]:
    """Return all that the bytes of an export depend on."""
    data = {part.config: part.dataset.manifest.fingerprint for part in selection.parts}
    chosen = {
        "split": [*selection.splits],
        "date": options.date,
        "style": options.style.value if options.format.asks else None,
        "completion": options.completion.value if options.format.completes else None,
    }
    return {"program": "corr2cause", "version": __version__, "target": options.target, "options": chosen, "data": data}


def _is_date(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
