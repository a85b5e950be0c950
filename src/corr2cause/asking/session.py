"""Ask a set of prompts and keep the answers in a file; what is answered there already is not asked again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corr2cause.asking.answer_file import AnswerFile, appended, read_answers
from corr2cause.asking.client import connect
from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import Outcome, Reply
from corr2cause.asking.running import Failure, Tell, ask_all
from corr2cause.asking.settings import Pace, Prices, Sampling, Server
from corr2cause.locks import file_lock

Progress = Callable[[int], object]


@dataclass
class Tally:
    """What is counted of replies.

    Attributes:
        outcomes: how many replies of each outcome.
        prompt_tokens: of all prompts, as far as the server counts them.
        completion_tokens: of all answers, likewise.
        n_uncounted: replies whose tokens the server did not count.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    n_uncounted: int = 0

    def add(self, reply: Reply) -> None:
        """Count one more."""
        self.outcomes[reply.outcome] += 1
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        self.n_uncounted += reply.prompt_tokens is None or reply.completion_tokens is None

    def to_json(self, prices: Prices | None) -> dict[str, Any]:
        """Return the counts, and the cost if there are prices."""
        return {
            "outcomes": {outcome.value: self.outcomes[outcome] for outcome in Outcome},
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "without_token_counts": self.n_uncounted,
            "cost": prices and round(prices.cost(self.prompt_tokens, self.completion_tokens), 6),
        }


@dataclass(frozen=True, slots=True)
class Job:
    """Prompts, the way they are asked, and the place of the answers.

    Attributes:
        prompts: with different ids.
        sampling: how they are asked.
        path: the file of answers, which may hold some already.
    """

    prompts: tuple[Prompt, ...]
    sampling: Sampling
    path: Path


@dataclass(frozen=True, slots=True)
class Standing:
    """What a file of answers holds.

    Attributes:
        n_answered: prompts that have an answer there.
        tally: of these.
        waiting: prompts that have none.
    """

    n_answered: int
    tally: Tally
    waiting: tuple[Prompt, ...]


def standing(job: Job) -> Standing:
    """See what the file of answers holds already. Nothing is written.

    Raises:
        FileError: the file cannot be read.
        RowError: it holds something else than answers to these prompts, asked in this way.
    """
    answered, tally = set[str](), Tally()
    for name, reply in read_answers(job.path, job.prompts, job.sampling):
        answered.add(name)
        tally.add(reply)
    return Standing(len(answered), tally, tuple(prompt for prompt in job.prompts if prompt.id not in answered))


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did.

    Attributes:
        n_before: prompts that had an answer before.
        n_new: prompts that it got an answer to.
        tally: of all answers in the file.
        failures: prompts that it got none to, as they failed.
    """

    n_before: int
    n_new: int
    tally: Tally
    failures: tuple[Failure, ...]


def run(job: Job, server: Server, pace: Pace, progress: Progress, tell: Tell) -> Report:
    """Ask all prompts that have no answer yet.

    Args:
        job: what to ask.
        server: where.
        pace: how hard to try.
        progress: called with the number of prompts just answered, first with those that were before.
        tell: called with each fault that may pass, before the wait.

    Raises:
        FileError: the file cannot be read or written, or another process is writing it.
        RowError: it holds something else than answers to these prompts, asked in this way.
        ServerError: the server would answer no prompt.
        MissingExtraError: openai is not installed.
    """
    with file_lock(job.path):
        before = standing(job)
        progress(before.n_answered)
        n_new = 0

        async def ask_waiting(file: AnswerFile) -> list[Failure] | SystemExit:
            def keep(prompt: Prompt, reply: Reply) -> None:
                nonlocal n_new
                file.append(prompt, reply)
                before.tally.add(reply)
                n_new += 1
                progress(1)

            try:
                async with connect(server, job.sampling) as ask:
                    return await ask_all(before.waiting, ask, pace, keep, tell)
            except SystemExit as stop:  # left to the event loop, it would be told on stderr with its traceback
                return stop

        if not before.waiting:
            return Report(before.n_answered, 0, before.tally, ())
        with appended(job.path, job.sampling) as file:
            failures = asyncio.run(ask_waiting(file))
        if isinstance(failures, SystemExit):
            raise failures
    return Report(before.n_answered, n_new, before.tally, tuple(failures))
