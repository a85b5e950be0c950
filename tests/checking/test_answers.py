"""What a model wrote, as yes, no, or neither."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.answers import Answer, read_answer

YES = [
    "Yes",
    "yes.",
    " YES!\n",
    "Answer: Yes",
    "**Yes**",
    "_Yes_",
    '"Yes."',
    "- Yes",
    "1",
    "1.0",
    "true",
    "True.",
    "Entailment",
    "entailed",
    "Relation: entailment.",
    "answer: 1",
    "Therefore: Yes.",
    "The answer is yes.",
    "The answer is therefore yes",
    "The correct answer would be yes.",
    "The answer to the question is **yes**.",
    "In conclusion, yes",
    "Yes, since there is no path",
    "Yes\n\nbecause no other graph fits",
    "No graph fails. So, yes.",
    "A is a cause.\n\n### Answer\n\nYes",
    "Answer:\n\nLet us see. Yes, it does",
    "Answer: No. Wait. Final answer: **Yes**",
    "No. But then A would be a collider. Hence: yes",
    "<think>No?\nno.</think>Yes",
    "so no.</think>\n\nYes",
    r"It follows that \boxed{Yes}",
    r"$\boxed{\text{Yes}}$",
    "No.\n<answer>Yes</answer>",
    '{"answer": "Yes"}',
    'Question: so? Just answer "Yes" or "No."\n\nAnswer: Yes',
    "Yes yes",
    "Answer:\r\nYes\r\n",
]
NO = [
    "No",
    "no.",
    "0",
    "0.0",
    "False.",
    "neutral",
    "Contradiction",
    "not_entailment",
    "Non-entailment",
    "not entailed",
    "Answer: no",
    "No, B does not cause A.",
    "No\nB does not cause A",
    "No because of the v-structure",
    "No it does not",
    "no - it does not",
    "Yes at first. The answer is no.",
    "Thus no.",
    "A. Answer: No. It is not true.",
    "Answer: No. No graph has it.",
    "The answer is clearly no",
    "Label: 0",
    "Is B a cause? Hence no",
    "Therefore: neutral",
    "<answer>\nNo\n</answer>",
    'Question: so? Just answer "Yes" or "No."\n\nAnswer: No',
]
UNREADABLE = [
    None,
    "",
    " \n\t",
    "nan",
    "Yes and No",
    "No and yes",
    "yes or no",
    "Yes/No",
    "Yes, no.",
    "No. Yes.",
    "No yes",
    "neither yes nor no",
    "Answer: Yes\nNo",
    "Answer: Yes and No",
    "I cannot answer that.",
    "I'm sorry, but I can't help with this.",
    "As a language model I do not know.",
    "No one can tell.",
    "No graph of the class has this edge",
    "no longer",
    "not yes",
    "The answer is not yes",
    "The answer is no longer clear",
    "Yes. The answer is unclear.",
    "Answer:",
    'Question: so? Just answer "Yes" or "No."\n\nAnswer:',
    "<think>yes",
    "<think>Answer: yes. But",
    "2",
    "0.5",
    "10",
    "Answer: 1. First, we look at A.",
    "1\n2",
    "True and false",
    "True. False.",
    "False. Yes.",
    "entailment or neutral",
    "It is true that A correlates with B",
    "true causes are hard to find",
    "The relation is not entailment",
    "yesterday",
    "Noah",
    "maybe",
]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *((text, Answer.YES) for text in YES),
        *((text, Answer.NO) for text in NO),
        *((text, Answer.UNREADABLE) for text in UNREADABLE),
    ],
)
def test_reading(text: str | None, meant: Answer) -> None:
    assert read_answer(text) is meant


TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["yes", "no", "not", "answer:", "Answer is", "so", "therefore", "graph", ",", ".", "\n", "*", "-", "1"]
    )
    | st.text(alphabet="yesno :.\n*-", max_size=4),
    max_size=12,
).map(" ".join)
WORDS = st.sampled_from(
    [("yes", Answer.YES), ("no", Answer.NO), ("true", Answer.YES), ("False", Answer.NO), ("neutral", Answer.NO)]
)


@settings(deadline=None)
@given(TEXTS)
def test_any_text_has_one_reading_whatever_its_case_and_edges(text: str) -> None:
    found = read_answer(text)
    assert found in Answer
    assert read_answer(f"\n **{text}** ") is found
    if text.isascii():
        assert read_answer(text.upper()) is found


@settings(deadline=None)
@given(TEXTS, WORDS, st.sampled_from(["Answer: {}", "Therefore: {}.", "The answer is {}.", "So, **{}**"]))
def test_the_last_statement_decides(before: str, word: tuple[str, Answer], form: str) -> None:
    said, meant = word
    assert read_answer(f"{before}\n{form.format(said)}") is meant


@settings(deadline=None)
@given(TEXTS, st.permutations(["Yes", "No"]), st.sampled_from([" and ", ". ", "\n", "/", ", "]))
def test_both_words_decide_nothing(before: str, words: list[str], between: str) -> None:
    assert read_answer(f"{before}\nAnswer: {between.join(words)}") is Answer.UNREADABLE
    assert read_answer(between.join(words)) is Answer.UNREADABLE


@settings(deadline=None)
@given(st.text(alphabet="abcdfghijklmpqruvwxz .,;\n", max_size=80))
def test_without_a_word_of_answer_nothing_is_said(text: str) -> None:
    assert read_answer(text) is Answer.UNREADABLE


def test_labels_and_answers_have_the_same_numbers() -> None:
    assert (int(Answer.NO), int(Answer.YES)) == (0, 1)
