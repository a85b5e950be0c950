"""Sentences typed from the definition of the data set, and the fast way of the generator."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import NamingError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.naming import letters
from corr2cause.text.verbalisation import statement_table, verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Claim, Notation, Wording
from tests.text.strategies import any_name, independences

COLLIDER = Premise(("A", "B", "C"), ((0, 2), (1, 2)), (Independence(0, 1),))
FIVE = Premise(
    ("A", "B", "C", "D", "E"),
    ((0, 4), (1, 2)),
    (
        Independence(0, 1),
        Independence(0, 1, (2,)),
        Independence(0, 1, (2, 3)),
        Independence(0, 1, (2, 3, 4)),
    ),
)


def test_the_published_premise():
    assert verbalise_premise(COLLIDER) == (
        "Suppose there is a closed system of 3 variables, A, B and C. All the statistical relations among these 3 "
        "variables are as follows: A correlates with C. B correlates with C. However, A is independent of B."
    )


def test_two_variables_and_no_independence():
    assert verbalise_premise(Premise(("A", "B"), ((0, 1),), ())) == (
        "Suppose there is a closed system of 2 variables, A and B. All the statistical relations among these 2 "
        "variables are as follows: A correlates with B."
    )


def test_no_correlation_leaves_out_however():
    assert verbalise_premise(Premise(("A", "B"), (), (Independence(0, 1),))) == (
        "Suppose there is a closed system of 2 variables, A and B. All the statistical relations among these 2 "
        "variables are as follows: A is independent of B."
    )


def test_nothing_stated_leaves_no_trailing_space():
    assert verbalise_premise(Premise(("A",), (), ())) == (
        "Suppose there is a closed system of 1 variables, A. All the statistical relations among these 1 variables "
        "are as follows:"
    )


def test_conditioning_sets_are_listed_like_names():
    assert verbalise_premise(FIVE) == (
        "Suppose there is a closed system of 5 variables, A, B, C, D and E. All the statistical relations among these "
        "5 variables are as follows: A correlates with E. B correlates with C. However, A is independent of B. "
        "A and B are independent given C. A and B are independent given C and D. "
        "A and B are independent given C, D and E."
    )


def test_symbols():
    assert verbalise_premise(FIVE, Notation.SYMBOLS) == (
        "Suppose there is a closed system of 5 variables, A, B, C, D and E. All the statistical relations among these "
        "5 variables are as follows: A ⊥\u0338 E. B ⊥\u0338 C. However, A \u22a5 B. A ⊥ B | C. A ⊥ B | C, D. "
        "A ⊥ B | C, D, E."
    )


def test_a_minimal_premise_says_so():
    assert verbalise_premise(Premise(("A", "B"), (), (Independence(0, 1),), minimal=True)) == (
        "Suppose there is a closed system of 2 variables, A and B. All the statistical relations among these 2 "
        "variables are as follows, where of all the sets of variables that make two others independent, only the "
        "minimal ones are listed: A is independent of B."
    )


SENTENCES = {
    (Claim.DIRECT, Wording.PLAIN): "A directly causes B.",
    (Claim.DIRECT, Wording.ALTERNATIVE): "A directly causes B.",
    (Claim.DIRECT, Wording.PARAPHRASE): "A directly affects B.",
    (Claim.INDIRECT, Wording.PLAIN): "A causes something else which causes B.",
    (Claim.INDIRECT, Wording.ALTERNATIVE): "A is a cause for B, but not a direct one.",
    (Claim.INDIRECT, Wording.PARAPHRASE): "A influences B through some mediator(s).",
    (Claim.COLLIDER, Wording.PLAIN): "There exists at least one collider (i.e., common effect) of A and B.",
    (Claim.COLLIDER, Wording.ALTERNATIVE): "There exists at least one collider (i.e., common effect) of A and B.",
    (Claim.COLLIDER, Wording.PARAPHRASE): "A and B together cause some other variable(s).",
    (Claim.CONFOUNDER, Wording.PLAIN): "There exists at least one confounder (i.e., common cause) of A and B.",
    (Claim.CONFOUNDER, Wording.ALTERNATIVE): "There exists at least one confounder (i.e., common cause) of A and B.",
    (Claim.CONFOUNDER, Wording.PARAPHRASE): "Some variable(s) cause(s) both A and B.",
}


@pytest.mark.parametrize(("said", "sentence"), SENTENCES.items())
def test_every_hypothesis(said, sentence):
    claim, wording = said
    assert verbalise_hypothesis(Hypothesis(claim, "A", "B"), wording) == sentence


def test_every_claim_and_wording_has_a_golden_sentence():
    assert set(SENTENCES) == {(claim, wording) for claim in Claim for wording in Wording}


def test_names_that_could_not_be_read_back_are_refused():
    with pytest.raises(NamingError):
        verbalise_premise(Premise(("A", "salt and pepper"), (), ()))
    with pytest.raises(NamingError):
        verbalise_hypothesis(Hypothesis(Claim.DIRECT, "A", "A"))
    with pytest.raises(NamingError):
        statement_table(("A", "B. C"), ())


@given(
    names=st.lists(any_name, min_size=1, max_size=5, unique=True),
    notation=st.sampled_from(Notation),
    minimal=st.booleans(),
    data=st.data(),
)
def test_the_table_says_what_verbalisation_says(names, notation, minimal, data):
    statements, pairs = independences(len(names)), list(combinations(range(len(names)), 2))
    correlated = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    independent = data.draw(st.lists(st.booleans(), min_size=len(statements), max_size=len(statements)))
    premise = Premise(
        tuple(names),
        tuple(pair for pair, is_stated in zip(pairs, correlated, strict=True) if is_stated),
        tuple(statement for statement, is_stated in zip(statements, independent, strict=True) if is_stated),
        minimal,
    )
    table = statement_table(tuple(names), tuple(statements), notation)
    assert table.premise(correlated, independent, minimal) == verbalise_premise(premise, notation)


def test_the_table_of_one_naming_is_made_once():
    statements = tuple(independences(4))
    assert statement_table(letters(4), statements) is statement_table(letters(4), tuple(independences(4)))
