"""The same items in other words or with other names: label, id and facts stay.

A row is read back into symbols, the symbols are changed, and the changed symbols are put into words again; no string is
ever edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from corr2cause import streams
from corr2cause.dataset.encoding import encode, encode_each, values_and_codes
from corr2cause.dataset.options import Mode
from corr2cause.dataset.schema import ENCODED_SCHEMA
from corr2cause.errors import OptionError
from corr2cause.text.facts import Hypothesis, Premise
from corr2cause.text.naming import random_letters, random_words, reversed_alphabet
from corr2cause.text.parsing import parse_edges, parse_hypothesis, parse_premise
from corr2cause.text.verbalisation import verbalise_edges, verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Notation, Wording


def rephrase(table: pa.Table, mode: Mode, seed: int) -> pa.Table:
    """Say every row in another way.

    Args:
        table: of `ENCODED_SCHEMA`.
        mode: what to change.
        seed: of what is drawn; what a row becomes depends on (seed, mode, its premise) only.

    Returns:
        The same rows in the same order; premise, hypothesis, x, y and counterexample are put anew.

    Raises:
        NamingError: the alphabet cannot be reversed where variables are not letters.
        OptionError: the premises are symbolic already.
    """
    premise_texts, premise_of_row = values_and_codes(table["premise"])
    hypothesis_texts, hypothesis_of_row = values_and_codes(table["hypothesis"])
    premises = [_perturb_premise(text, mode, seed) for text in premise_texts]
    hypotheses = [parse_hypothesis(text) for text in hypothesis_texts]
    wording = Wording.PARAPHRASE if mode is Mode.PARAPHRASE else None
    renamings = [premises[code].renaming for code in premise_of_row.tolist()]
    changed = {
        "premise": encode([premise.text for premise in premises], premise_of_row),
        "hypothesis": encode_each(
            _rename_hypothesis(hypotheses[code][0], renaming, wording or hypotheses[code][1])
            for code, renaming in zip(hypothesis_of_row.tolist(), renamings, strict=True)
        ),
        **renamed_columns(table, renamings),
    }
    return put_anew(table, changed)


def renamed_columns(table: pa.Table, renamings: Sequence[Mapping[str, str]]) -> dict[str, pa.Array]:
    """Return the columns that hold nothing but names, with the new name of each variable of each row."""
    return {
        "x": _renamed(table["x"], renamings),
        "y": _renamed(table["y"], renamings),
        "counterexample": _renamed_edges(table["counterexample"], renamings),
    }


def put_anew(table: pa.Table, changed: Mapping[str, pa.Array]) -> pa.Table:
    """Put new columns in the place of those of the same names."""
    for name, column in changed.items():
        place = table.column_names.index(name)
        table = table.set_column(place, ENCODED_SCHEMA.field(name), column)
    return table


@dataclass(frozen=True, slots=True)
class _PerturbedPremise:
    """A premise put anew, and the new name of each of its variables."""

    text: str
    renaming: dict[str, str]


def _perturb_premise(text: str, mode: Mode, seed: int) -> _PerturbedPremise:
    premise, notation = parse_premise(text)
    if mode is Mode.SYMBOLIC:
        if notation is Notation.SYMBOLS:
            raise OptionError(
                "--mode symbolic", "the premises of this data set are symbolic already; choose another mode"
            )
        notation = Notation.SYMBOLS
    names = _new_names(premise, mode, seed, text)
    stated = _reordered(premise, seed, text) if mode is Mode.REORDER else premise
    renaming = dict(zip(premise.names, names, strict=True))
    return _PerturbedPremise(verbalise_premise(replace(stated, names=names), notation), renaming)


def _new_names(premise: Premise, mode: Mode, seed: int, text: str) -> tuple[str, ...]:
    n = len(premise.names)
    match mode:
        case Mode.REFACTOR:
            return reversed_alphabet(premise.names)
        case Mode.RENAME:
            return random_letters(streams.words(seed, "rename", text, rows=range(1), columns=n)[0], n)
        case Mode.WORDS:
            return random_words(streams.words(seed, "rename to words", text, rows=range(1), columns=n)[0], n)
        case _:
            return premise.names


def _reordered(premise: Premise, seed: int, text: str) -> Premise:
    """Shuffle the correlations among themselves, and the independences."""

    def order(what: str, length: int) -> list[int]:
        drawn: list[int] = streams.permutations(seed, "reorder", what, text, rows=range(1), length=length)[0].tolist()
        return drawn

    pairs, sets = premise.correlations, premise.independences
    return replace(
        premise,
        correlations=tuple(pairs[k] for k in order("correlations", len(pairs))),
        independences=tuple(sets[k] for k in order("independences", len(sets))),
    )


def _rename_hypothesis(hypothesis: Hypothesis, renaming: dict[str, str], wording: Wording) -> str:
    renamed = Hypothesis(hypothesis.claim, renaming[hypothesis.first], renaming[hypothesis.second])
    return verbalise_hypothesis(renamed, wording)


def _renamed(names: pa.ChunkedArray, renamings: Sequence[Mapping[str, str]]) -> pa.Array:
    return encode_each(renaming[name] for name, renaming in zip(names.to_pylist(), renamings, strict=True))


def _renamed_edges(edge_lists: pa.ChunkedArray, renamings: Sequence[Mapping[str, str]]) -> pa.Array:
    return encode_each(
        None if text is None else verbalise_edges((renaming[u], renaming[v]) for u, v in parse_edges(text))
        for text, renaming in zip(edge_lists.to_pylist(), renamings, strict=True)
    )
