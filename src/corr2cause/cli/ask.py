"""`corr2cause ask`: prompts to a model, answers into a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.ask_report import echo_plan, echo_report
from corr2cause.cli.numbers import Finite
from corr2cause.cli.paths import NAMED_PATH
from corr2cause.cli.progress import note, progress_bar

if TYPE_CHECKING:
    from corr2cause.asking.session import Job, Report
    from corr2cause.asking.settings import Pace, Server

_INTERRUPTED = 130  # 128 + SIGINT, as shells have it
_MOST_NOTES = 5
_MOST_AT_ONCE = 1000  # connections that the client opens


def _object(ctx: click.Context, param: click.Parameter, value: str) -> Mapping[str, Any]:
    try:
        found = json.loads(value)
    except ValueError as error:
        raise click.BadParameter(f"this is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise click.BadParameter('expected an object, such as {"seed": 1}')
    return found


@click.command()
@click.argument("prompts", type=NAMED_PATH)
@click.option("--model", required=True, help="Name of the model, as the server knows it; with --local also a folder.")
@click.option("--base-url", help="Where the server is, such as http://localhost:8000/v1.")
@click.option("--local", is_flag=True, help="Run the model here instead, by transformers (extra `finetune`), greedily.")
@click.option("--out", type=NAMED_PATH, help="File of answers.  [default: PROMPTS with the ending .answers.jsonl]")
@click.option(
    "--api-key-env",
    metavar="NAME",
    default="OPENAI_API_KEY",
    show_default=True,
    help="Environment variable that holds the API key; it may be unset.",
)
@click.option("--max-tokens", type=click.IntRange(1), help="Longest answer.  [default: the server's]")
@click.option("--temperature", type=Finite(0), help="Of sampling; 0 for the likeliest answer.  [default: the server's]")
@click.option(
    "--extra", metavar="JSON", callback=_object, default="{}", help="Further fields of each request, as an object."
)
@click.option(
    "--concurrency", type=click.IntRange(1, _MOST_AT_ONCE), default=8, show_default=True, help="Requests at a time."
)
@click.option("--timeout", type=Finite(0, min_open=True), default=120, show_default=True, help="Of a request, seconds.")
@click.option("--retries", type=click.IntRange(0), default=6, show_default=True, help="Of a prompt in one run.")
@click.option("--backoff", type=Finite(0), default=1, show_default=True, help="Seconds before the first; they double.")
@click.option("--price-in", type=Finite(0), help="Of a million tokens of prompts, to show the cost.")
@click.option("--price-out", type=Finite(0), help="Of a million tokens of answers.")
@click.option("--dry-run", is_flag=True, help="Only say what is left to ask, and estimate tokens and cost.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress and no result.")
def ask(
    prompts: Path,
    base_url: str | None,
    local: bool,
    out: Path | None,
    price_in: float | None,
    price_out: float | None,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Ask a model, on any server of the OpenAI kind or on this machine, and keep its answers.

    PROMPTS is what `corr2cause prompts` or `spans prompts` writes. Each answer is a line of the answer file as soon as
    it is there; the same command again asks only what has no answer yet. `corr2cause evaluate`, or `spans predictions`,
    reads the file. Overload, timeouts and broken connections are retried, later each time, and not before a
    Retry-After has passed. Exit code 1 if prompts are left without an answer.

    \b
    Example:
      corr2cause ask prompts.jsonl --model llama --base-url http://localhost:8000/v1 --temperature 0 --max-tokens 5
      corr2cause ask prompts.jsonl --model llama --base-url http://localhost:8000/v1 --dry-run
      corr2cause ask prompts.jsonl --model models/llama --local --max-tokens 200
    """
    if local is (base_url is not None):
        raise click.UsageError("give either --base-url, where a server is, or --local")
    if local and (chosen["max_tokens"] is None or chosen["temperature"]):
        raise click.UsageError("--local needs --max-tokens, and answers greedily: leave --temperature out")
    if (price_in is None) is not (price_out is None):
        raise click.UsageError("--price-in and --price-out belong together")
    from corr2cause.asking.prompts import read_prompts
    from corr2cause.asking.session import Job, standing
    from corr2cause.asking.settings import Pace, Prices, Sampling, Server

    prices = Prices(price_in, price_out) if price_in is not None and price_out is not None else None
    sampling = Sampling(chosen["model"], chosen["max_tokens"], chosen["temperature"], chosen["extra"])
    server = None if local else Server(base_url or "", _key(chosen["api_key_env"]), chosen["timeout"])
    pace = Pace(chosen["concurrency"], chosen["retries"], chosen["backoff"])
    job = Job(read_prompts(prompts), sampling, out or prompts.with_suffix(".answers.jsonl"))
    if dry_run:
        echo_plan(job, standing(job), prices, as_json)
        return
    report = _run(job, server, pace, quiet)
    if not quiet or as_json:
        echo_report(job, report, prices, as_json)
    if report.failures:
        click.echo(_failed(report), err=True)
        click.get_current_context().exit(1)


def _key(name: str) -> str | None:
    """Return the API key; a line end that came along from a file is none of it."""
    return os.environ.get(name, "").strip() or None


def _run(job: Job, server: Server | None, pace: Pace, quiet: bool) -> Report:
    from corr2cause.asking.session import run, standing

    try:
        with progress_bar(len(job.prompts), " prompts", quiet) as progress:
            if server is not None:
                return run(job, server, pace, progress, _Notes())
            from corr2cause.finetuning.answering import run_locally

            return run_locally(job, progress)
    except KeyboardInterrupt:
        n_answered = standing(job).n_answered
        click.echo(
            f"Stopped: {n_answered:,} of {len(job.prompts):,} prompts have an answer in {job.path}; "
            "the same command again asks the rest.",
            err=True,
        )
        click.get_current_context().exit(_INTERRUPTED)


class _Notes:
    """Prints each kind of trouble once, the first few."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, problem: str) -> None:
        if problem not in self._told and len(self._told) < _MOST_NOTES:
            self._told.add(problem)
            note(f"{problem}; trying again.")


def _failed(report: Report) -> str:
    first, n = report.failures[0], len(report.failures)
    which = f"1 prompt has no answer, {first.id}" if n == 1 else f"{n:,} prompts have no answer, such as {first.id}"
    return f"{which}: {first.problem}; the same command again asks {'it' if n == 1 else 'them'}."
