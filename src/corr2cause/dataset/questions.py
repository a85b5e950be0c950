"""What is asked of a class: pairs, relations, and the two surface sentences that each question can get."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

from corr2cause.dataset.options import Hypotheses
from corr2cause.graphs.terms import Relation
from corr2cause.text.facts import Hypothesis
from corr2cause.text.verbalisation import verbalise_hypothesis
from corr2cause.text.wording import Claim, Wording


@dataclass(frozen=True, slots=True)
class Question:
    """A relation asked of an ordered pair of variables, given by their positions in the premise."""

    relation: Relation
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Surface:
    """One sentence that can express a question: a claim about two positions, worded in one way.

    For causes `first` is the cause and `second` the effect.
    """

    claim: Claim
    first: int
    second: int
    wording: Wording

    @property
    def template(self) -> str:
        """The published name of the sentence: it follows what is written, not what was asked."""
        match self.claim:
            case Claim.DIRECT:
                return "parent" if self.first < self.second else "child"
            case Claim.INDIRECT:
                return "non-parent ancestor" if self.wording is Wording.PLAIN else "non-child descendant"
            case Claim.COLLIDER:
                return "has_collider"
            case Claim.CONFOUNDER:
                return "has_confounder"


@lru_cache(maxsize=32)
def questions(n: int, hypotheses: Hypotheses) -> tuple[Question, ...]:
    """List every question about n variables: pair after pair, the six relations of each.

    >>> len(questions(6, Hypotheses.UNORDERED)), len(questions(6, Hypotheses.ORDERED))
    (90, 180)
    """
    pairs = combinations if hypotheses is Hypotheses.UNORDERED else permutations
    return tuple(Question(relation, x, y) for x, y in pairs(range(n), 2) for relation in Relation)


def surfaces(question: Question) -> tuple[Surface, Surface]:
    """Return the two sentences between which the published wording draws; equal where it does not.

    Names are swapped in the symmetric relations; an indirect cause may be said in either of two ways.
    """
    x, y = question.x, question.y
    match question.relation:
        case Relation.IS_PARENT:
            return (Surface(Claim.DIRECT, x, y, Wording.PLAIN),) * 2
        case Relation.IS_CHILD:
            return (Surface(Claim.DIRECT, y, x, Wording.PLAIN),) * 2
        case Relation.IS_ANCESTOR:
            return (
                Surface(Claim.INDIRECT, x, y, Wording.PLAIN),
                Surface(Claim.INDIRECT, x, y, Wording.ALTERNATIVE),
            )
        case Relation.IS_DESCENDANT:
            return (
                Surface(Claim.INDIRECT, y, x, Wording.ALTERNATIVE),
                Surface(Claim.INDIRECT, y, x, Wording.PLAIN),
            )
        case Relation.HAS_COLLIDER:
            return Surface(Claim.COLLIDER, x, y, Wording.PLAIN), Surface(Claim.COLLIDER, y, x, Wording.PLAIN)
        case Relation.HAS_CONFOUNDER:
            return Surface(Claim.CONFOUNDER, x, y, Wording.PLAIN), Surface(Claim.CONFOUNDER, y, x, Wording.PLAIN)


@lru_cache(maxsize=64)
def all_surfaces(n: int, hypotheses: Hypotheses) -> tuple[Surface, ...]:
    """List both surfaces of every question: those of question h stand at 2h and 2h + 1."""
    return tuple(surface for question in questions(n, hypotheses) for surface in surfaces(question))


@lru_cache(maxsize=4096)
def sentences(names: tuple[str, ...], hypotheses: Hypotheses) -> tuple[str, ...]:
    """Verbalise `all_surfaces` with the given names."""
    return tuple(
        verbalise_hypothesis(Hypothesis(s.claim, names[s.first], names[s.second]), s.wording)
        for s in all_surfaces(len(names), hypotheses)
    )
