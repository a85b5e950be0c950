"""Files of predictions: found by content, answers read by one rule, and laid beside the rows that they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corr2cause.checking.answers import Answer, read_answer
from corr2cause.dataset.foreign.labels import label_text
from corr2cause.dataset.foreign.recognising import AnySource, sources_of
from corr2cause.dataset.foreign.sources import Damage
from corr2cause.errors import FileError, RowError, quoted

ANSWER_COLUMNS = ("prediction", "response", "output", "completion", "answer", "text", "label")
"""Where an answer may stand; the first that a file has is read. `label` comes last, since it may be the truth."""

ID = "id"

_NO_ANSWER = -1

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
    """Answers of F files laid beside R rows of data.

    Attributes:
        rows: int64[A]; the places of the rows that every file answers, in their order.
        answers: int8[F, A]; what each file answers to them.
        n_unknown: for each file, the answers about rows that are not in the data, which are passed over.
    """

    rows: npt.NDArray[np.int64]
    answers: Answers
    n_unknown: tuple[int, ...]


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
                    str(path), row, f"the id {quoted(name)} was answered in row {before} already; keep one of them"
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
    if not path.stat().st_size:
        raise FileError(str(path), "this file is empty; name one that holds answers")
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


def align(files: Sequence[Predictions], ids: Sequence[str], partial: bool = False) -> Aligned:
    """Lay answers beside the rows of a data set: by id, or one after the other if a file has no ids.

    Args:
        files: answers to the same rows, such as the original and the perturbed ones.
        ids: of the rows, all different.
        partial: keep the rows that every file answers, and pass over answers about other rows.

    Raises:
        FileError: a file does not answer all rows; or, if `partial`, none that the others answer.
        RowError: a file answers a row that is not in the data, unless `partial`.
    """
    place = {name: row for row, name in enumerate(ids)}
    table = np.full((len(files), len(ids)), _NO_ANSWER, dtype=np.int8)
    n_unknown = []
    for one, line in zip(files, table, strict=True):
        rows = _rows_of(one, place)
        line[rows[rows >= 0]] = one.answers[rows >= 0]
        n_unknown.append(int((rows < 0).sum()))
        if not partial:
            _refuse_unknown(one, rows)
            _refuse_missing(one, ids, np.flatnonzero(line == _NO_ANSWER))
    answered = np.flatnonzero((table != _NO_ANSWER).all(axis=0))
    if len(ids) and not len(answered):
        others = f"both the data and {files[0].path}" if len(files) == 2 else "the data and all the other files"
        whose = "the data" if len(files) == 1 else others
        raise FileError(str(files[-1].path), f"none of its ids is in {whose}; is it about another split?")
    return Aligned(answered, table[:, answered], tuple(n_unknown))


def _rows_of(predictions: Predictions, place: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Return the row that each answer is about; -1 where it is not in the data."""
    if predictions.ids is not None:
        return np.fromiter((place.get(name, -1) for name in predictions.ids), np.int64, len(predictions.ids))
    if len(predictions.answers) != len(place):
        problem = f"{len(predictions.answers):,} answers without ids cannot be laid beside {len(place):,} rows"
        raise FileError(str(predictions.path), f"{problem}; add a column id")
    return np.arange(len(place))


def _refuse_unknown(predictions: Predictions, rows: npt.NDArray[np.int64]) -> None:
    unknown = np.flatnonzero(rows < 0)
    if predictions.ids is not None and len(unknown):
        first = int(unknown[0])
        problem = f"the id {quoted(predictions.ids[first])}{_more(len(unknown))} is not in the data"
        advice = "is this about another split? --partial passes over it"
        raise RowError(str(predictions.path), first + 1, f"{problem}; {advice}")


def _refuse_missing(predictions: Predictions, ids: Sequence[str], missing: npt.NDArray[np.int64]) -> None:
    if len(missing):
        problem = f"no answer to the row {ids[missing[0]]!r}{_more(len(missing))}"
        advice = f"--partial scores only rows that have one ({len(ids) - len(missing):,} of {len(ids):,})"
        raise FileError(str(predictions.path), f"{problem}; {advice}")


def _more(number: int) -> str:
    return f" (and {number - 1:,} more)" if number > 1 else ""
