"""Tell the rows of a data set as stories about the world, in a folder beside the originals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from corr2cause.dataset.beside import Variant, write_beside
from corr2cause.dataset.casting import cast
from corr2cause.dataset.encoding import encode, encode_each, values_and_codes
from corr2cause.dataset.generating import Outcome
from corr2cause.dataset.options import StoryOptions, Told
from corr2cause.dataset.reading import Dataset
from corr2cause.dataset.rephrasing import put_anew, renamed_columns
from corr2cause.dataset.variant_folders import STORIES_FOLDER
from corr2cause.execution import Progress, ignore
from corr2cause.text.facts import Hypothesis, Premise
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
    texts, codes = values_and_codes(table["premise"])
    tellings = [_telling(text, options) for text in texts]
    is_told = np.array([telling is not None for telling in tellings], dtype=bool)
    table, codes = table.filter(pa.array(is_told[codes])), codes[is_told[codes]]
    used, place = np.unique(codes, return_inverse=True)
    told = [telling for telling in (tellings[code] for code in used.tolist()) if telling is not None]
    hypothesis_texts, hypothesis_of_row = values_and_codes(table["hypothesis"])
    hypotheses = [parse_hypothesis(text)[0] for text in hypothesis_texts]
    telling_of_row = [told[k] for k in place.tolist()]
    statements = np.array([len(telling.premise.independences) for telling in told], dtype=np.int64)
    changed = {
        "premise": encode([telling.text for telling in told], place),
        "hypothesis": encode_each(
            telling.hypothesis(hypotheses[code])
            for telling, code in zip(telling_of_row, hypothesis_of_row.tolist(), strict=True)
        ),
        **renamed_columns(table, [telling.renaming for telling in telling_of_row]),
        "n_statements": pa.array(statements[place]),
    }
    return put_anew(table, changed)


@dataclass(frozen=True)
class _Telling:
    """A premise as it is told."""

    premise: Premise
    story: Story

    @cached_property
    def text(self) -> str:
        return self.story.tell_premise(self.premise)

    @cached_property
    def renaming(self) -> dict[str, str]:
        return dict(zip(self.premise.names, self.story.names, strict=True))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.premise.names)}

    def hypothesis(self, claimed: Hypothesis) -> str:
        return self.story.tell_hypothesis(claimed.claim, self._places[claimed.first], self._places[claimed.second])


def _telling(text: str, options: StoryOptions) -> _Telling | None:
    premise, _ = parse_premise(text)
    if options.statements is Told.MINIMAL:
        premise = premise.with_minimal_sets()
    story = cast(premise, text, options)
    return _Telling(premise, story) if story else None
