"""What a data folder says about itself: options, counts and the hash of each file.

The manifest is written last: a folder that has one is complete, a folder without is not. It holds no time
and no path, so that the same options give the same bytes everywhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from corr2cause.dataset.options import GenerationOptions, RowOptions
from corr2cause.dataset.sample_options import SampleOptions
from corr2cause.dataset.schema import FORMATS, SPLITS
from corr2cause.errors import FileError, OptionError, RowError, SizeError
from corr2cause.files import plain_errors, read_json, write_json

MANIFEST = "manifest.json"

FORMAT = 1
"""Number of the manifest's own format; a reader refuses a higher one."""

Kind = Literal["generate", "sample", "perturb", "stories"]
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True)
class FileEntry:
    """One data file: its name in the folder, split, number of rows and bytes, and SHA-256 in hexadecimal."""

    name: str
    split: str
    rows: int
    bytes: int
    sha256: str

    @property
    def stem(self) -> str:
        """The name without its ending, which files of other formats share that hold the same rows."""
        return self.name.rpartition(".")[0]

    @property
    def format(self) -> str:
        """One of `FORMATS`."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class SplitCount:
    """What a split holds of one number of variables: classes, rows, and rows whose label is 1 (positives)."""

    n: int
    split: str
    classes: int
    rows: int
    positives: int


@dataclass(frozen=True)
class Manifest:
    """A complete data set.

    Attributes:
        kind: the command that made it.
        version: that of the package.
        options: each option of that command that the bytes depend on, under its long name with underscores
            (`min_n`); a perturbation adds `source`, the fingerprint of the data set that it was made from.
        counts: per number of variables and split.
        files: the data files, each in the folder itself.
        drawing: what became of the draws of a sample, see `drawing.Drawing`; of other data sets nothing.
    """

    kind: Kind
    version: str
    options: Mapping[str, Json]
    counts: tuple[SplitCount, ...]
    files: tuple[FileEntry, ...]
    drawing: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_perturbed(self) -> bool:
        """Whether these are the rows of another data set, said in another way."""
        return self.kind in ("perturb", "stories")

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have a file, in the order of `SPLITS`."""
        present = {entry.split for entry in self.files}
        return tuple(split for split in SPLITS if split in present)

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that files have, in the order of `FORMATS`."""
        present = {entry.format for entry in self.files}
        return tuple(form for form in FORMATS if form in present)

    def files_of(self, split: str, form: str) -> tuple[FileEntry, ...]:
        """Return the files of one split in one format, which together hold its rows; in order, if it is sharded."""
        return tuple(entry for entry in self.files if (entry.split, entry.format) == (split, form))

    @property
    def adds_up(self) -> bool:
        """Whether the files are of different names, and hold just the rows that are counted for their splits."""
        counted = {split: sum(count.rows for count in self.counts if count.split == split) for split in self.splits}
        return (
            len({entry.name for entry in self.files}) == len(self.files) > 0
            and {count.split for count in self.counts} == set(self.splits)
            and all(
                sum(entry.rows for entry in self.files_of(split, form)) == rows
                for split, rows in counted.items()
                for form in self.formats
            )
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the manifest itself: equal for data sets of the same version, options and bytes."""
        return hashlib.sha256(json.dumps(_plain(self), sort_keys=True).encode()).hexdigest()


def _plain(manifest: Manifest) -> dict[str, Any]:
    return {
        "program": "corr2cause",
        "format": FORMAT,
        "kind": manifest.kind,
        "version": manifest.version,
        "options": dict(manifest.options),
        "counts": [asdict(count) for count in manifest.counts],
        "files": [asdict(entry) for entry in manifest.files],
        **({"drawing": dict(manifest.drawing)} if manifest.drawing else {}),
    }


def write_manifest(folder: str | Path, manifest: Manifest) -> None:
    """Write `manifest.json` into the folder."""
    write_json(Path(folder, MANIFEST), _plain(manifest))


