"""Paths on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class NamedPath(click.Path):
    """A path that is not empty: an unset shell variable would otherwise mean the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, refusing an empty one, and one that no file can have."""
        if value == "":
            self.fail("it is empty; name a file or a folder (. is the current one)", param, ctx)
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
