"""`corr2cause ask` as a person runs it, against a server that fails."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from corr2cause.checking.answers import Answer
from corr2cause.checking.predictions import read_predictions
from tests.cli.running import call, run, start
from tests.servers import Sent, completion, error, running_server

N = 30
QUICK = ("--backoff", "0.001", "--timeout", "30", "--retries", "3")
KEY = "sk-0123456789abcdef"


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    lines = [{"id": f"p{k}", "messages": [{"role": "user", "content": f"question {k}?"}]} for k in range(N)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(autouse=True)
def _no_key_of_the_machine(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def ask(prompts, server, *options, program=call):
    return program("ask", prompts, "--model", "m", "--base-url", server.url, *QUICK, *options)


def lines_of(prompts):
    return [json.loads(line) for line in prompts.with_suffix(".answers.jsonl").read_text().splitlines()]


def one_in_three_fails(prompt, times):
    """Every third prompt fails at first, each time in another way."""
    number = int(re.findall(r"\d+", prompt)[0])
    if number % 3 or times >= 3:
        return completion("Yes" if number % 2 else "No.")
    faults = [
        error(429, retry_after="0.01"),
        error(500),
        Sent(reset=True),
        Sent(body=b"{torn"),
        Sent(body={"choices": []}),
        error(503, retry_after="soon"),
    ]
    return faults[(number + times) % len(faults)]


def test_one_request_in_three_failing_costs_no_answer(prompts):
    with running_server(one_in_three_fails) as server:
        done = ask(prompts, server)
    assert (done.returncode, len(lines_of(prompts))) == (0, N)
    assert all(n == (4 if int(re.findall(r"\d+", prompt)[0]) % 3 == 0 else 1) for prompt, n in server.seen.items())
    assert done.stdout.splitlines()[:4] == [
        "outcome   prompts",
        "--------  -------",
        "answered       30",
        "all            30",
    ]
    assert "300 tokens in prompts, 60 in answers" in done.stdout
    assert "trying again." in done.stderr
    assert "Traceback" not in done.stderr


def test_the_answers_are_what_evaluate_reads(prompts):
    with running_server(one_in_three_fails) as server:
        ask(prompts, server)
    found = read_predictions(prompts.with_suffix(".answers.jsonl"))
    assert found.column == "response"
    expected = {f"p{k}": Answer.YES if k % 2 else Answer.NO for k in range(N)}
    assert dict(zip(found.ids, found.answers.tolist(), strict=True)) == expected


def test_the_same_command_again_asks_nothing(prompts):
    with running_server() as server:
        ask(prompts, server)
        before = prompts.with_suffix(".answers.jsonl").read_bytes()
        done = ask(prompts, server)
        assert set(server.seen.values()) == {1}
    assert (done.returncode, prompts.with_suffix(".answers.jsonl").read_bytes()) == (0, before)
    assert "0 new answers" in done.stdout


def test_prompts_that_keep_failing_are_counted_and_asked_again_by_the_next_run(prompts):
    broken = {"question 7?", "question 8?"}
    with running_server(lambda prompt, times: error(500, "boom") if prompt in broken else completion("No")) as server:
        done = ask(prompts, server, "--json")
        assert done.returncode == 1
        found = json.loads(done.stdout)
        assert (found["answered_now"], found["failed"], found["outcomes"]["answered"]) == (N - 2, 2, N - 2)
        assert {failure["id"] for failure in found["failures"]} == {"p7", "p8"}
        assert "2 prompts have no answer, such as p7: HTTP 500 ('boom'); the same command" in done.stderr.replace(
            "p8:", "p7:"
        )
        assert server.seen["question 7?"] == 4
        broken.clear()
        done = ask(prompts, server, "--json")
    assert done.returncode == 0
    assert (json.loads(done.stdout)["answered_before"], json.loads(done.stdout)["answered_now"]) == (N - 2, 2)
    assert set(server.answered.values()) == {1}


def test_what_is_no_plain_answer_is_recorded_and_counted(prompts):
    odd = {
        "question 0?": completion("Let me th", "length"),
        "question 1?": completion(None),
        "question 2?": completion(None, refusal="I would rather not say yes."),
        "question 3?": completion("", "content_filter"),
        "question 4?": error(400, "held back", "content_filter"),
    }
    with running_server(lambda prompt, times: odd.get(prompt) or completion("Yes")) as server:
        done = ask(prompts, server, "--json", "--price-in", "1", "--price-out", "10")
    found = json.loads(done.stdout)
    assert found["outcomes"] == {"answered": N - 5, "truncated": 1, "empty": 1, "refused": 1, "filtered": 2}
    assert (found["prompt_tokens"], found["completion_tokens"], found["without_token_counts"]) == (290, 58, 1)
    assert found["cost"] == pytest.approx((290 * 1 + 58 * 10) / 1e6)
    by_id = {line["id"]: line for line in lines_of(prompts)}
    assert [by_id[f"p{k}"]["outcome"] for k in range(5)] == ["truncated", "empty", "refused", "filtered", "filtered"]
    assert (by_id["p2"]["response"], by_id["p2"]["refusal"]) == ("", "I would rather not say yes.")
    answers = read_predictions(prompts.with_suffix(".answers.jsonl"))
    assert Counter(answers.answers.tolist()) == {Answer.YES: N - 5, Answer.UNREADABLE: 5}


@pytest.mark.parametrize(
    ("sent", "said"),
    [(error(401, f"bad key {KEY}"), "set the API key"), (error(404, "no such model"), "check the base URL")],
)
def test_a_permanent_error_is_one_line_and_shows_no_key(prompts, sent, said, monkeypatch):
    monkeypatch.setenv("MY_KEY", f"{KEY}\n")
    with running_server(lambda prompt, times: sent) as server:
        done = ask(prompts, server, "--api-key-env", "MY_KEY")
        assert {authorization for _, authorization, _ in server.requests} == {f"Bearer {KEY}"}
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"Error: {server.url}: HTTP \d+ .*{said}.*\n", done.stderr)
    assert KEY not in done.stderr
    assert prompts.with_suffix(".answers.jsonl").read_bytes() == b""


def test_the_key_is_written_nowhere(prompts, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with running_server() as server:
        done = ask(prompts, server, "--json")
    written = [path.read_text() for path in prompts.parent.iterdir()]
    assert all(KEY not in text for text in (done.stdout, done.stderr, *written))


def test_other_options_against_the_same_file_are_refused(prompts):
    with running_server() as server:
        ask(prompts, server, "--temperature", "0")
        before = prompts.with_suffix(".answers.jsonl").read_bytes()
        done = ask(prompts, server, "--temperature", "1")
        assert set(server.seen.values()) == {1}
    assert done.returncode == 1
    said = (
        r"Error: .*:1: this was asked with other options \(temperature 0\.0 instead of 1\.0\); choose another --out\n"
    )
    assert re.fullmatch(said, done.stderr)
    assert prompts.with_suffix(".answers.jsonl").read_bytes() == before


def test_the_prompts_are_no_file_of_answers(prompts):
    before = prompts.read_bytes()
    with running_server() as server:
        done = ask(prompts, server, "--out", prompts)
    assert (done.returncode, prompts.read_bytes()) == (1, before)
    assert "no answer of `corr2cause ask`" in done.stderr


def test_a_dry_run_asks_and_writes_nothing(prompts):
    with running_server() as server:
        options = ("--dry-run", "--json", "--max-tokens", "5", "--price-in", "2", "--price-out", "8")
        found = json.loads(ask(prompts, server, *options).stdout)
        assert (found["prompts"], found["answered"], found["to_ask"]) == (N, 0, N)
        assert found["estimated_prompt_tokens"] == 10 * (4 + 3) + 20 * (4 + 3)  # "question 7?" has 11 characters
        assert found["most_completion_tokens"] == 5 * N
        assert found["most_cost"] == pytest.approx((210 * 2 + 150 * 8) / 1e6)
        assert not server.requests
        assert [path.name for path in prompts.parent.iterdir()] == ["prompts.jsonl"]
        ask(prompts, server, "--max-tokens", "5", "--quiet")
        assert json.loads(ask(prompts, server, *options).stdout)["to_ask"] == 0
        assert "to ask" in ask(prompts, server, "--dry-run", "--max-tokens", "5").stdout


def test_no_more_requests_at_a_time_than_allowed(prompts):
    with running_server(lambda prompt, times: Sent(**{**vars(completion("No")), "seconds": 0.01})) as server:
        ask(prompts, server, "--concurrency", "5")
    assert server.most_at_once == 5


def test_quiet_is_quiet(prompts):
    with running_server() as server:
        done = ask(prompts, server, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--extra", "{"), "this is not JSON"),
        (("--extra", "[]"), "expected an object"),
        (("--extra", '{"model": "x"}'), "use the option of that name"),
        (("--extra", '{"top_p": NaN}'), "neither infinite nor NaN"),
        (("--model", "\udcff"), "expected UTF-8 text"),
        (("--temperature", "nan"), "no number to work with"),
        (("--timeout", "inf"), "no number to work with"),
        (("--concurrency", "1001"), "range"),
        (("--price-in", "1"), "belong together"),
        (("--base-url", "localhost"), "should read like"),
        (("--local",), "give either --base-url, where a server is, or --local"),
    ],
)
def test_wrong_usage(prompts, options, said):
    with running_server() as server:
        done = ask(prompts, server, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give either --base-url, where a server is, or --local"),
        (("--local",), "--local needs --max-tokens"),
        (("--local", "--max-tokens", "5", "--temperature", "0.5"), "leave --temperature out"),
    ],
)
def test_wrong_usage_without_a_server(prompts, options, said):
    done = call("ask", prompts, "--model", "m", *options)
    assert (done.returncode, said in done.stderr) == (2, True)


class Gate:
    """Answers some prompts, and lets the rest wait until it is opened."""

    def __init__(self, n_free: int) -> None:
        self.n_free, self.n_held, self.lock = n_free, 0, threading.Lock()
        self.is_open, self.is_dropped = threading.Event(), False

    def __call__(self, prompt, times):
        with self.lock:
            self.n_free -= 1
            is_free = self.n_free >= 0
            self.n_held += not is_free
        if not is_free and not self.is_open.is_set():
            self.is_open.wait(20)
            if self.is_dropped:
                return Sent(reset=True)
        return completion("Yes")

    def drop(self):
        """Break the connections of those that wait, and answer from now on."""
        self.is_dropped = True
        self.is_open.set()


def in_the_middle(prompts, gate, process):
    """Wait until the free answers are kept and the other requests hang."""
    path = prompts.with_suffix(".answers.jsonl")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if path.exists() and len(path.read_bytes().splitlines()) == 11 and gate.n_held == 4:
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    pytest.fail("the run did not get there")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_killed_run_loses_no_answer_and_none_is_asked_twice(prompts):
    gate = Gate(11)
    with running_server(gate) as server:
        with ask(prompts, server, "--concurrency", "4", program=start) as process:
            in_the_middle(prompts, gate, process)
            os.kill(process.pid, signal.SIGKILL)
        path = prompts.with_suffix(".answers.jsonl")
        kept = path.read_bytes()
        path.write_bytes(kept + b'{"id": "p11", "resp')  # as a kill within a write would leave it
        gate.drop()
        done = ask(prompts, server, program=run)
        assert done.returncode == 0, done.stderr
        assert "19 new answers" in done.stdout
        assert path.read_bytes().startswith(kept)
    assert [line["id"] for line in lines_of(prompts)[:11]] == [json.loads(line)["id"] for line in kept.splitlines()]
    assert Counter(line["id"] for line in lines_of(prompts)) == Counter(f"p{k}" for k in range(N))
    assert server.answered == Counter(f"question {k}?" for k in range(N))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_with_one_line_at_most(prompts, number, code):
    gate = Gate(11)
    with running_server(gate) as server:
        with ask(prompts, server, "--concurrency", "4", program=start) as process:
            in_the_middle(prompts, gate, process)
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=20)
        gate.drop()
    line = (
        f"Stopped: 11 of 30 prompts have an answer in {prompts.with_suffix('.answers.jsonl')}; "
        "the same command again asks the rest.\n"
    )
    assert (process.returncode, stdout, stderr) == (code, "", line if code == 130 else "")


def test_two_runs_on_one_file_are_refused(prompts):
    gate = Gate(11)
    with running_server(gate) as server, ask(prompts, server, "--concurrency", "4", program=start) as process:
        in_the_middle(prompts, gate, process)
        done = ask(prompts, server)
        assert done.returncode == 1
        assert re.fullmatch(r"Error: .*: another corr2cause is writing here; wait .* another file\n", done.stderr)
        gate.is_open.set()
        assert process.wait(20) == 0
        assert set(server.answered.values()) == {1}
