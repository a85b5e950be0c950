"""The text format of SemEval-2010 task 8 (Hendrickx et al. 2010): blocks of a numbered sentence and its relation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corr2cause.spans.formats.cells import MisfitError, tagged
from corr2cause.spans.rows import Pair, Row

FIRST_LINE = re.compile(r'\s*(\d+)\t\s*"?(.*<e1>.*)')
"""A line that begins a block: its number, and a sentence in which <e1> and <e2> mark two nominals."""

_RELATION = re.compile(r"([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)?)(?:\((e[12]),(e[12])\))?")
_MARK = re.compile(r"</?e[12]>")
_LINE_END = re.compile(r"\r\n|\r|\n")  # no other sign that Unicode calls a line break


def read_block(lines: list[str]) -> Row:
    """Read a block: a sentence, its relation, and maybe a comment, which is passed over.

    `Cause-Effect(e1,e2)` is a pair, of e1 that causes e2; any other relation makes the row non-causal.

    Raises:
        MisfitError: it is no such block.
    """
    first = FIRST_LINE.fullmatch(lines[0].rstrip())
    if not first:
        raise MisfitError(
            "expected a number, a tab, and a sentence in quotes with <e1> and <e2>; separate blocks by a line"
        )
    relation = _RELATION.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    if not relation:
        raise MisfitError("the line after the sentence names no relation such as Cause-Effect(e1,e2)")
    if strange := [line for line in lines[2:] if not line.startswith("Comment")]:
        raise MisfitError(f"expected a comment or an empty line, not {strange[0][:80]!r}")
    marked = first[2].removesuffix('"')
    sentence, name = _MARK.sub("", marked), relation[1]
    if name != "Cause-Effect":
        return Row(first[1], sentence, label=False)
    spans = [tagged(marked, side) for side in (relation[2], relation[3]) if side]
    if len(spans) < 2 or not all(spans) or relation[2] == relation[3]:
        raise MisfitError("Cause-Effect needs a direction, (e1,e2) or (e2,e1), and both nominals in the sentence")
    return Row(first[1], sentence, (Pair(*spans),), label=True)


def blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Cut a file into blocks, each with the number of its first line."""
    lines: list[str] = []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip():
            lines.append(line)
        elif lines:
            yield number - len(lines), lines
            lines = []
    if lines:
        yield number - len(lines) + 1, lines
