"""Measure speed and memory of the commands, as ratios within one run where a bar is a ratio.

    python scripts/benchmark.py            # a table
    python scripts/benchmark.py --json     # for programs

It needs the `test` extra and some minutes on two cores.
"""

from __future__ import annotations

import itertools
import json
import random
import re
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
import pandas as pd
import psutil

from corr2cause.files import read_jsonl


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


def run(command: Sequence[str], helpers: Sequence[psutil.Process] = ()) -> Run:
    """Run a command of this package, watching its memory, and that of processes elsewhere that work for it."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "corr2cause", *command], stdout=subprocess.DEVNULL)
    peak = 0.0
    watched = psutil.Process(process.pid)
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.01):
            peak = max(peak, _resident(watched) + sum(map(_resident, helpers)))

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
    rows = [row for file in files for _, row in read_jsonl(file)]
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


def made_rows(folder: Path) -> pd.DataFrame:
    """Read 200,000 rows of the data set that `measure_generation` made."""
    return pd.concat([pd.read_parquet(file) for file in sorted((folder / "run0").glob("*.parquet"))]).head(200_000)


def measure_audit(folder: Path, rows: pd.DataFrame) -> list[Measurement]:
    """Compare the audit of a file with the least that could be done to it: pandas, and one expression for each row."""
    path = folder / "rows.csv"
    rows.to_csv(path, index=False)
    program = (
        "import re, sys, pandas as pd;"
        "statement = re.compile(r'(\\w+) (?:and (\\w+) are|is) independent (?:of|given) (\\w+)');"
        "print(sum(len(statement.findall(premise)) for premise in pd.read_csv(sys.argv[1]).premise))"
    )
    baseline = best_of(2, lambda: seconds_of([sys.executable, "-c", program, str(path)]))
    audited = best_of(2, lambda: run(["audit", str(path), "--quiet"]).seconds)
    apart = folder / "apart.csv"
    different_premises(rows, 20_000).to_csv(apart, index=False)
    return [
        Measurement("audit of 200,000 rows, three readings", audited, "s", float("inf")),
        Measurement("pandas.read_csv and an expression per row", baseline, "s", float("inf")),
        Measurement("audit / pandas and expression", audited / baseline, "x", 2.0),
        Measurement(
            "audit of 20,000 different premises", run(["audit", str(apart), "--quiet"]).seconds, "s", float("inf")
        ),
    ]


def seconds_of(command: Sequence[str]) -> float:
    """Run any command, and return its wall time."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def different_premises(rows: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return one row for each of so many premises, which differ in their classes or in the names of six variables."""
    originals = rows[rows.num_variables == 6].drop_duplicates("premise")
    parts = []
    for names in itertools.permutations("ABCDEF"):
        new = dict(zip("ABCDEF", names, strict=True))
        part = originals[["premise", "hypothesis", "label"]].map(
            lambda cell, new=new: (
                re.sub(r"\b[A-F]\b", lambda name: new[name[0]], cell) if isinstance(cell, str) else cell
            )
        )
        parts.append(part)
        found = pd.concat(parts).drop_duplicates("premise")
        if len(found) >= number:
            return found.head(number)
    raise SystemExit(f"there are not {number} different premises")


def measure_verification(folder: Path) -> list[Measurement]:
    """Time `verify` on everything: both formats, every label."""
    found = run(["verify", str(folder / "run0"), "--quiet"])
    return [
        Measurement("verify --n 6, both formats, every row", found.seconds, "s", float("inf")),
        Measurement("verify --n 6, peak memory", found.megabytes, "MB", float("inf")),
    ]


def measure_evaluation(folder: Path, rows: pd.DataFrame) -> list[Measurement]:
    """Time `evaluate` with its 1,000 replicates."""
    data, answers = folder / "rows.parquet", folder / "answers.csv"
    rows.to_parquet(data, index=False)
    rows[["id"]].assign(prediction=rows.label).to_csv(answers, index=False)
    found = run(["evaluate", str(answers), "--data", str(data)])
    return [Measurement("evaluate 200,000 rows, 1,000 replicates", found.seconds, "s", float("inf"))]


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


def measure_span_corpora(folder: Path) -> list[Measurement]:
    """Time cutting 10,000 abstracts of eight sentences, and seeking duplicates among the rows in 30,000 of them."""
    draw = random.Random(0)
    words = [
        f"{start}{end}" for start in ("fro", "dus", "rai", "sle", "lun") for end in ("st", "ty", "ning", "eps", "gs")
    ]

    def sentence() -> str:
        return " ".join(draw.choices(words, k=18)).capitalize() + "."

    def abstract(pmid: int) -> str:
        text = " ".join(sentence() for _ in range(8))
        return (
            f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><Abstract><AbstractText>{text}</AbstractText>"
            "</Abstract></Article></MedlineCitation></PubmedArticle>\n"
        )

    source, built = folder / "pubmed.xml", folder / "built"
    source.write_text(f"<PubmedArticleSet>{''.join(map(abstract, range(1, 10_001)))}</PubmedArticleSet>", "utf-8")
    building = best_of(2, lambda: run(["spans", "build", str(source), "--out", str(built), "--force"]).seconds)
    halves = [folder / "one.json", folder / "two.json"]
    for number, path in enumerate(halves):
        rows = [
            {"s/n": 15_000 * number + row, "sentence": f"{sentence()} {sentence()}", "label": 0}
            for row in range(15_000)
        ]
        path.write_text(json.dumps(rows), "utf-8")
    seeking = run(["spans", "leakage", *map(str, halves)]).seconds
    return [
        Measurement("spans build, 10,000 abstracts", building, "s", 5.0),
        Measurement("spans leakage, 30,000 rows in two files", seeking, "s", 30.0),
    ]


def measure_stories(folder: Path) -> list[Measurement]:
    """Time stories of the data that `measure_generation` has made."""
    words = ["stories", "--mode", "everyday", str(folder / "run0"), "--force"]
    few, many = run(words).seconds, run([*words, "--split", "train"]).seconds
    return [
        Measurement("stories, dev and test of six variables", few, "s", 5.0),
        Measurement("stories, 187,506 rows of train", many, "s", 112.5),
    ]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def main(as_json: bool) -> None:
    """Measure and print; exit 1 if a figure misses its bar."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        found = [*measure_start_up(), *measure_enumeration(), *measure_generation(place)]
        rows = made_rows(place)
        found += [*measure_audit(place, rows), *measure_verification(place), *measure_evaluation(place, rows)]
        found += [*measure_stories(place), *measure_span_scores(place), *measure_span_corpora(place)]
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
