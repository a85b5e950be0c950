"""The command line: parse, call, echo.

Modules here import nothing heavy at the top, so that `corr2cause --help` answers at once; what a command needs is
imported when it runs.
"""

from __future__ import annotations

import io
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

import click

from corr2cause import __version__
from corr2cause.cli.ask import ask
from corr2cause.cli.audit import audit
from corr2cause.cli.baselines import baselines
from corr2cause.cli.border import ErrorBorder
from corr2cause.cli.collect_stories import collect_stories
from corr2cause.cli.completion import completion
from corr2cause.cli.count import count
from corr2cause.cli.evaluate import evaluate
from corr2cause.cli.explain import explain
from corr2cause.cli.export import export
from corr2cause.cli.generate import generate
from corr2cause.cli.perturb import perturb
from corr2cause.cli.prompts import prompts
from corr2cause.cli.sample import sample
from corr2cause.cli.shortcuts import shortcuts
from corr2cause.cli.spans import spans
from corr2cause.cli.stats import stats
from corr2cause.cli.stories import stories
from corr2cause.cli.verify import verify


@click.group(cls=ErrorBorder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="corr2cause")
def main() -> None:
    """Exact data for one question: does a causal claim follow from statistical relations?

    \b
    Example:
      corr2cause generate --n 6
      corr2cause perturb --mode paraphrase
      corr2cause stats
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal without a sign such as ⊥ shows \u22a5, good JSON too
        sys.stdout.reconfigure(errors="backslashreplace")
    in_main_thread = threading.current_thread() is threading.main_thread()  # elsewhere no signal arrives
    for name in ("SIGTERM", "SIGHUP"):  # a request to end, and a terminal that was closed; Windows has only the first
        number = getattr(signal, name, None)
        if (
            number is not None and in_main_thread and signal.getsignal(number) is signal.SIG_DFL
        ):  # nohup has it ignored: so be it
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End like an error does, so that nothing half-written stays behind."""
    raise SystemExit(128 + number)


for command in (
    generate,
    sample,
    perturb,
    stories,
    stats,
    count,
    audit,
    explain,
    verify,
    export,
    prompts,
    ask,
    collect_stories,
    evaluate,
    baselines,
    shortcuts,
    spans,
    completion,
):
    main.add_command(command)
