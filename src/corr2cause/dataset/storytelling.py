"""Tell the rows of a data set as stories about the world, in a folder beside the originals."""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from corr2cause.dataset.beside import Variant, write_beside
from corr2cause.dataset.casting import cast
from corr2cause.dataset.encoding import encode, encode_each, values_and_codes
from corr2cause.dataset.exporting.hub_card import STORIES_FOLDER
from corr2cause.dataset.generating import Outcome
from corr2cause.dataset.options import StoryOptions, Told
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.rephrasing import put_anew, renamed_columns
from corr2cause.execution import Progress, ignore
from corr2cause.text.facts import Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.stories.telling import Story


def stories(
    source: Dataset,
    options: StoryOptions,
    force: bool = False,
    workers: int = 1,
    progress: Progress = ignore,
) -> Outcome:
    """Write the rows of some splits as stories into `stories_<mode>` and name them in the data card.

    Classes that the mode cannot tell are left out; the counts of both manifests say how many.

    Args:
        source: the data set; rows keep the ids, labels and files' formats of it.
        options: how to tell them, and where.
        force: replace stories that were told with other options or from other data.
        workers: processes to work in, a file of the data set each; the bytes are the same for any number.
        progress: called with the number of rows just dealt with.

    Raises:
        OptionError: there are no such splits, or none of their classes can be told so, or the data set is perturbed.
        FileError: something else stands there, or the data are damaged, or the folder cannot be written, or
            another process is writing into it.
    """
    recorded = {"mode": options.mode.value, "seed": options.seed, "statements": options.statements.value}
    name = f"{STORIES_FOLDER}{options.mode}"
    variant = Variant("stories", name, options.splits, recorded, partial(tell_rows, options=options))
    return write_beside(source, variant, force, workers, progress)


def tell_rows(table: pa.Table, options: StoryOptions) -> pa.Table:
    """Tell every row that the mode can tell.

    Args:
        table: of `ENCODED_SCHEMA`.
        options: how; what a row becomes depends on (seed, mode, statements, its premise) only.

    Returns:
        These rows in the same order; premise, hypothesis, x, y, counterexample and n_statements are put anew.
    """
    texts, _ = values_and_codes(table["premise"])
    premises = [_read(text, options.statements) for text in texts]
    told = [cast(premise, text, options) for premise, text in zip(premises, texts, strict=True)]
    _, codes = values_and_codes(table["premise"])
    table = table.filter(pa.array([told[code] is not None for code in codes.tolist()], pa.bool_()))
    _, premise_of_row = values_and_codes(table["premise"])
    hypothesis_texts, hypothesis_of_row = values_and_codes(table["hypothesis"])
    hypotheses = [parse_hypothesis(text)[0] for text in hypothesis_texts]
    places = [{name: place for place, name in enumerate(premise.names)} for premise in premises]

    def hypothesis(premise: int, number: int) -> str:
        claimed, story = hypotheses[number], told[premise]
        assert story is not None, "rows of other classes were left out"
        return story.tell_hypothesis(claimed.claim, places[premise][claimed.first], places[premise][claimed.second])

    rows = list(zip(premise_of_row.tolist(), hypothesis_of_row.tolist(), strict=True))
    renamings = [_renaming(premise, story) for premise, story in zip(premises, told, strict=True)]
    changed = {
        "premise": encode(
            [story.tell_premise(premise) if story else "" for premise, story in zip(premises, told, strict=True)],
            premise_of_row,
        ),
        "hypothesis": encode_each(hypothesis(*row) for row in rows),
        **renamed_columns(table, [renamings[premise] for premise, _ in rows]),
        "n_statements": pa.array([len(premises[premise].independences) for premise, _ in rows], pa.int64()),
    }
    return put_anew(table, changed)


def _read(text: str, statements: Told) -> Premise:
    premise, _ = parse_premise(text)
    return premise.with_minimal_sets() if statements is Told.MINIMAL else premise


def _renaming(premise: Premise, story: Story | None) -> dict[str, str]:
    return dict(zip(premise.names, story.names, strict=True)) if story else {}
