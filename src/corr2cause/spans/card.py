"""The data card (README.md) of a release folder, so that `datasets.load_dataset(FOLDER)` reads it.

The licence is left to whoever publishes: the card says `other` and names none that nobody chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import yaml

from corr2cause import __version__
from corr2cause.errors import FileError, RowError
from corr2cause.files import plain_errors, write_text
from corr2cause.spans.formats.cells import id_for_file
from corr2cause.spans.formats.layouts import RELEASE
from corr2cause.spans.formats.reading import Corpus, read_corpus
from corr2cause.spans.rows import Row
from corr2cause.spans.statistics import CorpusStatistics, corpus_statistics

CARD = "README.md"

SPLITS = {"train": "train", "validation": "validation", "test": "test", "corpus": "train"}
"""The names of files without .jsonl, and the splits they are on the hub; a corpus that is not split is all train."""

_MARK = "# Written by corr2cause spans, which overwrites it when the card is made again."
_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}

_FIELDS: dict[str, Any] = {
    "license": "other",
    "license_name": "chosen-by-the-publisher",
    "language": ["en"],
    "task_categories": ["token-classification", "text-classification"],
    "tags": ["causality", "causal-relation-extraction", "biomedical"],
}

_BODY = Template("""\
# $name

Texts, and in each the pairs of a cause and an effect that it states, as spans of text.

| split | rows | causal | pairs | explicit | implicit | intra | inter |
| --- | --- | --- | --- | --- | --- | --- | --- |
$splits

## Fields

| field | meaning |
| --- | --- |
| `s/n` | tells a row from all others |
| `text` | one sentence or some successive ones |
| `label` | 1 if the text states a cause, 0 if not; absent if nobody annotated it |
| `pairs` | the pairs: `cause_span`, `effect_span`, `expression_type`, `sententiality` |
| `source` | what the text was taken from, such as a PubMed id; absent if unknown |

`expression_type` is `Explicit` where a marker such as "due to" signals the relation, else `Implicit`; `sententiality`
is `Intra` where cause and effect stand in one sentence, else `Inter`. Spans need not be verbatim: `corr2cause spans
align` finds them in the text.

Load it with `datasets.load_dataset("FOLDER")`. Card made by corr2cause $version.
""")


def write_card(folder: Path, name: str) -> None:
    """Write the card of a folder with train.jsonl, validation.jsonl, test.jsonl or corpus.jsonl in the release format.

    Raises:
        FileError: there is none of these files, one is of another format, or there is a README.md of somebody else.
    """
    with plain_errors(folder):
        found = {split: folder / f"{split}.jsonl" for split in SPLITS if (folder / f"{split}.jsonl").is_file()}
    if not found:
        names = ", ".join(f"{split}.jsonl" for split in SPLITS)
        raise FileError(str(folder), f"there is none of {names} here; make them with spans convert --to release")
    if "corpus" in found and "train" in found:
        raise FileError(str(found["corpus"]), "this and train.jsonl would both be the training split; move one away")
    _refuse_foreign_card(folder / CARD)
    corpora = {split: _release(path) for split, path in found.items()}
    write_text(folder / CARD, card(name, corpora))


def card(name: str, corpora: Mapping[str, Corpus]) -> str:
    """Return the text of the card of some splits, by the name of their file."""
    rows = [row for corpus in corpora.values() for row in corpus.rows]
    size = next((text for limit, text in _SIZES.items() if len(rows) < limit), "n>1M")
    files = [{"split": SPLITS[split], "path": f"{split}.jsonl"} for split in corpora]
    fields = {
        "pretty_name": name,
        **_FIELDS,
        "size_categories": [size],
        "configs": [{"config_name": "default", "data_files": files}],
        "dataset_info": {"features": _features(rows)},
    }
    head = yaml.safe_dump(fields, sort_keys=False, width=1000, allow_unicode=True)
    lines = "\n".join(_line(SPLITS[split], corpus_statistics(corpus.rows)) for split, corpus in corpora.items())
    return f"---\n{_MARK}\n{head}---\n\n" + _BODY.substitute(name=name, splits=lines, version=__version__)


def _features(rows: list[Row]) -> list[dict[str, Any]]:
    """Declare the types, for the first rows of a file may have no pairs to tell them."""
    spans = ("cause_span", "effect_span", "sententiality", "expression_type")
    is_number = all(isinstance(id_for_file(row.id), int) for row in rows)
    features: list[dict[str, Any]] = [
        {"name": "s/n", "dtype": "int64" if is_number else "string"},
        {"name": "text", "dtype": "string"},
    ]
    if any(row.label is not None for row in rows):
        features.append({"name": "label", "dtype": "int64"})
    features.append({"name": "pairs", "list": [{"name": name, "dtype": "string"} for name in spans]})
    if any(row.source for row in rows):
        features.append({"name": "source", "dtype": "string"})
    return features


def _line(split: str, counts: CorpusStatistics) -> str:
    causality, scope = counts.by_causality(), counts.by_sententiality()
    numbers = (
        counts.rows, counts.causal_rows, counts.pairs, causality.get("Explicit", 0), causality.get("Implicit", 0),
        scope.get("Intra", 0), scope.get("Inter", 0),
    )  # fmt: skip
    return f"| {split} | {' | '.join(f'{number:,}' for number in numbers)} |"


def _release(path: Path) -> Corpus:
    corpus = read_corpus(path)
    if corpus.format != RELEASE.name:
        raise RowError(str(path), corpus.places[0], "this is not in the release format; use spans convert --to release")
    return corpus


def _refuse_foreign_card(path: Path) -> None:
    with plain_errors(path):
        if path.exists() and _MARK.encode() not in path.read_bytes():
            raise FileError(str(path), "this was not written by corr2cause spans; move it or choose another folder")
