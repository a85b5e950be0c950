"""A run that is asked to end says nothing of the event loop."""

from __future__ import annotations

import gc

import pytest

from corr2cause.asking.prompts import Message, Prompt
from corr2cause.asking.session import Job, run, standing
from corr2cause.asking.settings import Pace, Sampling, Server
from tests.servers import running_server

PROMPTS = tuple(Prompt(f"p{k}", (Message("user", f"Is it {k}?"),)) for k in range(5))


def test_a_request_to_end_that_comes_while_an_answer_is_kept_leaves_no_traceback(tmp_path, caplog):
    def end(number: int) -> None:
        if number:
            raise SystemExit(143)

    job = Job(PROMPTS, Sampling("m"), tmp_path / "answers.jsonl")
    with running_server() as server, pytest.raises(SystemExit) as caught:
        run(job, Server(server.url), Pace(2, 0, 0.0), end, lambda problem: None)
    gc.collect()  # an exception of a task that nobody took is logged when the task goes
    assert caught.value.code == 143
    assert [record.getMessage().splitlines()[0] for record in caplog.records] == []
    assert standing(job).n_answered >= 1
