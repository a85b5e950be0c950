"""Batches of a fixed size, each for two annotators who work on it independently (the paper's section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from corr2cause.errors import FileError, OptionError
from corr2cause.files import read_json, sha256_of, write_json
from corr2cause.locks import folder_lock
from corr2cause.spans.answer_text import whole_characters
from corr2cause.spans.formats.layouts import RELEASE
from corr2cause.spans.formats.writing import write_corpus
from corr2cause.spans.rows import Row
from corr2cause.streams import permutations, words

MANIFEST = "manifest.json"

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows for two annotators.

    Attributes:
        name: such as `batch-001`, which is also the name of its files.
        annotators: the two.
        rows: without pairs and labels.
    """

    name: str
    annotators: tuple[str, str]
    rows: tuple[Row, ...]


def check_names(names: Sequence[str]) -> None:
    """Refuse names of annotators that cannot be those of folders.

    Raises:
        OptionError: there are fewer than two, two are the same, or one holds other than letters, digits and `-_.@`.
    """
    if len(names) < 2:
        raise OptionError("--annotators", "every batch has two; name at least two, separated by commas")
    folded = [name.casefold() for name in names]
    for name in names:
        if not name.strip(".") or not set(name) <= _SAFE:
            raise OptionError("--annotators", f"{name!r} names a folder; use letters, digits and -_.@ only")
        if folded.count(name.casefold()) > 1:
            raise OptionError("--annotators", f"{name} is named twice; every annotator needs a name of their own")


def deal(rows: Sequence[Row], names: Sequence[str], size: int, seed: int = 0) -> list[Batch]:
    """Cut rows into batches in random order and give each to two annotators.

    Nobody gets two batches more than anybody else, and who have met less often meet first.

    Args:
        rows: with different ids; what is annotated in them is taken out.
        names: of annotators.
        size: rows of a batch; the last one may have fewer.
        seed: of the order of rows and of who works on which batch.

    Raises:
        OptionError: two rows have one id, or the names cannot be used.
    """
    check_names(names)
    ids = Counter(row.id for row in rows)
    if twice := next((name for name, times in ids.items() if times > 1), None):
        raise OptionError("FILE", f"the id {twice} stands there {ids[twice]} times; batches need ids that differ")
    order = permutations(seed, "spans", "batches", "order", rows=range(1), length=len(rows))[0].tolist()
    parts = [order[start : start + size] for start in range(0, len(order), size)]
    width = max(3, len(str(len(parts))))
    return [
        Batch(f"batch-{number:0{width}}", pair, tuple(replace(rows[place], pairs=(), label=None) for place in part))
        for number, (part, pair) in enumerate(zip(parts, _couples(names, len(parts), seed), strict=True), start=1)
    ]


def _couples(names: Sequence[str], number: int, seed: int) -> Iterable[tuple[str, str]]:
    """Yield two annotators for each batch: those with the fewest batches, then who met least, then at random."""
    couples = list(combinations(names, 2))
    loads: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for ties in words(seed, "spans", "batches", "annotators", rows=range(number), columns=len(couples)).tolist():
        _, chosen = min(
            ((loads[a] + loads[b], met[a, b], tie), (a, b)) for (a, b), tie in zip(couples, ties, strict=True)
        )
        loads.update(chosen)
        met[chosen] += 1
        yield chosen


def write_batches(out: Path, source: Path, batches: Sequence[Batch], options: dict[str, object], force: bool) -> None:
    """Write a file for each annotator of each batch, `NAME/batch-001.jsonl`, and last the manifest.

    Raises:
        FileError: there are such files already and `force` is not given, or the folder cannot be written.
    """
    with folder_lock(out):
        targets = [(out / name / f"{batch.name}.jsonl", batch) for batch in batches for name in batch.annotators]
        taken = next((path for path in (out / MANIFEST, *(path for path, _ in targets)) if path.exists()), None)
        if taken and not force:
            raise FileError(
                str(taken), "this is there already, and may be annotated; choose another folder, or --force"
            )
        (out / MANIFEST).unlink(missing_ok=True)  # it is written last: with it the batches are complete
        for path, batch in targets:
            path.parent.mkdir(exist_ok=True)
            write_corpus(path, batch.rows, RELEASE.name)
        write_json(out / MANIFEST, manifest(source, batches, options))


def manifest(source: Path, batches: Sequence[Batch], options: dict[str, object]) -> dict[str, object]:
    """Describe batches: who got which rows, of which file."""
    return {
        "source": {"file": whole_characters(source.name), "sha256": sha256_of(source)},
        **options,
        "batches": [
            {"name": batch.name, "annotators": list(batch.annotators), "ids": [row.id for row in batch.rows]}
            for batch in batches
        ],
    }


def read_assignment(path: Path) -> dict[str, set[str]]:
    """Return the ids of the rows that each annotator was given, from a manifest.

    Raises:
        FileError: it is no manifest of batches.
    """
    found = read_json(path)
    given: dict[str, set[str]] = {}
    try:
        for batch in found["batches"]:
            for name in batch["annotators"]:
                given.setdefault(name, set()).update(batch["ids"])
    except (KeyError, TypeError) as error:
        raise FileError(str(path), "this is no manifest of batches; name the one that spans batches wrote") from error
    return given
