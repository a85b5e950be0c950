"""What a figure of an explanation shows: its graphs, the kinds of their edges, and the words beside them."""

from __future__ import annotations

from dataclasses import dataclass

from corr2cause.checking.drawing import BLUE, VERMILION
from corr2cause.checking.explanation import Explanation
from corr2cause.text.trace import Edge


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind of edge looks, and what it means."""

    meaning: str
    colour: str
    is_dashed: bool
    has_head: bool


# the colours differ for every kind of colour vision; dashes and heads differ in grey too
_COMPELLED = Style("compelled: so in every graph of the class", BLUE, False, True)
_REVERSIBLE = Style("reversible: either way in the class", VERMILION, True, False)
_CHOSEN = Style("reversible, as this graph has it", VERMILION, True, True)
_DIRECTED = Style("directed by the premise", BLUE, False, True)
_UNDIRECTED = Style("not directed", VERMILION, True, False)


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph: its title, and its edges by style."""

    title: str
    edges: tuple[tuple[Style, tuple[Edge, ...]], ...]


def caption(explanation: Explanation) -> str:
    """Say what is asked and what the answer is."""
    conclusion = explanation.conclusion
    count = f"It holds in {conclusion.holds_in} of {conclusion.class_size}. " if conclusion else ""
    return f"Hypothesis: {explanation.hypothesis}\n{count}{explanation.ending}"


def panels(explanation: Explanation) -> tuple[Panel, ...]:
    """Return the CPDAG and, if the hypothesis does not follow, a graph in which it fails."""
    way, conclusion = explanation.way, explanation.conclusion
    if conclusion is None:
        return (Panel("What the premise leads to", ((_DIRECTED, way.arrows), (_UNDIRECTED, way.lines))),)
    left = Panel(
        f"CPDAG of the class ({_size(conclusion.class_size)})", ((_COMPELLED, way.arrows), (_REVERSIBLE, way.lines))
    )
    if conclusion.counterexample is None:
        return (left,)
    chosen = tuple(edge for edge in conclusion.counterexample if edge not in way.arrows)
    return left, Panel("A graph of the class in which it fails", ((_COMPELLED, way.arrows), (_CHOSEN, chosen)))


def _size(n: int) -> str:
    return "1 graph" if n == 1 else f"{n:,} graphs"