def read_manifest(folder: str | Path) -> Manifest:
    """Read the manifest of a data folder.

    Raises:
        FileError: there is no folder or manifest, or the manifest is damaged, foreign or too new.
    """
    folder, path = Path(folder), Path(folder, MANIFEST)
    with plain_errors(folder):
        if not folder.exists():
            raise FileError(
                str(folder), "there is no such folder; make it with `corr2cause generate`, or check the path"
            )
        if not folder.is_dir():
            raise FileError(str(folder), "this is a file, not a data folder; name the folder")
        if not path.exists():
            raise FileError(
                str(folder),
                f"there is no {MANIFEST} here: this is not a data set of corr2cause, or its writing was "
                "interrupted; make it (again) with `corr2cause generate`, `perturb` or `stories`",
            )
    try:
        found = read_json(path)
    except RowError as error:
        raise FileError(str(path), f"the manifest is damaged (line {error.row}: {error.problem}); {_AGAIN}") from error
    if not isinstance(found, dict) or found.get("program") != "corr2cause":
        raise FileError(str(path), "this manifest was not written by corr2cause; choose another folder")
    number = found.get("format")
    if isinstance(number, int) and number > FORMAT:
        raise FileError(
            str(path),
            f"this data set has format {number}, newer than this program knows ({FORMAT}); update corr2cause",
        )
    try:
        return _parse(found)
    except ValueError as error:
        raise FileError(str(path), f"the manifest is damaged ({error}); {_AGAIN}") from error


def row_options(folder: str | Path, manifest: Manifest) -> RowOptions:
    """Return the options that the rows of the data set in a folder were made with, generated or sampled.

    Raises:
        FileError: the manifest gives none, or some that make no sense.
    """
    try:
        return (SampleOptions if manifest.kind == "sample" else GenerationOptions).from_json(manifest.options)
    except (OptionError, SizeError) as error:
        raise FileError(str(Path(folder, MANIFEST)), f"the manifest is damaged ({error}); {_AGAIN}") from error


_AGAIN = "make the data again with --force"

_Record = TypeVar("_Record", FileEntry, SplitCount)

_SHARD = r"(-\d{5,}-of-\d{5,})?"


def _parse(found: Mapping[str, Any]) -> Manifest:
    expected = {"format": int, "kind": str, "version": str, "options": dict, "counts": list, "files": list}
    for key, kind in expected.items():
        if not isinstance(found.get(key), kind):
            raise ValueError(f"it gives no {key}")
    if found["kind"] not in get_args(Kind):
        raise ValueError(f"the kind {found['kind']!r} is unknown")
    return Manifest(
        kind=found["kind"],
        version=found["version"],
        options=found["options"],
        counts=tuple(parse_record(SplitCount, row) for row in found["counts"]),
        files=tuple(parse_record(FileEntry, row) for row in found["files"]),
        drawing=_counters(found.get("drawing", {})),
    )


def _counters(found: object) -> dict[str, int]:
    if not isinstance(found, dict) or not all(type(value) is int for value in found.values()):
        raise ValueError("its drawing should give numbers")
    return found


def parse_record(record: type[_Record], row: object) -> _Record:
    """Rebuild a file entry or a count from its JSON.

    Raises:
        ValueError: it is not one, or names a file that no data set of ours has.
    """
    kinds = {"int": int, "str": str}
    wanted = {field.name: kinds[str(field.type)] for field in fields(record)}
    if not isinstance(row, dict) or {key: type(value) for key, value in row.items()} != wanted:
        raise ValueError(f"{row!r} should give {', '.join(wanted)}")
    if row["split"] not in SPLITS:
        raise ValueError(f"the split {row['split']!r} is unknown")
    # a name from outside must never lead out of the folder
    if "name" in wanted and not re.fullmatch(rf"{row['split']}{_SHARD}\.({'|'.join(FORMATS)})", row["name"]):
        raise ValueError(f"{row['name']!r} is no name of a data file")
    return record(**row)
