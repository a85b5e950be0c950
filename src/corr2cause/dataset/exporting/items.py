"""What goes into an export: the chosen splits of a data set and of its perturbations, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pyarrow as pa

from corr2cause.dataset.exporting.hub_card import HUB_SPLITS, config_name
from corr2cause.dataset.exporting.phrasing import Completion, Phrasing
from corr2cause.dataset.manifest import FileEntry
from corr2cause.dataset.reading import Dataset, open_dataset
from corr2cause.dataset.schema import STEPS, encoded_schema
from corr2cause.dataset.stepping import add_steps
from corr2cause.dataset.variant_folders import folder_name, perturbations_of
from corr2cause.errors import OptionError
from corr2cause.text.prompting import ANSWERS, question

_ROWS_AT_ONCE = 10_000  # whose prompts are held in memory; also a row group of Parquet

DEFAULT_CONFIG = "default"


@dataclass(frozen=True, slots=True)
class Item:
    """One row that is exported: its place in the split, from 0, its columns as in `dataset.schema`, how it is asked.

    The steps are there only if they are to be said.
    """

    phrasing: Phrasing
    place: int
    id: str
    premise: str
    hypothesis: str
    label: int
    nli_label: str
    num_variables: int
    relation: str
    template: str
    class_id: str
    class_size: int
    steps: str | None = None

    @property
    def prompt(self) -> str:
        """The question as it is put to a model."""
        return question(self.phrasing.style, self.premise, self.hypothesis, self.phrasing.reading)

    @property
    def answer(self) -> str:
        """The right answer: Yes or No."""
        return ANSWERS[self.label]

    @property
    def completion(self) -> str:
        """What a model is taught to say: the answer, or the steps that end in it."""
        return self.steps or self.answer


_COLUMNS = tuple(field.name for field in fields(Item) if field.name not in ("phrasing", "place", STEPS))


@dataclass(frozen=True)
class Part:
    """One split of the data, or of one of its perturbations.

    Attributes:
        dataset: that holds it.
        mode: of the perturbation; None for the data themselves.
        split: its name.
        phrasing: how its rows are asked and answered.
    """

    dataset: Dataset
    mode: str | None
    split: str
    phrasing: Phrasing

    @property
    def config(self) -> str:
        """Name of its configuration: `default`, or that of the perturbation."""
        return config_name(self.mode) if self.mode else DEFAULT_CONFIG

    @property
    def hub_split(self) -> str:
        """Name of its split where dev is called validation."""
        return HUB_SPLITS.get(self.split, self.split)

    @property
    def sources(self) -> tuple[FileEntry, ...]:
        """The files that hold it: one, or shards."""
        return self.dataset.files_of(self.split)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(entry.rows for entry in self.sources)

    def file(self, ending: str) -> str:
        """Name a file for it: `test.csv`, `perturbation_by_words/test.csv`."""
        return self.path(f"{self.split}.{ending}")

    def path(self, name: str) -> str:
        """Place a file of this name in the folder of its perturbation, if it is one."""
        return f"{folder_name(self.mode)}/{name}" if self.mode else name

    def batches(self) -> Iterator[list[Item]]:
        """Yield all its rows in their order, some thousand at a time."""
        place = 0
        needs_steps = self.phrasing.completion is Completion.STEPS
        has_steps = STEPS in self.dataset.columns
        for entry in self.sources:
            table = self.dataset.read_file(entry, (*_COLUMNS, STEPS) if needs_steps and has_steps else _COLUMNS)
            for start in range(0, table.num_rows, _ROWS_AT_ONCE):
                rows = table.slice(start, _ROWS_AT_ONCE)
                if needs_steps and not has_steps:
                    rows = add_steps(_encoded_anew(rows), self.phrasing.reading)
                columns = (column.to_pylist() for column in rows.columns)
                batch = [Item(self.phrasing, at, *cells) for at, cells in enumerate(zip(*columns, strict=True), place)]
                place += len(batch)
                yield batch


def _encoded_anew(rows: pa.Table) -> pa.Table:
    """Leave out of the dictionaries what only other rows of the file say; it would be derived for nothing."""
    return pa.Table.from_pylist(rows.to_pylist(), schema=encoded_schema(rows.column_names))


@dataclass(frozen=True)
class Selection:
    """All that goes into an export.

    Attributes:
        dataset: the data set.
        splits: those that were chosen and have rows.
        parts: of the data and then of each perturbation; all have rows.
        phrasing: how rows are asked and answered.
    """

    dataset: Dataset
    splits: tuple[str, ...]
    parts: tuple[Part, ...]
    phrasing: Phrasing


def original_of(dataset: Dataset) -> Dataset:
    """Return the data set that a perturbed one lies in, any other itself.

    Raises:
        FileError: there is none.
    """
    return open_dataset(dataset.folder.resolve().parent) if dataset.manifest.is_perturbed else dataset


def select(dataset: Dataset, splits: Sequence[str], phrasing: Phrasing) -> Selection:
    """Choose splits of a data set, and the same ones of every perturbation that was made from these data.

    Raises:
        OptionError: the data set has no rows in any of the splits.
        FileError: a perturbation is damaged.
    """
    folder, manifest = dataset.folder, dataset.manifest
    sources: list[tuple[str | None, Dataset]] = [(None, dataset)]
    if not manifest.is_perturbed:
        modes = sorted(perturbations_of(Path(folder), manifest))
        sources += [(mode, open_dataset(folder / folder_name(mode))) for mode in modes]
    asked = [Part(data, mode, split, phrasing) for mode, data in sources for split in data.splits if split in splits]
    parts = tuple(part for part in asked if part.rows)
    chosen = tuple(part.split for part in parts if part.mode is None)
    if not chosen:
        raise OptionError("--split", f"{folder} has no rows there; it has {', '.join(dataset.splits) or 'none'}")
    return Selection(dataset, chosen, tuple(part for part in parts if part.split in chosen), phrasing)
