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

# Between two sets, if there are several, and what is said before them; and what is said if they are all that there are.
SET_BREAK = "; "
SEVERAL_SETS = "any one of these sets: "
EVERY_SET = "any one or more of the other quantities"

# That the system is closed: nothing outside it is a cause of anything in it, so that there are no latent variables, or
# an effect, so that "something else" of a hypothesis is inside. All are suppositions, since of the world it is untrue.
CLOSED = (
    "Suppose that these {n} have no causes or effects other than one another.",
    "Suppose that these {n} form a closed system: nothing else affects them, and they affect nothing else.",
    "Assume that no other quantity affects these {n} or is affected by them.",
)

# By whether the premise is minimal.
LISTINGS: Mapping[bool, tuple[str, ...]] = {
    False: (
        "All the statistical relations of these quantities are as follows.",
        "Here is everything that the data say about how these quantities are related.",
    ),
    True: (
        "All the statistical relations of these quantities are as follows; of the sets of quantities that make two "
        "others independent when we control for them, only the minimal ones are mentioned, and none where the two are "
        "independent anyway.",
        "Here is everything that the data say about how these quantities are related; a set of quantities that makes "
        "two others independent when we control for it is mentioned only if no part of it would do, and not where the "
        "two are independent anyway.",
    ),
}

# Unconditional independence is said so that it cannot be taken for independence in every respect ("by itself"), and
# conditioning so that it cannot be taken for an intervention ("control for", not "hold fixed").
# What is said conditionally stands first, since "tells us nothing about {second}." would take its end for a name.
PAIRS: Mapping[PairKind, tuple[str, ...]] = {
    PairKind(related=True, conditionally=True): (
        "{First} and {second} are correlated, but become independent when we control for {sets}.",
        "{First} <is|are> correlated with {second}, but no longer once we control for {sets}.",
        "There is a correlation between {first} and {second}, but it disappears when we control for {sets}.",
        "{First} and {second} are statistically linked, but the link vanishes once we adjust for {sets}.",
        "Knowing {first} helps us to predict {second}, but no longer once we adjust for {sets}.",
    ),
    PairKind(related=True, conditionally=False): (
        "{First} and {second} are correlated.",
        "{First} <is|are> correlated with {second}.",
        "There is a correlation between {first} and {second}.",
        "{First} and {second} are statistically linked.",
        "Knowing {first} helps us to predict {second}.",
    ),
    PairKind(related=False, conditionally=True): (
        "{First} and {second} are independent of each other, and remain so when we control for {sets}.",
        "{First} by <itself|themselves> <tells|tell> us nothing about {second}, and still nothing once we adjust for "
        "{sets}.",
        "There is no statistical link between {first} and {second}, and none appears when we control for {sets}.",
        "{First} <is|are> statistically unrelated to {second}, and <stays|stay> so when we adjust for {sets}.",
    ),
    PairKind(related=False, conditionally=False): (
        "{First} and {second} are independent of each other.",
        "{First} by <itself|themselves> <tells|tell> us nothing about {second}.",
        "There is no statistical link between {first} and {second}.",
        "{First} <is|are> statistically unrelated to {second}.",
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
        "A change in {first} changes something else and, through it, {second}.",
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
