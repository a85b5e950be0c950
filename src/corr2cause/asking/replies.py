"""What a server replies to a prompt, read from the body of its response."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from corr2cause.asking.faults import TransientError
from corr2cause.errors import quoted

CONTENT_FILTER = "content_filter"
"""The `finish_reason` of a reply that a filter held back, wholly or in part."""


class Outcome(StrEnum):
    """What became of a prompt that the server replied to."""

    ANSWERED = "answered"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    REFUSED = "refused"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply.

    Attributes:
        text: what the model wrote, unchanged; empty if nothing.
        finish_reason: why it stopped, in the server's word; None if it does not say.
        refusal: the text with which the model declined, where the server tells it apart from an answer.
        prompt_tokens: as the server counted them; None if it does not say.
        completion_tokens: likewise, with those of hidden reasoning.
    """

    text: str
    finish_reason: str | None = None
    refusal: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def outcome(self) -> Outcome:
        """What became of the prompt.

        >>> [Reply("Yes", reason).outcome.value for reason in ("stop", "length")], Reply(" ").outcome.value
        (['answered', 'truncated'], 'empty')
        """
        if self.refusal:
            return Outcome.REFUSED
        if self.finish_reason == CONTENT_FILTER:
            return Outcome.FILTERED
        if self.finish_reason == "length":
            return Outcome.TRUNCATED
        return Outcome.ANSWERED if self.text.strip() else Outcome.EMPTY


def parse_reply(body: str) -> Reply:
    """Read the body of a response of `/chat/completions`.

    Raises:
        TransientError: it is not what that address replies; servers under load send such things.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise TransientError(f"the server sent no JSON: {quoted(body[:80])}") from error
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise TransientError(f"the server sent no choices: {quoted(body[:80])}")
    message, usage = choices[0].get("message"), found.get("usage")
    if not isinstance(message, dict):
        raise TransientError(f"the server sent no message: {quoted(body[:80])}")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        text=_text(message, "content") or "",
        finish_reason=_text(choices[0], "finish_reason"),
        refusal=_text(message, "refusal"),
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
    )


def _text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    return value if isinstance(value, str) else None


def _count(record: Mapping[str, Any], key: str) -> int | None:
    value = record.get(key)
    return value if isinstance(value, int) and value >= 0 else None
