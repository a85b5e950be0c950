"""Premises and hypotheses of Corr2Cause++ are read as the facts that they state."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.verbalisation import verbalise_premise
from corr2cause.text.wording import Claim, Notation, Wording
from tests.text.strategies import any_name, premises

OPENING = (
    "Suppose there is a closed system of 3 variables, X, Z, and Y, whose causal structure forms a directed acyclic "
    "graph and satisfies faithfulness. "
)
LISTING = "All the conditional independence relations are: "


def said_by_others(premise: Premise) -> str:
    """Say a premise as Corr2Cause++ does, written anew and without its tables."""
    names = premise.names
    listed = f"{', '.join(names[:-1])}, and {names[-1]}" if len(names) > 2 else " and ".join(names)
    statements = [
        f"{names[said.first]} indep {names[said.second]}"
        + (" | " + ", ".join(names[k] for k in said.given) if said.given else "")
        for said in premise.independences
    ]
    return (
        f"Suppose there is a closed system of {len(names)} variables, {listed}, whose causal structure forms a "
        f"directed acyclic graph and satisfies faithfulness. {LISTING}{'; '.join(statements)}."
    )


def completed(premise: Premise) -> Premise:
    """All pairs that are not said to be independent correlate."""
    independent = {(said.first, said.second) for said in premise.independences if not said.given}
    pairs = combinations(range(len(premise.names)), 2)
    return replace(premise, correlations=tuple(pair for pair in pairs if pair not in independent), minimal=False)


@given(premises())
def test_their_premises_are_read(premise):
    assume(not any(";" in name or "indep" in name.split(" ") for name in premise.names))
    assert parse_premise(said_by_others(premise)) == (completed(premise), Notation.SYMBOLS)


def test_what_is_not_listed_correlates():
    premise, notation = parse_premise(OPENING + LISTING + "Z indep Y; Y indep X | Z.")
    assert premise.names == ("X", "Z", "Y")
    assert premise.independences == (Independence(1, 2), Independence(0, 2, (1,)))
    assert premise.correlations == ((0, 1), (0, 2))
    assert (premise.minimal, notation) == (False, Notation.SYMBOLS)


@pytest.mark.parametrize("ending", [".", "none.", "None.", "", "  \n"])
def test_a_premise_without_independences(ending):
    premise, _ = parse_premise(OPENING + LISTING + ending)
    assert (premise.independences, len(premise.correlations)) == ((), 3)


def test_a_premise_that_says_that_there_are_none():
    premise, _ = parse_premise(OPENING + "There are no conditional independence relations.")
    assert (premise.independences, len(premise.correlations)) == ((), 3)


@pytest.mark.parametrize("listed", ["X and Y", "X, and Y"])
def test_two_variables(listed):
    text = OPENING.replace("3", "2").replace("X, Z, and Y", listed) + LISTING + "X indep Y."
    assert parse_premise(text)[0] == Premise(("X", "Y"), (), (Independence(0, 1),))


MALFORMED = {
    OPENING: "All the statistical relations",
    OPENING + "Nothing is known.": "All the statistical relations",
    OPENING + LISTING + "X indep Y": "full stop is missing",
    OPENING + LISTING + "X indep W.": "'W' is not one of the variables X, Z, Y",
    OPENING + LISTING + "X indep X.": "'X' occurs twice",
    OPENING + LISTING + "X indep Y | Y.": "'Y' occurs twice",
    OPENING + LISTING + "X indep Y; Y indep X.": "stated before",
    OPENING + LISTING + "X indep Y. Z indep Y.": 'expected "{first} indep',
    OPENING + LISTING + "X indep Y; .": "expected",
    OPENING + LISTING + "X is independent of Y.": 'expected "{first} indep {second} | {given}."',
    OPENING.replace("3", "4") + LISTING: "3 variables are named, not 4",
    OPENING.replace("Z", "X") + LISTING: "'X' is given twice",
    OPENING.replace("Z", "a; b") + LISTING: "'a; b' cannot be told from a part of a statement",
    OPENING.replace("Z", "so indep it") + LISTING: "cannot be told from a part of a statement",
}


@pytest.mark.parametrize(("text", "problem"), MALFORMED.items())
def test_malformed_premises_are_refused(text, problem):
    with pytest.raises(ParseError) as caught:
        parse_premise(text)
    assert problem in caught.value.problem


def test_names_alone_do_not_make_a_premise_of_ours_theirs():
    names = ("A", "whose causal structure forms a directed acyclic graph", "satisfies faithfulness")
    premise = Premise(names, ((0, 1),), ())
    assert parse_premise(verbalise_premise(premise)) == (premise, Notation.PROSE)


SENTENCES = {
    "{0} directly affects {1}.": (Claim.DIRECT, False),
    "{0} is directly affected by {1}.": (Claim.DIRECT, True),
    "{0} influences {1} through some mediator(s) but not directly.": (Claim.INDIRECT, False),
    "There exists at least one collider (i.e., a common child) of {0} and {1}.": (Claim.COLLIDER, False),
    "There exists at least one confounder (i.e., a common parent) of {0} and {1}.": (Claim.CONFOUNDER, False),
}


@given(st.lists(any_name, min_size=2, max_size=2, unique=True), st.sampled_from(list(SENTENCES)))
def test_their_hypotheses_are_read(names, sentence):
    claim, is_passive = SENTENCES[sentence]
    expected = Hypothesis(claim, *(reversed(names) if is_passive else names))
    assert parse_hypothesis(f"  {sentence.format(*names)}\n") == (expected, Wording.PARAPHRASE)


@pytest.mark.parametrize(
    "sentence",
    [
        "X is directly affected by X.",
        "X influences Y through some mediator(s) but not directly",
        "There exists at least one collider (i.e., a common parent) of X and Y.",
        "There exists at least one confounder (i.e., a common child) of X and Y.",
    ],
)
def test_malformed_hypotheses_are_refused(sentence):
    with pytest.raises(ParseError):
        parse_hypothesis(sentence)
