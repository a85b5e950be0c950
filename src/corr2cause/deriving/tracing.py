"""A derivation as a trace: the same facts with names for nodes, and the grounds of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from corr2cause.deriving.derivation import Answer, Derivation
from corr2cause.deriving.grounds import MemberIndex, cover, failure
from corr2cause.graphs.discovery import Pair
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.separation import Statement
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis
from corr2cause.text.trace import (
    ClassTrace,
    Conclusion,
    Edge,
    Failure,
    Fault,
    FaultKind,
    MeekStep,
    Names,
    Separation,
    VStructure,
    Witness,
)


class Tracer:
    """Traces one derivation: the way to the class once, then any number of hypotheses about it."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self._names = derivation.premise.names
        self._place = {name: place for place, name in enumerate(self._names)}

    @cached_property
    def way(self) -> ClassTrace:
        """The way from the premise to its class."""
        derivation, names = self.derivation, self._names
        found = derivation.discovery
        arrows, lines = _arrows(found.directed), _lines(found.undirected)
        apart = found.separators
        return ClassTrace(
            names=names,
            minimal=derivation.premise.minimal,
            n_correlations=len(derivation.premise.correlations),
            n_independences=len(derivation.premise.independences),
            separations=self._separations((i, j, given) for (i, j), given in sorted(apart.items())),
            skeleton=self._edges((i, j) for i in range(found.n) for j in range(i + 1, found.n) if (i, j) not in apart),
            v_structures=tuple(
                VStructure(names[v.first], names[v.collider], names[v.second], self._named(apart[v.first, v.second]))
                for v in found.v_structures
            ),
            meek_steps=tuple(
                MeekStep(step.rule, self._edge(step.edge), self._edges(step.arrows), self._edges(step.lines))
                for step in found.steps
            ),
            arrows=self._edges(arrows),
            lines=self._edges(lines),
            class_size=len(derivation.members),
            faults=tuple(self._faults()),
            fits_none=derivation.verdict is Verdict.UNSATISFIABLE,
        )

    def conclude(self, hypothesis: Hypothesis, reading: Reading) -> Conclusion | None:
        """Say what a hypothesis meets in the members, and why; None if the premise determines no class."""
        answer = self.derivation.answer(hypothesis, reading)
        if answer is None:
            return None
        pair = self._place[hypothesis.first], self._place[hypothesis.second]
        return Conclusion(
            hypothesis.claim,
            hypothesis.first,
            hypothesis.second,
            reading.value,
            answer.holds_in,
            answer.class_size,
            witnesses=self._witnesses(hypothesis, reading, pair) if answer.label else (),
            counterexample=answer.counterexample,
            failure=self._failure(answer, hypothesis, reading, pair),
        )

    @cached_property
    def _index(self) -> MemberIndex:
        return MemberIndex(self.derivation.members)

    def _witnesses(self, hypothesis: Hypothesis, reading: Reading, pair: Pair) -> tuple[Witness, ...]:
        found = cover(self._index, hypothesis.claim, reading, pair)
        return tuple(Witness(tuple(self._named(path) for path in arms), n) for arms, n in found)

    def _failure(self, answer: Answer, hypothesis: Hypothesis, reading: Reading, pair: Pair) -> Failure | None:
        if answer.counterexample is None:
            return None
        parents = [0] * len(self._names)
        for cause, effect in answer.counterexample:
            parents[self._place[effect]] |= 1 << self._place[cause]
        kind, of_first, of_second, cuts = failure(parents, hypothesis.claim, reading, pair)
        return Failure(kind, self._masked(of_first), self._masked(of_second), self._edges(cuts))

    def _faults(self) -> Iterable[Fault]:
        """Give the reasons of the verdict: what is broken, or else what is missing."""
        derivation, found = self.derivation, self.derivation.discovery
        arrows = set(_arrows(found.directed))
        two_heads = [(u, v) for u, v in sorted(arrows) if u < v and (v, u) in arrows]
        by_kind = {
            FaultKind.CONTRADICTORY: _unconditional(derivation.contradictory),
            FaultKind.TWO_HEADS: _unconditional(two_heads),
            FaultKind.BROKEN: derivation.fit.broken,
            FaultKind.REDUNDANT: derivation.fit.redundant,
            FaultKind.SILENT: _unconditional(derivation.silent),
            FaultKind.UNSTATED: derivation.fit.unstated,
        }
        missing = {FaultKind.SILENT, FaultKind.UNSTATED}
        fits_none = derivation.verdict is Verdict.UNSATISFIABLE
        if found.extension is None:
            yield Fault(FaultKind.NO_GRAPH)
        for kind, about in by_kind.items():
            if about and (kind in missing) is not fits_none:
                yield Fault(kind, self._separations(about))

    def _named(self, nodes: Iterable[int]) -> Names:
        return tuple(self._names[node] for node in nodes)

    def _masked(self, mask: int) -> Names:
        return tuple(name for node, name in enumerate(self._names) if mask >> node & 1)

    def _edge(self, edge: Pair) -> Edge:
        return self._names[edge[0]], self._names[edge[1]]

    def _edges(self, edges: Iterable[Pair]) -> tuple[Edge, ...]:
        return tuple(self._edge(edge) for edge in edges)

    def _separations(self, statements: Iterable[Statement]) -> tuple[Separation, ...]:
        return tuple(Separation(*self._edge((i, j)), self._named(given)) for i, j, given in statements)


def _arrows(directed: tuple[int, ...]) -> list[Pair]:
    n = len(directed)
    return [(u, v) for u in range(n) for v in range(n) if directed[v] >> u & 1]


def _lines(undirected: tuple[int, ...]) -> list[Pair]:
    return [(u, v) for u, v in _arrows(undirected) if u < v]


def _unconditional(pairs: Iterable[Pair]) -> tuple[Statement, ...]:
    return tuple((i, j, ()) for i, j in pairs)
