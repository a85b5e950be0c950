"""Tables for people and for papers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.cli.tables import as_latex, as_text

ROWS = [["path", 12345, 0.5, None], ["a_b & 5%", 7, 1234.567, None]]
HEADER = ["reading", "rows", "% positive", "note"]


def test_text_is_aligned():
    assert as_text(HEADER, ROWS).splitlines() == [
        "reading     rows  % positive  note",
        "--------  ------  ----------  ----",
        "path      12,345        0.50     –",
        "a_b & 5%       7    1,234.57     –",
    ]


def test_latex_is_escaped():
    assert as_latex(HEADER, ROWS).splitlines() == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"reading & rows & \% positive & note \\",
        r"\midrule",
        r"path & 12,345 & 0.50 & – \\",
        r"a\_b \& 5\% & 7 & 1,234.57 & – \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize("show", [as_text, as_latex])
def test_a_table_may_have_no_rows(show):
    assert "rows" in show(["rows"], [])


@pytest.mark.parametrize(("character", "escaped"), [(c, f"\\{c}") for c in "&%$#_{}"])
def test_what_latex_reserves_is_escaped(character, escaped):
    assert f"x{escaped}y" in as_latex(["name"], [[f"x{character}y"]])


@pytest.mark.parametrize(
    ("character", "escaped"),
    [("\\", r"\textbackslash{}"), ("~", r"\textasciitilde{}"), ("^", r"\textasciicircum{}")],
)
def test_what_latex_reserves_without_a_plain_escape(character, escaped):
    assert f"x{escaped}y" in as_latex(["name"], [[f"x{character}y"]])


cells = st.none() | st.integers() | st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=9)


@settings(deadline=None)
@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1)))
def test_columns_line_up_whatever_they_hold(rows):
    """Cut at the rule's columns, every line gives back its cells."""
    header = [f"c{k}" for k in range(len(rows[0]))]
    head, rule, *body = as_text(header, rows).split("\n")
    assert len(body) == len(rows)
    starts = [0, *(k + 2 for k in range(len(rule)) if rule.startswith("  -", k))]
    ends = [*(start - 2 for start in starts[1:]), None]

    def cut(line: str) -> list[str]:
        return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]

    assert cut(head) == header
    for line, row in zip(body, rows, strict=True):
        shown = ["–" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell for cell in row]
        assert cut(line) == shown
