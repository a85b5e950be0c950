"""Rows as prompts: JSON lines of `id` and `messages`, which `corr2cause ask` reads.

A line has no label, so that no answer can be looked up in it; only a request for a story tells its truth. OpenAI's
batch API wants the same list of messages, one line {"custom_id": id, "method": "POST", "url": "/v1/chat/completions",
"body": {"model": …, "messages": messages}}.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from corr2cause.asking.prompts import Message, Prompt
from corr2cause.dataset.exporting.items import original_of
from corr2cause.dataset.manifest import row_options
from corr2cause.dataset.reading import Dataset, open_dataset, read_split
from corr2cause.dataset.schema import STEPS
from corr2cause.dataset.stepping import add_steps
from corr2cause.errors import OptionError
from corr2cause.graphs.terms import Reading
from corr2cause.streams import permutations, words
from corr2cause.text.prompting import ANSWERS, Example, Style, story_request, turns
from corr2cause.text.stories.reading import is_story

_COLUMNS = ("id", "premise", "hypothesis", "label", "class_id")
_EXAMPLE_COLUMNS = ("premise", "hypothesis", "label", "class_id")
_EXAMPLE_SPLIT = "train"
_FEW = 4
_ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How rows are asked.

    Attributes:
        style: the kind of prompt.
        shots: examples in each prompt; None for 4 with `few-shot` and none with the others.
        seed: of the choice and order of the examples.
        reading: what pc-steps teaches and worked steps follow; None for that of the data.
        examples: the folder whose train split they come from; None for that of the data, or, for perturbed rows, of
            their originals.
        sample: how many rows to ask, spread over the split; None for all.
    """

    style: Style = Style.ZERO_SHOT
    shots: int | None = None
    seed: int = 0
    reading: Reading | None = None
    examples: Path | None = None
    sample: int | None = None

    @property
    def n_shots(self) -> int:
        """Examples in each prompt."""
        return self.shots if self.shots is not None else _FEW if self.style is Style.FEW_SHOT else 0

    def check(self) -> None:
        """Raise OptionError if style and shots do not go together."""
        if self.style in (Style.ZERO_SHOT, Style.STORY) and self.n_shots:
            raise OptionError("--shots", f"{self.style} shows no examples; choose another --style")
        if self.style is Style.FEW_SHOT and not self.n_shots:
            raise OptionError("--shots", "few-shot shows at least one example; zero-shot is a --style of its own")


def make_prompts(data: Path, split: str | None, options: PromptOptions) -> Iterator[Prompt]:
    """Make the prompt of every row.

    The examples are the same in each prompt, so that servers read them once and keep them. As many have label 1 as 0,
    but for one if their number is odd. None of them shares its equivalence class with any of the rows, hence none its
    premise, renamed or not.

    Args:
        data: a folder that `generate`, `sample` or `perturb` wrote, or a file of such rows.
        split: of a folder; `test` by default.
        options: what the prompts are like.

    Raises:
        FileError: there are no such data, or they are damaged.
        RowError: a row cannot be one of ours.
        OptionError: the options do not go together, there are not enough examples, or stories would be told as stories.
    """
    options.check()
    rows = _spread(read_split(data, split, _COLUMNS), options)
    if options.style is Style.STORY and rows.num_rows and is_story(rows["premise"][0].as_py()):
        raise OptionError("--style", f"the rows of {data} are stories already; name the data that they were told from")
    home = _home(data, options) if options.n_shots or options.style is Style.PC_STEPS else None
    reading = options.reading or (row_options(home.folder, home.manifest).reading if home else Reading.DIRECT)
    examples = _examples(home, rows["class_id"], options, reading) if options.n_shots else []
    for batch in rows.to_batches(max_chunksize=_ROWS_AT_ONCE):
        for row in batch.to_pylist():
            if options.style is Style.STORY:
                yield story_prompt(row)
                continue
            said = turns(options.style, row["premise"], row["hypothesis"], examples, reading)
            yield Prompt(row["id"], tuple(Message(role, content) for role, content in said))


def _spread(rows: pa.Table, options: PromptOptions) -> pa.Table:
    """Draw one row of each of as many equal stretches as rows are wanted: no size or class is passed over by chance."""
    wanted, total = options.sample, rows.num_rows
    if wanted is None or wanted >= total:
        return rows
    bounds = np.arange(wanted + 1) * total // wanted
    drawn = words(options.seed, "sample of prompts", rows=range(wanted), columns=1)[:, 0]
    return rows.take(bounds[:-1] + (drawn % np.diff(bounds).astype(np.uint64)).astype(np.int64))


def story_prompt(row: Mapping[str, Any]) -> Prompt:
    """Return the prompt that has a row told as a story; it depends on nothing else."""
    return Prompt(row["id"], (Message("user", story_request(row["premise"], row["hypothesis"], row["label"])),))


def _home(data: Path, options: PromptOptions) -> Dataset | None:
    """Open the data set that examples and the reading come from; there is none for a plain file."""
    if options.examples is None and data.is_file():
        return None
    return original_of(open_dataset(options.examples or data))


def _examples(home: Dataset | None, asked: pa.ChunkedArray, options: PromptOptions, reading: Reading) -> list[Example]:
    if home is None:
        raise OptionError("--examples", "a file has no train split to take examples from; name a folder that has one")
    if _EXAMPLE_SPLIT not in home.splits:
        raise OptionError("--examples", f"{home.folder} has no train split to take examples from; name another folder")
    train = home.read(_EXAMPLE_SPLIT, _EXAMPLE_COLUMNS)
    strangers = pc.invert(pc.is_in(train["class_id"].cast(pa.string()), pc.unique(asked.cast(pa.string()))))
    drawn = train.take(_draw(train["label"].to_numpy(), strangers.to_numpy(), options)).to_pylist()
    chosen = pa.Table.from_pylist(drawn, schema=train.schema)  # without the texts that only other rows have
    if options.style.is_reasoned:
        answers = add_steps(chosen, reading)[STEPS].to_pylist()
    else:
        answers = [ANSWERS[label] for label in chosen["label"].to_pylist()]
    texts = (chosen[column].to_pylist() for column in ("premise", "hypothesis"))
    return [Example(*example) for example in zip(*texts, answers, strict=True)]


def _draw(
    labels: npt.NDArray[np.int64], allowed: npt.NDArray[np.bool_], options: PromptOptions
) -> npt.NDArray[np.int64]:
    """Draw half of the examples among the allowed rows of each label, in an order that tells nothing."""
    if not allowed.any():
        problem = (
            f"examples come from the rows of {_EXAMPLE_SPLIT}, of classes that are not asked, and these prompts ask "
            "about all of them; ask another split, some rows with --sample, or name other data as --examples"
        )
        raise OptionError("--style" if options.style is Style.FEW_SHOT else "--shots", problem)
    more = int(words(options.seed, "odd shot", rows=range(1), columns=1)[0, 0]) % 2  # the label of an odd one
    order = permutations(options.seed, "shots", rows=range(1), length=len(labels))[0]
    drawn = []
    for label in (0, 1):
        wanted = (options.n_shots + (label == more)) // 2
        found = order[(labels[order] == label) & allowed[order]][:wanted]
        if len(found) < wanted:
            raise OptionError(
                "--shots",
                f"of the train rows whose class is not among those asked, {len(found)} have label {label}, "
                f"and {wanted} are wanted; ask for fewer, or name other --examples",
            )
        drawn.append(found)
    both = np.concatenate(drawn)
    shuffled: npt.NDArray[np.int64] = both[
        permutations(options.seed, "order of shots", rows=range(1), length=len(both))[0]
    ]
    return shuffled
