"""What `corr2cause ask` prints: what there is to do, and what was done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from corr2cause.cli.tables import Cell, as_text

if TYPE_CHECKING:
    from corr2cause.asking.session import Job, Report, Standing, Tally
    from corr2cause.asking.settings import Prices


def echo_plan(job: Job, standing: Standing, prices: Prices | None, as_json: bool) -> None:
    """Print what is left to ask, with an estimate of its tokens and what they cost at most."""
    n_in = sum(prompt.n_tokens for prompt in standing.waiting)
    longest = job.sampling.max_tokens
    n_out = None if longest is None else longest * len(standing.waiting)
    cost = prices.cost(n_in, n_out) if prices and n_out is not None else None
    found: dict[str, Any] = {
        "prompts": len(job.prompts),
        "answered": standing.n_answered,
        "to_ask": len(standing.waiting),
        "estimated_prompt_tokens": n_in,
        "most_completion_tokens": n_out,
        "most_cost": cost,
    }
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(as_text(["", "number"], [[name.replace("_", " "), value] for name, value in found.items()]))
    click.echo("Nothing was asked. A token is taken for four characters.", err=True)
    if prices and n_out is None:
        click.echo("Without --max-tokens there is no bound on the cost.", err=True)


def echo_report(job: Job, report: Report, prices: Prices | None, as_json: bool) -> None:
    """Print what became of the prompts, and what they took."""
    if as_json:
        click.echo(json.dumps(_as_object(job, report, prices), ensure_ascii=False))
        return
    outcomes: list[list[Cell]] = [[outcome.value, number] for outcome, number in sorted(report.tally.outcomes.items())]
    n_failed = len(report.failures)
    failed: list[list[Cell]] = [["failed", n_failed]] if n_failed else []
    click.echo(as_text(["outcome", "prompts"], [*outcomes, *failed, ["all", len(job.prompts)]]))
    click.echo(f"\n{_usage(report.tally, prices)}\n{report.n_new:,} new answers, in {job.path}")


def _as_object(job: Job, report: Report, prices: Prices | None) -> dict[str, Any]:
    return {
        "answers": str(job.path),
        "request": job.sampling.to_json(),
        "prompts": len(job.prompts),
        "answered_before": report.n_before,
        "answered_now": report.n_new,
        "failed": len(report.failures),
        **report.tally.to_json(prices),
        "failures": [{"id": failure.id, "problem": failure.problem} for failure in report.failures],
    }


def _usage(tally: Tally, prices: Prices | None) -> str:
    """Say how many tokens were used, and what they cost."""
    said = f"{tally.prompt_tokens:,} tokens in prompts, {tally.completion_tokens:,} in answers"
    if tally.n_uncounted:
        said += f" (the server did not count those of {tally.n_uncounted:,})"
    if prices:
        said += f"; cost {prices.cost(tally.prompt_tokens, tally.completion_tokens):,.4g}"
    return said
