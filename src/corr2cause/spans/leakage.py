"""What several files share: ids, and texts that are the same, nearly so, or alike but for case and punctuation.

Near duplicates are found exactly, not by sampled hashes: two texts whose shingles (runs of three words) have a Jaccard
similarity of at least t must share one of the rarest few shingles of each (prefix filtering; Chaudhuri et al. 2006,
Bayardo et al. 2007), so that only those are indexed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from corr2cause.errors import OptionError
from corr2cause.spans.rows import Row
from corr2cause.spans.words import normalised, words

Kind = Literal["exact", "normalised", "near"]
KINDS: tuple[Kind, ...] = ("exact", "normalised", "near")

_SHINGLE = 3  # words
_TINY = 1e-9  # so that rounding never raises a threshold


@dataclass(frozen=True, slots=True)
class Twin:
    """Two rows with the same text, or nearly.

    Attributes:
        first: the file of the first row, by its place among the files, and the row's place in it, from 0.
        second: of the second row, later in the files.
        kind: `exact`, `normalised` (the same but for case, white space and outer punctuation) or `near`.
        similarity: Jaccard similarity of their shingles; 1 unless they are near.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    kind: Kind
    similarity: float


def twins(
    files: Sequence[Sequence[Row]], threshold: float = 0.8, progress: Callable[[int], object] = int
) -> Iterator[Twin]:
    """Yield the pairs of rows with the same or nearly the same text, within files and across them.

    Of the copies of a text in one file only the first stands for it in pairs with later rows, so that k copies give
    k - 1 pairs; that with the very same text if there is one.

    Args:
        files: the rows of each.
        threshold: the least Jaccard similarity of near texts, above 0.
        progress: called with the number of rows that were compared since the last call.

    Raises:
        OptionError: the threshold is not within 0 and 1.
    """
    if not 0 < threshold <= 1:
        raise OptionError("--threshold", f"{threshold} is out of range; give more than 0 and at most 1")
    places = [(file, row) for file, rows in enumerate(files) for row in range(len(rows))]
    texts = [row.sentence for rows in files for row in rows]
    forms = [normalised(text) for text in texts]
    shingles = _numbered([_shingles(text) for text in texts])
    index: dict[int, list[int]] = defaultdict(list)
    copies: dict[str, dict[tuple[int, str], int]] = defaultdict(dict)
    for place, numbers in enumerate(shingles):
        file, text = places[place][0], texts[place]
        before = copies[forms[place]]
        for other in _one_of_each_file(before, text):
            kind: Kind = "exact" if texts[other] == text else "normalised"
            yield Twin(places[other], places[place], kind, 1.0)
        if file not in {number for number, _ in before}:
            for other, similarity in _near(place, shingles, index, threshold):
                if forms[other] != forms[place]:
                    yield Twin(places[other], places[place], "near", similarity)
            for shingle in numbers[: _prefix(len(numbers), threshold)]:
                index[shingle].append(place)
        before.setdefault((file, text), place)
        progress(1)


def _one_of_each_file(copies: Mapping[tuple[int, str], int], text: str) -> Iterable[int]:
    """Return one earlier copy of a text from each file, the very same if there is one."""
    best: dict[int, int] = {}
    for (file, other), place in copies.items():
        if other == text or file not in best:
            best[file] = place
    return [best[file] for file in sorted(best)]


def shared_ids(one: Sequence[Row], other: Sequence[Row]) -> set[str]:
    """Return the ids that two files have in common."""
    return {row.id for row in one} & {row.id for row in other}


def _near(
    place: int, shingles: Sequence[Sequence[int]], index: dict[int, list[int]], threshold: float
) -> Iterator[tuple[int, float]]:
    """Yield the earlier texts that are similar enough, in their order, from those that share a rare shingle."""
    numbers = shingles[place]
    own = set(numbers)
    candidates = {other for shingle in numbers[: _prefix(len(numbers), threshold)] for other in index.get(shingle, ())}
    for other in sorted(candidates):
        size = len(shingles[other])
        if min(size, len(own)) < threshold * max(size, len(own)) - _TINY:
            continue
        common = sum(map(own.__contains__, shingles[other]))
        similarity = common / (size + len(own) - common)
        if similarity >= threshold - _TINY:
            yield other, similarity


def _prefix(size: int, threshold: float) -> int:
    """Return how many of the rarest shingles of a text one of any similar text must be among."""
    return size - ceil(threshold * size - _TINY) + 1


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    forms = [word.form for word in words(text)]
    return frozenset(tuple(forms[k : k + _SHINGLE]) for k in range(max(1, len(forms) - _SHINGLE + 1)))


def _numbered(texts: Sequence[frozenset[tuple[str, ...]]]) -> list[list[int]]:
    """Number all shingles, the rarest first, and return those of each text in that order."""
    counts = Counter(shingle for text in texts for shingle in text)
    rank = {shingle: number for number, (_, shingle) in enumerate(sorted((n, one) for one, n in counts.items()))}
    return [sorted(map(rank.__getitem__, text)) for text in texts]
