"""From prompts through a server to stories that a model wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call
from tests.dataset.folders import data_folder
from tests.servers import completion, running_server

PHRASES = {name: f"quantity {name.lower()}" for name in "ABCD"}


@pytest.fixture
def folder(tmp_path):
    return data_folder(tmp_path / "data", GenerationOptions(n=4))


def story_of(prompt: str) -> str:
    """Write what an obedient model would."""
    rule = prompt.split("rule: ")[1]
    claimed = rule.split("Hypothesis: ")[1].split(" Relation")[0]
    listed = rule.split("variables, ")[1].split(".")[0].replace(" and ", ", ").split(", ")
    told = ", ".join(f"{PHRASES[name]} ({name})" for name in listed)
    claimed = re.sub(r"\b[A-D]\b", lambda name: PHRASES[name[0]], claimed)
    return (
        f"Premise: There are {told}.\nHypothesis: {claimed}\n"
        f"Relation between the promise and hypothesis: {rule.split('hypothesis: ')[1].split(' Please')[0]}"
    )


def asked(folder: Path, tmp_path: Path, behaviour) -> Path:
    """Make prompts, ask a server, return the file of answers."""
    call("prompts", folder, "--style", "story", "--split", "dev", "--out", tmp_path / "p.jsonl")
    with running_server(behaviour) as server:
        out = tmp_path / "p.answers.jsonl"
        done = call("ask", tmp_path / "p.jsonl", "--model", "bard-1", "--base-url", server.url, "--out", out, "--quiet")
    assert done.returncode == 0, done
    return out


def test_a_story_is_kept_beside_its_row(folder, tmp_path):
    answers = asked(folder, tmp_path, lambda prompt, attempt: completion(story_of(prompt)))
    done = call("collect-stories", answers, "--data", folder, "--json")
    found = json.loads(done.stdout)
    rows = {row["id"]: row for row in map(json.loads, (folder / "dev.jsonl").open())}
    assert (found["answers"], found["stories"], found["refused"]) == (len(rows), len(rows), [])
    lines = [json.loads(line) for line in (tmp_path / "p.stories.jsonl").open()]
    assert {line["id"] for line in lines} == set(rows)
    for line in lines:
        assert "label" not in line
        assert (line["model"], line["request"]) == ("bard-1", {"model": "bard-1"})
        assert line["prompt"].startswith("Here is a causal inference rule: Premise: Suppose there is")
        row = rows[line["id"]]
        assert line["symbolic"] == {name: row[name] for name in line["symbolic"]}
        assert line["symbolic"]["label"] == row["label"]
        names = {"A", "B", "C", "D"} if row["num_variables"] == 4 else set(line["variables"])
        assert line["variables"] == {name: PHRASES[name] for name in names}
    assert done.stderr.endswith("written.\n")
    again = call("collect-stories", answers, "--data", folder)
    assert again.stderr.endswith("nothing to do.\n")
    assert "tokens per hypothesis" in again.stdout


def test_the_table_counts_tokens_by_definition(folder, tmp_path):
    answers = asked(folder, tmp_path, lambda prompt, attempt: completion(story_of(prompt)))
    found = json.loads(call("collect-stories", answers, "--data", folder, "--json").stdout)
    lines = [json.loads(line) for line in (tmp_path / "p.stories.jsonl").open()]

    def tokens(text: str) -> list[str]:
        for mark in ".,:()":
            text = text.replace(mark, f" {mark} ")
        return text.split()

    words = set()
    for part in ("premise", "hypothesis", "explanation"):
        assert found[f"tokens_per_{part}"] == pytest.approx(sum(len(tokens(line[part])) for line in lines) / len(lines))
        words |= {token for line in lines for token in tokens(line[part])}
    assert found["vocabulary"] == len(words)


def test_what_is_no_story_is_counted_by_its_reason(folder, tmp_path):
    def behaviour(prompt, attempt):
        if "directly causes" in prompt:
            return completion("I would rather not.")
        if "collider" in prompt:
            return completion(story_of(prompt).replace("(A)", ""))
        if "confounder" in prompt:
            return completion(story_of(prompt)[:-30], "length")
        return completion(story_of(prompt))

    answers = asked(folder, tmp_path, behaviour)
    done = call("collect-stories", answers, "--data", folder)
    rows = [json.loads(line) for line in (folder / "dev.jsonl").open()]
    n = {kind: sum(kind in row["hypothesis"] for row in rows) for kind in ("directly", "collider", "confounder")}
    counted = {line.rsplit(None, 1)[0]: int(line.rsplit(None, 1)[1]) for line in done.stdout.splitlines()[-3:]}
    assert counted == {
        "a part is missing, repeated or empty": n["directly"],
        "a variable is bound to no phrase": n["collider"],
        "it was cut short, empty, refused or filtered": n["confounder"],
    }
    assert len((tmp_path / "p.stories.jsonl").read_text().splitlines()) == len(rows) - sum(n.values())


def test_answers_to_something_else_are_refused(folder, tmp_path):
    answers = asked(folder, tmp_path, lambda prompt, attempt: completion(story_of(prompt)))
    lines = answers.read_text().splitlines()
    asked_otherwise = json.loads(lines[0]) | {"prompt_sha256": json.loads(lines[1])["prompt_sha256"]}
    answers.write_text(f"{lines[2]}\n{json.dumps(asked_otherwise)}\n")
    assert ":2: " in refused(answers, folder)
    assert "was not asked for the story of this row" in refused(answers, folder)
    answers.write_text('{"id": "n9"}\n')
    assert ":1: this is no answer" in refused(answers, folder)
    answers.write_text(lines[0].replace('"id": "n', '"id": "m') + "\n")
    assert "is not in the data" in refused(answers, folder)
    answers.write_text(lines[0].replace("bard-1", "bard-2").replace('"model"', '"modle"') + "\n")
    assert "does not say which model" in refused(answers, folder)
    assert not list(tmp_path.glob("*.stories.jsonl"))


def refused(answers: Path, folder: Path) -> str:
    done = call("collect-stories", answers, "--data", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_stories_show_no_examples(folder):
    done = call("prompts", folder, "--style", "story", "--shots", "2")
    assert (done.returncode, done.stderr) == (2, "Error: --shots: story shows no examples; choose another --style\n")


def test_stories_are_not_told_as_stories(folder, tmp_path):
    assert call("stories", folder, "--mode", "nonce", "--quiet").returncode == 0
    for data in (folder / "stories_nonce", folder / "stories_nonce/dev.jsonl"):
        done = call("prompts", data, "--style", "story", "--out", tmp_path / "p.jsonl")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "are stories already; name the data that they were told from" in done.stderr
    assert not (tmp_path / "p.jsonl").exists()


def test_answers_and_data_are_never_written_over(folder, tmp_path):
    answers = asked(folder, tmp_path, lambda prompt, attempt: completion(story_of(prompt)))
    (tmp_path / "link.jsonl").symlink_to(answers)
    before = answers.read_bytes(), (folder / "dev.jsonl").read_bytes()
    for data, out in (
        (folder, answers),
        (folder, tmp_path / "link.jsonl"),
        (folder / "dev.jsonl", folder / "dev.jsonl"),
    ):
        done = call("collect-stories", answers, "--data", data, "--out", out, "--force")
        assert (done.returncode, done.stderr) == (
            2,
            f"Error: OUT: {out} would replace what is read; choose another name\n",
        )
    assert (answers.read_bytes(), (folder / "dev.jsonl").read_bytes()) == before
