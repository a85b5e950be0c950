"""Parsing is the exact inverse of verbalisation, and refuses everything else by naming the sentence."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.verbalisation import verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import HYPOTHESES, Claim, Notation, Wording
from tests.text.strategies import TEMPLATE_WORDS, TEMPLATES, confusing_names, hypotheses, premises

FRAME = "Suppose there is a closed system of 4 variables, A, B, C and D. "
LISTING = "All the statistical relations among these 4 variables are as follows:"


@given(premises(), st.sampled_from(Notation))
@example(Premise(("A", "However", "B", "D"), ((0, 1),), (Independence(0, 2, (1, 3)),)), Notation.SYMBOLS)
@example(Premise(("a correlate", "s with b", "with"), ((0, 1), (1, 2), (0, 2)), ()), Notation.PROSE)
def test_premises_are_read_back(premise, notation):
    is_silent = not premise.correlations and not premise.independences
    expected = Notation.PROSE if is_silent else notation
    assert parse_premise(verbalise_premise(premise, notation)) == (premise, expected)


@given(premises(names=confusing_names, max_size=4), st.sampled_from(Notation))
def test_premises_over_confusing_names_are_read_back(premise, notation):
    assert parse_premise(verbalise_premise(premise, notation))[0] == premise


def expected_wording(claim: Claim, wording: Wording) -> Wording:
    return wording if claim in HYPOTHESES[wording] else Wording.PLAIN


@given(hypotheses(), st.sampled_from(Wording))
def test_hypotheses_are_read_back(hypothesis, wording):
    text = verbalise_hypothesis(hypothesis, wording)
    expected = hypothesis, expected_wording(hypothesis.claim, wording)
    assert parse_hypothesis(text) == expected
    assert parse_hypothesis(text, (hypothesis.second, "another one", hypothesis.first)) == expected


@given(hypotheses(names=confusing_names), st.sampled_from(Wording))
def test_hypotheses_over_confusing_names_are_read_back(hypothesis, wording):
    assert parse_hypothesis(verbalise_hypothesis(hypothesis, wording))[0] == hypothesis


def test_a_sentence_that_two_wordings_share_is_plain():
    assert parse_hypothesis("A directly causes B.")[1] is Wording.PLAIN
    assert parse_hypothesis("A is a cause for B, but not a direct one.")[1] is Wording.ALTERNATIVE
    assert parse_hypothesis("A directly affects B.")[1] is Wording.PARAPHRASE


def test_white_space_around_a_text_is_ignored():
    text = FRAME + LISTING + " A correlates with B."
    assert parse_premise(f"\r\n  {text}\r\n\r\n") == parse_premise(text)
    assert parse_hypothesis("\tA directly causes B.\r\n")[0] == Hypothesis(Claim.DIRECT, "A", "B")


def test_variables_of_a_statement_come_in_any_order():
    premise, _ = parse_premise(
        FRAME + LISTING + " D correlates with A. However, C and B are independent given D and A."
    )
    assert premise.correlations == ((0, 3),)
    assert premise.independences == (Independence(1, 2, (0, 3)),)


def test_statements_keep_their_order():
    premise, _ = parse_premise(FRAME + LISTING + " C correlates with D. A correlates with B.")
    assert premise.correlations == ((2, 3), (0, 1))


def test_a_contradiction_is_left_to_the_judge():
    premise, _ = parse_premise(FRAME + LISTING + " A correlates with B. However, A is independent of B.")
    assert (premise.correlations, premise.independences) == (((0, 1),), (Independence(0, 1),))


MALFORMED = {
    "": "Suppose there is",
    "A correlates with B.": "Suppose there is",
    FRAME: "All the statistical relations",
    FRAME + "Nothing is known.": "All the statistical relations",
    FRAME + LISTING + " A correlates with B": "full stop is missing",
    FRAME + LISTING + "A correlates with B.": "All the statistical relations",
    FRAME + LISTING + "  A correlates with B.": "' A' is not one of the variables A, B, C, D",
    FRAME + " " + LISTING: "All the statistical relations",
    FRAME.replace("4", "5") + LISTING: "4 variables are named, not 5",
    FRAME.replace("4", "04") + LISTING: "4 variables are named, not 04",
    FRAME.replace("4", "four") + LISTING: "4 variables are named, not four",
    FRAME + LISTING.replace("4", "5"): "4 variables are named, not 5",
    FRAME.replace("D", "A") + LISTING: "'A' is given twice",
    FRAME.replace("B", "") + LISTING: "is empty",
    FRAME.replace(" and ", ", ") + LISTING: "','",
    FRAME.replace(" and", ", and") + LISTING: "','",
    FRAME + LISTING + " A correlates with E.": "'E' is not one of the variables A, B, C, D",
    FRAME + LISTING + " A correlates with A.": "'A' occurs twice in one sentence",
    FRAME + LISTING + " A and B are independent given A.": "'A' occurs twice in one sentence",
    FRAME + LISTING + " A and B are independent given C and C.": "'C' occurs twice in one sentence",
    FRAME + LISTING + " A and B are independent given C, D.": "'C, D' is not one of",
    FRAME + LISTING + " A and B are independent given C and D and.": "is not one of",
    FRAME + LISTING + " A ⊥ B | C, , D.": "'' is not one of",
    FRAME + LISTING + " A correlates with B. A correlates with B.": "stated before",
    FRAME + LISTING + " A correlates with B. B correlates with A.": "stated before, in 'A correlates with B.'",
    FRAME + LISTING + " A is independent of B. A is independent of B.": "stated before",
    FRAME + LISTING + " A and B are independent given C and D. A and B are independent given D and C.": "stated before",
    FRAME + LISTING + " A correlates with B. A is independent of C.": 'expected "{first} correlates with {second}."',
    FRAME + LISTING + " A is independent of C. A correlates with B.": 'expected "{first} and {second} are independent',
    FRAME + LISTING + " A is independent of C. However, A correlates with B.": 'expected "{first} correlates',
    FRAME + LISTING + " A correlates with B. However, A correlates with C.": 'expected "{first} and {second} are',
    FRAME + LISTING + " A correlates with B. However,": "expected an independence",
    FRAME + LISTING + " However, A is independent of B.": "'However, A' is not one of",
    FRAME + LISTING + " A correlates with B. A ⊥\u0338 C.": 'expected "{first} correlates with {second}."',
    FRAME + LISTING + " A ⊥\u0338 C. However, A is independent of B.": 'expected "{first} ⊥ {second} | {given}."',
    FRAME + LISTING + " A correlates with B.\r\nA correlates with C.": "expected",
    FRAME + LISTING + " A is related to B.": '"{first} is independent of {second}." or one of 5 other forms',
}


@pytest.mark.parametrize("claim", Claim)
@pytest.mark.parametrize("wording", Wording)
def test_a_claim_that_is_nearly_right_is_told_its_own_form(claim, wording):
    """Its longest word is spelled wrongly."""
    if (form := HYPOTHESES[wording].get(claim)) is None:
        return
    word = max(form.format(first="", second="").split(" "), key=len)
    sentence = form.format(first="A", second="B").replace(word, f"{word[:2]}q{word[2:]}")
    with pytest.raises(ParseError) as caught:
        parse_hypothesis(sentence)
    assert caught.value.problem == f'expected "{form}" or one of 12 other forms'
    assert len(str(caught.value)) < 250


def test_long_nonsense_is_refused_at_once():
    with pytest.raises(ParseError):
        parse_hypothesis("A causes B " * 100_000)


@pytest.mark.parametrize(("text", "problem"), MALFORMED.items())
def test_malformed_premises_are_refused(text, problem):
    with pytest.raises(ParseError) as caught:
        parse_premise(text)
    assert problem in caught.value.problem
    assert "\n" not in str(caught.value)


def test_the_error_names_the_sentence():
    with pytest.raises(ParseError) as caught:
        parse_premise(FRAME + LISTING + " A correlates with B. A resembles C. C correlates with D.")
    assert caught.value.sentence == "A resembles C."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected"),
        ("A directly causes B", "expected"),
        ("A  directly causes B.", "white space"),
        ("A directly causes A.", "'A' is given twice"),
        ("A directly causes B. A directly causes C.", "expected"),
        ("B. A directly causes C.", "'.'"),
        ("A, B directly causes C.", "','"),
        ("There exists at least one collider (i.e., common cause) of A and B.", "expected"),
        ("There exists at least one confounder (i.e., common cause) of A.", "expected"),
        ("A causes B.", "expected"),
    ],
)
def test_malformed_hypotheses_are_refused(text, problem):
    with pytest.raises(ParseError) as caught:
        parse_hypothesis(text)
    assert problem in caught.value.problem


def test_a_hypothesis_speaks_of_the_given_variables_only():
    with pytest.raises(ParseError, match="'C' is not one of the variables A, B"):
        parse_hypothesis("A directly causes C.", ("A", "B"))
    with pytest.raises(ParseError, match="'A' occurs twice"):
        parse_hypothesis("A directly causes A.", ("A", "B"))


fragments = st.lists(
    st.one_of(
        st.sampled_from([*TEMPLATES, FRAME, LISTING, *TEMPLATE_WORDS, *"ABCD", ". ", ", ", ": ", " ", "\n", "|"]),
        st.text(max_size=3),
        st.sampled_from(string.punctuation),
    ),
    max_size=12,
).map("".join)


@given(fragments)
def test_nonsense_raises_nothing_but_a_parse_error_and_sense_is_said_again(text):
    try:
        premise, notation = parse_premise(text)
    except ParseError:
        pass
    else:
        assert parse_premise(verbalise_premise(premise, notation)) == (premise, notation)
    try:
        hypothesis, wording = parse_hypothesis(text)
    except ParseError:
        pass
    else:
        assert verbalise_hypothesis(hypothesis, wording) == text.strip()


@given(premises(max_size=4), st.sampled_from(Notation), st.data())
def test_a_damaged_premise_is_refused_or_read_as_what_it_says(premise, notation, data):
    """One character dropped, doubled or replaced: what is still read must be said with the same characters."""
    text = verbalise_premise(premise, notation)
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + data.draw(st.sampled_from(["", text[place] * 2, "A", ".", " ", "∥"])) + text[place + 1 :]
    try:
        read, noted = parse_premise(damaged)
    except ParseError:
        return
    assert sorted(verbalise_premise(read, noted)) == sorted(damaged.strip())


@pytest.mark.parametrize("nonsense", [" and " * 20_000, "A is independent of " * 20_000 + ".", "A" * 100_000 + "."])
def test_long_nonsense_is_refused_too(nonsense):
    """With backtracking, these would take hours."""
    for text in (nonsense, FRAME + LISTING + " " + nonsense):
        with pytest.raises(ParseError):
            parse_premise(text)
    with pytest.raises(ParseError):
        parse_hypothesis(nonsense)
