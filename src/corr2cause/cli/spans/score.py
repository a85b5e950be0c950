"""`corr2cause spans score`: how well a model extracts pairs and detects causal texts."""

from __future__ import annotations

import json
from pathlib import Path

import click

from corr2cause.cli.groups import Group
from corr2cause.cli.paths import NAMED_PATH, refuse_to_replace
from corr2cause.cli.spans.judging import (
    CACHE,
    EMBEDDER,
    GOLD,
    JSON,
    NORMALISER,
    PREDICTIONS,
    PROFILE,
    REPLICATES,
    SEED,
    embedder_called,
    keep_vectors,
    profile_of,
    tell,
    tell_ids,
    tell_unannotated,
)


@click.group(cls=Group)
def score() -> None:
    """Judge the answers of a model against gold rows.

    \b
    Example:
      corr2cause spans score extraction --gold test.json --predictions run.json
      corr2cause spans score detection --gold test.json --predictions run.json --json
    """


@score.command()
@GOLD
@PREDICTIONS
@PROFILE
@NORMALISER
@EMBEDDER
@CACHE
@click.option("--examples", type=click.IntRange(0), default=3, show_default=True, help="Pairs to show of each bucket.")
@click.option("--alignment", type=NAMED_PATH, metavar="CSV", help="Write each predicted pair beside its gold pair.")
@click.option("--force", is_flag=True, help="Replace the table of --alignment if it is there already.")
@REPLICATES
@SEED
@JSON
def extraction(
    gold: Path,
    predictions: Path,
    profile: str,
    normaliser: str | None,
    embedder: str,
    embedding_cache: Path | None,
    examples: int,
    alignment: Path | None,
    force: bool,
    replicates: int,
    seed: int,
    as_json: bool,
) -> None:
    """Score extracted pairs: exact, by tokens, by cosine; for pairs, causes and effects.

    The predictions are a run ({"model": …, "predictions": [{"s/n", "pairs": [{"cause", "effect", "causality",
    "sententiality"}]}]}), a JSON list or JSON lines of such rows; a row may hold the raw answer under "response"
    instead of pairs. Rows meet by id. Whatever cannot be read is counted and told, and finds nothing. Intervals (95 %)
    come from resampling rows, under `described`.

    \b
    Example:
      corr2cause spans score extraction --gold test.json --predictions run.json
      corr2cause spans score extraction --gold test.json --predictions run.json --profile released --json
    """
    from corr2cause.bootstrap import Resampling
    from corr2cause.cli.spans.extraction_tables import to_tables
    from corr2cause.spans.alignment_table import write_alignment
    from corr2cause.spans.extraction import score as judge
    from corr2cause.spans.extraction import to_json
    from corr2cause.spans.gold import read_gold, refuse_without_pairs
    from corr2cause.spans.joining import join
    from corr2cause.spans.predictions import read_extraction, refuse_verdicts, told

    if alignment:
        refuse_to_replace(alignment, force, gold, predictions)
    judged_by, vectors = profile_of(profile, normaliser), embedder_called(embedder, embedding_cache)
    truth, answers = read_gold(gold), read_extraction(predictions)
    refuse_without_pairs(truth)
    refuse_verdicts(answers)
    joined = join(truth.rows, answers.rows, truth.typed_ids() if judged_by.typed_ids else None)
    tell_ids(predictions, joined.ids)
    flaws = {**answers.flaws, **joined.flaws}
    tell(predictions, (f"left out: {flaw}" for flaw in told(flaws)))
    found = judge(joined, judged_by, vectors, Resampling(replicates, seed), examples)
    keep_vectors(vectors)
    if alignment:
        write_alignment(alignment, found)
    if as_json:
        head = {"gold": str(gold), "predictions": str(predictions), "normaliser": judged_by.exact_pair.__name__}
        click.echo(json.dumps(head | to_json(found) | {"flaws": flaws, "answers": dict(answers.statuses)}))
    else:
        click.echo(to_tables(found, answers.statuses))


@score.command()
@GOLD
@PREDICTIONS
@click.option("--pairs", type=NAMED_PATH, metavar="FILE", help="Rows with pairs, for the analysis of misses.")
@PROFILE
@REPLICATES
@SEED
@JSON
def detection(
    gold: Path, predictions: Path, pairs: Path | None, profile: str, replicates: int, seed: int, as_json: bool
) -> None:
    """Score verdicts whether a text states a cause: precision, recall and F1 of the causal class, accuracy, macro.

    The predictions are a run whose "predictions" are a list of "Yes", "No" or what a model wrote, in the order of a
    list "ids" beside it or else of the gold rows, or objects with an id and an answer under "prediction", "answer",
    "response" or "label". An answer that says neither counts as no and is counted apart. If the pairs of causal rows
    are known, from the gold file or from --pairs, the table of misses says which kinds of rows are missed.

    \b
    Example:
      corr2cause spans score detection --gold test.json --predictions run.json
      corr2cause spans score detection --gold test.json --predictions run.json --pairs extraction.json --json
    """
    from corr2cause.bootstrap import Resampling
    from corr2cause.cli.spans.detection_tables import to_tables
    from corr2cause.spans.detection import join_verdicts, refuse_pairs, score_verdicts, with_pairs
    from corr2cause.spans.gold import read_gold
    from corr2cause.spans.predictions import read_entries
    from corr2cause.spans.profiles import PROFILES

    judged_by, truth = PROFILES[profile], read_gold(gold)
    entries = read_entries(predictions)[1]
    refuse_pairs(predictions, entries)
    tell_unannotated(gold, truth.rows)
    verdicts = join_verdicts(truth.rows, truth.is_causal, entries, judged_by)
    tell_ids(predictions, verdicts.ids)
    rows = with_pairs(truth.rows, read_gold(pairs).rows) if pairs else truth.rows
    found = score_verdicts(verdicts, rows, judged_by, Resampling(replicates, seed))
    click.echo(json.dumps(found.to_json()) if as_json else to_tables(found))
