"""Sentences of other groups that are read, never written: those of Corr2Cause++.

It states no correlations: its listing names *all* independences, so every pair that it does not call unconditionally
independent is correlated. Its sentence "U directly affects X." is our paraphrase, and stands there.
"""

from __future__ import annotations

from collections.abc import Mapping

from corr2cause.text.wording import Claim

FOREIGN_OPENING = (
    "Suppose there is a closed system of {n} variables, {names}, "
    "whose causal structure forms a directed acyclic graph and satisfies faithfulness."
)
FOREIGN_LISTING = "All the conditional independence relations are:"

# For lists of names; two names are joined without the comma.
OXFORD_AND = ", and "

# Stands between two statements in place of a full stop.
SEMICOLON = "; "

FOREIGN_CONDITIONAL_INDEPENDENCE = "{first} indep {second} | {given}."
FOREIGN_INDEPENDENCE = "{first} indep {second}."

# What may stand after the listing, or in its place, if there is no independence. The known files have no such row.
NO_STATEMENTS = frozenset({"", ".", "none.", "None."})
NO_LISTING = "There are no conditional independence relations."

FOREIGN_HYPOTHESES: Mapping[str, Claim] = {
    "{second} is directly affected by {first}.": Claim.DIRECT,
    "{first} influences {second} through some mediator(s) but not directly.": Claim.INDIRECT,
    "There exists at least one collider (i.e., a common child) of {first} and {second}.": Claim.COLLIDER,
    "There exists at least one confounder (i.e., a common parent) of {first} and {second}.": Claim.CONFOUNDER,
}

# Beside what `wording` reserves, what no variable name of such a premise may hold.
FOREIGN_RESERVED_CHARACTERS = frozenset(";")
FOREIGN_RESERVED_WORDS = frozenset({"indep"})
