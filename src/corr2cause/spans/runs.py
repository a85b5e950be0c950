"""A folder of runs: which model answered under which prompting strategy, and how well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corr2cause.errors import Corr2CauseError, FileError, OptionError
from corr2cause.spans.detection import Verdicts, join_verdicts, score_verdicts
from corr2cause.spans.embedding import Embedder
from corr2cause.spans.gold import Gold, refuse_without_pairs
from corr2cause.spans.joining import join
from corr2cause.spans.names import DETECTION, EXTRACTION, STRATEGIES
from corr2cause.spans.predictions import read_entries, read_extraction
from corr2cause.spans.profiles import Profile
from corr2cause.spans.similarity import LEVELS, compare
from corr2cause.spans.tiers import TIERS, pair_rates

MAIN = {EXTRACTION: "token pair", DETECTION: "f1"}
"""The figure by which the best strategy is chosen."""

_NAME = re.compile(
    rf"(?P<task>{EXTRACTION}|{DETECTION})_(?:(?P<split>combined|X_only|Y_only)_)?(?P<model>.+)"
    rf"_(?P<strategy>{'|'.join(sorted(STRATEGIES, key=len, reverse=True))})_(?P<timestamp>\d{{8}}_\d{{6}})"
)


@dataclass(frozen=True, slots=True)
class Run:
    """One file of predictions.

    Attributes:
        path: where it lies.
        task: `extraction` or `detection`.
        split: what was answered: `combined`, `X_only`, `Y_only`, or the name of another data set; empty if not said.
        model: its name.
        strategy: how it was prompted.
        timestamp: YYYYMMDD_HHMMSS.
    """

    path: Path
    task: str
    split: str
    model: str
    strategy: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class RunScore:
    """A run and its figures, by their names: `token pair`, `exact cause`, …, or accuracy, precision, recall, f1."""

    run: Run
    figures: Mapping[str, float]

    @property
    def main(self) -> float:
        """The figure by which runs are compared."""
        return self.figures[MAIN[self.run.task]]

    def to_json(self) -> dict[str, Any]:
        """Return the run and its figures."""
        run = self.run
        return {
            "task": run.task,
            "split": run.split,
            "model": run.model,
            "strategy": run.strategy,
            "timestamp": run.timestamp,
            "file": str(run.path),
            **self.figures,
        }


def read_run(path: Path) -> Run:
    """Read what a file of predictions says of itself; only what it leaves out is taken from its name.

    "extraction_X_only_…" would be cut wrongly at its first underscores, and a file can be renamed.

    Raises:
        FileError: it holds no predictions, or neither it nor its name says the model and the strategy.
        RowError: it is not JSON.
    """
    head, entries = read_entries(path)
    named = _NAME.fullmatch(path.stem)
    name: Mapping[str, str | None] = named.groupdict() if named else {}

    def said(key: str, part: str) -> str:
        return str(head.get(key) or name.get(part) or "")

    model, strategy = said("model", "model"), said("prompt_strategy", "strategy")
    if not model or not strategy:
        raise FileError(str(path), "it names no model and no prompt_strategy; is this a run?")
    listed = next((entry for entry in entries if isinstance(entry, dict)), None)
    task = EXTRACTION if listed and "pairs" in listed else DETECTION if entries else str(name.get("task") or EXTRACTION)
    split = said("dataset", "dataset") or said("split_type", "split")
    return Run(path, task, split, model, strategy, said("timestamp", "timestamp"))


def find_runs(folder: Path) -> tuple[list[Run], list[str]]:
    """Read every JSON file of a folder and of the folders in it.

    Returns:
        The latest run of each model and strategy on each split, in order, and what was passed over, in words.

    Raises:
        FileError: there is no run.
    """
    runs: dict[tuple[str, str, str, str], Run] = {}
    passed_over = []
    for path in sorted(folder.rglob("*.json")):
        try:
            run = read_run(path)
        except Corr2CauseError as error:
            passed_over.append(str(error))
            continue
        key = (run.task, run.split, run.model, run.strategy)
        before = runs.get(key)
        if before:
            older = min(before, run, key=lambda one: one.timestamp)
            passed_over.append(f"{older.path}: there is a later run of {run.model}, {run.strategy}")
        if not before or run.timestamp >= before.timestamp:
            runs[key] = run
    if not runs:
        problem = f"no file in it is a run ({passed_over[0]})" if passed_over else "there is no .json file in it"
        raise FileError(str(folder), problem)
    return sorted(runs.values(), key=_order), passed_over


def _order(run: Run) -> tuple[Any, ...]:
    place = STRATEGIES.index(run.strategy) if run.strategy in STRATEGIES else len(STRATEGIES)
    return run.task, run.split, run.model, place, run.strategy


def score_runs(
    runs: Iterable[Run],
    gold_of: Callable[[Run], Gold],
    profile: Profile,
    embedder: Embedder | None,
    progress: Callable[[int], object] = lambda _: None,
) -> list[RunScore]:
    """Judge every run against its gold rows, anew: figures that a file holds of itself are not believed.

    Args:
        runs: as found.
        gold_of: the gold rows of a run.
        profile: how to judge.
        embedder: for cosines, which are left out without one.
        progress: called with 1 after each run.
    """
    found = []
    for run in runs:
        gold = gold_of(run)
        figures = (
            _extraction(run, gold, profile, embedder) if run.task == EXTRACTION else _detection(run, gold, profile)
        )
        found.append(RunScore(run, figures))
        progress(1)
    return found


def _extraction(run: Run, gold: Gold, profile: Profile, embedder: Embedder | None) -> dict[str, float]:
    refuse_without_pairs(gold)
    typed_ids = gold.typed_ids() if profile.typed_ids else None
    joined = join(gold.rows, read_extraction(run.path).rows, typed_ids)
    rates = pair_rates(compare(joined, profile, embedder), profile)
    return {f"{tier} {level}": rates[tier][level].f1 for tier in TIERS if tier in rates for level in LEVELS}


def _detection(run: Run, gold: Gold, profile: Profile) -> dict[str, float]:
    verdicts = join_verdicts(gold.rows, gold.is_causal, read_entries(run.path)[1], profile)
    counts = score_verdicts(verdicts, gold.rows, profile).counts
    return {name: getattr(counts, name) for name in ("accuracy", "precision", "recall", "f1")}


def detection_verdicts(runs: Iterable[Run], gold: Gold, profile: Profile) -> dict[str, dict[str, Verdicts]]:
    """Read the answers of every detection run: model -> strategy -> answers.

    Raises:
        OptionError: there is no detection run among them.
    """
    found: dict[str, dict[str, Verdicts]] = {}
    for run in runs:
        if run.task == DETECTION:
            entries = read_entries(run.path)[1]
            verdicts = join_verdicts(gold.rows, gold.is_causal, entries, profile)
            found.setdefault(run.model, {})[run.strategy] = verdicts
    if not found:
        raise OptionError("FOLDER", "none of its runs is a run of detection; name a folder with such runs")
    return found


def best_strategies(scores: Sequence[RunScore]) -> list[RunScore]:
    """Return the best run of each model on each split, the best model first; of equal ones the first strategy."""
    best: dict[tuple[str, str, str], RunScore] = {}
    for score in scores:
        key = (score.run.task, score.run.split, score.run.model)
        if key not in best or score.main > best[key].main:
            best[key] = score
    return sorted(best.values(), key=lambda one: (one.run.task, one.run.split, -one.main, one.run.model))
