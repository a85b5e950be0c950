"""Files of predictions: found by content, answers read by one rule, and laid beside the rows that they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corr2cause.checking.answers import Answer, read_answer
from corr2cause.dataset.foreign.labels import label_text
from corr2cause.dataset.foreign.recognising import AnySource, sources_of
from corr2cause.dataset.foreign.sources import Damage
from corr2cause.errors import FileError, RowError

ANSWER_COLUMNS = ("prediction", "response", "output", "completion", "answer", "text", "label")
"""Where an answer may stand; the first that a file has is read. `label` comes last, since it may be the truth."""

ID = "id"

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
_EMPTY = ("", "nan")
_read_again = lru_cache(maxsize=1000)(read_answer)

Answers = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a file answers.

    Attributes:
        path: where it lies.
        column: where the answers stand in it.
        ids: the row that each answer is about; None if the file has no column `id`.
        answers: int8[P]; values of `Answer`, in file order.
    """

    path: Path
    column: str
    ids: tuple[str, ...] | None
    answers: Answers


@dataclass(frozen=True, slots=True)
class Aligned:
    """Answers laid beside R rows of data.

    Attributes:
        rows: int64[A]; the places of the rows that have an answer, in their order.
        answers: int8[A]; the answer to each of them.
        n_unknown: answers about rows that are not in the data, passed over.
    """

    rows: npt.NDArray[np.int64]
    answers: Answers
    n_unknown: int


def read_predictions(path: str | Path, column: str | None = None) -> Predictions:
    """Read a file of predictions: CSV, JSON lines, a JSON list or Parquet, whatever it is called.

    Args:
        path: the file.
        column: where the answers stand; the first of `ANSWER_COLUMNS` by default.

    Raises:
        FileError: the file cannot be read, or has no such column.
        RowError: a row is damaged, or has no id although the file has ids, or an id for the second time; or all
            answers are numbers and one is neither 0 nor 1. Rows are counted from 1, without a header.
    """
    source, column = _source(Path(path), column)
    has_ids = ID in source.columns()
    ids: dict[str, int] = {}
    texts: list[str] = []
    for row, record in enumerate(source.records((column, ID) if has_ids else (column,)), start=1):
        if isinstance(record, Damage):
            raise RowError(str(path), row, record.reason)
        texts.append(label_text(record.cells[0]))
        if has_ids:
            name = label_text(record.cells[1])
            if not name:
                raise RowError(str(path), row, "the id is empty; name the row that is answered, or drop the column id")
            if (before := ids.setdefault(name, row)) != row:
                raise RowError(
                    str(path), row, f"the id {name!r} was answered in row {before} already; keep one of them"
                )
    _refuse_other_numbers(str(path), texts)
    answers = np.fromiter(map(_read_again, texts), dtype=np.int8, count=len(texts))
    return Predictions(Path(path), column, tuple(ids) if has_ids else None, answers)


def _source(path: Path, column: str | None) -> tuple[AnySource, str]:
    wanted = (column,) if column else ANSWER_COLUMNS
    seen: tuple[str, ...] = ()
    for source in sources_of(path):
        columns = source.columns()
        if found := next((name for name in wanted if name in columns), None):
            return source, found
        seen = seen or columns
    there = f"found the columns {', '.join(seen)}" if seen else "found no columns"
    one_of = "the column" if column else "one of the columns"
    raise FileError(str(path), f"expected CSV, JSON or Parquet with {one_of} {', '.join(wanted)}; {there}")


def _refuse_other_numbers(path: str, texts: Iterable[str]) -> None:
    """Refuse classes 0, 1, 2, whose order differs between models, and probabilities."""
    strange: tuple[int, str] | None = None
    for row, text in enumerate(texts, start=1):
        text = text.strip()
        if text.lower() in _EMPTY:
            continue
        if not _NUMBER.fullmatch(text):
            return
        if strange is None and read_answer(text) is Answer.UNREADABLE:
            strange = row, text
    if strange:
        row, text = strange
        raise RowError(path, row, f"the answer {text} is neither 0 nor 1; write the class in words, or yes or no")


def align(predictions: Predictions, ids: Sequence[str], partial: bool = False) -> Aligned:
    """Lay answers beside the rows of a data set: by id, or one after the other if the file has no ids.

    Args:
        predictions: the answers.
        ids: of the rows, all different.
        partial: keep the rows that have an answer, and pass over answers about other rows.

    Raises:
        FileError: the two do not belong together row by row; or, if `partial`, have nothing in common.
    """
    path = str(predictions.path)
    if predictions.ids is None:
        if len(predictions.answers) != len(ids):
            problem = f"{len(predictions.answers):,} answers without ids cannot be laid beside {len(ids):,} rows"
            raise FileError(path, f"{problem}; add a column id")
        return Aligned(np.arange(len(ids)), predictions.answers, 0)
    place = {name: row for row, name in enumerate(ids)}
    rows = np.fromiter((place.get(name, -1) for name in predictions.ids), np.int64, len(predictions.ids))
    known = rows >= 0
    n_unknown = int((~known).sum())
    if not partial:
        _refuse_gaps(predictions, ids, rows)
    elif ids and not known.any():
        raise FileError(path, "none of its ids is in the data; is it about another split?")
    order = np.argsort(rows[known])
    return Aligned(rows[known][order], predictions.answers[known][order], n_unknown)


def _refuse_gaps(predictions: Predictions, ids: Sequence[str], rows: npt.NDArray[np.int64]) -> None:
    path = str(predictions.path)
    assert predictions.ids is not None
    unknown = np.flatnonzero(rows < 0)
    if len(unknown):
        first = predictions.ids[unknown[0]]
        problem = f"the id {first!r}{_more(len(unknown))} is not in the data"
        raise RowError(path, int(unknown[0]) + 1, f"{problem}; is this about another split? --partial passes over it")
    answered = np.zeros(len(ids), dtype=bool)
    answered[rows] = True
    missing = np.flatnonzero(~answered)
    if len(missing):
        problem = f"no answer to the row {ids[missing[0]]!r}{_more(len(missing))}"
        raise FileError(path, f"{problem}; --partial scores the {int(answered.sum()):,} rows that have one")


def _more(number: int) -> str:
    return f" (and {number - 1:,} more)" if number > 1 else ""


def align_pair(
    original: Predictions, perturbed: Predictions, ids: Sequence[str], partial: bool = False
) -> tuple[Aligned, Aligned]:
    """Lay two files of answers beside the same rows; if `partial`, those that both answer.

    Raises:
        FileError: as `align` does, for either file; or no row has both answers.
    """
    first, second = align(original, ids, partial), align(perturbed, ids, partial)
    both, left, right = np.intersect1d(first.rows, second.rows, assume_unique=True, return_indices=True)
    if len(ids) and not len(both):
        raise FileError(str(perturbed.path), f"it answers no row that {original.path} answers")
    return (
        Aligned(both, first.answers[left], first.n_unknown),
        Aligned(both, second.answers[right], second.n_unknown),
    )
