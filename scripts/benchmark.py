"""Measure speed and memory of the commands, as ratios within one run where a bar is a ratio.

    python scripts/benchmark.py            # a table
    python scripts/benchmark.py --json     # for programs

It needs the `test` extra and about a minute on two cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import psutil


@dataclass(frozen=True)
class Measurement:
    """One figure, its unit, and the bar that it should stay below."""

    what: str
    value: float
    unit: str
    bar: float


@dataclass(frozen=True)
class Run:
    """Wall time, and the largest memory that a command and its child processes held at one time."""

    seconds: float
    megabytes: float


def run(command: Sequence[str]) -> Run:
    """Run a command of this package, watching its memory."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "corr2cause", *command], stdout=subprocess.DEVNULL)
    peak = 0.0
    watched = psutil.Process(process.pid)
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.01):
            peak = max(peak, _resident(watched))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    seconds = time.perf_counter() - started
    done.set()
    watcher.join()
    if code:
        raise SystemExit(f"corr2cause {' '.join(command)} ended with code {code}")
    return Run(seconds, peak / 2**20)


def _resident(process: psutil.Process) -> float:
    try:
        return float(sum(p.memory_info().rss for p in (process, *process.children(recursive=True))))
    except psutil.Error:  # it ended between two looks
        return 0.0


def best_of(times: int, action: Callable[[], float]) -> float:
    """Return the smallest of several measurements: the one that other work disturbed least."""
    return min(action() for _ in range(times))


def dump_with_the_standard_library(rows: Sequence[dict[str, Any]], path: Path) -> float:
    """Write rows that are in memory already with `json.dumps`, and return the seconds that it took."""
    started = time.perf_counter()
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return time.perf_counter() - started


def measure_generation(folder: Path) -> list[Measurement]:
    """Compare the whole command, both formats, with writing the same rows from memory as JSONL."""
    runs = [run(["generate", "--n", "6", "--out", str(folder / f"run{k}"), "--quiet"]) for k in range(3)]
    files = sorted((folder / "run0").glob("*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.open(encoding="utf-8")]
    baseline = best_of(3, lambda: dump_with_the_standard_library(rows, folder / "baseline.jsonl"))
    seconds = min(one.seconds for one in runs)
    return [
        Measurement("generate --n 6, both formats", seconds, "s", float("inf")),
        Measurement("json.dumps and write of the same rows", baseline, "s", float("inf")),
        Measurement("generate / json.dumps", seconds / baseline, "x", 2.0),
        Measurement("generate --n 6, peak memory", max(one.megabytes for one in runs), "MB", 700.0),
    ]


def measure_enumeration() -> list[Measurement]:
    """Time the DAGs and the classes of seven variables, in a process of their own."""
    program = (
        "import time; from corr2cause import equivalence_classes, labelled_class_count; started = time.perf_counter();"
        "classes = equivalence_classes(7); seconds = time.perf_counter() - started;"
        "assert (classes.n_dags, len(classes), labelled_class_count(classes)) == (243668, 76907, 312510571);"
        "print(seconds)"
    )
    seconds = best_of(
        2, lambda: float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout)
    )
    return [Measurement("243,668 DAGs and 76,907 classes of n = 7", seconds, "s", 15.0)]


def measure_start_up() -> list[Measurement]:
    """Time `corr2cause --help`."""
    return [Measurement("corr2cause --help", best_of(5, lambda: run(["--help"]).seconds), "s", 0.2)]


def measure_span_scores(folder: Path) -> list[Measurement]:
    """Time the scores of 30,000 rows of two pairs, all tiers with hashed cosines, with files and start-up."""
    nouns = ("frost", "rain", "dust", "lung cancer", "high pressure", "loss of sleep", "the risk of a stroke")
    gold, answers = folder / "gold.json", folder / "run.json"
    for path, shift in ((gold, 0), (answers, 1)):
        rows = [
            {
                "s/n": row,
                "sentence": f"text {row}",
                "pairs": [
                    {
                        "cause": f"{nouns[(row + k) % 7]} {row % 997}",
                        "effect": f"{nouns[(row + 2 * k + shift * (row % 3)) % 7]} {row % 991}",
                        "causality": "Explicit",
                        "sententiality": "Intra",
                    }
                    for k in range(1, 3)
                ],
            }
            for row in range(30_000)
        ]
        path.write_text(json.dumps(rows), encoding="utf-8")
    found = []
    for profile in ("described", "released"):
        words = ["spans", "score", "extraction", "--gold", str(gold), "--predictions", str(answers), "--json"]
        seconds = best_of(2, lambda: run([*words, "--profile", profile]).seconds)  # noqa: B023
        found.append(Measurement(f"spans score extraction, 30,000 rows, {profile}", seconds, "s", 5.0))
    return found


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def main(as_json: bool) -> None:
    """Measure and print; exit 1 if a figure misses its bar."""
    with tempfile.TemporaryDirectory() as folder:
        found = [*measure_start_up(), *measure_enumeration(), *measure_generation(Path(folder))]
        found += measure_span_scores(Path(folder))
    if as_json:
        click.echo(json.dumps([asdict(measurement) for measurement in found], indent=2))
    else:
        for one in found:
            bar = "" if one.bar == float("inf") else f"  (at most {one.bar:g})"
            click.echo(f"{one.what:<55}{one.value:>9.2f} {one.unit:<3}{bar}")
    if any(one.value > one.bar for one in found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
