"""Where a data set grows: a hidden folder inside the data folder, until all its files take their names at once.

The folder keeps a ledger: what is being made, and a record beside each piece that is finished. So a run that was
killed continues where it stopped, and loses the pieces in flight only.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from corr2cause import __version__
from corr2cause.dataset.exporting.hub_card import CARD, card_of_folder, refuse_foreign_card
from corr2cause.dataset.manifest import (
    MANIFEST,
    FileEntry,
    Json,
    Manifest,
    SplitCount,
    parse_record,
    read_manifest,
    write_manifest,
)
from corr2cause.dataset.schema import SPLITS
from corr2cause.errors import FileError, RowError
from corr2cause.execution import Progress, Workers, ordered_map, requests_to_end_held_back
from corr2cause.files import plain_errors, read_json, sha256_of, write_json, write_text
from corr2cause.locks import folder_lock

STAGING = ".staging"
"""The hidden folder, inside the data folder, where files grow."""

LEDGER = "ledger.json"
RECORD = ".finished.json"

OTHER_WORK = "work with other options lies here unfinished; finish it with these, or use --force to discard it"


@dataclass(frozen=True, slots=True)
class Written:
    """A piece that is finished: its files, and what they hold."""

    files: tuple[FileEntry, ...]
    counts: tuple[SplitCount, ...]

    @property
    def rows(self) -> int:
        """Number of rows, each counted once however many formats there are."""
        return sum(count.rows for count in self.counts)

    @classmethod
    def from_json(cls, found: Any) -> Self:
        """Rebuild a record that `record_piece` wrote.

        Raises:
            ValueError, KeyError, TypeError: it is none.
        """
        return cls(
            tuple(parse_record(FileEntry, row) for row in found["files"]),
            tuple(parse_record(SplitCount, row) for row in found["counts"]),
        )


def record_piece(staging: Path, name: str, written: Written) -> None:
    """Note in the ledger that a piece is finished; its files lie in the staging folder already."""
    record = {"files": [asdict(entry) for entry in written.files], "counts": [asdict(c) for c in written.counts]}
    write_json(staging / f"{name}{RECORD}", record)


def ledger_of(making: Mapping[str, Json]) -> dict[str, Any]:
    """Return what the ledger says of a run: only one that would write the same goes on from its pieces."""
    return {"version": __version__, "options": dict(making)}


def unfinished(folder: Path) -> Mapping[str, Json] | None:
    """Return the options of a run that finished some pieces in this folder but not all, or None."""
    ledger = folder / STAGING / LEDGER
    try:
        found = read_json(ledger) if any(_records(ledger.parent)) else None
    except (FileError, RowError):
        return None
    return found if isinstance(found, dict) else None


def _records(staging: Path) -> list[Path]:
    return sorted(staging.glob(f"*{RECORD}"))


Place = Path | str
"""Where finished pieces go: a folder, or the URL of one in a store that fsspec knows."""


class AnyStaging(Protocol):
    """What growing data sets need of the place where they grow."""

    place: Place
    finished: dict[str, Written]

    def commit(self, manifest: Manifest) -> None:
        """Give all files their names at once."""


class Staging:
    """The staging folder of one run, which holds the lock of the data folder.

    Args:
        folder: the data folder, made if absent.
        making: the options of what is made, under which a later run may continue; None if none can.
        force: discard what a run with other options has left unfinished.

    Raises:
        FileError: the folder cannot be written, another process writes into it, its README.md is not ours, or work
            with other options lies there unfinished.
    """

    def __init__(self, folder: str | Path, making: Mapping[str, Json] | None = None, force: bool = False) -> None:
        self._folder, self._force = Path(folder), force
        self._ledger = ledger_of(making) if making is not None else None
        self._all = ExitStack()
        self.path = self._folder / STAGING
        self.place: Place = self.path.absolute()  # workers of a cluster stand elsewhere
        self.finished: dict[str, Written] = {}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(folder_lock(self._folder))
            refuse_foreign_card(self._folder)
            stack.callback(self._leave)
            self._take_over()
            self._all = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._all.__exit__(kind, error, trace)

    def _take_over(self) -> None:
        """Continue what a killed run left here, or make room."""
        left = unfinished(self._folder)
        if left is not None and left == self._ledger:
            for part in self.path.glob(".*.part"):
                part.unlink(missing_ok=True)  # a worker of a cluster may be about to rename it
            self.finished = dict(filter(None, map(self._read_record, _records(self.path))))
            return
        if left is not None and not self._force:
            raise FileError(str(self._folder), OTHER_WORK)
        shutil.rmtree(self.path, ignore_errors=True)
        with plain_errors(self._folder):
            self.path.mkdir()
        if self._ledger is not None:
            write_json(self.path / LEDGER, self._ledger)

    def _read_record(self, path: Path) -> tuple[str, Written] | None:
        """Read one record; None if it is damaged or its files are not there, so that the piece is made again."""
        try:
            written = Written.from_json(read_json(path))
            whole = all(self._has(entry) for entry in written.files)
        except (FileError, RowError, ValueError, KeyError, TypeError, OSError):
            return None
        return (path.name.removesuffix(RECORD), written) if whole else None

    def _has(self, entry: FileEntry) -> bool:
        """Return whether a finished file is here; fetch it back if the run was killed amid the moves."""
        here, moved = self.path / entry.name, self._folder / entry.name
        if not here.exists() and not (self._folder / MANIFEST).exists() and sha256_of(moved) == entry.sha256:
            moved.replace(here)
        return here.stat().st_size == entry.bytes

    def _leave(self) -> None:
        """Clear up, unless a later run can continue here."""
        if not unfinished(self._folder):
            shutil.rmtree(self.path, ignore_errors=True)

    def commit(self, manifest: Manifest) -> None:
        """Move the files of a data set to their names, the manifest last; nothing can be written after.

        A process that is killed meanwhile leaves whole files without a manifest: recognisably incomplete. A
        `generate` or `sample` also writes the data card; after a `perturb` or `stories` the caller renews that of the
        data set with `write_hub_card`.
        """
        own = [MANIFEST] if manifest.is_perturbed else [CARD, MANIFEST]
        if CARD in own:
            write_text(self.path / CARD, card_of_folder(self._folder, manifest))
        write_manifest(self.path, manifest)
        self._move([*(entry.name for entry in manifest.files), *own])
        shutil.rmtree(self.path, ignore_errors=True)

    def _move(self, new: Sequence[str]) -> None:
        """Put the staged files in the place of the old data set; every byte is on the disk already."""
        try:
            old = [entry.name for entry in read_manifest(self._folder).files]
        except FileError:
            old = []  # no data set before, or one that no longer says what belongs to it
        for name in {*old, *new}:
            if (self._folder / name).is_dir():  # before the old manifest goes
                raise FileError(str(self._folder / name), "a folder is in the way of this file; move it")
        with plain_errors(self._folder), requests_to_end_held_back():
            (self._folder / MANIFEST).unlink(missing_ok=True)
            for name in set(old) - set(new):
                (self._folder / name).unlink(missing_ok=True)
            for name in new:
                (self.path / name).replace(self._folder / name)


_Item = TypeVar("_Item")


def make_missing(
    staging: AnyStaging,
    pieces: Mapping[str, _Item],
    make: Callable[[_Item], Written],
    workers: Workers,
    progress: Progress,
) -> list[Written]:
    """Make every piece that the staging folder does not hold yet.

    Args:
        staging: where the pieces go.
        pieces: by their names, in order; whatever `make` makes them from.
        make: writes one piece into the staging folder and records it (`writing.write_piece`).
        workers: who makes them.
        progress: called with the number of rows found from before, and of those that `make` tells.

    Returns:
        All pieces, in order.
    """
    progress(sum(staging.finished[name].rows for name in pieces if name in staging.finished))
    missing = {name: item for name, item in pieces.items() if name not in staging.finished}
    hands = min(workers, max(1, len(missing))) if isinstance(workers, int) else workers
    with closing(ordered_map(make, missing.values(), hands, progress)) as results:  # no worker outlives the folder
        made = dict(zip(missing, results, strict=True))
    return [(staging.finished | made)[name] for name in pieces]


def gather(pieces: Iterable[Written]) -> tuple[tuple[SplitCount, ...], tuple[FileEntry, ...]]:
    """Add up the counts of all pieces, by size and then by split, and list their files."""
    totals: dict[tuple[int, str], SplitCount] = {}
    files: list[FileEntry] = []
    for piece in pieces:
        files += piece.files
        for count in piece.counts:
            n, split = key = count.n, count.split
            so_far = totals.get(key, SplitCount(n, split, 0, 0, 0))
            classes, rows = so_far.classes + count.classes, so_far.rows + count.rows
            totals[key] = SplitCount(n, split, classes, rows, so_far.positives + count.positives)
    in_order = sorted(totals, key=lambda key: (key[0], SPLITS.index(key[1])))
    return tuple(totals[key] for key in in_order), tuple(files)
