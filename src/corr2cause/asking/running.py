"""The asking loop: many prompts at a time, each until it is answered or has failed too often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from corr2cause.asking.client import Ask
from corr2cause.asking.faults import PromptError, TransientError, UnreachableError
from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import Reply
from corr2cause.asking.settings import Pace
from corr2cause.errors import ServerError
from corr2cause.streams import words

LONGEST_WAIT = 300.0
"""Seconds. Who is asked to wait longer gives the prompt up for this run."""

_LONGEST_BACKOFF = 60.0
_GIVE_UP_AFTER = 10  # prompts in a row, each tried to the last, that found no server

Keep = Callable[[Prompt, Reply], object]
Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Failure:
    """A prompt without an answer.

    Attributes:
        id: of the prompt.
        problem: what happened at the last try.
    """

    id: str
    problem: str


async def ask_all(prompts: Iterable[Prompt], ask: Ask, pace: Pace, keep: Keep, tell: Tell) -> list[Failure]:
    """Ask every prompt.

    Args:
        prompts: taken one by one as requests end, so that a generator will do.
        ask: asks one of them once.
        pace: how many at a time, how often, how long in between.
        keep: called with each reply as it comes, in the order in which they come.
        tell: called with each fault that may pass, before the wait.

    Returns:
        The prompts that have no answer, as they failed.

    Raises:
        ServerError: no prompt would be answered, or ten in a row found no server.
    """
    waiting, failures = iter(prompts), list[Failure]()
    n_unreached = 0

    async def work() -> None:
        nonlocal n_unreached
        for prompt in waiting:  # shared by all workers
            try:
                reply = await _ask_again_and_again(prompt, ask, pace, tell)
            except PromptError as error:
                failures.append(Failure(prompt.id, error.problem))
                n_unreached = n_unreached + 1 if isinstance(error, UnreachableError) else 0
                if n_unreached >= _GIVE_UP_AFTER:
                    raise ServerError(f"{error.problem}, for {n_unreached} prompts in a row") from error
            else:
                n_unreached = 0
                keep(prompt, reply)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(pace.concurrency):
                group.create_task(work())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    return failures


async def _ask_again_and_again(prompt: Prompt, ask: Ask, pace: Pace, tell: Tell) -> Reply:
    for attempt in range(pace.retries):
        try:
            return await ask(prompt)
        except TransientError as error:
            if error.seconds > LONGEST_WAIT:
                raise PromptError(f"{error.problem}; the server asks to wait {error.seconds:,.0f} s") from error
            tell(error.problem)
            await asyncio.sleep(max(error.seconds, backoff(prompt.id, attempt, pace.backoff)))
    return await ask(prompt)


def backoff(name: str, attempt: int, first: float) -> float:
    """Return the seconds to wait before a retry: doubled with each, at most 60, and jittered down to their half.

    The jitter hangs on the name, so that prompts that failed together do not come back together.

    >>> all(2 <= backoff(f"prompt {k}", 2, 1.0) <= 4 for k in range(9))
    True
    """
    jitter = int(words(0, "backoff", name, rows=range(attempt, attempt + 1), columns=1)[0, 0]) / 2**64
    return float(min(first * 2**attempt, _LONGEST_BACKOFF) * (1 + jitter) / 2)
