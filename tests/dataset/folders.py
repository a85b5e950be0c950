"""Small data folders on disk, made once, and what lies in them."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions

_MADE: dict[tuple[GenerationOptions, tuple[str, ...]], TemporaryDirectory[str]] = {}


def data_folder(path: Path, options: GenerationOptions, formats: tuple[str, ...] = ("jsonl",)) -> Path:
    """Put the data set of these options at a path: made when first asked for, then copied."""
    if (options, formats) not in _MADE:
        made = TemporaryDirectory()
        generate(options, Target(Path(made.name), formats))
        _MADE[options, formats] = made
    shutil.copytree(_MADE[options, formats].name, path)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every visible file in a folder and below, by its path in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
