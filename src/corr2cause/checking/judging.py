"""Judge rows by their text alone, each distinct premise once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from corr2cause.dataset.questions import Surface
from corr2cause.deriving.derivation import Derivation, derive, require_derivable
from corr2cause.errors import ClassSizeError, ParseError, SizeError
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis, Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.wording import Claim, Wording

_KEPT = 8192  # premises whose derivation is remembered: more than all classes of up to six variables


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that could not be judged: why, and the sentence at fault."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a sentence claims, seen among the variables of its premise.

    Attributes:
        hypothesis: the claim.
        wording: how it is said.
        template: the published name of the sentence.
        is_alphabetical: whether a cause comes before its effect in the alphabet; None if the claim is about no cause.
    """

    hypothesis: Hypothesis
    wording: Wording
    template: str
    is_alphabetical: bool | None


@dataclass(frozen=True, slots=True)
class Item:
    """A row that was understood: what its premise leads to, and what it claims."""

    derivation: Derivation
    claimed: Claimed

    @property
    def hypothesis(self) -> Hypothesis:
        """The claim alone."""
        return self.claimed.hypothesis


class Judge:
    """Understands rows in batches and remembers the derivations of their premises.

    Memory is bounded: the least recently used derivations are forgotten.
    """

    def __init__(self, readings: Sequence[Reading] = tuple(Reading)) -> None:
        self._readings = readings
        self._known: OrderedDict[str, Derivation | Refusal] = OrderedDict()

    def understand(self, rows: Sequence[tuple[str, str]]) -> list[Item | Refusal]:
        """Read and derive rows given as (premise, hypothesis); new premises are derived all at once.

        Returns:
            An item, or the reason why there is none, for each row in order.
        """
        self._derive_new(dict.fromkeys(premise for premise, _ in rows))
        items = [self._item(*row) for row in rows]
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return items

    def _derive_new(self, premises: Iterable[str]) -> None:
        new: dict[str, Premise] = {}
        for text in premises:
            if text in self._known:
                self._known.move_to_end(text)
                continue
            read = _read_premise(text)
            if isinstance(read, Refusal):
                self._known[text] = read
            else:
                new[text] = read
        self._known.update(zip(new, derive(list(new.values()), self._readings), strict=True))

    def _item(self, premise: str, hypothesis: str) -> Item | Refusal:
        derivation = self._known[premise]
        if isinstance(derivation, Refusal):
            return derivation
        read = _read_hypothesis(hypothesis, derivation.premise.names)
        return read if isinstance(read, Refusal) else Item(derivation, read)


def _read_premise(text: str) -> Premise | Refusal:
    try:
        premise, _ = parse_premise(text)
        require_derivable(premise)
    except ParseError as error:
        return Refusal(error.problem, error.sentence)
    except (ClassSizeError, SizeError) as error:
        return Refusal(str(error), text)
    return premise


@lru_cache(maxsize=65_536)
def _read_hypothesis(text: str, names: tuple[str, ...]) -> Claimed | Refusal:
    try:
        hypothesis, wording = parse_hypothesis(text, names)
    except ParseError as error:
        return Refusal(error.problem, error.sentence)
    surface = Surface(hypothesis.claim, names.index(hypothesis.first), names.index(hypothesis.second), wording)
    is_causal = hypothesis.claim in (Claim.DIRECT, Claim.INDIRECT)
    is_alphabetical = hypothesis.first < hypothesis.second if is_causal else None
    return Claimed(hypothesis, wording, surface.template, is_alphabetical)
