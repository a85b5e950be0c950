"""The story and the figures that the documentation prints, made again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corr2cause.dataset.casting import find_cast
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, StoryMode, StoryOptions
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.storytelling import stories
from corr2cause.graphs.bitdags import transpose
from corr2cause.graphs.equivalence import cpdags, equivalence_classes
from corr2cause.text.stories.bank import real_domains
from tests.cli.running import call
from tests.dataset.folders import data_folder

DOCS = Path(__file__).parents[2] / "docs"


def test_the_story_of_the_how_to_is_the_one_that_is_made(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    stories(open_dataset(folder), StoryOptions(StoryMode.EVERYDAY, ("dev",)))
    lines = map(json.loads, (folder / "stories_everyday/dev.jsonl").open())
    (row,) = (row for row in lines if row["id"] == "n3-c3-3-1-is_child")
    page = (DOCS / "how-to.md").read_text("utf-8")
    printed = page.split("print(row.premise")[1].split("```text\n")[1].split("```")[0]
    made = " ".join(str(row[name]) for name in ("premise", "hypothesis", "label", "x", "y"))
    assert " ".join(printed.split()) == made


@pytest.mark.slow
def test_the_table_of_common_sense_comes_out_again(tmp_path):
    page = (DOCS / "evaluation.md").read_text("utf-8").split("## Common sense")[1].split("\n## ")[0]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in page.splitlines() if "| " in line]
    folder = tmp_path / "data"
    generate(GenerationOptions(n=6), Target(folder, ("parquet",)))
    for mode in StoryMode:
        stories(open_dataset(folder), StoryOptions(mode, ("test",)))
        only = [word for name in ("majority", "commonsense", "always-yes") for word in ("--only", name)]
        found = json.loads(call("baselines", folder / f"stories_{mode}", *only, "--json").stdout)["baselines"]
        (row,) = (row for row in rows if row[0] == mode)
        assert row[1] == f"{found['majority']['n']:,}"
        assert row[2:] == [
            f"{100 * found[name][metric]:.2f}"
            for name, metric in (
                *(("majority", "accuracy"), ("commonsense", "accuracy")),
                *(("always-yes", "f1"), ("commonsense", "f1")),
            )
        ]


@pytest.mark.slow
def test_the_classes_that_can_be_told_are_as_many_as_the_page_says():
    classes = cpdags(equivalence_classes(6).representatives)
    counts = []
    for arrows in (transpose(classes.directed), classes.directed):
        told = [
            any(find_cast(row, domain.effects, range(len(domain.quantities))) for domain in real_domains())
            for row in arrows.tolist()
            if any(row)
        ]
        counts.append(sum(told))
    congruent, anti = re.findall(
        r"variables ([\d,]+) can be told as congruent and\s+([\d,]+) as anti",
        (DOCS / "concepts.md").read_text("utf-8"),
    )[0]
    assert [congruent, anti] == [f"{count:,}" for count in counts]
