"""What scores tell nothing about reasoning: guesses, and models that read too little on purpose.

A model that reasons has to be better than the best of these. The guesses are those of the Corr2Cause paper (Jin et al.
2024, section 4.1), the answer that is always yes, and that of common sense. The shortcuts are trained on `train` and
answer yes from the score on that has the best F1 on `dev`, which weighs the rare label as F1 does; or the best
accuracy, where `dev` is balanced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corr2cause.bootstrap import Resampling
from corr2cause.checking.commonsense import commonsense_answers
from corr2cause.checking.evaluation import Score, counts_per_class, kinds_of, resampled, score_of
from corr2cause.checking.items import Items, read_items
from corr2cause.checking.labelled_texts import LabelledTexts, read_split
from corr2cause.checking.linear_models import bag_of_words_model, hypothesis_model
from corr2cause.checking.predictions import Answers
from corr2cause.checking.share_tables import Scorer, alphabetical_shares, length_shares, pair_shares, template_shares
from corr2cause.checking.thresholds import Threshold, best_threshold, measure_for
from corr2cause.dataset.reading import open_dataset, original_of
from corr2cause.files import whole_file, write_jsonl
from corr2cause.streams import words

_STEPS = 1 << 53  # a word is cut to as many bits as a double holds


@dataclass(frozen=True, slots=True)
class Material:
    """What baselines learn from and answer.

    Attributes:
        train: the rows to learn from.
        dev: the rows to choose a threshold on.
        asked: the R rows to answer.
        items: the same R rows, with ids and classes.
        seed: of random answers.
    """

    train: LabelledTexts
    dev: LabelledTexts
    asked: LabelledTexts
    items: Items
    seed: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A baseline that learns nothing.

    Attributes:
        reads: what it goes by, for people.
        answer: int8[R]; answers the rows of the material.
    """

    reads: str
    answer: Callable[[Material], Answers]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A baseline that reads less than one would need to reason.

    Attributes:
        reads: what it reads, for people.
        learn: what scores rows, having seen those of `train`.
    """

    reads: str
    learn: Callable[[LabelledTexts], Scorer]


@dataclass(frozen=True, slots=True)
class BaselineScore:
    """How well a baseline does.

    Attributes:
        name: of the baseline.
        reads: what it reads, for people.
        answers: int8[R]; its answers.
        score: of them; what `evaluate` says of the same answers.
        threshold: where a shortcut begins to say yes, and its counts on dev; None of a guess.
    """

    name: str
    reads: str
    answers: Answers
    score: Score
    threshold: Threshold | None

    def to_json(self) -> dict[str, Any]:
        """Return the metrics as fractions of 1; those on dev, and what the threshold maximises, are null of a guess."""
        threshold = self.threshold
        return {
            "reads": self.reads,
            "threshold_by": threshold and threshold.measure,
            "dev_f1": threshold and threshold.counts.f1,
            "dev_accuracy": threshold and threshold.counts.accuracy,
            **self.score.to_json(),
        }


def read_material(folder: str | Path, split: str, seed: int = 0) -> Material:
    """Read what baselines need of a data folder.

    Args:
        folder: one that `generate`, `perturb` or `stories` wrote; train and dev are always those of `generate`.
        split: which rows to answer.
        seed: of random answers.

    Raises:
        FileError: there are no such data, they are damaged, or the splits train and dev are not both there.
    """
    dataset = open_dataset(folder)
    train, dev = (read_split(original_of(dataset), name) for name in ("train", "dev"))
    return Material(train, dev, read_split(dataset, split), read_items(folder, split), seed)


def run_baseline(name: str, material: Material) -> BaselineScore:
    """Train a baseline, if it learns, and score its answers.

    Args:
        name: one of `BASELINES`.
        material: what it learns from and answers.

    Raises:
        MissingExtraError: it needs scikit-learn, which is not installed.
    """
    baseline, threshold = BASELINES[name], None
    if isinstance(baseline, Guess):
        answers = baseline.answer(material)
    else:
        scorer = baseline.learn(material.train)
        threshold = best_threshold(scorer(material.dev), material.dev.labels, measure_for(material.dev.labels))
        answers = threshold.answers(scorer(material.asked))
    per_class = counts_per_class(material.items.classes, kinds_of(material.items.labels, answers))
    score = score_of(name, per_class, resampled(per_class, Resampling()))
    return BaselineScore(name, baseline.reads, answers, score, threshold)


def write_predictions(path: str | Path, items: Items, answers: Answers) -> None:
    """Write answers as JSON lines with `id` and `prediction`, which `evaluate` reads.

    Args:
        path: the file, whole or absent.
        items: R rows.
        answers: int8[R].
    """
    import pyarrow as pa

    with whole_file(path) as out:
        write_jsonl(pa.table({"id": pa.array(items.ids, pa.string()), "prediction": answers}), out)


def _majority(material: Material) -> Answers:
    yes = 2 * int(material.train.labels.sum()) > len(material.train)
    return np.full(len(material.asked), yes, dtype=np.int8)


def _always_yes(material: Material) -> Answers:
    return np.ones(len(material.asked), dtype=np.int8)


def _uniform(material: Material) -> Answers:
    return _drawn(material, "uniform", 0.5)


def _proportional(material: Material) -> Answers:
    return _drawn(material, "proportional", float(material.dev.labels.mean()))


def _drawn(material: Material, purpose: str, share: float) -> Answers:
    """Say yes to each row with a probability."""
    drawn = words(material.seed, "baseline", purpose, rows=range(len(material.asked)), columns=1)[:, 0]
    return ((drawn >> np.uint64(11)) / _STEPS < share).astype(np.int8)


def _commonsense(material: Material) -> Answers:
    return commonsense_answers(material.asked)


BASELINES: dict[str, Guess | Shortcut] = {
    "majority": Guess("nothing: the more frequent label of train", _majority),
    "always-yes": Guess("nothing: yes", _always_yes),
    "uniform": Guess("nothing: a fair coin", _uniform),
    "proportional": Guess("nothing: yes as often as in dev", _proportional),
    "commonsense": Guess("the names: what is known of the quantities of stories", _commonsense),
    "template": Shortcut("what is claimed, not of which variables", template_shares),
    "alphabetical": Shortcut("what is claimed, and which name comes first in the alphabet", alphabetical_shares),
    "pair-lookup": Shortcut("what is claimed, and what one sentence of the premise says of the two", pair_shares),
    "premise-length": Shortcut("the number of tokens of the premise", length_shares),
    "hypothesis-only": Shortcut("the hypothesis", hypothesis_model),
    "bag-of-words": Shortcut("the words of both, without their order", bag_of_words_model),
}
"""Every baseline by its name."""

SHORTCUTS = tuple(name for name, baseline in BASELINES.items() if isinstance(baseline, Shortcut))
"""The names of those that read something."""
