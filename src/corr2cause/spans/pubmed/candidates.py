"""Abstracts -> candidate rows: cut into sentences, joined, filtered; every stage is counted."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from corr2cause.spans.pubmed.records import Abstract
from corr2cause.spans.pubmed.windows import Windows
from corr2cause.spans.sentences import Stretch, sentence_stretches
from corr2cause.spans.words import normalised

_DIGIT = re.compile(r"\d")

STAGES = (
    "files",
    "records",
    "repeated_records",
    "records_without_abstract",
    "abstracts",
    "sentences",
    "sentences_with_digit",
    "sentences_with_non_ascii",
    "sentences_with_both",
    "sentences_in_no_row",
    "rows",
    "rows_with_digit",
    "rows_with_non_ascii",
    "rows_with_both",
    "rows_kept",
    "duplicates",
    "candidates",
    "sampled",
)
"""What is counted, in the order of the work. A thing with a digit and a character outside ASCII is in all three."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is dropped.

    Attributes:
        digits: what holds a digit.
        non_ascii: what holds a character outside ASCII.
        unit: whether a `row` goes as a whole, or a `sentence` before rows are joined of its neighbours.
        duplicates: a row whose text, but for case, white space and outer punctuation, came before.
    """

    digits: bool = True
    non_ascii: bool = True
    unit: Literal["row", "sentence"] = "row"
    duplicates: bool = True


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that waits for annotation.

    Attributes:
        text: its sentences, with a blank between them.
        pmid: the abstract that it was taken from.
        sentences: which of its sentences, counted from 0.
        place: where they stand in the text of the abstract, in characters.
    """

    text: str
    pmid: str
    sentences: range
    place: Stretch

    @property
    def origin(self) -> dict[str, str | int]:
        """Where the row comes from, as files say it."""
        first, last = self.sentences[0], self.sentences[-1]
        return {
            "source": self.pmid,
            "first_sentence": first,
            "last_sentence": last,
            "start": self.place[0],
            "end": self.place[1],
        }


class Candidates:
    """The rows of a stream of abstracts.

    Attributes:
        counts: how often each of the `STAGES` occurred so far.
        duplicates: the rows that were dropped because their text came before, each with the row it repeats.
    """

    def __init__(self, windows: Windows, filters: Filters) -> None:
        self._windows, self._filters = windows, filters
        self.counts: Counter[str] = Counter()
        self.duplicates: list[tuple[Candidate, dict[str, str | int]]] = []
        self._pmids: set[str] = set()
        self._seen: dict[bytes, dict[str, str | int]] = {}

    def rows(self, abstracts: Iterable[Abstract]) -> Iterator[Candidate]:
        """Yield the rows that pass, in the order of the abstracts."""
        for abstract in abstracts:
            if self._is_new(abstract):
                for row in self._cut(abstract):
                    if self._passes(row):
                        yield row

    def _is_new(self, abstract: Abstract) -> bool:
        self.counts["records"] += 1
        if abstract.pmid and abstract.pmid in self._pmids:
            self.counts["repeated_records"] += 1
            return False
        self._pmids.add(abstract.pmid)
        if not abstract.text:
            self.counts["records_without_abstract"] += 1
            return False
        self.counts["abstracts"] += 1
        return True

    def _cut(self, abstract: Abstract) -> Iterator[Candidate]:
        text = abstract.text
        stretches = sentence_stretches(text)
        self.counts["sentences"] += len(stretches)
        covered = 0
        for run in self._runs(text, stretches):
            end = run.start
            for window in self._windows.cut(len(run)):
                chosen = range(run.start + window.start, run.start + window.stop)
                place = stretches[chosen[0]][0], stretches[chosen[-1]][1]
                covered += chosen.stop - max(end, chosen.start)
                end = chosen.stop
                yield Candidate(" ".join([text[slice(*stretches[k])] for k in chosen]), abstract.pmid, chosen, place)
        self.counts["sentences_in_no_row"] += len(stretches) - covered

    def _runs(self, text: str, stretches: list[Stretch]) -> Iterator[range]:
        """Yield the runs of successive sentences that rows may be joined of."""
        if self._filters.unit == "row":
            yield range(len(stretches))
            return
        passes = [self._is_clean(text[slice(*stretch)], "sentences") for stretch in stretches]
        for is_clean, members in groupby(range(len(stretches)), passes.__getitem__):
            run = list(members)
            if is_clean:
                yield range(run[0], run[-1] + 1)

    def _passes(self, row: Candidate) -> bool:
        self.counts["rows"] += 1
        if self._filters.unit == "row" and not self._is_clean(row.text, "rows"):
            return False
        self.counts["rows_kept"] += 1
        key = hashlib.blake2b(normalised(row.text).encode(), digest_size=16).digest()
        before = self._seen.setdefault(key, row.origin)
        if before != row.origin:
            self.counts["duplicates"] += 1
            self.duplicates.append((row, before))
            if self._filters.duplicates:
                return False
        self.counts["candidates"] += 1
        return True

    def _is_clean(self, text: str, unit: str) -> bool:
        has_digit = self._filters.digits and _DIGIT.search(text) is not None
        is_foreign = self._filters.non_ascii and not text.isascii()
        self.counts[f"{unit}_with_digit"] += has_digit
        self.counts[f"{unit}_with_non_ascii"] += is_foreign
        self.counts[f"{unit}_with_both"] += has_digit and is_foreign
        return not (has_digit or is_foreign)
