"""What servers reply."""

from __future__ import annotations

import json

import pytest

from corr2cause.asking.faults import TransientError
from corr2cause.asking.replies import Outcome, Reply, parse_reply
from tests.servers import completion


@pytest.mark.parametrize(
    ("sent", "outcome", "text"),
    [
        (completion(" Yes\n"), Outcome.ANSWERED, " Yes\n"),
        (completion("Let me", "length"), Outcome.TRUNCATED, "Let me"),
        (completion(None, "length"), Outcome.TRUNCATED, ""),
        (completion(None), Outcome.EMPTY, ""),
        (completion(" \n"), Outcome.EMPTY, " \n"),
        (completion(None, refusal="I cannot say yes."), Outcome.REFUSED, ""),
        (completion("", "content_filter"), Outcome.FILTERED, ""),
    ],
)
def test_outcomes(sent, outcome, text):
    reply = parse_reply(json.dumps(sent.body))
    assert (reply.outcome, reply.text, reply.prompt_tokens, reply.completion_tokens) == (outcome, text, 10, 2)


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": {"prompt_tokens": "3", "completion_tokens": -1}}])
def test_tokens_that_are_not_counted(usage):
    body = {"choices": [{"message": {"content": "Yes"}}], **usage}
    assert parse_reply(json.dumps(body)) == Reply("Yes", None, None, None, None)


@pytest.mark.parametrize(
    "body",
    ["", "<html>", "{", "[" * 100_000, "[]", "null", "{}", '{"choices": []}', '{"choices": [7]}', '{"choices": [{}]}'],
)
def test_a_body_that_is_no_reply_may_be_one_next_time(body):
    with pytest.raises(TransientError, match="the server sent no"):
        parse_reply(body)
