"""Files of prompts."""

from __future__ import annotations

import json

import pytest

from corr2cause.asking.prompts import Message, Prompt, read_prompts
from corr2cause.errors import FileError, RowError

GOOD = {"id": "a", "messages": [{"role": "user", "content": "Is it so?"}]}


def written(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_what_is_written_is_read(tmp_path):
    prompts = (Prompt("ä", (Message("user", "é?"), Message("assistant", "No"))), Prompt("b", (Message("user", "x"),)))
    assert read_prompts(written(tmp_path / "p", *(prompt.to_json() for prompt in prompts))) == prompts


def test_further_keys_are_passed_over(tmp_path):
    (prompt,) = read_prompts(written(tmp_path / "p", {**GOOD, "label": 1}))
    assert prompt.to_json() == GOOD


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": "b"}, "expected `messages`"),
        ({**GOOD, "id": 7}, "expected a text as `id`"),
        ({**GOOD, "id": ""}, "expected a text as `id`"),
        ({"id": "b", "messages": []}, "expected `messages`"),
        ({"id": "b", "messages": "text"}, "expected `messages`"),
        ({"id": "b", "messages": [{"role": "user"}]}, "expected a text as `content`"),
        ({"id": "b", "messages": [{"role": "user", "content": "\ud800"}]}, "surrogate"),
        (GOOD, "the id 'a' stood in an earlier line"),
    ],
)
def test_a_line_that_is_no_prompt_is_named(tmp_path, line, said):
    with pytest.raises(RowError, match=said) as caught:
        read_prompts(written(tmp_path / "p", GOOD, line))
    assert caught.value.row == 2


def test_no_prompt_at_all(tmp_path):
    with pytest.raises(FileError, match="no prompt in it"):
        read_prompts(written(tmp_path / "p"))


def test_another_prompt_has_another_hash_and_its_name_does_not_matter():
    one = Prompt("a", (Message("user", "x"),))
    assert one.sha256 == Prompt("b", (Message("user", "x"),)).sha256
    assert one.sha256 != Prompt("a", (Message("system", "x"),)).sha256
    assert one.sha256 != Prompt("a", (Message("user", "y"),)).sha256


def test_tokens_are_estimated_from_characters():
    assert Prompt("a", (Message("user", "x" * 400), Message("assistant", "y"))).n_tokens == 100 + 4 + 1 + 4
