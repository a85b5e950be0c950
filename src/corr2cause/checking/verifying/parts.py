"""What is being verified, and what is taken down meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause.dataset.manifest import Kind, Manifest
from corr2cause.dataset.options import RowOptions
from corr2cause.dataset.variant_folders import STORIES_FOLDER
from corr2cause.graphs.bitdags import Integers

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be.

    Attributes:
        place: the file, below the folder, or `.` for the folder itself.
        row: number of the row from 1, or None if it is not about one row.
        problem: what is wrong.
    """

    place: str
    row: int | None
    problem: str


@dataclass(slots=True)
class Notes:
    """What is gathered while looking.

    Attributes:
        sample: how many rows of each split are derived; None for all.
        progress: called with the number of rows just derived.
    """

    sample: int | None
    progress: Progress
    files: int = 0
    rows: int = 0
    derived: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, place: Path | str, row: int | None, problem: str) -> None:
        """Take down something that is wrong."""
        self.findings.append(Finding(str(place), row, problem))


@dataclass(frozen=True, slots=True)
class Part:
    """The data set itself, or one perturbation of it.

    Attributes:
        folder: that of the data set.
        name: of the perturbation's folder, or empty.
        manifest: of this part.
        options: what the originals were made with.
    """

    folder: Path
    name: str
    manifest: Manifest
    options: RowOptions

    @property
    def path(self) -> Path:
        """Where the files of this part lie."""
        return self.folder / self.name

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What the manifest of this part may be of."""
        if not self.name:
            return ("generate", "sample")
        return ("stories",) if self.name.startswith(STORIES_FOLDER) else ("perturb",)

    @property
    def leaves_out(self) -> bool:
        """Whether classes and statements may be missing that the originals have: some stories cannot be told."""
        return self.manifest.kind == "stories"

    def place(self, file: str = "") -> str:
        """Name a file of this part, or the part itself, as findings do."""
        return "/".join(filter(None, (self.name, file))) or "."


@dataclass(frozen=True, slots=True)
class SplitRows:
    """The rows of a split that could be read.

    Attributes:
        table: the rows, with all columns of the data set.
        files: the files that they stand in.
        file_of_row: int64[N]; index into `files`.
        numbers: int64[N]; number of each row in its file, from 1.
        whole: whether these are all rows of the split.
    """

    table: pa.Table
    files: tuple[str, ...]
    file_of_row: npt.NDArray[np.int64]
    numbers: Integers
    whole: bool

    def locate(self, row: int) -> tuple[str, int]:
        """Return the file in which a row of the table, counted from 0, stands, and its number there, from 1."""
        return self.files[self.file_of_row[row]], int(self.numbers[row])
