"""The baseline that knows the bank: what it says by definition, and how it does on each kind of story."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from corr2cause.checking.baselines import read_material, run_baseline
from corr2cause.checking.commonsense import is_common_sense
from corr2cause.dataset.options import GenerationOptions, PerturbationOptions, StoryMode, StoryOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.dataset.storytelling import stories
from corr2cause.errors import FileError
from corr2cause.text.facts import Hypothesis
from corr2cause.text.wording import Claim
from tests.dataset.folders import data_folder

RIVER = ("rainfall", "soil erosion", "water pollution", "number of fish", "wind speed")


@pytest.mark.parametrize(
    ("claim", "first", "second", "holds"),
    [
        (Claim.DIRECT, "rainfall", "soil erosion", True),
        (Claim.DIRECT, "soil erosion", "rainfall", False),
        (Claim.DIRECT, "rainfall", "number of fish", False),
        (Claim.INDIRECT, "rainfall", "number of fish", True),
        (Claim.INDIRECT, "rainfall", "soil erosion", False),
        (Claim.INDIRECT, "number of fish", "rainfall", False),
        (Claim.COLLIDER, "rainfall", "wind speed", False),
        (Claim.CONFOUNDER, "soil erosion", "water pollution", False),
    ],
)
def test_what_common_sense_says_of_a_river(claim, first, second, holds):
    assert is_common_sense(Hypothesis(claim, first, second), RIVER) is holds


def test_common_effects_and_causes_must_be_among_the_variables():
    names = ("rainfall", "wind speed", "number of wildfires", "soil erosion", "flood damage")
    assert is_common_sense(Hypothesis(Claim.COLLIDER, "rainfall", "wind speed"), names)
    assert not is_common_sense(Hypothesis(Claim.COLLIDER, "rainfall", "wind speed"), names[:2])
    assert is_common_sense(Hypothesis(Claim.CONFOUNDER, "soil erosion", "flood damage"), names)
    assert not is_common_sense(Hypothesis(Claim.CONFOUNDER, "soil erosion", "flood damage"), names[3:])


def test_letters_mean_nothing_to_it():
    assert not is_common_sense(Hypothesis(Claim.DIRECT, "A", "B"), ("A", "B"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = data_folder(tmp_path_factory.mktemp("data") / "d", GenerationOptions(n=5), ("parquet",))
    for mode in StoryMode:
        stories(open_dataset(made), StoryOptions(mode, ("test", "dev", "reserve")))
    return made


def test_it_is_right_on_congruent_stories_and_wrong_on_anti(folder):
    counts = {
        mode: run_baseline("commonsense", read_material(folder / f"stories_{mode}", "reserve")).score.counts
        for mode in StoryMode
    }
    assert counts["nonce"].f1 == 0
    assert counts["everyday"].f1 < 0.2
    assert counts["congruent"].precision == 1
    assert counts["congruent"].f1 > 0.9
    assert counts["anti"].f1 < 0.1
    majority = run_baseline("majority", read_material(folder / "stories_nonce", "reserve")).score.counts
    assert counts["nonce"].accuracy == majority.accuracy
    assert abs(counts["everyday"].accuracy - majority.accuracy) < 0.06


def test_what_learns_learns_from_the_originals(folder):
    material, originals = (read_material(path, "test") for path in (folder / "stories_nonce", folder))
    assert material.train.premise.texts == originals.train.premise.texts
    assert (material.dev.labels == originals.dev.labels).all()
    assert material.asked.premise.texts != originals.asked.premise.texts
    assert run_baseline("majority", material).score.counts == run_baseline("majority", originals).score.counts


def test_the_originals_must_be_around(tmp_path):
    made = data_folder(tmp_path / "d", GenerationOptions(n=5), ("parquet",))
    perturb(open_dataset(made), PerturbationOptions("words", ("test",)))
    other = data_folder(tmp_path / "other", GenerationOptions(n=5, names="ordered"), ("parquet",))
    copytree(made / "perturbation_by_words", other / "perturbation_by_words")
    with pytest.raises(FileError, match="not in the folder around"):
        read_material(other / "perturbation_by_words", "test")
    alone = (made / "perturbation_by_words").rename(tmp_path / "alone")
    with pytest.raises(FileError, match="there is no manifest"):
        read_material(alone, "test")
