"""Build a corpus of candidate rows from PubMed XML: the whole construction, with a manifest."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from corr2cause import __version__
from corr2cause.errors import FileError, OptionError
from corr2cause.files import WholeFile, sha256_of, whole_file, write_json
from corr2cause.locks import folder_lock
from corr2cause.spans.pubmed.candidates import STAGES, Candidate, Candidates, Filters
from corr2cause.spans.pubmed.records import Abstract, read_abstracts, xml_files
from corr2cause.spans.pubmed.windows import Windows

CORPUS, DUPLICATES, MANIFEST = "corpus.jsonl", "duplicates.jsonl", "manifest.json"

_WORDS_AT_ONCE = 4096


@dataclass(frozen=True)
class BuildOptions:
    """How candidates are made.

    Attributes:
        windows: how sentences are joined to rows.
        filters: what is dropped.
        sample: how many rows to draw; None for all.
        seed: of the sample.

    Raises:
        OptionError: the sample is too small.
    """

    windows: Windows = field(default_factory=Windows)
    filters: Filters = field(default_factory=Filters)
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.sample is not None and self.sample < 1:
            raise OptionError("--sample", f"{self.sample} is too few; give at least 1")


def build(
    sources: Iterable[Path], folder: Path, options: BuildOptions, force: bool = False,
    progress: Callable[[int], object] = int,
) -> dict[str, int]:  # fmt: skip
    """Write `corpus.jsonl`, `duplicates.jsonl` and, last, `manifest.json` into a folder.

    Rows keep the order of the abstracts and are numbered from 1. The same files and options give the same bytes.
    Memory holds the sampled rows and 16 bytes for each candidate.

    Args:
        sources: files of PubMed XML, or folders of such files.
        folder: made if absent.
        options: how.
        force: whether a corpus that is there already is replaced.
        progress: called with the number of abstracts that were read.

    Returns:
        The count of every stage.

    Raises:
        FileError: a source cannot be read, the folder cannot be written, or holds a corpus.
    """
    files = [file for source in sources for file in xml_files(source)]
    with folder_lock(folder):
        if not force:
            _refuse_to_replace(folder)
        candidates = Candidates(options.windows, options.filters)
        rows = candidates.rows(_abstracts(files, progress))
        chosen = rows if options.sample is None else sampled(rows, options.sample, options.seed)
        with whole_file(folder / CORPUS) as out, whole_file(folder / DUPLICATES) as others:
            n_written = 0
            for n_written, row in enumerate(chosen, start=1):
                _write_line(out, {"s/n": n_written, "text": row.text, "pairs": [], **row.origin})
            for row, before in candidates.duplicates:
                _write_line(others, {"text": row.text, **row.origin, "same_as": before})
            (folder / MANIFEST).unlink(missing_ok=True)  # now, so that it never describes other files than its own
        counts = {**candidates.counts, "files": len(files), "sampled": n_written}
        ordered = {stage: counts.get(stage, 0) for stage in STAGES}
        write_json(folder / MANIFEST, _manifest(folder, options, ordered))
    return ordered


def sampled(rows: Iterable[Candidate], n: int, seed: int) -> Iterator[Candidate]:
    """Draw n rows of a stream, each as likely as any other, in their order; all if there are no more.

    A row is drawn if its random word is among the n least, so that a larger sample holds a smaller one.
    """
    numbered = ((word, place, row) for place, (word, row) in enumerate(zip(_words(seed), rows, strict=False)))
    least = heapq.nsmallest(n, numbered, key=lambda one: one[:2])
    yield from (row for _, _, row in sorted(least, key=lambda one: one[1]))


def _words(seed: int) -> Iterator[int]:
    from corr2cause.streams import words  # not at the top: it brings NumPy

    start = 0
    while True:
        block = range(start, start + _WORDS_AT_ONCE)
        yield from words(seed, "spans", "sample", rows=block, columns=1)[:, 0].tolist()
        start = block.stop


def _abstracts(files: Iterable[Path], progress: Callable[[int], object]) -> Iterator[Abstract]:
    for file in files:
        for abstract in read_abstracts(file):
            yield abstract
            progress(1)


def _refuse_to_replace(folder: Path) -> None:
    for path in (folder / name for name in (CORPUS, DUPLICATES, MANIFEST)):
        if path.exists():
            raise FileError(str(path), "this is there already; use --force to make it again, or choose another folder")


def _write_line(out: WholeFile, record: dict[str, object]) -> None:
    out.write((json.dumps(record, ensure_ascii=False) + "\n").encode())


def _manifest(folder: Path, options: BuildOptions, counts: dict[str, int]) -> dict[str, object]:
    return {
        "program": "corr2cause",
        "kind": "spans build",
        "version": __version__,
        "options": asdict(options),
        "counts": counts,
        "files": {name: sha256_of(folder / name) for name in (CORPUS, DUPLICATES)},
    }
