"""The numbered reasoning of rows, each derived from the row's own text by discovery, never from what it was made of."""

from __future__ import annotations

import pyarrow as pa

from corr2cause.dataset.encoding import encode_each, values_and_codes
from corr2cause.dataset.schema import STEPS, encoded_schema
from corr2cause.deriving.derivation import derive
from corr2cause.deriving.tracing import Tracer
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis, Premise
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.reasoning import conclusion_sections, ending, numbered, way_sections


def add_steps(table: pa.Table, reading: Reading) -> pa.Table:
    """Append the column `steps` to rows.

    Args:
        table: with the columns `premise` and `hypothesis`, dictionary-encoded.
        reading: what indirect cause, collider and confounder mean.

    Returns:
        The same table with one more column.  About 50 µs a row of six variables; what concerns a premise alone is
        derived and written once.
    """
    premise_texts, premise_of_row = values_and_codes(table["premise"])
    hypothesis_texts, hypothesis_of_row = values_and_codes(table["hypothesis"])
    writers = _writers([parse_premise(text)[0] for text in premise_texts], reading)
    hypotheses = [parse_hypothesis(text)[0] for text in hypothesis_texts]
    written = (
        writers[premise].write(hypotheses[hypothesis])
        for premise, hypothesis in zip(premise_of_row.tolist(), hypothesis_of_row.tolist(), strict=True)
    )
    return table.append_column(encoded_schema([STEPS]).field(STEPS), encode_each(written))


def _writers(premises: list[Premise], reading: Reading) -> list[StepWriter]:
    return [StepWriter(Tracer(derivation), reading) for derivation in derive(premises, [reading])]


class StepWriter:
    """Writes the steps of any hypothesis about one premise; those that all share are written once."""

    def __init__(self, tracer: Tracer, reading: Reading) -> None:
        self._tracer, self._reading = tracer, reading
        self._shared = numbered(way_sections(tracer.way))
        self._start = "\n".join(self._shared)

    def write(self, hypothesis: Hypothesis) -> str:
        """Return what the column `steps` says of a row."""
        conclusion = self._tracer.conclude(hypothesis, self._reading)
        own = numbered(conclusion_sections(conclusion), len(self._shared) + 1) if conclusion else []
        return "\n".join([self._start, *own, ending(self._tracer.way, conclusion)])
