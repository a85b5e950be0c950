"""The sentences of stories: every English word of a story that is not of the bank stands here, once.

Telling fills these frames and reading compiles them into their own inverse. In a frame, `{First}` is a quantity that
begins the sentence and `{first}`, `{second}` are quantities inside it; `<affects|affect>` agrees in number with the
quantity that begins the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from corr2cause.text.wording import Claim


@dataclass(frozen=True, slots=True)
class PairKind:
    """What a story says of two quantities.

    Attributes:
        related: whether they correlate; else they are independent.
        conditionally: whether there are sets given which they are independent, too.
    """

    related: bool
    conditionally: bool


NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)

AND = " and "

# Between two sets, if there are several, and what is said before them.
SET_BREAK = "; "
SEVERAL_SETS = "any of these sets: "

# That the system is closed: no latent variables.
CLOSED = (
    "Nothing outside these {n} has an influence on any of them.",
    "Suppose that these {n} form a closed system, so that nothing else affects any of them.",
    "Assume that no other quantity plays a part in how these {n} behave.",
)

# By whether the premise is minimal.
LISTINGS: Mapping[bool, tuple[str, ...]] = {
    False: (
        "All the statistical relations among them are as follows.",
        "Here is everything that the numbers say about how they are related.",
    ),
    True: (
        "All the statistical relations among them are as follows; of the sets that make two quantities independent "
        "when held fixed, only the minimal ones are mentioned.",
        "Here is everything that the numbers say about how they are related; a set of quantities that makes two others "
        "independent when held fixed is mentioned only if no part of it would do.",
    ),
}

# What is said conditionally stands first, since "tells us nothing about {second}." would take its end for a name.
PAIRS: Mapping[PairKind, tuple[str, ...]] = {
    PairKind(related=True, conditionally=True): (
        "{First} and {second} are correlated, but become independent when we hold fixed {sets}.",
        "{First} <is|are> correlated with {second}, but no longer so once we hold fixed {sets}.",
        "There is a correlation between {first} and {second}, which disappears when we hold fixed {sets}.",
        "{First} and {second} are statistically linked, but the link vanishes when we hold fixed {sets}.",
    ),
    PairKind(related=True, conditionally=False): (
        "{First} and {second} are correlated.",
        "{First} <is|are> correlated with {second}.",
        "There is a correlation between {first} and {second}.",
        "{First} and {second} are statistically linked.",
    ),
    PairKind(related=False, conditionally=True): (
        "{First} and {second} are independent of each other, and remain so when we hold fixed {sets}.",
        "{First} <tells|tell> us nothing about {second}, and still nothing when we hold fixed {sets}.",
        "There is no statistical link between {first} and {second}, and none appears when we hold fixed {sets}.",
    ),
    PairKind(related=False, conditionally=False): (
        "{First} and {second} are independent of each other.",
        "{First} <tells|tell> us nothing about {second}.",
        "There is no statistical link between {first} and {second}.",
    ),
}

# Like the published sentences, these leave open whether an indirect cause may be a direct one, too: that is a matter
# of the reading. None of them is one of `wording.HYPOTHESES`, whatever the names.
HYPOTHESES: Mapping[Claim, tuple[str, ...]] = {
    Claim.DIRECT: (
        "{First} <has|have> a direct effect on {second}.",
        "{First} <is|are> a direct cause of {second}.",
        "A change in {first} directly changes {second}.",
    ),
    Claim.INDIRECT: (
        "{First} <affects|affect> something else, which in turn affects {second}.",
        "{First} <has|have> an indirect effect on {second}, by way of something else.",
        "A change in {first} changes something else, and that changes {second}.",
    ),
    Claim.COLLIDER: (
        "{First} and {second} have at least one effect in common.",
        "At least one other quantity is affected by both {first} and {second}.",
        "There is something else that both {first} and {second} affect.",
    ),
    Claim.CONFOUNDER: (
        "{First} and {second} have at least one cause in common.",
        "At least one other quantity affects both {first} and {second}.",
        "There is something else that affects both {first} and {second}.",
    ),
}
