"""The figures of docs/published-data.md on baselines and n-grams, made again from the complete data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from tests.cli.running import call

PAGE = Path(__file__).parents[2] / "docs/published-data.md"
NAMES = ("ordered", "shuffled")
OF_MODELS = ("hypothesis-only", "bag-of-words")  # versions of scikit-learn may move a few answers


def section() -> list[list[str]]:
    """Return the cells of the tables of the section."""
    (text,) = re.findall(r"## What can be had without reasoning\n(.*?)\n## ", PAGE.read_text("utf-8"), re.DOTALL)
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return [row for row in rows if "--" not in row[-1]]


@pytest.mark.slow
def test_the_figures_of_the_page_come_out_again(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra `baselines` is not installed")
    scores, leaks, ngrams = {}, {}, {}
    for names in NAMES:
        generate(GenerationOptions(n=6, names=names), Target(tmp_path / names, ("parquet",)))
        scores[names] = json.loads(call("baselines", tmp_path / names, "--json").stdout)["baselines"]
        found = json.loads(call("shortcuts", tmp_path / names, "--json", "--top", 10**6).stdout)
        leaks[names] = found["leak"]
        ngrams[names] = {ngram: one for one in found["hypothesis"] for ngram in one["ngrams"]}
    rows = section()
    baselines = [row for row in rows if row[0] in scores["ordered"]]
    assert [row[0] for row in baselines] == list(scores["ordered"])
    for row in baselines:
        for names, cell in zip(NAMES, row[2:], strict=True):
            assert 100 * scores[names][row[0]]["f1"] == pytest.approx(
                float(cell), abs=0.5 if row[0] in OF_MODELS else 0.0051
            )
    for key in ("majority", "always-yes"):
        (row,) = (row for row in rows if row[0].startswith("**leak**") and key in row[0])
        for names, cell in zip(NAMES, row[2:], strict=True):
            leak = leaks[names][f"above_{key.replace('-', '_')}"]["f1"]
            assert 100 * leak == pytest.approx(float(cell), abs=0.5)
    counted = [row for row in rows if row[0] in ngrams["ordered"]]
    assert len(counted) == len(rows) - len(baselines) - 2 - 2  # two of leaks, two headers
    for ngram, *cells in counted:
        for names, count, difference in zip(NAMES, cells[::2], cells[1::2], strict=True):
            one = ngrams[names][ngram]
            assert count == f"{one['positives']:,} of {one['rows']:,}"
            assert difference == ("-inf" if one["difference"] is None else f"{one['difference']:.2f}")


def test_every_baseline_stands_in_the_table() -> None:
    from corr2cause.cli.baselines import NAMES as BASELINES

    assert [row[0] for row in section() if row[0] in BASELINES] == list(BASELINES)
