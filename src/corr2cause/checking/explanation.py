"""Explain one answer: the derivation of a row or of any premise and hypothesis, as data and as words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from corr2cause.dataset.manifest import read_manifest, row_options
from corr2cause.dataset.reading import Dataset
from corr2cause.deriving.derivation import derive, nli_label
from corr2cause.deriving.tracing import Tracer
from corr2cause.errors import FileError, OptionError, ParseError
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis
from corr2cause.text.parsing import parse_hypothesis, parse_premise
from corr2cause.text.reasoning import Section, ending, laid_out, numbered, sections
from corr2cause.text.reasoning_wording import CLAIM_HEADING
from corr2cause.text.trace import ClassTrace, Conclusion, Separation

_PREMISE, _HYPOTHESIS = "Premise:", "Hypothesis:"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hypothesis follows from a premise, or does not.

    Attributes:
        premise: the text.
        hypothesis: the text.
        claim: what the hypothesis says, of which variables.
        reading: what indirect cause, collider and confounder were taken to mean.
        verdict: whether the premise determines a class.
        way: from the premise to its class: skeleton, v-structures, Meek steps, CPDAG.
        conclusion: what the hypothesis meets in the members; None if there is no class, and so no label.
    """

    premise: str
    hypothesis: str
    claim: Hypothesis
    reading: Reading
    verdict: Verdict
    way: ClassTrace
    conclusion: Conclusion | None

    @property
    def label(self) -> int | None:
        """1 iff the hypothesis holds in all members; None if the premise determines no class."""
        return self.conclusion.label if self.conclusion else None

    @property
    def nli_label(self) -> str | None:
        """`entailment`, `neutral` or `contradiction`; None if the premise determines no class."""
        return nli_label(self.conclusion.holds_in, self.conclusion.class_size) if self.conclusion else None

    @property
    def sections(self) -> tuple[Section, ...]:
        """The derivation in words, without its ending."""
        return sections(self.way, self.conclusion)

    @property
    def ending(self) -> str:
        """The last sentence, "Therefore: Yes." or "Therefore: No." if there is an answer."""
        return ending(self.way, self.conclusion)

    def steps(self) -> tuple[str, ...]:
        """Return the numbered steps, and the ending as the last line."""
        return *numbered(self.sections), self.ending

    def prose(self, width: int = 100) -> str:
        """Lay the derivation out under headings for people, in lines of at most `width` characters."""
        return f"{laid_out([Section(CLAIM_HEADING, (self.hypothesis,)), *self.sections], width)}\n\n{self.ending}"

    def __str__(self) -> str:
        return self.prose()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values; edges are [cause, effect]."""
        way, conclusion = self.way, self.conclusion
        return {
            "premise": self.premise,
            "hypothesis": self.hypothesis,
            "reading": self.reading.value,
            "verdict": self.verdict.value,
            "label": self.label,
            "nli_label": self.nli_label,
            "holds_in": conclusion.holds_in if conclusion else None,
            "class_size": conclusion.class_size if conclusion else None,
            "counterexample": _plain(conclusion.counterexample) if conclusion else None,
            "witnesses": _witnesses(conclusion),
            "variables": list(way.names),
            "skeleton": _plain(way.skeleton),
            "separating_sets": _separations(way.separations),
            "v_structures": [[v.first, v.collider, v.second] for v in way.v_structures],
            "meek_steps": [
                {"rule": s.rule, "edge": list(s.edge), "arrows": _plain(s.arrows), "lines": _plain(s.lines)}
                for s in way.meek_steps
            ],
            "arrows": _plain(way.arrows),
            "lines": _plain(way.lines),
            "faults": [{"kind": fault.kind.value, "about": _separations(fault.about)} for fault in way.faults],
            "steps": list(self.steps()),
        }


def explain(premise: str, hypothesis: str, reading: Reading | str = Reading.DIRECT) -> Explanation:
    """Derive from its own statements whether a premise entails a hypothesis, and why.

    Raises:
        ParseError: a sentence that is not of the premise's or hypothesis' form.
        OptionError: there is no such reading.
        SizeError: there are fewer than 2 or more than 12 variables.
        ClassSizeError: the class has too many members to be looked at one by one.

    >>> premise = (
    ...     "Suppose there is a closed system of 3 variables, A, B and C. All the statistical relations among these 3 "
    ...     "variables are as follows: A correlates with C. B correlates with C. However, A is independent of B."
    ... )
    >>> print(*explain(premise, "A directly causes C.").steps()[3:], sep="\\n")  # doctest: +ELLIPSIS
    4. A->C<-B is a v-structure: A and B are not adjacent, ...
    5. Meek's rules direct no further edge.
    6. The CPDAG has the arrows A->C, B->C and no undirected edge.
    7. Nothing is left to direct: the class has 1 graph, which implies the stated independences and no other.
    8. The hypothesis says that A is a parent of C.
    9. The CPDAG has A->C, and so has every graph of the class.
    10. So the hypothesis holds in the only graph.
    Therefore: Yes.
    """
    if reading not in list(Reading):
        raise OptionError("--reading", f"{reading!r} is not one of {', '.join(Reading)}")
    reading = Reading(reading)
    for part, text in (("premise", premise), ("hypothesis", hypothesis)):
        if not text.strip():
            raise ParseError(text, f"the {part} is empty")
    facts, _ = parse_premise(premise)
    claim, _ = parse_hypothesis(hypothesis, facts.names)
    (derivation,) = derive([facts], [reading])
    tracer = Tracer(derivation)
    return Explanation(
        premise.strip(),
        hypothesis.strip(),
        claim,
        reading,
        derivation.verdict,
        tracer.way,
        tracer.conclude(claim, reading),
    )


def explain_text(text: str, reading: Reading | str = Reading.DIRECT) -> Explanation:
    """Explain a text of the published form "Premise: … Hypothesis: …".

    Raises:
        ParseError: the text is not of that form, or a sentence in it; as `explain`.
    """
    before, found, hypothesis = text.strip().rpartition(_HYPOTHESIS)
    if not found:
        raise ParseError(text.strip(), f'expected "{_PREMISE} … {_HYPOTHESIS} …"')
    return explain(before.strip().removeprefix(_PREMISE), hypothesis, reading)


def explain_row(dataset: Dataset, identifier: str, reading: Reading | None = None) -> Explanation:
    """Explain a row of a data set or of a perturbation.

    Args:
        dataset: as `open_dataset` returns it.
        identifier: the row's `id`.
        reading: as the data set was labelled, if None.

    Raises:
        OptionError: there is no such row.
        FileError: the data are damaged, or None was given and the data set that a perturbation was made from is gone.
    """
    chosen = reading or recorded_reading(dataset)
    for split in dataset.splits:
        table = dataset.read(split, ["id", "premise", "hypothesis"])
        row = pc.index(table["id"].cast("string"), identifier).as_py()
        if row >= 0:
            return explain(table["premise"][row].as_py(), table["hypothesis"][row].as_py(), chosen)
    raise OptionError("--id", f"{dataset.folder} has no row {identifier!r}")


def recorded_reading(dataset: Dataset) -> Reading:
    """Return the reading that a data set was labelled with; a perturbation takes that of the folder around it."""
    folder, manifest = dataset.folder, dataset.manifest
    if manifest.is_perturbed:
        folder = folder.absolute().parent
        around = read_manifest(folder)
        if around.fingerprint != manifest.options.get("source"):
            raise FileError(
                str(dataset.folder), "the data set that this was made from is not around it; give --reading"
            )
        manifest = around
    return row_options(folder, manifest).reading


def _plain(edges: Iterable[tuple[str, ...]] | None) -> list[list[str]] | None:
    return None if edges is None else [list(edge) for edge in edges]


def _separations(separations: Iterable[Separation]) -> list[dict[str, list[str]]]:
    return [{"pair": [s.first, s.second], "given": list(s.given)} for s in separations]


def _witnesses(conclusion: Conclusion | None) -> list[dict[str, Any]]:
    found = conclusion.witnesses if conclusion else ()
    return [{"paths": _plain(witness.paths), "in": witness.n_members} for witness in found]
