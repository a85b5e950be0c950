"""What each annotator handed in, and who annotated the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from corr2cause.errors import Corr2CauseError, FileError, OptionError, RowError
from corr2cause.spans.annotating.timing import Times, times_of
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.predictions import id_text, key_of, read_entries
from corr2cause.spans.rows import Row


@dataclass(frozen=True)
class Annotator:
    """The rows of one annotator.

    Attributes:
        name: of the file or folder that they were read from.
        rows: those that are annotated, by id, in the order of the files.
        unannotated: ids of rows that say neither "no cause" nor name a pair.
        times: how long rows took, where the files say so.
    """

    name: str
    rows: Mapping[str, Row]
    unannotated: tuple[str, ...] = ()
    times: Times = field(default_factory=Times)


class Doubled(NamedTuple):
    """A row that two annotators annotated."""

    first: str
    second: str
    ours: Row
    theirs: Row


@dataclass(frozen=True)
class Pairing:
    """How the rows of all annotators meet.

    Attributes:
        doubled: rows of two annotators, in the order in which the first of them has them.
        single: ids of rows that only one annotated.
    """

    doubled: tuple[Doubled, ...]
    single: tuple[str, ...]


def read_annotators(paths: Iterable[Path]) -> list[Annotator]:
    """Read annotators with different names, one from each path.

    Raises:
        OptionError: two have one name.
        FileError: there is nothing to read.
        RowError: a row is damaged, or comes twice.
    """
    found = [read_annotator(path) for path in paths]
    names = [one.name for one in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise OptionError(
            "annotators", f"two are called {twice}; rename a file, since its name is that of its annotator"
        )
    return found


def files_of(path: Path) -> list[Path]:
    """Return the JSON files of a folder, such as the batches of an annotator, by name; of a file itself.

    Raises:
        FileError: there is none in the folder.
    """
    files = sorted(one for one in path.iterdir() if one.suffix in (".json", ".jsonl")) if path.is_dir() else [path]
    if not files:
        raise FileError(str(path), "there is no .jsonl or .json file in it; name a folder with rows")
    return files


def read_annotator(path: Path) -> Annotator:
    """Read the rows of one annotator from a file, or from all files of a folder whose name is the annotator's.

    Raises:
        FileError: there is nothing to read.
        RowError: a row is damaged, or comes twice.
    """
    files = files_of(path)
    rows: dict[str, Row] = {}
    unannotated: list[str] = []
    entries: list[tuple[str, Mapping[str, object]]] = []
    for file in files:
        corpus = read_corpus(file)
        for row, place in zip(corpus.rows, corpus.places, strict=True):
            if row.id in rows or row.id in unannotated:
                raise RowError(str(file), place, _repeated(row.id, path))
            if row.is_annotated:
                rows[row.id] = row
            else:
                unannotated.append(row.id)
        entries += _entries(file)
    name = path.resolve().name if path.is_dir() else path.stem
    return Annotator(name, rows, tuple(unannotated), times_of(entries))


def _repeated(name: str, path: Path) -> str:
    problem = f"the id {name} was there already; keep one of the two rows"
    if not path.is_dir():
        return problem
    return f"{problem}, or, if each file in {path} is of another annotator, name the files instead of the folder"


def _entries(file: Path) -> list[tuple[str, Mapping[str, object]]]:
    """Return the records of a JSON file with their ids, for what rows have no place for; none of other files."""
    try:
        found = read_entries(file)[1]
    except Corr2CauseError:
        return []
    return [(id_text(key_of(one)), one) for one in found if isinstance(one, dict) and key_of(one) is not None]


def pair_up(annotators: Sequence[Annotator]) -> Pairing:
    """Find the rows that two annotators annotated.

    Raises:
        OptionError: three annotated the same row, or two were given different texts under one id.
    """
    owners: dict[str, list[Annotator]] = {}
    for annotator in annotators:
        for name in annotator.rows:
            owners.setdefault(name, []).append(annotator)
    doubled, single = [], []
    for name, found in owners.items():
        if len(found) > 2:
            who = ", ".join(one.name for one in found)
            raise OptionError("annotators", f"row {name} was annotated by {who}; give two annotators of each row")
        if len(found) == 1:
            single.append(name)
            continue
        first, second = found
        ours, theirs = first.rows[name], second.rows[name]
        if ours.sentence != theirs.sentence:
            raise OptionError(
                "annotators", f"row {name} has one text for {first.name} and another for {second.name}; which is right?"
            )
        doubled.append(Doubled(first.name, second.name, ours, theirs))
    return Pairing(tuple(doubled), tuple(single))
