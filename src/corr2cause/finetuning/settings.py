"""How a model is trained, and grids of it: read from a TOML file in which a list is an axis of the grid."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from corr2cause.errors import FileError, quoted
from corr2cause.files import plain_errors

_CHOICES = {
    "class_weights": ("none", "balanced"),
    "schedule": ("linear", "cosine"),
    "quantisation": ("none", "8bit"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One way to train.

    Attributes:
        learning_rate: of the optimiser, at its beginning; it falls to 0 in a straight line.
        batch_size: rows in a step.
        dropout: probability, everywhere in the model.
        weight_decay: of the optimiser.
        epochs: passes over the training rows, at most.
        patience: epochs without a better F1 on dev after which training ends.
        max_length: tokens of premise and hypothesis together; the end of a longer premise is cut off.
        class_weights: "balanced" weighs a label by the inverse of its frequency, "none" not at all.
        optimizer: a name that transformers knows.
        seed: of the new weights, the order of the rows and dropout.
    """

    learning_rate: float
    batch_size: int
    dropout: float
    weight_decay: float
    epochs: int
    patience: int
    max_length: int
    class_weights: str
    optimizer: str
    seed: int


@dataclass(frozen=True, slots=True)
class Combination:
    """One point of a grid.

    Attributes:
        name: its place on the axes, fit for a folder; empty if there is no axis.
        settings: what to train with.
    """

    name: str
    settings: Settings


T = TypeVar("T")

_TYPES: dict[str, type] = {"float": float, "int": int, "str": str}
_LEAST = {"learning_rate": 0, "batch_size": 1, "dropout": 0, "weight_decay": 0, "epochs": 1, "patience": 1}
_LEAST |= {"max_length": 16, "seed": 0, "warmup": 0, "rank": 1, "alpha": 1, "accumulation": 1, "clip": 0}


def read_grid(path: str | Path) -> tuple[Combination, ...]:
    """Read a file of settings; every setting must be in it, and nothing else.

    Returns:
        The combinations, the last axis in the file fastest; a single one if no value is a list.

    Raises:
        FileError: the file cannot be read, is not TOML, lacks a setting, or has a value that cannot be.
    """
    found, types = _table(path, Settings), _types_of(Settings)
    values = {name: _values(path, name, types[name], value) for name, value in found.items()}
    axes = [name for name, value in found.items() if isinstance(value, list)]
    return tuple(
        _combination(dict(zip(values, chosen, strict=True)), axes) for chosen in itertools.product(*values.values())
    )


def read_settings(path: str | Path, kind: type[T]) -> T:
    """Read a file of settings that is no grid; every setting must be in it, and nothing else.

    Args:
        path: the file.
        kind: a dataclass of numbers and texts.

    Raises:
        FileError: as of `read_grid`.
    """
    types = _types_of(kind)
    return kind(**{name: _value(path, name, types[name], value) for name, value in _table(path, kind).items()})


def _table(path: str | Path, kind: type) -> dict[str, Any]:
    """Read a TOML file that has just the settings of a kind."""
    with plain_errors(path):
        data = Path(path).read_bytes()
    try:
        found = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(str(path), f"this is not TOML ({error})") from error
    names = _types_of(kind)
    if unknown := sorted(found.keys() - names):
        raise FileError(str(path), f"there is no setting {unknown[0]}; choose from: {', '.join(names)}")
    if missing := [name for name in names if name not in found]:
        raise FileError(str(path), f"the setting {missing[0]} is missing")
    return found


def _types_of(kind: type) -> dict[str, type]:
    return {field.name: _TYPES[str(field.type)] for field in fields(kind)}


def _combination(values: dict[str, Any], axes: Sequence[str]) -> Combination:
    return Combination("_".join(f"{name}-{values[name]}" for name in axes), Settings(**values))


def _values(path: str | Path, name: str, kind: type, value: object) -> list[Any]:
    given = value if isinstance(value, list) else [value]
    read = [_value(path, name, kind, one) for one in given]
    if not read or len(set(read)) < len(read):
        raise FileError(str(path), f"{name}: the list is empty or names a value twice")
    return read


def _value(path: str | Path, name: str, kind: type, value: object) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise FileError(str(path), f"{name}: expected {kind.__name__}, found {quoted(value)}")
    if isinstance(value, int | float) and not _LEAST[name] <= value < float("inf"):
        raise FileError(str(path), f"{name}: {value} is less than {_LEAST[name]}, or no number")
    if name == "dropout" and isinstance(value, float) and value >= 1:
        raise FileError(str(path), f"dropout: {value} would drop everything; choose a number below 1")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise FileError(str(path), f"{name}: expected one of {', '.join(_CHOICES[name])}, found {quoted(value)}")
    return value
