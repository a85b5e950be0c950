"""The door to the library `openai`: one prompt in, one reply or one of three faults out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING, Any

from corr2cause.asking.faults import PromptError, TransientError, UnreachableError
from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import CONTENT_FILTER, Reply, parse_reply
from corr2cause.asking.settings import Sampling, Server
from corr2cause.errors import MissingExtraError, ServerError, quoted

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

Ask = Callable[[Prompt], Awaitable[Reply]]
"""Asks one prompt once. Raises PromptError, TransientError or UnreachableError; ServerError if all else is in vain."""

_NO_KEY = "none"  # the library insists on one
_ADVICE = {
    401: "set the API key in the environment",
    402: "see to the account",
    403: "this API key may not do that",
    404: "check the base URL and the name of the model",
}
_PASSING = (408, 409, 425, 429)
_SHORTEST_SECRET = 16  # local servers take "none", "EMPTY" and other words that an answer may hold
_QUOTA_USED_UP = "insufficient_quota"  # comes with 429, but no waiting helps


@asynccontextmanager
async def connect(server: Server, sampling: Sampling) -> AsyncIterator[Ask]:
    """Open connections to a server and yield what asks it; the library's own retries are off.

    Raises:
        MissingExtraError: openai is not installed.
    """
    try:
        import openai
    except ImportError as error:
        raise MissingExtraError("openai", "ask") from error

    async with openai.AsyncOpenAI(
        base_url=server.url, api_key=server.key or _NO_KEY, timeout=server.timeout, max_retries=0
    ) as client:

        async def ask(prompt: Prompt) -> Reply:
            try:
                async with asyncio.timeout(server.timeout):  # of the whole request; theirs is of each step of it
                    body = await _post(client, prompt, sampling)
            except (TimeoutError, openai.APITimeoutError) as error:
                raise TransientError(f"no answer within {server.timeout:g} s") from error
            except openai.APIStatusError as error:
                return _filtered_or_fault(server, error)
            except openai.APIConnectionError as error:
                reason = str(error.__cause__ or error) or type(error.__cause__).__name__
                raise UnreachableError(f"{server.url}: no connection ({reason})") from error
            return parse_reply(_without_key(body, server))

        yield ask


async def _post(client: AsyncOpenAI, prompt: Prompt, sampling: Sampling) -> str:
    """Send a prompt and return the body of the response as it came: servers differ, and we read it with care."""
    create: Any = client.chat.completions.with_raw_response.create
    fields = sampling.to_json()
    response = await create(messages=prompt.to_json()["messages"], model=fields.pop("model"), extra_body=fields)
    return str(response.text)


def _filtered_or_fault(server: Server, error: APIStatusError) -> Reply:
    """Tell a prompt that a filter holds back, which is an outcome, from all that is wrong."""
    status, code = error.status_code, error.code
    if code == CONTENT_FILTER:
        return Reply("", CONTENT_FILTER)
    problem = f"HTTP {status} ({_without_key(_reason(error), server)})"
    if status in _ADVICE or code == _QUOTA_USED_UP:
        raise ServerError(f"{server.url}: {problem}; {_ADVICE.get(status, _ADVICE[402])}") from None
    if status in _PASSING or status >= 500:
        raise TransientError(problem, _retry_after(error.response.headers.get("retry-after"))) from None
    raise PromptError(problem) from None


def _reason(error: APIStatusError) -> str:
    """Return what the server says, in one line."""
    said = error.body.get("message") if isinstance(error.body, dict) else None
    text = " ".join((said if isinstance(said, str) else error.response.text).split())
    return quoted(text) if text else error.response.reason_phrase or "no reason given"


def _without_key(text: str, server: Server) -> str:
    """Blot the API key out of what a server says: some repeat it."""
    is_secret = server.key is not None and len(server.key) >= _SHORTEST_SECRET
    return text.replace(server.key, "…") if server.key and is_secret else text


def _retry_after(value: str | None) -> float:
    """Read the header Retry-After, seconds or a date (RFC 9110, 10.2.3); 0 if it says nothing that can be read.

    >>> _retry_after("1.5"), _retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), _retry_after("soon"), _retry_after(None)
    (1.5, 0.0, 0.0, 0.0)
    """
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value or "").timestamp() - time())
    except ValueError:
        return 0.0
