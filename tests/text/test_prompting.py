"""The prompts, against the published wording."""

from corr2cause.text.prompting import ANSWERS, zero_shot


def test_zero_shot_is_the_published_prompt() -> None:
    prompt = zero_shot("Suppose X. A correlates with B.", "A directly causes B.")
    assert prompt == (
        "Question: Suppose X. A correlates with B.\n"
        'Can we deduct the following: A directly causes B? Just answer "Yes" or "No."\n\nAnswer:'
    )


def test_braces_in_names_stay() -> None:
    assert "{A} directly causes B?" in zero_shot("{A} correlates with B.", "{A} directly causes B.")


def test_the_answer_of_a_label_stands_at_its_place() -> None:
    assert (ANSWERS[0], ANSWERS[1]) == ("No", "Yes")
