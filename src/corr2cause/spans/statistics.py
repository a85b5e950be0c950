"""What a corpus consists of, in counts; labels are counted as they are meant, after repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from corr2cause.spans.aligning import align
from corr2cause.spans.cues import LISTS, markers
from corr2cause.spans.labels import repair_labels
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.sentences import sentence_stretches

BLANK = "blank"
"""What a missing label is counted as."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many words texts have, where white space cuts."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(frozen=True)
class CorpusStatistics:
    """The counts of a corpus.

    Attributes:
        rows: all of them.
        causal_rows: those that state a cause.
        rows_with_pairs: those with at least one whole pair; `single_pair_rows` have one, `multi_pair_rows` more.
        pairs: whole pairs; `half_pairs` lack one side.
        labelled_pairs: those with a causality.
        repaired_labels: labels that were counted as what they are meant to be.
        pairs_per_row: rows with that many pairs.
        labels: pairs by causality and sententiality.
        sentences_per_row: rows with that many sentences.
        words: of rows, causes and effects.
        alignment: causes and effects by how they are found in the text; of `verbatim_pairs` both stand there word for
            word, in any letter case.
        markers: by list, how often each marker occurs in the rows.
        marked_pairs: by list, pairs by causality and by whether the row holds any marker of the list.
    """

    rows: int
    causal_rows: int
    rows_with_pairs: int
    single_pair_rows: int
    multi_pair_rows: int
    pairs: int
    half_pairs: int
    labelled_pairs: int
    repaired_labels: int
    verbatim_pairs: int
    pairs_per_row: Mapping[int, int]
    labels: Mapping[tuple[str, str], int]
    sentences_per_row: Mapping[int, int]
    words: Mapping[str, Lengths]
    alignment: Mapping[tuple[str, str], int]
    markers: Mapping[str, Mapping[str, int]]
    marked_pairs: Mapping[tuple[str, str, bool], int]

    def by_causality(self) -> dict[str, int]:
        """Count pairs by causality alone."""
        return _summed(self.labels, 0)

    def by_sententiality(self) -> dict[str, int]:
        """Count pairs by sententiality alone."""
        return _summed(self.labels, 1)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        plain = ("rows", "causal_rows", "rows_with_pairs", "single_pair_rows", "multi_pair_rows", "pairs", "half_pairs")
        return {
            **{key: getattr(self, key) for key in (*plain, "labelled_pairs", "repaired_labels", "verbatim_pairs")},
            "pairs_per_row": {str(size): number for size, number in self.pairs_per_row.items()},
            "causality": self.by_causality(),
            "sententiality": self.by_sententiality(),
            "labels": [
                {"causality": causality, "sententiality": sententiality, "pairs": number}
                for (causality, sententiality), number in self.labels.items()
            ],
            "sentences_per_row": {str(size): number for size, number in self.sentences_per_row.items()},
            "words": {
                what: {"mean": round(of.mean, 4), "median": of.median, "min": of.least, "max": of.most}
                for what, of in self.words.items()
            },
            "alignment": [
                {"side": side, "status": status, "spans": number} for (side, status), number in self.alignment.items()
            ],
            "markers": {name: dict(counts) for name, counts in self.markers.items()},
            "marked_pairs": [
                {"list": name, "causality": causality, "has_marker": has, "pairs": number}
                for (name, causality, has), number in self.marked_pairs.items()
            ],
        }


def corpus_statistics(rows: Iterable[Row], progress: Callable[[int], object] = int) -> CorpusStatistics:
    """Count a corpus.

    Args:
        rows: of any format.
        progress: called with the number of rows that were counted since the last call.
    """
    repaired, repairs = repair_labels(rows)
    whole = {place: [pair for pair in row.pairs if pair.is_whole] for place, row in enumerate(repaired)}
    pairs = [pair for found in whole.values() for pair in found]
    sizes = Counter(len(found) for found in whole.values() if found)
    sentences: Counter[int] = Counter()
    n_verbatim = 0
    alignment: Counter[tuple[str, str]] = Counter()
    used: dict[str, Counter[str]] = {name: Counter() for name in LISTS}
    marked: Counter[tuple[str, str, bool]] = Counter()
    for place, row in enumerate(repaired):
        sentences[len(sentence_stretches(row.sentence))] += 1
        for name in LISTS:
            found = markers(row.sentence, name)
            used[name].update(" ".join(one.words.lower().split()) for one in found)
            marked.update((name, pair.causality or BLANK, bool(found)) for pair in whole[place])
        for pair in whole[place]:
            cause, effect = align(pair.cause, row.sentence), align(pair.effect, row.sentence)
            alignment["cause", str(cause.status)] += 1
            alignment["effect", str(effect.status)] += 1
            n_verbatim += cause.is_verbatim and effect.is_verbatim
        progress(1)
    return CorpusStatistics(
        rows=len(repaired),
        causal_rows=sum(row.is_causal for row in repaired),
        rows_with_pairs=sizes.total(),
        single_pair_rows=sizes[1],
        multi_pair_rows=sizes.total() - sizes[1],
        pairs=len(pairs),
        half_pairs=sum(_is_half(pair) for row in repaired for pair in row.pairs),
        labelled_pairs=sum(bool(pair.causality.strip()) for pair in pairs),
        repaired_labels=sum(repair.repaired is not None for repair in repairs),
        verbatim_pairs=n_verbatim,
        pairs_per_row=_sorted(sizes),
        labels=_sorted(Counter((pair.causality or BLANK, pair.sententiality or BLANK) for pair in pairs)),
        sentences_per_row=_sorted(sentences),
        words={
            what: _lengths(texts)
            for what, texts in (
                ("row", [row.sentence for row in repaired]),
                ("cause", [pair.cause for pair in pairs]),
                ("effect", [pair.effect for pair in pairs]),
            )
            if texts
        },
        alignment=_sorted(alignment),
        markers={
            name: dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))) for name, counts in used.items()
        },
        marked_pairs=_sorted(marked),
    )


def _is_half(pair: Pair) -> bool:
    return bool(pair.cause.strip()) != bool(pair.effect.strip())


def _lengths(texts: Sequence[str]) -> Lengths:
    numbers = [len(text.split()) for text in texts]
    return Lengths(fmean(numbers), median(numbers), min(numbers), max(numbers))


def _summed(labels: Mapping[tuple[str, str], int], which: int) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for names, number in labels.items():
        counts[names[which]] += number
    return dict(sorted(counts.items()))


def _sorted(counts: Counter[Any]) -> dict[Any, int]:
    return {key: counts[key] for key in sorted(counts)}
