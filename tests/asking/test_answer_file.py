"""Answers that outlive the process, and are told from those to other questions."""

from __future__ import annotations

import json

import pytest

from corr2cause.asking.answer_file import appended, read_answers
from corr2cause.asking.prompts import Message, Prompt
from corr2cause.asking.replies import Reply
from corr2cause.asking.settings import Sampling
from corr2cause.errors import FileError, RowError

PROMPTS = [Prompt(name, (Message("user", f"{name}?"),)) for name in "abc"]
SAMPLING = Sampling("m", 5, 0.0)
REPLIES = [Reply("Ja,\nä", "stop", None, 3, 4), Reply("", None, "I won't", None, None)]


@pytest.fixture
def path(tmp_path):
    with appended(tmp_path / "answers.jsonl", SAMPLING) as file:
        for prompt, reply in zip(PROMPTS, REPLIES, strict=False):
            file.append(prompt, reply)
    return file.path


def read(path, prompts=PROMPTS, sampling=SAMPLING):
    return list(read_answers(path, prompts, sampling))


def test_what_is_written_is_read(path):
    assert read(path) == [("a", REPLIES[0]), ("b", REPLIES[1])]
    assert read(path.with_name("none")) == []


def test_a_line_holds_all_that_was_asked(path):
    first = json.loads(path.read_text().splitlines()[0])
    assert first == {
        "id": "a",
        "response": "Ja,\nä",
        "outcome": "answered",
        "finish_reason": "stop",
        "refusal": None,
        "prompt_tokens": 3,
        "completion_tokens": 4,
        "request": {"model": "m", "max_tokens": 5, "temperature": 0.0},
        "prompt_sha256": PROMPTS[0].sha256,
    }


def test_an_answer_is_on_disk_when_append_returns(tmp_path):
    with appended(tmp_path / "a", SAMPLING) as file:
        file.append(PROMPTS[0], REPLIES[0])
        assert read(tmp_path / "a") == [("a", REPLIES[0])]


def test_wherever_a_kill_tears_the_last_line_the_rest_is_kept(path):
    whole = path.read_bytes()
    end_of_first = whole.index(b"\n") + 1
    for length in range(end_of_first, len(whole) + 1):
        path.write_bytes(whole[:length])
        n_kept = 2 if length >= len(whole) - 1 else 1  # a line that lacks nothing but its end is whole
        assert len(read(path)) == n_kept
        assert path.read_bytes() == whole[:length], "reading changes nothing"
        with appended(path, SAMPLING) as file:
            file.append(PROMPTS[2], REPLIES[0])
        assert [name for name, _ in read(path)] == [*"ab"[:n_kept], "c"]


def test_a_tail_of_zeros_after_a_power_cut_is_cut_off(path):
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 100)
    assert len(read(path)) == 2
    with appended(path, SAMPLING):
        pass
    assert path.read_bytes() == whole


def test_damage_elsewhere_is_not_mended(path):
    path.write_bytes(b'{"id": "a", \n' + path.read_bytes())
    with pytest.raises(RowError, match="not JSON"):
        read(path)


@pytest.mark.parametrize(
    ("sampling", "said"),
    [
        (Sampling("other", 5, 0.0), "model m instead of other"),
        (Sampling("m", 6, 0.0), "max_tokens 5 instead of 6"),
        (Sampling("m", 5), r"temperature 0\.0 instead of none"),
        (Sampling("m", 5, 0.0, {"seed": 1}), "seed none instead of 1"),
    ],
)
def test_answers_asked_with_other_options(path, sampling, said):
    with pytest.raises(RowError, match=rf"other options \({said}\); choose another --out"):
        read(path, sampling=sampling)


def test_answers_to_other_prompts(path):
    with pytest.raises(RowError, match="'b', which is not among the prompts"):
        read(path, PROMPTS[:1])
    changed = [PROMPTS[0], Prompt("b", (Message("user", "something else?"),))]
    with pytest.raises(RowError, match="another prompt about 'b'"):
        read(path, changed)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": "c", "label": 1}, "no answer of `corr2cause ask`"),
        ({"request": {}, "response": "x"}, "no answer of `corr2cause ask`"),
        ({"response": None}, "holds no text"),
        ({"prompt_tokens": "3"}, "counts tokens"),
        (
            {"id": "a", "prompt_sha256": PROMPTS[0].sha256, "request": SAMPLING.to_json(), "response": ""},
            "'a' was answered in an earlier line",
        ),
    ],
)
def test_lines_that_are_no_answers(path, line, said):
    first, second = map(json.loads, path.read_text().splitlines())
    foreign = line if len(line) > 1 else {**second, **line}
    path.write_text(json.dumps(first) + "\n" + json.dumps(foreign) + "\n")
    with pytest.raises(RowError, match=said) as caught:
        read(path)
    assert caught.value.row == 2


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(FileError, match="folder"), appended(tmp_path, SAMPLING):
        pytest.fail("a folder is no file")
    with pytest.raises(FileError, match="no such"), appended(tmp_path / "no" / "a", SAMPLING):
        pytest.fail("there is no such folder")
