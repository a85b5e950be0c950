"""Facts to stories: fluent prose about the quantities of one domain. Reading is the exact inverse."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from corr2cause.errors import OptionError
from corr2cause.streams import Words
from corr2cause.text.facts import Premise
from corr2cause.text.stories.bank import Domain, Quantity
from corr2cause.text.stories.wording import (
    AND,
    CLOSED,
    EVERY_SET,
    HYPOTHESES,
    LISTINGS,
    NUMBERS,
    PAIRS,
    SET_BREAK,
    SEVERAL_SETS,
    PairKind,
)
from corr2cause.text.verbalisation import enumerated
from corr2cause.text.wording import Claim

MOST_VARIABLES = len(NUMBERS) - 1
_FRAMED = MOST_VARIABLES * MOST_VARIABLES  # ordered pairs of variables
_CLAIMS = tuple(Claim)
DRAWS = 3 + (1 + len(_CLAIMS)) * _FRAMED
"""How many random words the frames of one story need: the opening, its pairs, and each possible hypothesis."""

_AGREEING = re.compile(r"<(\w+)\|(\w+)>")


@dataclass(frozen=True, slots=True)
class Story:
    """A class told about quantities.

    Attributes:
        domain: that the quantities are of.
        cast: the quantity that plays each variable.
        draw: uint64[DRAWS]; decides which frames are used.
    """

    domain: Domain
    cast: tuple[Quantity, ...]
    draw: Words

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(quantity.name for quantity in self.cast)

    def tell_premise(self, premise: Premise) -> str:
        """Tell what a premise says of its variables, pair after pair.

        Raises:
            OptionError: it says of some pair that it correlates and is independent, or neither.
        """
        n = NUMBERS[len(self.cast)]
        listed = enumerated([quantity.phrase for quantity in self.cast], AND)
        opening = (self._pick(self.domain.settings, 0), self._pick(CLOSED, 1), self._pick(LISTINGS[premise.minimal], 2))
        said = [sentence.format(n=n, names=listed) for sentence in opening]
        related = set(premise.correlations)
        given: defaultdict[tuple[int, int], list[tuple[int, ...]]] = defaultdict(list)
        for statement in premise.independences:
            given[statement.first, statement.second].append(statement.given)
        for pair in combinations(range(len(self.cast)), 2):
            if (pair in related) == (() in given[pair]):
                names = " and ".join(premise.names[k] for k in pair)
                raise OptionError("stories", f"the premise does not say whether {names} correlate or are independent")
            said.append(self._tell_pair(pair, pair in related, [one for one in given[pair] if one]))
        return " ".join(said)

    def tell_hypothesis(self, claim: Claim, first: int, second: int) -> str:
        """Tell a claim about two variables, given by their places."""
        place = 3 + (1 + _CLAIMS.index(claim)) * _FRAMED + first * MOST_VARIABLES + second
        frame = self._pick(HYPOTHESES[claim], place)
        return filled(frame, self.cast[first], self.cast[second])

    def _tell_pair(self, pair: tuple[int, int], related: bool, given: Sequence[tuple[int, ...]]) -> str:
        first, second = pair
        frame = self._pick(PAIRS[PairKind(related, bool(given))], 3 + first * MOST_VARIABLES + second)
        return filled(frame, self.cast[first], self.cast[second], self._list_sets(given))

    def _list_sets(self, given: Sequence[tuple[int, ...]]) -> str:
        """List the sets of one pair, small ones first; if all that the others have are several, say just that."""
        others = len(self.cast) - 2
        if len(given) == (1 << others) - 1 > 1:
            return EVERY_SET
        by_size = sorted(given, key=lambda one: (len(one), one))
        listed = SET_BREAK.join(enumerated([self.cast[k].phrase for k in one], AND) for one in by_size)
        return f"{SEVERAL_SETS}{listed}" if len(given) > 1 else listed

    def _pick(self, frames: Sequence[str], place: int) -> str:
        return frames[int(self.draw[place]) % len(frames)]


def filled(frame: str, first: Quantity, second: Quantity, sets: str = "") -> str:
    """Put quantities into a frame; verbs agree with the first.

    >>> sleep, weight = Quantity("hours of sleep", is_plural=True), Quantity("body weight", is_plural=False)
    >>> filled("{First} <has|have> a direct effect on {second}.", sleep, weight)
    'Hours of sleep have a direct effect on body weight.'
    """
    return agreeing(frame, first.is_plural).format(
        First=first.opening, first=first.phrase, second=second.phrase, sets=sets
    )


@cache
def agreeing(frame: str, is_plural: bool) -> str:
    """Choose the form of the verbs of a frame."""
    return _AGREEING.sub(lambda verb: verb.group(2 if is_plural else 1), frame)
