"""Compare what a row of ours says about itself with what its text gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from corr2cause.checking.judging import Item
from corr2cause.dataset.class_ids import CLASS_ID, is_sampled, sampled_class
from corr2cause.dataset.options import RowOptions
from corr2cause.dataset.schema import STEPS
from corr2cause.dataset.stepping import StepWriter
from corr2cause.deriving.derivation import Derivation
from corr2cause.deriving.tracing import Tracer
from corr2cause.errors import quoted
from corr2cause.graphs.equivalence import Cpdags
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.sampling import representatives
from corr2cause.graphs.terms import Reading, Relation
from corr2cause.text.facts import Hypothesis
from corr2cause.text.verbalisation import verbalise_edges
from corr2cause.text.wording import Claim

# an id, then the class, relation and size that it must name
_ID = rf"{CLASS_ID}-\d+-\d+-(\w+) \1 \3 \2"

_CLAIMS = {
    Relation.IS_PARENT: (Claim.DIRECT, False),
    Relation.IS_CHILD: (Claim.DIRECT, True),
    Relation.IS_ANCESTOR: (Claim.INDIRECT, False),
    Relation.IS_DESCENDANT: (Claim.INDIRECT, True),
    Relation.HAS_COLLIDER: (Claim.COLLIDER, False),
    Relation.HAS_CONFOUNDER: (Claim.CONFOUNDER, False),
}


class RowChecker:
    """Checks rows of one data set; the steps that the rows of a premise share are written once.

    Args:
        options: those of the data set.
        is_perturbed: the template of a row is that of its original sentence, which the text does not tell.
    """

    def __init__(self, options: RowOptions, is_perturbed: bool) -> None:
        self._options, self._is_perturbed = options, is_perturbed
        self._writer: tuple[Derivation, StepWriter] | None = None

    def problems(self, row: Mapping[str, Any], item: Item) -> Iterator[str]:
        """Yield a sentence for every column that is not what the text of the row gives.

        Args:
            row: of our schema.
            item: what premise and hypothesis say.
        """
        derivation = item.derivation
        if derivation.verdict is not Verdict.DETERMINED:
            yield f"the premise is {derivation.verdict}: it has no label"
            return
        expected = {**_expected_of_class(derivation), **_expected_of_claim(item, self._options.reading)}
        if not self._is_perturbed:
            expected["template"] = item.claimed.template
        if is_sampled(row["class_id"]):
            expected["class_id"] = _sampled_class(derivation.discovery.directed, derivation.discovery.undirected)
        for column, value in expected.items():
            if row[column] != value:
                yield f"{column} says {quoted(row[column])}, the text gives {value!r}"
        if self._options.with_steps and row[STEPS] != self._steps(item):
            yield "steps says something else than the reasoning that the text gives"
        if not re.fullmatch(_ID, f"{row['id']} {row['class_id']} {row['relation']} n{derivation.n}"):
            yield f"id {row['id']!r} does not name class_id {row['class_id']!r}, relation and {derivation.n} variables"
        if not _asks(row, item.hypothesis):
            yield f"relation, x and y say {row['relation']}({row['x']}, {row['y']}), the hypothesis says something else"

    def _steps(self, item: Item) -> str:
        if self._writer is None or self._writer[0] is not item.derivation:
            self._writer = item.derivation, StepWriter(Tracer(item.derivation), self._options.reading)
        return self._writer[1].write(item.hypothesis)


def _expected_of_class(derivation: Derivation) -> dict[str, Any]:
    discovery = derivation.discovery
    n_compelled = sum(mask.bit_count() for mask in discovery.directed)
    return {
        "num_variables": discovery.n,
        "class_size": derivation.class_size,
        "n_edges": n_compelled + sum(mask.bit_count() for mask in discovery.undirected) // 2,
        "n_statements": len(derivation.premise.independences),
        "n_compelled": n_compelled,
    }


@lru_cache(maxsize=1024)
def _sampled_class(directed: tuple[int, ...], undirected: tuple[int, ...]) -> str:
    """Return the name that a class must have if it was sampled; it follows from the CPDAG."""
    mixed = Cpdags(np.array([directed], dtype=np.uint16), np.array([undirected], dtype=np.uint16))
    return sampled_class(representatives(mixed)[0])


def _expected_of_claim(item: Item, reading: Reading) -> dict[str, Any]:
    derivation, hypothesis = item.derivation, item.hypothesis
    answer = derivation.answer(hypothesis, reading)
    assert answer is not None, "the premise determines a class"
    labels = {members == derivation.class_size for members in derivation.holds_in_each(hypothesis)}
    return {
        "label": answer.label,
        "nli_label": answer.nli_label,
        "holds_in": answer.holds_in,
        "counterexample": None if answer.counterexample is None else verbalise_edges(answer.counterexample),
        "readings_agree": len(labels) == 1,
    }


def _asks(row: Mapping[str, Any], hypothesis: Hypothesis) -> bool:
    claim, reversed_ = _CLAIMS[Relation(row["relation"])]
    asked = (row["y"], row["x"]) if reversed_ else (row["x"], row["y"])
    said = hypothesis.first, hypothesis.second
    symmetric = claim in (Claim.COLLIDER, Claim.CONFOUNDER)
    return hypothesis.claim is claim and (said == asked or (symmetric and said[::-1] == asked))
