"""`corr2cause spans validate`: what is wrong in a corpus, and what to look at again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corr2cause.cli.progress import progress_bar
from corr2cause.cli.spans.reading import COLUMNS, FILE, corpus_of
from corr2cause.cli.tables import as_text
from corr2cause.cli.units import counted

if TYPE_CHECKING:
    from corr2cause.spans.formats.reading import Corpus
    from corr2cause.spans.rules import Finding


@click.command()
@FILE
@click.option("--errors", "only_errors", is_flag=True, help="Leave warnings out.")
@click.option(
    "--rule", "names", multiple=True, metavar="RULE", help="Show this rule only; may be given more than once."
)
@COLUMNS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def validate(
    ctx: click.Context,
    file: Path,
    only_errors: bool,
    names: tuple[str, ...],
    columns: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check rows and pairs against the schema and the annotation guideline.

    Errors are what no sound file holds: half pairs, unknown labels, repeated pairs. Warnings ask an annotator to look
    again: a hedge, a denial, a marker in an implicit pair, Intra across sentences. The exit code is 1 if there are
    errors. All rules, with examples: docs/spans.md.

    \b
    Example:
      corr2cause spans validate corpus.json
      corr2cause spans validate corpus.json --rule hedged --rule negated
      corr2cause spans validate corpus.json --errors --json
    """
    from corr2cause.spans.rules import RULES
    from corr2cause.spans.validation import findings

    if unknown := [name for name in names if name not in RULES]:
        raise click.UsageError(f"--rule: {unknown[0]} is unknown; choose from {', '.join(RULES)}")
    corpus = corpus_of(file, columns)
    with progress_bar(len(corpus.rows), " rows", quiet) as progress:
        found = list(findings(corpus.rows, corpus.places, progress))
    n_errors = sum(one.severity == "error" for one in found)
    shown = [one for one in found if (not names or one.rule in names) and (one.severity == "error" or not only_errors)]
    click.echo(_as_json(corpus, shown) if as_json else _as_text(corpus, shown))
    ctx.exit(1 if n_errors else 0)


def _as_text(corpus: Corpus, found: list[Finding]) -> str:
    lines = [f"{corpus.path}:{one.place}: {one.severity}: {_where(one)}: {one.message} [{one.rule}]" for one in found]
    counts = [(rule, severity, number) for (rule, severity), number in _counts(found).items()]
    table = [as_text(("rule", "severity", "findings"), counts)] if counts else ["nothing was found"]
    pairs = sum(len(row.pairs) for row in corpus.rows)
    head = f"{corpus.format}, {counted(len(corpus.rows), 'row')}, {counted(pairs, 'pair')}"
    return "\n".join([*lines, *([""] if lines else []), head, "", *table])


def _where(finding: Finding) -> str:
    row = finding.row if finding.row.isprintable() else repr(finding.row)
    return f"row {row}" + ("" if finding.pair is None else f", pair {finding.pair}")


def _counts(found: list[Finding]) -> Counter[tuple[str, str]]:
    return Counter(dict(Counter((one.rule, one.severity) for one in found).most_common()))


def _as_json(corpus: Corpus, found: list[Finding]) -> str:
    return json.dumps(
        {
            "file": corpus.path,
            "format": corpus.format,
            "rows": len(corpus.rows),
            "errors": sum(one.severity == "error" for one in found),
            "warnings": sum(one.severity == "warning" for one in found),
            "rules": {rule: number for (rule, _), number in _counts(found).items()},
            "findings": [asdict(one) for one in found],
        },
        ensure_ascii=False,
    )
