"""Write the table of rules into docs/spans.md; a test sees that it is up to date."""

from __future__ import annotations

import re
from pathlib import Path

from corr2cause.spans.rows import Row
from corr2cause.spans.rules import RULES

TARGET = Path(__file__).parents[1] / "docs" / "spans.md"
_TABLE = re.compile(r"<!-- rules -->\n(?:\n\|.*(?:\n\|.*)*\n)?")


def with_rules(page: str) -> str:
    """Return a page with the table of rules at its mark."""
    lines = [
        f"| `{rule.name}` | {rule.severity} | {rule.says} | {'; '.join(map(_shown, rule.example))} |"
        for rule in RULES.values()
    ]
    table = "\n".join(["| rule | severity | what must not be | example |", "|---|---|---|---|", *lines])
    return _TABLE.sub(lambda _: f"<!-- rules -->\n\n{table}\n", page)


def _shown(row: Row) -> str:
    pairs = [
        f"{pair.cause or '(blank)'} → {pair.effect or '(blank)'}, {pair.causality or '(blank)'}, {pair.sententiality}"
        for pair in row.pairs[:3]
    ]
    more = [f"and {len(row.pairs) - 3} more"] if len(row.pairs) > 3 else []
    label = [f"label {int(row.label)}"] if row.label is not None else []
    said = "; ".join([*label, *pairs, *more])
    return f"“{row.sentence}”" + (f" ({said})" if said else "")


if __name__ == "__main__":
    TARGET.write_text(with_rules(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
