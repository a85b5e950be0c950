"""Prompts and the file that holds them: JSON lines of `id` and `messages`, which every chat API takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError, RowError, quoted
from corr2cause.files import read_jsonl

_CHARACTERS_PER_TOKEN = 4  # what OpenAI gives as a rule of thumb for English
_TOKENS_PER_MESSAGE = 4  # what chat templates put around one, roughly


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: `user`, `assistant` or `system`.
        content: what is said.
    """

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation that a model is to continue.

    Attributes:
        id: what it is about; the answer carries it.
        messages: the turns so far.
    """

    id: str
    messages: tuple[Message, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the line of a file of prompts; `messages` is what a chat API takes."""
        return {"id": self.id, "messages": [{"role": turn.role, "content": turn.content} for turn in self.messages]}

    @property
    def sha256(self) -> str:
        """SHA-256 of the messages, as 64 hexadecimal digits: tells whether an answer is one to this very prompt."""
        return hashlib.sha256(json.dumps(self.to_json()["messages"]).encode()).hexdigest()

    @property
    def n_tokens(self) -> int:
        """Tokens, estimated without any model's tokeniser: a quarter of the characters, and some for each message."""
        return sum(_TOKENS_PER_MESSAGE + -(-len(turn.content) // _CHARACTERS_PER_TOKEN) for turn in self.messages)


def read_prompts(path: str | Path) -> tuple[Prompt, ...]:
    """Read a file of prompts; further keys of a line are passed over.

    Raises:
        FileError: the file cannot be read or holds no prompt.
        RowError: a line is no prompt, or has the id of an earlier one.
    """
    prompts: dict[str, Prompt] = {}
    for row, line in read_jsonl(path):
        try:
            prompt = Prompt(_text(line, "id"), _messages(line.get("messages")))
        except ValueError as error:
            raise RowError(str(path), row, f"{error}; make prompts with `corr2cause prompts`") from error
        if prompts.setdefault(prompt.id, prompt) is not prompt:
            raise RowError(str(path), row, f"the id {quoted(prompt.id)} stood in an earlier line; keep one of them")
    if not prompts:
        raise FileError(str(path), "there is no prompt in it; make prompts with `corr2cause prompts`")
    return tuple(prompts.values())


def _messages(found: object) -> tuple[Message, ...]:
    if not isinstance(found, Sequence) or not found or not all(isinstance(turn, dict) for turn in found):
        raise ValueError("expected `messages`, a list of objects with role and content")
    return tuple(Message(_text(turn, "role"), _text(turn, "content")) for turn in found)


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"expected a text as `{key}`")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError(f"`{key}` holds half of a surrogate pair, which is no character")
    return value
