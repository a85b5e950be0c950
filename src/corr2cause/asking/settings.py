"""What is asked of a server beside the prompt, and how it is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from corr2cause.errors import OptionError, quoted

_OURS = ("model", "messages", "max_tokens", "temperature", "stream", "n")


@dataclass(frozen=True, slots=True)
class Sampling:
    """What decides how a prompt is answered; None leaves it to the server.

    Attributes:
        model: its name, as the server knows it.
        max_tokens: the longest answer, in tokens.
        temperature: 0 for the likeliest answer.
        extra: further fields of the request, such as `{"reasoning_effort": "low"}`.
    """

    model: str
    max_tokens: int | None = None
    temperature: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if taken := [name for name in _OURS if name in self.extra]:
            raise OptionError(
                "--extra", f"{', '.join(taken)} cannot be given here; use the option of that name, if any"
            )
        try:
            json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False).encode()
        except ValueError as error:
            problem = "expected UTF-8 text, and numbers that are neither infinite nor NaN"
            raise OptionError("--model, --temperature and --extra", problem) from error

    def to_json(self) -> dict[str, Any]:
        """Return the fields of the request, without the messages."""
        named = {"model": self.model, "max_tokens": self.max_tokens, "temperature": self.temperature}
        return {name: value for name, value in named.items() if value is not None} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Server:
    """Where to ask.

    Attributes:
        url: what `/chat/completions` is added to, such as `http://localhost:8000/v1`.
        key: the API key, None if the server wants none. It is shown nowhere.
        timeout: seconds until a request is given up.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 120.0

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            is_fit = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port that is no number, an unclosed bracket
            is_fit = False
        if not is_fit or "@" in parts.netloc:
            raise OptionError("--base-url", f"{quoted(self._shown)} should read like http://localhost:8000/v1")
        if self.key is not None and not (self.key.isascii() and self.key.isprintable()):
            raise OptionError("--api-key-env", "the API key holds characters that none can have; set it anew")

    @property
    def _shown(self) -> str:
        """The URL without what may be a password."""
        return self.url.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Pace:
    """How hard to try.

    Attributes:
        concurrency: requests under way at the same time.
        retries: how often a prompt is asked again after a fault that may pass.
        backoff: seconds before the first retry; they double with each.
    """

    concurrency: int = 8
    retries: int = 6
    backoff: float = 1.0


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in any currency.

    Attributes:
        prompt: of a prompt.
        completion: of an answer.
    """

    prompt: float
    completion: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what some tokens cost.

        >>> Prices(2.5, 10.0).cost(1_000_000, 100_000)
        3.5
        """
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6
