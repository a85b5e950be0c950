"""Rewards: 1 for the right answer, 0 for a wrong or an unreadable one."""

from __future__ import annotations

import pytest

from corr2cause.rewards import compute_score, grpo_reward
from corr2cause.text.prompting import ANSWERS

UNREADABLE = ["", "Yes and No", "I cannot tell", "<think> yes"]


@pytest.mark.parametrize("label", [0, 1])
def test_the_right_answer_alone_is_rewarded(label):
    right, wrong = ANSWERS[label], ANSWERS[1 - label]
    assert grpo_reward([right, wrong, f"{wrong}? No matter. Answer: {right}"], [label] * 3) == [1.0, 0.0, 1.0]
    assert compute_score("corr2cause", right, right) == 1.0
    assert compute_score("corr2cause", wrong, right, {"split": "test"}) == 0.0


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_wrong(label, text):
    assert grpo_reward([text], [label]) == [0.0]
    assert compute_score("corr2cause", text, ANSWERS[label]) == 0.0


def test_of_a_conversation_the_last_message_answers():
    talk = [{"role": "assistant", "content": "No."}, {"role": "assistant", "content": "Yes."}]
    silent = [{"role": "assistant", "content": None}]
    assert grpo_reward([talk, silent, []], [1, 1, 0], prompts=["?"] * 3, template=["parent"] * 3) == [1.0, 0.0, 0.0]


def test_an_unreadable_truth_rewards_nobody():
    for truth in ("maybe", "", None):
        with pytest.raises(ValueError, match="neither yes nor no"):
            compute_score("corr2cause", "maybe", truth)
    with pytest.raises(ValueError, match="neither yes nor no"):
        grpo_reward(["maybe"], [2])


def test_every_completion_needs_a_label():
    with pytest.raises(ValueError, match="shorter"):
        grpo_reward(["Yes", "No"], [1])
