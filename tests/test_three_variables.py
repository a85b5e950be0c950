"""The complete data set of two and three variables, read line by line by people, comes out byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from tests.dataset.folders import contents

GOLDEN = Path(__file__).parents[1] / "data" / "three-variables"

RENEW = (
    "{name} is not what `corr2cause generate` makes now.\n"
    "If that was meant, note it in the changelog under Data, renew the folder, and read the difference:\n"
    "    corr2cause generate --n 3 --format jsonl --out data/three-variables --force\n"
    "    git diff --word-diff data"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("golden")
    generate(GenerationOptions(n=3), Target(folder, ("jsonl",)))
    return contents(folder)


def test_the_same_files_are_made(made):
    assert set(made) == set(contents(GOLDEN)) == {"README.md", "manifest.json", "dev.jsonl", "test.jsonl"}


@pytest.mark.parametrize("name", ["dev.jsonl", "test.jsonl", "manifest.json", "README.md"])
def test_every_file_is_made_byte_for_byte(made, name):
    now, then = made[name].decode().splitlines(), (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    differing = [f"- {old}\n+ {new}" for old, new in zip(then, now, strict=False) if old != new]
    assert made[name] == (GOLDEN / name).read_bytes(), "\n".join([RENEW.format(name=name), *differing[:1]])
