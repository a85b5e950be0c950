"""The loop, with a function in the place of a server."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from corr2cause.asking import running
from corr2cause.asking.faults import PromptError, TransientError, UnreachableError
from corr2cause.asking.prompts import Message, Prompt
from corr2cause.asking.replies import Reply
from corr2cause.asking.running import Failure, ask_all, backoff
from corr2cause.asking.settings import Pace
from corr2cause.errors import FileError, ServerError

PROMPTS = [Prompt(f"p{k}", (Message("user", f"{k}"),)) for k in range(30)]
QUICK = Pace(concurrency=4, retries=2, backoff=0.0)


def run(ask, prompts=PROMPTS, pace=QUICK, keep=lambda prompt, reply: None):
    kept, told = Counter(), []

    def keep_too(prompt, reply):
        kept[prompt.id] += 1
        keep(prompt, reply)

    failures = asyncio.run(ask_all(prompts, ask, pace, keep_too, told.append))
    return kept, told, failures


def test_each_prompt_is_asked_once_and_no_more_at_a_time_than_allowed():
    now, most, asked = 0, 0, Counter()

    async def ask(prompt):
        nonlocal now, most
        asked[prompt.id] += 1
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return Reply(prompt.id)

    kept, told, failures = run(ask)
    assert kept == asked == Counter(prompt.id for prompt in PROMPTS)
    assert (most, told, failures) == (4, [], [])


def test_the_prompt_that_keeps_failing_is_tried_as_often_as_allowed_and_the_others_go_on():
    tries = Counter()

    async def ask(prompt):
        tries[prompt.id] += 1
        if prompt.id == "p3" or (prompt.id == "p4" and tries["p4"] < 3):
            raise TransientError("busy")
        if prompt.id == "p5":
            raise PromptError("too long")
        return Reply("Yes")

    kept, told, failures = run(ask)
    assert (tries["p3"], tries["p4"], tries["p5"]) == (3, 3, 1)
    assert sorted(failures, key=lambda failure: failure.id) == [Failure("p3", "busy"), Failure("p5", "too long")]
    assert len(kept) == 28
    assert told == ["busy"] * 4


@pytest.mark.parametrize("error", [ServerError("HTTP 401"), FileError("a", "no space")])
def test_what_concerns_all_stops_all(error):
    asked = Counter()

    async def ask(prompt):
        asked[prompt.id] += 1
        await asyncio.sleep(0 if prompt.id == "p0" else 60)
        raise error

    with pytest.raises(type(error)) as caught:
        run(ask)
    assert caught.value is error
    assert len(asked) == 4


def test_a_server_that_is_gone_is_given_up_but_not_for_prompts_that_fail_by_themselves():
    asked = Counter()

    async def ask(prompt):
        asked[prompt.id] += 1
        raise UnreachableError("http://x: no connection")

    with pytest.raises(ServerError, match="http://x: no connection, for 10 prompts in a row"):
        run(ask, pace=Pace(1, 1, 0.0))
    assert asked == Counter({f"p{k}": 2 for k in range(10)})

    async def busy(prompt):
        raise TransientError("busy")

    assert len(run(busy)[2]) == 30


def test_one_answer_shows_that_the_server_is_there():
    async def ask(prompt):
        if int(prompt.id[1:]) % 10 == 9:
            return Reply("Yes")
        raise UnreachableError("no connection")

    kept, _, failures = run(ask, pace=Pace(1, 0, 0.0))
    assert (len(kept), len(failures)) == (3, 27)


def test_waits_double_are_capped_and_jittered(monkeypatch):
    for attempt in range(12):
        waits = {backoff(f"p{k}", attempt, 0.5) for k in range(50)}
        longest = min(0.5 * 2**attempt, 60)
        assert len(waits) == 50
        assert longest / 2 <= min(waits) < 0.55 * longest < 0.95 * longest < max(waits) <= longest


def test_retry_after_is_a_lower_bound(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr(running.asyncio, "sleep", sleep)
    tries = Counter()

    async def ask(prompt):
        tries[prompt.id] += 1
        if tries[prompt.id] > 2:
            return Reply("Yes")
        raise TransientError("busy", 20.0 if tries[prompt.id] == 1 else 0.001)

    run(ask, PROMPTS[:1], Pace(1, 5, 1.0))
    assert slept[0] == 20
    assert 1 <= slept[1] <= 2


def test_who_is_told_to_wait_for_an_hour_does_not():
    async def ask(prompt):
        raise TransientError("HTTP 429", 3600.0)

    _, _, failures = run(ask, PROMPTS[:2], Pace(1, 5, 60.0))
    assert failures == [Failure(p, "HTTP 429; the server asks to wait 3,600 s") for p in ("p0", "p1")]


def test_a_reply_that_cannot_be_kept_stops_the_run():
    async def ask(prompt):
        return Reply("Yes")

    def full(prompt, reply):
        raise FileError("answers", "no space is left")

    with pytest.raises(FileError, match="no space"):
        run(ask, keep=full)
