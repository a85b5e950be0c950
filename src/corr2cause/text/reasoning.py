"""Traces to words: the derivation that a careful person would write, sentence by sentence."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from corr2cause.text import reasoning_wording as words
from corr2cause.text.reasoning_grounds import grounds
from corr2cause.text.trace import ClassTrace, Conclusion, Edge, Fault, MeekStep, Separation
from corr2cause.text.verbalisation import enumerated, verbalise_edges
from corr2cause.text.wording import AND, COMMA


@dataclass(frozen=True, slots=True)
class Section:
    """Some sentences under a heading."""

    heading: str
    sentences: tuple[str, ...]


def sections(way: ClassTrace, conclusion: Conclusion | None) -> tuple[Section, ...]:
    """Say the whole derivation but its ending.

    Args:
        way: from the premise to the class.
        conclusion: what the hypothesis meets there; None if there is no class.
    """
    return *way_sections(way), *(conclusion_sections(conclusion) if conclusion else ())


def way_sections(way: ClassTrace) -> tuple[Section, ...]:
    """Say how a premise leads to its class, or why it leads to none."""
    is_determined = not way.faults
    graph = words.GRAPH[is_determined].format(
        arrows=words.form(words.ARROWS, len(way.arrows), edges=verbalise_edges(way.arrows)),
        lines=words.form(words.LINES, len(way.lines), edges=_verbalise_lines(way.lines)),
    )
    found = [
        Section(words.FACTS_HEADING, (_facts(way),)),
        Section(words.SKELETON_HEADING, tuple(_skeleton(way))),
        Section(words.V_STRUCTURES_HEADING, tuple(_v_structures(way)) or (words.NO_V_STRUCTURE,)),
        Section(words.MEEK_HEADING, tuple(map(_meek_step, way.meek_steps)) or (words.NO_MEEK,)),
        Section(words.GRAPH_HEADINGS[is_determined], (graph, _members(way)) if is_determined else (graph,)),
    ]
    if not is_determined:
        found.append(Section(words.NO_CLASS_HEADING, tuple(map(_fault, way.faults))))
    return tuple(found)


def conclusion_sections(conclusion: Conclusion) -> tuple[Section, Section]:
    """Say what a hypothesis means, and why it follows or not."""
    pair = {"first": conclusion.first, "second": conclusion.second}
    meaning = words.MEANING[conclusion.claim][conclusion.reading].format(**pair)
    return (
        Section(words.HYPOTHESIS_HEADING, (words.HYPOTHESIS.format(meaning=meaning),)),
        Section(words.VERDICT_HEADING, tuple(grounds(conclusion))),
    )


def ending(way: ClassTrace, conclusion: Conclusion | None) -> str:
    """Say what follows: yes, no, or that there is no answer.

    >>> from corr2cause.text.wording import Claim
    >>> way = ClassTrace(("A", "B"), False, 1, 0, (), (("A", "B"),), (), (), (), (("A", "B"),), 2)
    >>> ending(way, Conclusion(Claim.DIRECT, "A", "B", "direct", 1, 2))
    'Therefore: No.'
    """
    return words.ENDING[conclusion.label] if conclusion else words.NO_ANSWER[way.fits_none]


def numbered(written: Iterable[Section], start: int = 1) -> list[str]:
    """Number the sentences of sections from `start` on: "1. The premise states …"."""
    sentences = (sentence for section in written for sentence in section.sentences)
    return [f"{number}. {sentence}" for number, sentence in enumerate(sentences, start)]


def laid_out(written: Sequence[Section], width: int) -> str:
    """Lay sections out for people: headings in a margin, sentences beside them in lines of at most `width`."""
    margin = max(len(section.heading) for section in written) + 2
    return "\n".join(_beside_heading(section, margin, width) for section in written)


def _beside_heading(section: Section, margin: int, width: int) -> str:
    """Wrap each sentence beside the heading, which stands once."""
    blank = " " * margin
    lines = [
        line
        for sentence in section.sentences
        for line in textwrap.wrap(sentence, width - margin, break_long_words=False, break_on_hyphens=False)
    ]
    return "\n".join([section.heading.ljust(margin) + lines[0], *(blank + line for line in lines[1:])])


def _facts(way: ClassTrace) -> str:
    return words.FACTS[way.minimal].format(
        correlations=_counted(way.n_correlations, words.CORRELATIONS),
        independences=_counted(way.n_independences, words.INDEPENDENCES),
        names=enumerated(way.names, AND),
    )


def _skeleton(way: ClassTrace) -> Iterator[str]:
    if way.separations:
        yield words.REMOVED.format(removed=COMMA.join(map(_removed, way.separations)))
    else:
        yield words.NONE_REMOVED
    yield words.SKELETON.format(edges=_verbalise_lines(way.skeleton)) if way.skeleton else words.EMPTY_SKELETON


def _removed(separation: Separation) -> str:
    edge = _verbalise_lines([(separation.first, separation.second)])
    template = words.REMOVED_EDGE_GIVEN if separation.given else words.REMOVED_EDGE
    return template.format(edge=edge, given=enumerated(separation.given, AND))


def _v_structures(way: ClassTrace) -> Iterator[str]:
    for v in way.v_structures:
        given = enumerated(v.given, AND) or words.EMPTY_SET
        yield words.V_STRUCTURE.format(first=v.first, collider=v.collider, second=v.second, given=given)


def _meek_step(step: MeekStep) -> str:
    cause, effect = step.edge
    match step.rule:
        case 1:
            ((before, _),) = step.arrows
            variables = {"a": before, "b": cause, "c": effect}
        case 2:
            variables = {"a": cause, "b": step.arrows[0][1], "c": effect}
        case _:
            (b, _), (c, _) = step.arrows
            variables = {"a": cause, "b": b, "c": c, "d": effect}
    return words.MEEK[step.rule].format(**variables)


def _members(way: ClassTrace) -> str:
    one, several = words.FIT[way.minimal]
    return words.MEMBERS.format(n=way.class_size, fit=several) if way.lines else words.ONE_MEMBER.format(fit=one)


def _fault(fault: Fault) -> str:
    listed = [_separation(separation) for separation in fault.about[: words.MOST_LISTED]]
    if more := len(fault.about) - len(listed):
        listed.append(words.MORE.format(n=more))
    return words.FAULTS[fault.kind].format(about=words.SEMICOLON.join(listed))


def _separation(separation: Separation) -> str:
    template = words.PAIR_GIVEN if separation.given else words.PAIR
    return template.format(first=separation.first, second=separation.second, given=enumerated(separation.given, AND))


def _counted(n: int, forms: tuple[str, str]) -> str:
    return f"{n} {forms[n != 1]}"


def _verbalise_lines(lines: Iterable[Edge]) -> str:
    return COMMA.join(words.LINE.join(line) for line in lines)
