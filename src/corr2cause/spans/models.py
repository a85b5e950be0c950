"""The models of the paper, and how they are run: read from models.toml, which holds the facts of both profiles."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

_FILE = "models.toml"


@dataclass(frozen=True, slots=True)
class PromptedModel:
    """A model that is prompted, under one profile.

    Attributes:
        name: short.
        id: of its checkpoint; empty if the profile names none.
        quantisation: `nf4` or `fp16`.
        batch_size: least and most prompts at a time.
        note: what is unclear about it.
    """

    name: str
    id: str
    quantisation: str
    batch_size: tuple[int, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that is fine-tuned to classify."""

    name: str
    id: str


@dataclass(frozen=True, slots=True)
class Decoding:
    """How answers are decoded under one profile.

    Attributes:
        temperature: 0 is greedy.
        max_input_tokens: the longest prompt.
        max_new_tokens: the longest answer, by task.
        extra: what no option of `corr2cause ask` names, as fields of a request.
        padding_side: on which side a batch is filled up; None if not said.
    """

    temperature: float
    max_input_tokens: int
    max_new_tokens: Mapping[str, int]
    extra: Mapping[str, float]
    padding_side: str | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """All models under one profile."""

    profile: str
    prompted: tuple[PromptedModel, ...]
    encoders: tuple[Encoder, ...]
    decoding: Decoding


def registry(profile: str) -> Registry:
    """Read the models under a profile, `described` or `released`."""
    found = tomllib.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return Registry(
        profile,
        tuple(_prompted(entry, profile) for entry in found["prompted"]),
        tuple(Encoder(**entry) for entry in found["encoder"]),
        _decoding(found["decoding"][profile]),
    )


def _prompted(entry: Mapping[str, Any], profile: str) -> PromptedModel:
    said = entry[profile]
    least, most = said["batch_size"]
    return PromptedModel(entry["name"], said["id"], said["quantisation"], (least, most), entry.get("note", ""))


def _decoding(said: Mapping[str, Any]) -> Decoding:
    extra = {name: said[name] for name in ("repetition_penalty",) if name in said}
    return Decoding(
        said["temperature"], said["max_input_tokens"], said["max_new_tokens"], extra, said.get("padding_side")
    )
