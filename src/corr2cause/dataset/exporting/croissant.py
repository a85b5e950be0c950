"""Croissant 1.0: the data files with their hashes, columns and types, in JSON-LD.

Source: "Croissant Format Specification 1.0", ML Commons, http://mlcommons.org/croissant/1.0.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from corr2cause.dataset.exporting.folder import ExportFolder
from corr2cause.dataset.exporting.hub_card import CARD_FIELDS, command
from corr2cause.dataset.exporting.items import Part, Selection
from corr2cause.dataset.manifest import FileEntry
from corr2cause.dataset.schema import STEPS, columns

CROISSANT = "croissant.json"

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

_TYPES = {"string": "sc:Text", "int64": "sc:Integer", "bool": "sc:Boolean"}

_ENCODINGS = {".parquet": "application/x-parquet", ".jsonl": "application/jsonlines"}

_CITATION = (
    "Zhijing Jin, Jiarui Liu, Zhiheng Lyu, Spencer Poff, Mrinmaya Sachan, Rada Mihalcea, Mona Diab, "
    "Bernhard Schölkopf: Can Large Language Models Infer Causation from Correlation? ICLR 2024. https://arxiv.org/abs/2306.05836"
)


def write(selection: Selection, folder: ExportFolder, date: str | None) -> None:
    """Take the files of each part in one format and describe them, each as a record set of its own."""
    for part in selection.parts:
        folder.take(part)
    taken = [(part, entry) for part in selection.parts for entry in part.sources]
    manifest = selection.dataset.manifest
    described: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": CARD_FIELDS["pretty_name"],
        "description": (
            "Does a causal claim follow from all statistical relations among a few variables? Labels are exact: "
            "computed over every graph that the premise allows. "
            f"Made by corr2cause {manifest.version}: {command(manifest)}"
        ),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": _CITATION,
        "url": "https://arxiv.org/abs/2306.05836",
        "version": manifest.version,
        "inLanguage": "en",
        "keywords": CARD_FIELDS["tags"],
        **({"datePublished": date} if date else {}),
        "distribution": [_file(part, entry) for part, entry in taken],
        "recordSet": [_record_set(part, entry) for part, entry in taken],
    }
    if not folder.beside_data and any(entry.name.endswith(".jsonl") for _, entry in taken):
        folder.write_text(".gitattributes", "*.jsonl -text\n")  # other line ends would be other hashes
    folder.write_text(CROISSANT, json.dumps(described, ensure_ascii=False, indent=2) + "\n")


def _file(part: Part, entry: FileEntry) -> dict[str, str]:
    name = part.path(entry.name)
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": _ENCODINGS[PurePath(name).suffix],
        "sha256": entry.sha256,
    }


def _record_set(part: Part, entry: FileEntry) -> dict[str, Any]:
    record_set = f"{part.config}/{PurePath(entry.name).stem}"
    with_steps = STEPS in part.dataset.columns
    return {
        "@type": "cr:RecordSet",
        "@id": record_set,
        "name": record_set,
        "description": f"{entry.rows} rows of the split {part.split} in the configuration {part.config}.",
        "key": {"@id": f"{record_set}/id"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{record_set}/{column.name}",
                "name": column.name,
                "description": column.meaning,
                "dataType": _TYPES[column.type],
                "source": {
                    "fileObject": {"@id": part.path(entry.name)},
                    "extract": {"column": column.name},
                },
            }
            for column in columns(with_steps)
        ],
    }
