"""A model that learns to tell causal texts in a second: logistic regression on TF-IDF. The door to scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from corr2cause.counts import Counts
from corr2cause.spans.rows import Row

Detector = Callable[[Sequence[Row]], npt.NDArray[np.bool_]]
"""Which of R rows state a cause, bool[R]."""

STRENGTHS = (0.1, 1.0, 10.0, 100.0)
THRESHOLD = 0.5
_DIGITS = 9  # so that the last bits, in which machines differ, decide nothing


def train_detector(train: Sequence[Row], validation: Sequence[Row]) -> Detector:
    """Train on words and pairs of them, TF-IDF with sublinear term frequencies.

    The inverse strength of L2 is the one of `STRENGTHS` with the best F1 on the validation rows, the first of equals;
    a row is causal from probability 0.5 on.  A second for some thousands of rows.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    vectoriser = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    table = vectoriser.fit_transform([row.sentence for row in train])
    labels = [row.is_causal for row in train]

    def detector(strength: float) -> Detector:
        model = LogisticRegression(C=strength, max_iter=1000).fit(table, labels)

        def detect(rows: Sequence[Row]) -> npt.NDArray[np.bool_]:
            said = model.predict_proba(vectoriser.transform([row.sentence for row in rows]))[:, 1]
            return np.asarray(said.round(_DIGITS) >= THRESHOLD)

        return detect

    detectors = [detector(strength) for strength in STRENGTHS]
    return max(detectors, key=lambda one: counts_of(validation, one).f1)


def counts_of(rows: Sequence[Row], detector: Detector) -> Counts:
    """Compare what a detector says with the labels; the causal class is what is sought."""
    truth, said = np.array([row.is_causal for row in rows]), detector(rows)
    kinds = np.where(truth, np.where(said, 0, 2), np.where(said, 1, 3))  # the order of the fields of Counts
    return Counts(*np.bincount(kinds, minlength=4).tolist())
