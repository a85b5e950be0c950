"""The file of answers: appended to as they come, so that a killed run loses none and the next one goes on from there.

Each line is one JSON object: `id`, `response` (the text, as `corr2cause evaluate` reads it), `outcome`,
`finish_reason`, `refusal`, `prompt_tokens`, `completion_tokens`, `request` (all fields but the messages) and
`prompt_sha256`. So every line tells by itself what was asked; there is no file beside it that could be lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import Reply
from corr2cause.asking.settings import Sampling
from corr2cause.errors import RowError
from corr2cause.files import plain_errors, read_jsonl

_ELSEWHERE = "choose another --out"


def read_answers(path: str | Path, prompts: Iterable[Prompt], sampling: Sampling) -> Iterator[tuple[str, Reply]]:
    """Yield the answers that a file holds already; none if there is no file. A torn last line is passed over.

    Raises:
        FileError: the file cannot be read.
        RowError: a line is no answer, or one to another prompt or with other options, or to a prompt answered before.
    """
    if not os.path.exists(path):
        return
    asked, torn = {prompt.id: prompt for prompt in prompts}, _torn_line(path)
    seen: set[str] = set()
    for row, line in _until(read_jsonl(path), torn):
        try:
            name = _checked(line, asked, sampling.to_json())
            if name in seen:
                raise ValueError(f"{name!r} was answered in an earlier line already; keep one of them")
            reply = _reply(line)
        except ValueError as error:
            raise RowError(str(path), row, str(error)) from error
        seen.add(name)
        yield name, reply


class AnswerFile:
    """A file of answers that is being written.

    Attributes:
        path: where it lies.
    """

    def __init__(self, path: Path, stream: FileIO, sampling: Sampling) -> None:
        self.path, self._stream, self._request = path, stream, sampling.to_json()

    def append(self, prompt: Prompt, reply: Reply) -> None:
        """Add an answer; once this returns, the end of the process cannot undo it."""
        line = memoryview(json.dumps(self._line(prompt, reply), ensure_ascii=False).encode(errors="replace") + b"\n")
        with plain_errors(self.path):
            while line:
                line = line[self._stream.write(line) :]

    def _line(self, prompt: Prompt, reply: Reply) -> dict[str, Any]:
        return {
            "id": prompt.id,
            "response": reply.text,
            "outcome": reply.outcome.value,
            "finish_reason": reply.finish_reason,
            "refusal": reply.refusal,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "request": self._request,
            "prompt_sha256": prompt.sha256,
        }


@contextmanager
def appended(path: str | Path, sampling: Sampling) -> Iterator[AnswerFile]:
    """Open a file to append answers, which is made if absent; mend its last line if a killed run tore it.

    Raises:
        FileError: the file cannot be written.
    """
    target = Path(path)
    with plain_errors(path):
        _mend(target)
        stream = FileIO(target, "a")  # unbuffered
    with stream:
        yield AnswerFile(target, stream, sampling)


def _until(rows: Iterator[tuple[int, dict[str, Any]]], torn: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        yield from rows
    except RowError as error:
        if error.row != torn:
            raise


def _torn_line(path: str | Path) -> int | None:
    """Return the number of the last line if it has no end."""
    number, line = 0, b"\n"
    with plain_errors(path), open(path, "rb") as lines:
        for number, line in enumerate(lines, start=1):  # noqa: B007  (the last of them)
            pass
    return None if line.endswith(b"\n") else number


def _mend(path: Path) -> None:
    """End the last line if it is whole but for its end; cut it off if it is not."""
    if not path.exists() or _torn_line(path) is None:
        return
    with path.open("rb+") as stream:
        *_, last = stream
        try:
            json.loads(last)
        except ValueError:
            stream.seek(-len(last), os.SEEK_END)
            stream.truncate()
        else:
            stream.write(b"\n")


def _checked(line: Mapping[str, Any], asked: Mapping[str, Prompt], request: Mapping[str, Any]) -> str:
    name, found = line.get("id"), line.get("request")
    if not isinstance(name, str) or not isinstance(found, dict):
        raise ValueError(f"this is no answer of `corr2cause ask`; {_ELSEWHERE}")
    if found != request:
        changed = sorted(key for key in {*found, *request} if found.get(key) != request.get(key))
        listed = ", ".join(f"{key} {_shown(found, key)} instead of {_shown(request, key)}" for key in changed)
        raise ValueError(f"this was asked with other options ({listed}); {_ELSEWHERE}")
    if name not in asked:
        raise ValueError(f"this answers {name!r}, which is not among the prompts; {_ELSEWHERE}")
    if line.get("prompt_sha256") != asked[name].sha256:
        raise ValueError(f"this answers another prompt about {name!r}; {_ELSEWHERE}")
    return name


def _shown(request: Mapping[str, Any], key: str) -> str:
    return str(request[key]) if key in request else "none"


def _reply(line: Mapping[str, Any]) -> Reply:
    texts = [line.get(key) for key in ("response", "finish_reason", "refusal")]
    counts = [line.get(key) for key in ("prompt_tokens", "completion_tokens")]
    if not isinstance(texts[0], str) or not all(isinstance(text, str | None) for text in texts[1:]):
        raise ValueError("this answer holds no text; remove the line, and it is asked again")
    if not all(isinstance(count, int | None) for count in counts):
        raise ValueError("this answer counts tokens in something else than numbers; remove the line")
    return Reply(texts[0], texts[1], texts[2], counts[0], counts[1])
