"""Stories that a model wrote: read from its answers, each kept beside the symbolic item that proves its label."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import Outcome
from corr2cause.checking.tokens import count_tokens
from corr2cause.dataset.exporting.prompts import story_prompt
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.row_files import read_rows
from corr2cause.errors import RowError
from corr2cause.files import read_jsonl
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.stories.answers import StoryError, WrittenStory, parse_written_story

_NOT_WHOLE = "it was cut short, empty, refused or filtered"

_COLUMNS = (
    *("id", "premise", "hypothesis", "label", "nli_label", "relation", "x", "y"),
    *("class_id", "class_size", "holds_in", "counterexample"),
)


@dataclass(frozen=True, slots=True)
class KeptStory:
    """A story that was accepted.

    Attributes:
        story: what the model wrote.
        symbolic: the row that it was asked to tell, label included.
        request: model and options, as they were sent.
        prompt: what was asked.
    """

    story: WrittenStory
    symbolic: Mapping[str, Any]
    request: Mapping[str, Any]
    prompt: Prompt

    def to_json(self) -> dict[str, Any]:
        """Return the line of a file of stories. The label stands in `symbolic` only: the model's words have none."""
        return {
            "id": self.prompt.id,
            "model": self.request["model"],
            "request": dict(self.request),
            "prompt": self.prompt.messages[0].content,
            "variables": dict(self.story.phrases),
            "premise": self.story.premise,
            "hypothesis": self.story.hypothesis,
            "explanation": self.story.explanation,
            "symbolic": dict(self.symbolic),
        }


@dataclass(frozen=True, slots=True)
class RefusedStory:
    """An answer that is no story: the id of its row, why in general, and what it is in this one."""

    id: str
    reason: str
    problem: str


@dataclass(frozen=True, slots=True)
class StoryStatistics:
    """The table of the paper's appendix B: stories, mean tokens of each part, distinct words of all (case counts)."""

    stories: int
    tokens_per_premise: float
    tokens_per_hypothesis: float
    tokens_per_explanation: float
    vocabulary: int


@dataclass(frozen=True, slots=True)
class Collection:
    """All answers of a file: the stories that were accepted and those that were not."""

    kept: tuple[KeptStory, ...]
    refused: tuple[RefusedStory, ...]

    @property
    def statistics(self) -> StoryStatistics:
        """What the accepted stories are like."""
        parts = [[getattr(kept.story, part) for kept in self.kept] for part in ("premise", "hypothesis", "explanation")]
        counted = [count_tokens(texts) for texts in parts]
        premise, hypothesis, explanation = (float(one.lengths.mean()) if len(one) else 0.0 for one in counted)
        words = set[str]().union(*(one.vocabulary(np.ones(len(one), dtype=np.int64)) for one in counted))
        return StoryStatistics(len(self.kept), premise, hypothesis, explanation, len(words))

    @property
    def reasons(self) -> Counter[str]:
        """How many answers were refused for each reason, the most frequent first."""
        return Counter(dict(Counter(one.reason for one in self.refused).most_common()))

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file of stories."""
        return (f"{json.dumps(kept.to_json(), ensure_ascii=False)}\n" for kept in self.kept)


def collect_stories(
    answers: str | Path, data: str | Path, progress: Callable[[int], object] = lambda lines: None
) -> Collection:
    """Read the answers of a model to the prompts of `corr2cause prompts --style story`.

    Args:
        answers: the file that `corr2cause ask` wrote.
        data: the data folder, or the file of rows, that the prompts were made from.
        progress: called with the number of answers just read.

    Raises:
        FileError: a file cannot be read.
        RowError: a line is no answer to the request for a story about one of these rows.
    """
    lines = list(read_jsonl(answers))
    rows = _rows(data, {str(line.get("id")) for _, line in lines})
    kept: list[KeptStory] = []
    refused: list[RefusedStory] = []
    for number, line in lines:
        row = rows.get(str(line.get("id")))
        try:
            found = _judge(line, row)
        except ValueError as error:
            raise RowError(str(answers), number, str(error)) from error
        if isinstance(found, KeptStory):
            kept.append(found)
        else:
            refused.append(found)
        progress(1)
    return Collection(tuple(kept), tuple(refused))


def _rows(data: str | Path, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """Read the rows of these ids, whatever their split."""
    if Path(data).is_file():
        tables = [read_rows(data).select(_COLUMNS)]
    else:
        dataset = open_dataset(data)
        tables = [dataset.read(split, _COLUMNS) for split in dataset.splits]
    found = {}
    for table in tables:
        chosen = np.flatnonzero([name in wanted for name in table["id"].to_pylist()])
        found.update({row["id"]: row for row in table.take(chosen).to_pylist()})
    return found


def _judge(line: Mapping[str, Any], row: Mapping[str, Any] | None) -> KeptStory | RefusedStory:
    """Accept an answer or say why not; ValueError if the line is none to this row."""
    name, request, text = line.get("id"), line.get("request"), line.get("response")
    if not isinstance(name, str) or not isinstance(request, dict) or not isinstance(text, str):
        raise ValueError("this is no answer of `corr2cause ask`; name the file that it wrote")
    if "model" not in request:
        raise ValueError("this answer does not say which model wrote it; name the file that `corr2cause ask` wrote")
    if row is None:
        raise ValueError(f"the id {name!r} is not in the data; name those that the prompts were made from")
    prompt = story_prompt(row)
    if line.get("prompt_sha256") != prompt.sha256:
        problem = "make prompts with `corr2cause prompts --style story`, and name the data that they were made from"
        raise ValueError(f"{name!r} was not asked for the story of this row; {problem}")
    if line.get("outcome") != Outcome.ANSWERED:
        return RefusedStory(name, _NOT_WHOLE, f"the answer is {line.get('outcome')}")
    names, claim = parse_premise(row["premise"])[0].names, parse_hypothesis(row["hypothesis"])[0]
    try:
        story = parse_written_story(text, names, claim)
    except StoryError as error:
        return RefusedStory(name, error.fault, error.problem)
    return KeptStory(story, row, request, prompt)
