"""Neat tables: aligned text for the terminal, LaTeX for papers."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int | float | None

_LATEX_ESCAPES = str.maketrans(
    {
        **{char: f"\\{char}" for char in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


def as_text(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Lay out a table for people: numbers to the right with thousands separated, words to the left.

    >>> print(as_text(["n", "classes", "note"], [[6, 2201, "all"], [7, 76907, None]]))
    n  classes  note
    -  -------  ----
    6    2,201  all
    7   76,907  –
    """
    cells = [[_show(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    to_right = [all(not isinstance(row[k], str) for row in rows) for k in range(len(header))]
    lines = [list(header), ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, to_right, strict=True)
        ).rstrip()
        for line in lines
    )


def as_latex(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Write the table as a LaTeX `tabular` (package booktabs)."""
    alignment = "".join("l" if any(isinstance(row[k], str) for row in rows) else "r" for k in range(len(header)))
    lines = [" & ".join(_show(cell).translate(_LATEX_ESCAPES) for cell in line) + r" \\" for line in (header, *rows)]
    head = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*head, *lines[1:], r"\bottomrule", r"\end{tabular}"])


def _show(cell: Cell) -> str:
    match cell:
        case None:
            return "–"
        case bool():
            return "yes" if cell else "no"
        case str():
            return cell
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.2f}"
