"""Gold files for judging: rows with different ids, and the ids with the type that the file gives them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corr2cause.errors import Corr2CauseError, FileError, RowError
from corr2cause.spans.formats.cells import id_for_file
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.predictions import Key, key_of, read_entries
from corr2cause.spans.rows import Row


@dataclass(frozen=True, slots=True)
class Gold:
    """The rows of a gold file.

    Attributes:
        path: where it lies.
        rows: with different ids.
    """

    path: Path
    rows: tuple[Row, ...]

    @property
    def is_causal(self) -> list[bool]:
        """Whether each row states a cause: its label, else whether it has pairs."""
        return [row.is_causal for row in self.rows]

    def typed_ids(self) -> list[Key]:
        """Return the id of each row as the file holds it, where it is JSON; else as a number if it looks like one."""
        try:
            keys = [key_of(entry) if isinstance(entry, dict) else None for entry in read_entries(self.path)[1]]
        except Corr2CauseError:
            keys = []
        if len(keys) != len(self.rows) or None in keys:
            return [id_for_file(row.id) for row in self.rows]
        return keys


def read_gold(path: str | Path) -> Gold:
    """Read gold rows in any format of a span corpus.

    Raises:
        FileError: it cannot be read or has no rows.
        RowError: a row is damaged, or has the id of another.
    """
    corpus = read_corpus(path)
    known: dict[str, int] = {}
    for row, place in zip(corpus.rows, corpus.places, strict=True):
        if (before := known.setdefault(row.id, place)) != place:
            raise RowError(str(path), place, f"the id {row.id} stands in row {before} already; keep one of them")
    return Gold(Path(path), corpus.rows)


def refuse_without_pairs(gold: Gold) -> None:
    """Refuse to judge pairs by rows of which none has any, as in files for detection: every figure would be 0.

    Raises:
        FileError: there is no pair.
    """
    if not any(row.pairs for row in gold.rows):
        raise FileError(str(gold.path), "no row of it has a pair to judge by; name a file with pairs")
