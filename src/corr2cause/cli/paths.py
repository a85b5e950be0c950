"""Paths on the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from corr2cause.errors import FileError, OptionError


class NamedPath(click.Path):
    """A path that is not empty: an unset shell variable would otherwise mean the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, refusing an empty one, a URL, and a name that no file can have."""
        if value == "":
            self.fail("it is empty; name a file or a folder (. is the current one)", param, ctx)
        if "://" in str(value):  # else a folder of that name would be made here
            self.fail(f"{value} is a URL; name a file or a folder of this machine", param, ctx)
        if "\0" in str(value):
            self.fail("a name cannot hold the character NUL; choose another one", param, ctx)
        return Path(str(value))


NAMED_PATH = NamedPath()


class Place(NamedPath):
    """The path of a folder, or a URL that fsspec knows, which stays a text."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the URL, refusing what is empty."""
        return value if isinstance(value, str) and "://" in value else super().convert(value, param, ctx)


PLACE = Place()


def is_same(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file."""
    return os.path.realpath(one) == os.path.realpath(other)


def refuse_what_is_read(path: Path, *sources: Path) -> None:
    """Refuse the name of a file that is read.

    Raises:
        OptionError: it is one of those.
    """
    if any(is_same(path, source) for source in sources):
        raise OptionError("OUT", f"{path} would replace what is read; choose another name")


def refuse_to_replace(path: Path, force: bool, *sources: Path) -> None:
    """Refuse a name that is taken, unless --force is given; what is read is never replaced.

    Raises:
        FileError: there is such a file.
        OptionError: it is one of those that are read.
    """
    refuse_what_is_read(path, *sources)
    if path.exists() and not force:
        raise FileError(str(path), "this is there already; use --force to replace it, or choose another name")


def distinct_names(option: str, paths: Sequence[Path]) -> tuple[str, ...]:
    """Name files shortly but apart: by their own names without suffix, their folders, or both, or the whole paths.

    Raises:
        OptionError: a path is given twice.

    >>> distinct_names("--against", [Path("words/test.csv"), Path("reorder/test.csv")])
    ('words', 'reorder')
    """
    if repeated := [path for path in paths if paths.count(path) > 1]:
        raise OptionError(option, f"{repeated[0]} is given twice; leave one out")
    ways = (
        [path.stem for path in paths],
        [path.parent.name for path in paths],
        [f"{path.parent.name}/{path.stem}" for path in paths],
        [str(path) for path in paths],
    )
    return next(tuple(names) for names in ways if all(names) and len(set(names)) == len(names))
