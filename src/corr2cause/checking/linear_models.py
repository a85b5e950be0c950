"""Shortcuts that weigh words: logistic regression (L2, C = 1) on the words of a row.

The only door to scikit-learn, which the extra `baselines` brings; it is imported when a model is trained. Distinct
texts are cut into words once, and rows take their lines of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corr2cause.checking.labelled_texts import FIELDS, LabelledTexts, TextColumn
from corr2cause.checking.ngrams import ngrams
from corr2cause.checking.share_tables import Scorer
from corr2cause.checking.thresholds import Floats
from corr2cause.checking.tokens import tokenise
from corr2cause.errors import MissingExtraError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer

Features = Callable[[LabelledTexts], "csr_matrix"]

_MOST_ROWS = 250_000
_DIGITS = 9  # so that the last bits, in which machines differ, decide nothing


def hypothesis_model(train: LabelledTexts) -> Scorer:
    """Weigh which runs of one to four tokens stand in the hypothesis; the premise is not read.

    Equal rows are trained on once, with their number as weight.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    vectoriser = _vectoriser(ngrams, train.hypothesis.texts)

    def features(column: TextColumn) -> csr_matrix:
        return vectoriser.transform(column.texts)[column.codes]

    kinds, weights = np.unique(2 * train.hypothesis.codes.astype(np.int64) + train.labels, return_counts=True)
    distinct = features(TextColumn(train.hypothesis.texts, kinds // 2))
    return _fitted(distinct, kinds % 2, weights, lambda rows: features(rows.hypothesis))


def bag_of_words_model(train: LabelledTexts) -> Scorer:
    """Weigh how often each token stands in the hypothesis, and in the premise (the logarithm of 1 + the number).

    Of more than 250,000 rows every second is trained on, or every third, and so on.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    from scipy.sparse import hstack

    vectorisers = {field: _vectoriser(tokenise, getattr(train, field).texts) for field in FIELDS}

    def features(rows: LabelledTexts) -> csr_matrix:
        columns = {field: getattr(rows, field) for field in FIELDS}
        parts = [vectorisers[field].transform(column.texts).log1p()[column.codes] for field, column in columns.items()]
        return hstack(parts, format="csr", dtype=np.float32)

    few = train.every(-(-len(train) // _MOST_ROWS))
    return _fitted(features(few), few.labels, None, features)


def _vectoriser(words: Callable[[str], Iterable[object]], texts: Sequence[str]) -> CountVectorizer:
    try:
        from sklearn.feature_extraction.text import CountVectorizer
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "baselines") from error
    return CountVectorizer(analyzer=words, dtype=np.float64).fit(texts)


def _fitted(
    table: csr_matrix, labels: npt.NDArray[np.int64], weights: npt.NDArray[np.int64] | None, features: Any
) -> Scorer:
    from sklearn.linear_model import LogisticRegression

    if len(np.unique(labels)) < 2:
        return lambda rows: np.full(len(rows), float(labels[0]))
    model = LogisticRegression(max_iter=1000).fit(table, labels, sample_weight=weights)

    def scores(rows: LabelledTexts) -> Floats:
        return np.asarray(model.predict_proba(features(rows))[:, 1]).round(_DIGITS)

    return scores
