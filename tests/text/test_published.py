"""The published sample is read and said again byte for byte."""

import csv
from pathlib import Path

import pytest

from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.verbalisation import verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Claim, Notation, Wording

SAMPLES = [parent / "shared" / "data" / "corr2cause" / "published_sample.csv" for parent in Path(__file__).parents[3:5]]
CLAIMS = {
    "parent": (Claim.DIRECT, Wording.PLAIN),
    "child": (Claim.DIRECT, Wording.PLAIN),
    "non-parent ancestor": (Claim.INDIRECT, Wording.PLAIN),
    "non-child descendant": (Claim.INDIRECT, Wording.ALTERNATIVE),
    "has_collider": (Claim.COLLIDER, Wording.PLAIN),
    "has_confounder": (Claim.CONFOUNDER, Wording.PLAIN),
}


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    """Rows of the published sample, which stands beside the repository and is not part of it."""
    for sample in SAMPLES:
        if sample.exists():
            with sample.open(newline="", encoding="utf-8") as file:
                return list(csv.DictReader(file))
    pytest.skip("the published sample is not beside this repository (../shared/data/corr2cause)")


def test_the_sample_is_read_and_said_again(rows):
    assert rows
    for row in rows:
        premise_text, hypothesis_text = row["input"].removeprefix("Premise: ").split("\nHypothesis: ")
        premise, notation = parse_premise(premise_text)
        assert notation is Notation.PROSE
        assert len(premise.names) == int(row["num_variables"])
        assert verbalise_premise(premise) == premise_text
        hypothesis, wording = parse_hypothesis(hypothesis_text, premise.names)
        assert (hypothesis.claim, wording) == CLAIMS[row["template"]]
        assert verbalise_hypothesis(hypothesis, wording) == hypothesis_text
