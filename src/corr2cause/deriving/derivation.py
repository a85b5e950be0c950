"""From the facts of a premise to what follows: discovery, the fit, the members of the class, and answers.

The class comes from the statements alone. With the generator this path shares the members of a class and the
definitions of the relations, nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from corr2cause.errors import ClassSizeError, ParseError
from corr2cause.graphs.bitdags import Integers, Masks, Truths, edges
from corr2cause.graphs.discovery import Discovery, Pair, discover
from corr2cause.graphs.equivalence import Cpdags, Members, members
from corr2cause.graphs.fitting import Fit, Verdict, judge
from corr2cause.graphs.relations import Support, support
from corr2cause.graphs.rooting import class_sizes
from corr2cause.graphs.separation import Statement, statements
from corr2cause.graphs.terms import MAX_SEPARATED, Reading, Relation, require_size
from corr2cause.text.facts import Hypothesis, Premise
from corr2cause.text.verbalisation import verbalise_hypothesis
from corr2cause.text.wording import Claim

MAX_DERIVED = MAX_SEPARATED
MAX_MEMBERS = 362_880  # 9!, those of the largest class of nine variables

_ALWAYS_FEW = 8  # variables of which no class has too many members

_PLACES = {
    claim: list(Relation).index(relation)
    for claim, relation in {
        Claim.DIRECT: Relation.IS_PARENT,
        Claim.INDIRECT: Relation.IS_ANCESTOR,
        Claim.COLLIDER: Relation.HAS_COLLIDER,
        Claim.CONFOUNDER: Relation.HAS_CONFOUNDER,
    }.items()
}


def binary_label(holds_in: int, class_size: int) -> int:
    """Return 1 iff a hypothesis holds in all members."""
    return int(holds_in == class_size)


def nli_label(holds_in: int, class_size: int) -> str:
    """Return `entailment` if a hypothesis holds in all members, `contradiction` if in none, else `neutral`."""
    if holds_in == class_size:
        return "entailment"
    return "neutral" if holds_in else "contradiction"


@dataclass(frozen=True, slots=True)
class Answer:
    """What follows about one hypothesis.

    Attributes:
        holds_in: number of members in which it holds.
        class_size: number of members.
        counterexample: edges, as names, of the first member in which it fails; None if it is entailed.
    """

    holds_in: int
    class_size: int
    counterexample: tuple[tuple[str, str], ...] | None

    @property
    def label(self) -> int:
        """1 iff the hypothesis holds in all members."""
        return binary_label(self.holds_in, self.class_size)

    @property
    def nli_label(self) -> str:
        """`entailment` if it holds in all members, `contradiction` if in none, else `neutral`."""
        return nli_label(self.holds_in, self.class_size)


@dataclass(frozen=True, slots=True)
class Counts:
    """The support of every hypothesis in one class, as views that give plain integers: quick to look up and small.

    The place of relation(x, y) among n variables is (r n + x) n + y, where r is that of the relation in `Relation`.

    Attributes:
        holds_in: [place]; in how many members it holds.
        first_failure: [place]; the first member in which it does not, -1 if there is none.
    """

    holds_in: memoryview
    first_failure: memoryview


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a premise leads to.

    Attributes:
        premise: the facts.
        discovery: every step of the PC algorithm on them.
        fit: whether the class that it arrives at has just the stated independences.
        silent: pairs said neither to correlate nor to be independent.
        contradictory: pairs said to correlate and to be independent.
        members: uint16[N, n], the members of the class; none unless the premise determines one.
        counts: what holds in how many of them, under each reading.
    """

    premise: Premise
    discovery: Discovery
    fit: Fit
    silent: tuple[Pair, ...]
    contradictory: tuple[Pair, ...]
    members: Masks
    counts: dict[Reading, Counts]

    @property
    def verdict(self) -> Verdict:
        """Whether the premise determines a class; only then is anything entailed or not."""
        return _verdict(self.fit, self.silent, self.contradictory)

    @property
    def class_size(self) -> int:
        """Number of members."""
        return len(self.members)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.discovery.n

    def holds_in_each(self, hypothesis: Hypothesis) -> tuple[int, ...]:
        """Count the members in which a hypothesis holds, under each reading of `counts` in turn.

        Raises:
            ParseError: the hypothesis is about a variable that the premise does not name.
        """
        place = self._place(hypothesis)
        return tuple([counts.holds_in[place] for counts in self.counts.values()])

    def answer(self, hypothesis: Hypothesis, reading: Reading) -> Answer | None:
        """Judge a hypothesis by all members of the class; None if the premise determines none.

        Raises:
            ParseError: the hypothesis is about a variable that the premise does not name.
        """
        if self.verdict is not Verdict.DETERMINED:
            return None
        place = self._place(hypothesis)
        failing = self.counts[reading].first_failure[place]
        names = self.premise.names
        counterexample = tuple((names[u], names[v]) for u, v in edges(self.members[failing])) if failing >= 0 else None
        return Answer(self.counts[reading].holds_in[place], self.class_size, counterexample)

    def _place(self, hypothesis: Hypothesis) -> int:
        names = self.premise.names
        for name in (hypothesis.first, hypothesis.second):
            if name not in names:
                raise ParseError(verbalise_hypothesis(hypothesis), f"{name!r} is not one of {', '.join(names)}")
        x, y = names.index(hypothesis.first), names.index(hypothesis.second)
        return (_PLACES[hypothesis.claim] * len(names) + x) * len(names) + y


