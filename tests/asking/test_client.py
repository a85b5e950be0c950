"""One request: each kind of failure is told apart, and none shows the key."""

from __future__ import annotations

import asyncio
import builtins
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from corr2cause.asking.client import connect
from corr2cause.asking.faults import PromptError, TransientError, UnreachableError
from corr2cause.asking.prompts import Message, Prompt
from corr2cause.asking.replies import Outcome
from corr2cause.asking.settings import Sampling, Server
from corr2cause.errors import MissingExtraError, OptionError, ServerError
from tests.servers import Sent, completion, error, running_server

PROMPT = Prompt("a", (Message("user", "Is it so?"),))
SAMPLING = Sampling("m")
KEY = "sk-0123456789abcdef"


def ask(server, sampling=SAMPLING):
    async def once():
        async with connect(server, sampling) as asker:
            return await asker(PROMPT)

    return asyncio.run(once())


def asked_of(sent, **options):
    with running_server(lambda prompt, times: sent) as server:
        return ask(Server(server.url, **options))


def test_the_request_is_what_was_set_and_nothing_else():
    sampling = Sampling("some/model", 5, 0.0, {"seed": 3, "reasoning_effort": "low"})
    with running_server() as server:
        assert ask(Server(server.url, KEY), sampling).text == "Yes"
        ((_, authorization, body),) = server.requests
    assert authorization == f"Bearer {KEY}"
    assert body == {
        "model": "some/model",
        "messages": PROMPT.to_json()["messages"],
        "max_tokens": 5,
        "temperature": 0.0,
        "seed": 3,
        "reasoning_effort": "low",
    }
    with running_server() as server:
        ask(Server(server.url))
        assert set(server.requests[0][2]) == {"model", "messages"}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_pass(status):
    with pytest.raises(TransientError, match=rf"HTTP {status} \('too much'\)") as caught:
        asked_of(error(status, "too much"))
    assert caught.value.seconds == 0


def test_retry_after_in_seconds_and_as_a_date():
    with pytest.raises(TransientError) as caught:
        asked_of(error(429, retry_after="7"))
    assert caught.value.seconds == 7
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    with pytest.raises(TransientError) as caught:
        asked_of(error(503, retry_after=date))
    assert 90 < caught.value.seconds <= 100


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (error(401, "bad key"), "HTTP 401 .*set the API key"),
        (error(403), "HTTP 403"),
        (error(404, "The model `m` does not exist"), "HTTP 404 .*The model `m` does not exist.*check the base URL"),
        (error(429, "pay first", "insufficient_quota"), "HTTP 429 .*see to the account"),
    ],
)
def test_what_concerns_every_prompt(sent, said):
    with pytest.raises(ServerError, match=said):
        asked_of(sent)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_concerns_this_prompt_alone(status):
    with pytest.raises(PromptError, match=f"HTTP {status}") as caught:
        asked_of(error(status, "too\nlong"))
    assert type(caught.value) is PromptError
    assert "\n" not in str(caught.value)


def test_a_prompt_that_a_filter_holds_back_is_an_outcome():
    reply = asked_of(error(400, "held back", "content_filter"))
    assert (reply.outcome, reply.text) == (Outcome.FILTERED, "")


@pytest.mark.parametrize("body", [b"", b"<html>", b"{", b"\xff\xfe", b'{"choices": []}'])
def test_malformed_bodies(body):
    with pytest.raises(TransientError, match="the server sent no"):
        asked_of(Sent(body=body))


def test_a_request_that_takes_too_long():
    with pytest.raises(TransientError, match=r"no answer within 0\.1 s"):
        asked_of(Sent(body={}, seconds=0.5), timeout=0.1)


def test_a_connection_that_breaks():
    with pytest.raises(UnreachableError, match="no connection"):
        asked_of(Sent(reset=True))


def test_a_server_that_is_not_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(UnreachableError, match=f"{url}: no connection"):
            ask(Server(url))


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_server_that_repeats_the_key(status):
    with pytest.raises((PromptError, ServerError)) as caught:
        asked_of(error(status, f"the key {KEY} is wrong"), key=KEY)
    assert KEY not in str(caught.value)
    assert "the key … is wrong" in str(caught.value)
    assert asked_of(completion(f"I see {KEY}"), key=KEY).text == "I see …"
    assert KEY not in repr(Server("http://localhost", KEY))


def test_a_word_that_stands_for_no_key_may_be_said():
    assert asked_of(completion("none"), key="none").text == "none"


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://x/v1", "http://", "http://x:99999999/", "http://[::1/v1"])
def test_a_url_that_is_none(url):
    with pytest.raises(OptionError, match="should read like"):
        Server(url)


def test_a_url_with_a_password_is_not_repeated():
    with pytest.raises(OptionError) as caught:
        Server("http://me:secret@localhost/v1")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
def test_a_key_that_is_none_is_not_repeated(key):
    with pytest.raises(OptionError) as caught:
        Server("http://localhost", key)
    assert key not in str(caught.value)


def test_fields_that_have_an_option_are_no_extras():
    with pytest.raises(OptionError, match="temperature, stream"):
        Sampling("m", extra={"temperature": 1, "stream": True, "seed": 1})


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    real = builtins.__import__

    def without_openai(name, *rest):
        if name == "openai":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_openai)
    with pytest.raises(MissingExtraError, match=r'pip install "corr2cause\[ask\]"'):
        ask(Server("http://localhost"))
