"""What goes into an export: the chosen splits of a data set and of its perturbations, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from corr2cause.dataset.exporting.hub_card import HUB_SPLITS, config_name, folder_name, perturbations_of
from corr2cause.dataset.manifest import FileEntry
from corr2cause.dataset.reading import Dataset, open_dataset
from corr2cause.errors import OptionError
from corr2cause.text.prompting import ANSWERS, zero_shot

_ROWS_AT_ONCE = 10_000  # whose prompts are held in memory; also a row group of Parquet

DEFAULT_CONFIG = "default"


@dataclass(frozen=True, slots=True)
class Item:
    """One row that is exported: its place in the split, from 0, and its columns as in `dataset.schema`."""

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

    @property
    def prompt(self) -> str:
        """The question as it is put to a model."""
        return zero_shot(self.premise, self.hypothesis)

    @property
    def answer(self) -> str:
        """The right answer: Yes or No."""
        return ANSWERS[self.label]


_COLUMNS = tuple(field.name for field in fields(Item) if field.name != "place")


@dataclass(frozen=True)
class Part:
    """One split of the data, or of one of its perturbations.

    Attributes:
        dataset: that holds it.
        mode: of the perturbation; None for the data themselves.
        split: its name.
    """

    dataset: Dataset
    mode: str | None
    split: str

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
        for entry in self.sources:
            table = self.dataset.read_file(entry, _COLUMNS)
            for start in range(0, table.num_rows, _ROWS_AT_ONCE):
                columns = (column.to_pylist() for column in table.slice(start, _ROWS_AT_ONCE).columns)
                batch = [Item(at, *cells) for at, cells in enumerate(zip(*columns, strict=True), place)]
                place += len(batch)
                yield batch


@dataclass(frozen=True)
class Selection:
    """All that goes into an export.

    Attributes:
        dataset: the data set.
        splits: those that were chosen and have rows.
        parts: of the data and then of each perturbation; all have rows.
    """

    dataset: Dataset
    splits: tuple[str, ...]
    parts: tuple[Part, ...]


def select(dataset: Dataset, splits: Sequence[str]) -> Selection:
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
    asked = [Part(data, mode, split) for mode, data in sources for split in data.splits if split in splits]
    parts = tuple(part for part in asked if part.rows)
    chosen = tuple(part.split for part in parts if part.mode is None)
    if not chosen:
        raise OptionError("--split", f"{folder} has no rows there; it has {', '.join(dataset.splits) or 'none'}")
    return Selection(dataset, chosen, tuple(part for part in parts if part.split in chosen))
