"""The tables of sentences: every English word that a row shows stands here, once.

Verbalisation fills these templates and parsing compiles them into their own inverse, so neither holds a sentence.
The prose is the published wording of Corr2Cause (Jin et al. 2024), byte for byte; the paraphrases are those of
its robustness test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Claim(StrEnum):
    """What a hypothesis says of two variables; for DIRECT and INDIRECT, the first causes the second."""

    DIRECT = "direct"
    INDIRECT = "indirect"
    COLLIDER = "collider"
    CONFOUNDER = "confounder"


class Wording(StrEnum):
    """How a hypothesis is said. The published data mix PLAIN and ALTERNATIVE, which differ for INDIRECT."""

    PLAIN = "plain"
    ALTERNATIVE = "alternative"
    PARAPHRASE = "paraphrase"


class Notation(StrEnum):
    """How the statements of a premise are written."""

    PROSE = "prose"
    SYMBOLS = "symbols"


@dataclass(frozen=True, slots=True)
class StatementWording:
    """The sentences of one notation; `conjunction` joins the last two members of a conditioning set."""

    correlation: str
    independence: str
    conditional_independence: str
    conjunction: str


COMMA = ", "
AND = " and "
ARROW = "->"

OPENING = "Suppose there is a closed system of {n} variables, {names}."

# By whether the premise is minimal.
LISTINGS: Mapping[bool, str] = {
    False: "All the statistical relations among these {n} variables are as follows:",
    True: (
        "All the statistical relations among these {n} variables are as follows, "
        "where of all the sets of variables that make two others independent, only the minimal ones are listed:"
    ),
}

# Stands between correlations and independences, if there are both.
CONTRAST = "However, "

STATEMENTS: Mapping[Notation, StatementWording] = {
    Notation.PROSE: StatementWording(
        correlation="{first} correlates with {second}.",
        independence="{first} is independent of {second}.",
        conditional_independence="{first} and {second} are independent given {given}.",
        conjunction=AND,
    ),
    Notation.SYMBOLS: StatementWording(
        correlation="{first} ⊥\N{COMBINING LONG SOLIDUS OVERLAY} {second}.",
        independence="{first} ⊥ {second}.",
        conditional_independence="{first} ⊥ {second} | {given}.",
        conjunction=COMMA,
    ),
}

# A claim that a wording leaves out is said as in PLAIN.
HYPOTHESES: Mapping[Wording, Mapping[Claim, str]] = {
    Wording.PLAIN: {
        Claim.DIRECT: "{first} directly causes {second}.",
        Claim.INDIRECT: "{first} causes something else which causes {second}.",
        Claim.COLLIDER: "There exists at least one collider (i.e., common effect) of {first} and {second}.",
        Claim.CONFOUNDER: ("There exists at least one confounder (i.e., common cause) of {first} and {second}."),
    },
    Wording.ALTERNATIVE: {
        Claim.INDIRECT: "{first} is a cause for {second}, but not a direct one.",
    },
    Wording.PARAPHRASE: {
        Claim.DIRECT: "{first} directly affects {second}.",
        Claim.INDIRECT: "{first} influences {second} through some mediator(s).",
        Claim.COLLIDER: "{first} and {second} together cause some other variable(s).",
        Claim.CONFOUNDER: "Some variable(s) cause(s) both {first} and {second}.",
    },
}

# What no variable name may hold. Each gap between two names of a template has one of these words or characters,
# once, so there is one place only where a sentence can be cut; variable(s) keeps the two paraphrases apart that
# share their only gap.
RESERVED_CHARACTERS = ",.|⊥>"
RESERVED_WORDS = frozenset({"and", "correlates", "directly", "independent", "influences", "is", "variable(s)", "which"})
