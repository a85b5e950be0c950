"""mlcroissant accepts the description and reads every row through it."""

from __future__ import annotations

import re
import sys

import pytest

from tests.consumers.conftest import shell
from tests.dataset.exports import ALL, PARTS, json_lines

pytestmark = pytest.mark.consumers

READ = """
import json, sys
import mlcroissant

def plain(value):
    return value.decode() if isinstance(value, bytes) else value

data = mlcroissant.Dataset(sys.argv[1])
print(json.dumps({
    records.name: [{field.rpartition("/")[2]: plain(value) for field, value in row.items()}
                   for row in data.records(record_set=records.name)]
    for records in data.metadata.record_sets
}, default=lambda value: value.item()))
"""


@pytest.mark.parametrize("export", ["croissant", "croissant-of-lines"])
def test_every_row_is_read_as_it_stands_in_the_data(exports, offline, export):
    found = offline(READ, exports / export / "croissant.json")
    names = [f"default/{split}" for split in ALL]
    names += [f"perturbation_by_paraphrasing/{split}" for split in ("dev", "test")]
    names += [f"perturbation_by_words/{split}" for split in ALL]
    assert list(found) == names
    for name, part in zip(names, PARTS, strict=True):
        assert found[name] == json_lines(exports / f"data/{part}.jsonl")


@pytest.mark.parametrize("export", ["croissant", "croissant-of-lines"])
def test_the_description_is_valid(exports, tmp_path, export):
    validate = "import sys; from mlcroissant.scripts.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", validate, "validate", "--jsonld", str(exports / export / "croissant.json")]
    said = shell(command, tmp_path, tmp_path).stderr
    assert "Done." in said
    assert "not standard" not in said
    recommended = re.findall(r'"https://schema.org/(\w+)" is recommended', said)  # both are up to the publisher
    assert recommended == (["datePublished", "license"] if export == "croissant" else ["license"])
