"""From the answers of a model to a file of predictions, in the form of the released runs, which `spans score` reads."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, OptionError, RowError, quoted
from corr2cause.files import read_jsonl
from corr2cause.spans.extraction_answers import Status
from corr2cause.spans.formats.cells import id_for_file
from corr2cause.spans.names import EXTRACTION
from corr2cause.spans.predictions import id_text, key_of
from corr2cause.spans.prompting.forms import Reading
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Row

Parser = Callable[[str | None], Reading]
"""Reads an answer, or None where there is none."""

_CUT_OFF = "length"
_VERDICTS = {True: "Yes", False: "No", None: "Unknown"}
_FIELDS = ("cause", "effect", "causality", "sententiality")
_STAMP, _STAMP_SHAPE = "%Y%m%d_%H%M%S", re.compile(r"\d{8}_\d{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of a file of answers.

    Attributes:
        line: its number.
        text: what the model said.
        is_cut_off: whether it stopped at the longest allowed answer.
        model: who said it; empty if the line does not tell.
        prompt_sha256: of the prompt; empty likewise.
    """

    line: int
    text: str
    is_cut_off: bool = False
    model: str = ""
    prompt_sha256: str = ""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The answers of a file.

    Attributes:
        path: where it lies.
        answers: by the id of the row.
    """

    path: Path
    answers: Mapping[str, Answer]

    @property
    def model(self) -> str:
        """Who answered, where every line says the same; else empty."""
        models = {answer.model for answer in self.answers.values()}
        return models.pop() if len(models) == 1 else ""


def read_answer_file(path: Path) -> AnswerFile:
    """Read what `corr2cause ask` writes, or any JSON lines with `id` or `s/n`, and `response`; null is no answer.

    The model is `request.model`, as `ask` writes it, or `model`.

    Raises:
        FileError: the file cannot be read or holds no answer.
        RowError: a line is no answer, or answers what an earlier one did.
    """
    answers: dict[str, Answer] = {}
    for line, record in read_jsonl(path):
        key, text, request = key_of(record), record.get("response"), record.get("request")
        if key is None or "response" not in record or not isinstance(text, str | None):
            problem = "expected `id`, a name or a number, and `response`, a text; name a file of `corr2cause ask`"
            raise RowError(str(path), line, problem)
        name, model = id_text(key), (request if isinstance(request, dict) else record).get("model")
        found = Answer(
            line,
            text or "",
            record.get("finish_reason") == _CUT_OFF,
            model if isinstance(model, str) else "",
            str(record.get("prompt_sha256") or ""),
        )
        if answers.setdefault(name, found) is not found:
            raise RowError(str(path), line, f"{quoted(name)} was answered in an earlier line already; keep one of them")
    if not answers:
        raise FileError(str(path), "there is no answer in it; name a file of `corr2cause ask`")
    return AnswerFile(path, answers)


@dataclass(frozen=True, slots=True)
class Predictions:
    """What the answers say of some rows.

    Attributes:
        ids: of the rows, in order, as files hold them.
        entries: for each row: an object with pairs, or "Yes", "No" or "Unknown".
        statuses: how many rows have each status; a row without an answer is `null`.
        reasons: why answers are not simply `ok`, and how often.
        n_cut_off: answers that stopped at the longest allowed length.
        n_strange: answers to rows that are not there.
    """

    ids: tuple[int | str, ...]
    entries: tuple[Any, ...]
    statuses: Mapping[str, int]
    reasons: Mapping[str, int]
    n_cut_off: int
    n_strange: int

    def to_json(self) -> dict[str, Any]:
        """Return the counts."""
        return {
            "rows": len(self.entries),
            "statuses": dict(self.statuses),
            "reasons": dict(self.reasons),
            "cut_off": self.n_cut_off,
            "answers_to_other_rows": self.n_strange,
        }


def read_predictions(
    rows: Sequence[Row], file: AnswerFile, kind: PromptKind, parser: Parser | None = None
) -> Predictions:
    """Read what was answered about some rows.

    Args:
        rows: with different ids.
        file: of answers to prompts about them.
        kind: of these prompts.
        parser: reads an answer; None for that of the kind.

    Raises:
        RowError: a line tells the SHA-256 of its prompt, and the kind makes another prompt of the row.
        OptionError: no answer is about any of the rows.
    """
    if not any(row.id in file.answers for row in rows):
        raise OptionError("--data", f"none of its rows is answered in {file.path}; name the file the prompts were of")
    read = parser or kind.form.read
    readings = [read(_text(row, file, kind)) for row in rows]
    met = [file.answers[row.id] for row in rows if row.id in file.answers]
    statuses = Counter(reading.status for reading in readings)
    reasons = Counter(reading.reason for reading in readings if reading.reason)
    return Predictions(
        ids=tuple(id_for_file(row.id) for row in rows),
        entries=tuple(_entry(row, reading, kind) for row, reading in zip(rows, readings, strict=True)),
        statuses={status.value: statuses[status] for status in Status},
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        n_cut_off=sum(answer.is_cut_off for answer in met),
        n_strange=len(file.answers) - len(met),
    )


def _text(row: Row, file: AnswerFile, kind: PromptKind) -> str | None:
    """Return the answer about a row, None if there is none."""
    answer = file.answers.get(row.id)
    if answer is None:
        return None
    if answer.prompt_sha256 and answer.prompt_sha256 != kind.prompt(row).sha256:
        problem = f"this answers another prompt about row {row.id} than that of {kind}"
        raise RowError(str(file.path), answer.line, f"{problem}; check --task, --strategy, --profile and --data")
    return answer.text


def _entry(row: Row, reading: Reading, kind: PromptKind) -> Any:
    content = reading.content
    if kind.task != EXTRACTION:
        return _VERDICTS[content if isinstance(content, bool) else None]
    pairs = content if isinstance(content, tuple) else ()
    listed = [{name: getattr(pair, name) for name in _FIELDS} for pair in pairs]
    return {"s/n": id_for_file(row.id), "sentence": row.sentence, "pairs": listed}


@dataclass(frozen=True, slots=True)
class RunName:
    """What tells a run from others.

    Attributes:
        kind: of its prompts.
        model: a name that transformers or a server knows.
        split: of the data, such as `combined`.
        timestamp: YYYYMMDD_HHMMSS.
    """

    kind: PromptKind
    model: str
    split: str
    timestamp: str

    @property
    def short_model(self) -> str:
        """The name without its owner or folder."""
        return self.model.rstrip("/").rpartition("/")[2]

    @property
    def file_name(self) -> str:
        """The name of its file, as the released ones are called."""
        split = (self.split,) if self.kind.task == EXTRACTION else ()
        return "_".join((self.kind.task, *split, self.short_model, self.kind.strategy, self.timestamp)) + ".json"

    def to_json(self, predictions: Predictions, data: Path) -> dict[str, Any]:
        """Return the file; scores are left to `spans score`. Verdicts are a bare list, as in the released runs."""
        return {
            "model": self.short_model,
            "model_path": self.model,
            "prompt_strategy": self.kind.strategy,
            "prompt_profile": self.kind.profile,
            "split_type": self.split,
            "timestamp": self.timestamp,
            "reading": predictions.to_json(),
            **({} if self.kind.task == EXTRACTION else {"ids": list(predictions.ids)}),
            "predictions": list(predictions.entries),
            "config": {"test_file": data.name, "num_samples": len(predictions.entries)},
        }


def timestamp_of(given: str | None) -> str:
    """Return the time of a run: what is given, else SOURCE_DATE_EPOCH in UTC; the clock is never asked.

    Raises:
        OptionError: neither is there, or one is no time.
    """
    if given is None:
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
        if not epoch:
            raise OptionError("--timestamp", "give the time of the run as YYYYMMDD_HHMMSS, or set SOURCE_DATE_EPOCH")
        try:
            return datetime.fromtimestamp(int(epoch), UTC).strftime(_STAMP)
        except (ValueError, OverflowError, OSError) as error:
            raise OptionError("SOURCE_DATE_EPOCH", f"{quoted(epoch)} is no number of seconds since 1970") from error
    try:
        if not _STAMP_SHAPE.fullmatch(given):
            raise ValueError
        datetime.strptime(given, _STAMP)  # is there such a time?
    except ValueError as error:
        raise OptionError("--timestamp", f"{quoted(given)} is no time of the form YYYYMMDD_HHMMSS") from error
    return given
