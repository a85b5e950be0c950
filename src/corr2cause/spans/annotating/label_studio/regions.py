"""The result of one annotation, regions, relations and choices, as pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corr2cause.errors import quoted
from corr2cause.spans.annotating.label_studio.interface import CAUSE, EFFECT
from corr2cause.spans.formats.cells import MisfitError, text_of
from corr2cause.spans.labels import CAUSALITY, SENTENTIALITY
from corr2cause.spans.rows import Pair

_UTF16 = "utf-16-le"


@dataclass(frozen=True, slots=True)
class Region:
    """A marked stretch of the text.

    Attributes:
        text: its words.
        labels: Cause, Effect, both, or something else.
    """

    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What an annotation says.

    Attributes:
        pairs: one for each relation, then half a pair for each region that is in none.
        choices: name of a control -> what was chosen.
        problems: what could not be read as it stands.
    """

    pairs: tuple[Pair, ...]
    choices: Mapping[str, str]
    problems: tuple[str, ...]


def result_of(result: Sequence[Mapping[str, Any]], text: str) -> Result:
    """Read the result of an annotation.

    A relation between a cause and an effect is a pair, whatever way it was drawn. Between two causes or two effects,
    such as the links of a chain, the direction in which it was drawn decides.

    Raises:
        MisfitError: a region or relation is damaged.
    """
    regions: dict[str, Region] = {}
    choices: dict[str, str] = {}
    problems: list[str] = []
    for one in result:
        if one.get("type") == "labels":
            regions[_text(one, "id")] = _region(one, text, problems)
        elif one.get("type") == "choices":
            chosen = _value(one).get("choices") or []
            if not isinstance(chosen, list) or not all(isinstance(choice, str) for choice in chosen):
                raise MisfitError(f"choices are {quoted(chosen)}; expected a list of texts")
            choices[_text(one, "from_name")] = chosen[0] if chosen else ""
    pairs: list[Pair] = []
    in_use: set[str] = set()
    for one in result:
        if one.get("type") == "relation" and (ends := _ends(one, regions, problems)):
            in_use.update(ends)
            cause, effect = (regions[end].text for end in ends)
            pairs.append(Pair(cause, effect, *_labels(one, f"{cause!r} -> {effect!r}", problems)))
    pairs += _halves([region for name, region in regions.items() if name not in in_use], problems)
    return Result(tuple(pairs), choices, tuple(problems))


def _region(found: Mapping[str, Any], text: str, problems: list[str]) -> Region:
    value = _value(found)
    start, end, labels = (value.get(name) for name in ("start", "end", "labels"))
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
        raise MisfitError(f"a region is {quoted(value)}; expected numbers start and end")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise MisfitError(f"a region is {quoted(value)}; expected a list of labels")
    span, written = text[start:end], text_of(value, "text")
    if written and span != written:
        units = text.encode(_UTF16)[2 * start : 2 * end].decode(_UTF16, "replace")  # as JavaScript counts
        if units != written:
            problems.append(f"a region says {written!r}, and {span!r} stands there; the former was taken")
        span = written
    return Region(span, tuple(labels))


def _ends(relation: Mapping[str, Any], regions: Mapping[str, Region], problems: list[str]) -> tuple[str, str] | None:
    """Return the ids of the cause and the effect of a relation; None if that is not certain."""
    start, end = _text(relation, "from_id"), _text(relation, "to_id")
    if start not in regions or end not in regions:
        problems.append("a relation has an end that is no cause or effect; it was left out")
        return None
    if relation.get("direction") == "left":
        start, end = end, start
    roles = tuple(_role(regions[one]) for one in (start, end))
    if roles == (EFFECT, CAUSE):
        return end, start
    if roles != (CAUSE, EFFECT) and relation.get("direction") == "bi":
        problems.append("a relation in both directions does not say which end is the cause; it was left out")
        return None
    return start, end


def _role(region: Region) -> str:
    return region.labels[0] if len(region.labels) == 1 else ""


def _labels(relation: Mapping[str, Any], shown: str, problems: list[str]) -> Iterator[str]:
    """Yield causality and sententiality of a relation, empty where there is none or more than one."""
    found = relation.get("labels") or []
    if not isinstance(found, list) or not all(isinstance(label, str) for label in found):
        raise MisfitError(f"the labels of a relation are {quoted(found)}; expected a list of texts")
    for vocabulary in (CAUSALITY, SENTENTIALITY):
        labels = [label for label in vocabulary if label in found]
        if len(labels) > 1:
            problems.append(f"{shown} is {' and '.join(labels)}; it was left without that label")
        yield labels[0] if len(labels) == 1 else ""
    if strange := [label for label in found if label not in (*CAUSALITY, *SENTENTIALITY)]:
        problems.append(f"{shown} has the unknown label {strange[0]!r}")


def _halves(regions: Sequence[Region], problems: list[str]) -> Iterator[Pair]:
    for region in regions:
        if not set(region.labels) & {CAUSE, EFFECT}:
            problems.append(f"{region.text!r} is marked as {' and '.join(region.labels) or 'nothing'}; it was left out")
            continue
        problems.append(f"{region.text!r} is in no relation; it became half a pair")
        if CAUSE in region.labels:
            yield Pair(region.text, "")
        if EFFECT in region.labels:
            yield Pair("", region.text)


def _value(found: Mapping[str, Any]) -> Mapping[str, Any]:
    value = found.get("value")
    if not isinstance(value, dict):
        raise MisfitError(f"a region is {quoted(found)}; expected an object under value")
    return value


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise MisfitError(f"{name} of a region or relation is {quoted(value)}; expected text")
    return value