def require_derivable(premise: Premise) -> None:
    """Refuse a premise that cannot be derived.

    Raises:
        SizeError: it has too few or too many variables.
        ClassSizeError: its class has too many members.
    """
    n = len(premise.names)
    require_size(n, 2, MAX_DERIVED)
    if n > _ALWAYS_FEW:
        found = discover(n, _statements(premise))
        mixed = Cpdags(np.array([found.directed], dtype=np.uint16), np.array([found.undirected], dtype=np.uint16))
        if found.extension is not None and (size := int(class_sizes(mixed)[0])) > MAX_MEMBERS:
            raise ClassSizeError(size, MAX_MEMBERS)


def derive(premises: Sequence[Premise], readings: Sequence[Reading] = tuple(Reading)) -> list[Derivation]:
    """Derive the class of each premise, those of one size together.

    Returns:
        One derivation for each premise, in order.  About 0.7 ms for six variables in batches of hundreds.

    Raises:
        SizeError: a premise has fewer than 2 or more than `MAX_DERIVED` variables.
        ClassSizeError: the class of a premise has more than `MAX_MEMBERS` members.
    """
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for index, premise in enumerate(premises):
        require_derivable(premise)
        by_size[len(premise.names)].append(index)
    derived: dict[int, Derivation] = {}
    for indices in by_size.values():
        derived.update(zip(indices, _derive_size([premises[index] for index in indices], readings), strict=True))
    return [derived[index] for index in range(len(premises))]


def _derive_size(premises: Sequence[Premise], readings: Sequence[Reading]) -> list[Derivation]:
    n = len(premises[0].names)
    discoveries = [discover(n, _statements(premise)) for premise in premises]
    fits = _fits(premises, discoveries)
    silent = [_silent(premise) for premise in premises]
    contradictory = [_contradictory(premise) for premise in premises]
    verdicts = map(_verdict, fits, silent, contradictory)
    determined = [index for index, verdict in enumerate(verdicts) if verdict is Verdict.DETERMINED]
    dags = np.array([discoveries[index].extension for index in determined], dtype=np.uint16).reshape(-1, n)
    found = members(dags)
    supports = {reading: support(found, reading) for reading in readings} if determined else {}
    place = {index: number for number, index in enumerate(determined)}
    return [
        Derivation(
            premise,
            discoveries[index],
            fits[index],
            silent[index],
            contradictory[index],
            *_part(found, supports, place.get(index)),
        )
        for index, premise in enumerate(premises)
    ]


def _part(found: Members, supports: dict[Reading, Support], place: int | None) -> tuple[Masks, dict[Reading, Counts]]:
    """Return the members of one class, and what holds in them, out of those of many classes."""
    if place is None:
        return found.parents[:0], {}
    start, stop = found.starts[place : place + 2]

    def counts(whole: Support) -> Counts:
        failure = whole.first_failure[place]
        return Counts(_view(whole.holds_in[place]), _view(np.where(failure < 0, -1, failure - start)))

    return found.parents[start:stop], {reading: counts(whole) for reading, whole in supports.items()}


def _view(numbers: Integers) -> memoryview:
    """Return a flat copy that gives plain integers."""
    return memoryview(numbers.astype(np.int32).ravel().data)


def _fits(premises: Sequence[Premise], discoveries: Sequence[Discovery]) -> list[Fit]:
    """Judge full and minimal premises each under their own rule."""
    stated = np.array([_stated(premise) for premise in premises])
    fits: dict[int, Fit] = {}
    for minimal in (False, True):
        chosen = [index for index, premise in enumerate(premises) if premise.minimal is minimal]
        if chosen:
            found = judge([discoveries[index] for index in chosen], stated[chosen], minimal)
            fits.update(zip(chosen, found, strict=True))
    return [fits[index] for index in range(len(premises))]


def _statements(premise: Premise) -> list[Statement]:
    return [(said.first, said.second, said.given) for said in premise.independences]


def _stated(premise: Premise) -> Truths:
    """Return which of `statements(n)` the premise makes: bool[len(statements(n))]."""
    said = set(_statements(premise))
    return np.array([statement in said for statement in statements(len(premise.names))])


def _silent(premise: Premise) -> tuple[Pair, ...]:
    known = {*premise.correlations, *_independent_pairs(premise)}
    return tuple(pair for pair in combinations(range(len(premise.names)), 2) if pair not in known)


def _contradictory(premise: Premise) -> tuple[Pair, ...]:
    return tuple(sorted(_independent_pairs(premise) & set(premise.correlations)))


def _independent_pairs(premise: Premise) -> set[Pair]:
    return {(said.first, said.second) for said in premise.independences if not said.given}


def _verdict(fit: Fit, silent: tuple[Pair, ...], contradictory: tuple[Pair, ...]) -> Verdict:
    if contradictory:
        return Verdict.UNSATISFIABLE
    return Verdict.INCOMPLETE if silent and fit.verdict is Verdict.DETERMINED else fit.verdict
