"""Stories to facts: the exact inverse of telling, compiled from the same frames and the same bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TypeVar

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.statements import check_variables, enumerated, positions
from corr2cause.text.stories.bank import Domain, Quantity, domains, quantities_at_the_beginning, quantities_inside
from corr2cause.text.stories.telling import agreeing
from corr2cause.text.stories.wording import (
    AND,
    CLOSED,
    EVERY_SET,
    HYPOTHESES,
    LISTINGS,
    NUMBERS,
    PAIRS,
    SET_BREAK,
    SEVERAL_SETS,
    PairKind,
)
from corr2cause.text.templates import Template, compiled, fits_any, read
from corr2cause.text.wording import Claim

_Meaning = TypeVar("_Meaning")
_Frames = tuple[Template[tuple[_Meaning, bool | None]], ...]
"""What frames mean, and whether the verbs that agree with the first quantity are in the plural; None without any."""

_Pair = tuple[int, int]


def is_story(premise: str) -> bool:
    """Whether a premise begins with the setting of one of the domains."""
    return fits_any(f"{premise.strip().partition('. ')[0].removesuffix('.')}.", _settings())


def is_story_hypothesis(sentence: str) -> bool:
    """Whether a sentence is made like a claim of a story, whatever it speaks of."""
    return fits_any(sentence, _hypotheses())


def parse_story_premise(text: str) -> Premise:
    """Read the premise of a story.

    Returns:
        The facts, with the names of the quantities; pairs in the order of the text, the sets of each in ascending
        order.

    Raises:
        ParseError: which sentence, and what was expected.
    """
    sentences = [f"{sentence}." for sentence in text.strip().removesuffix(".").split(". ")]
    if len(sentences) < 3:
        raise ParseError(text, "expected a setting, what is left out of the story, and what it tells")
    setting, closed, listing, *told = sentences
    names = _read_opening(setting, closed)
    is_minimal, _ = _read(listing, _listings())
    pairs: dict[_Pair, tuple[PairKind, tuple[tuple[int, ...], ...]]] = {}
    for sentence in told:
        place, kind, sets = _read_pair(sentence, names)
        if place in pairs:
            raise ParseError(sentence, "the story spoke of these two before")
        pairs[place] = kind, sets
    return Premise(
        names,
        correlations=tuple(place for place, (kind, _) in pairs.items() if kind.related),
        independences=tuple(
            Independence(*place, given)
            for place, (kind, sets) in pairs.items()
            for given in ((() if kind.related else ((),)) + sets)
        ),
        minimal=is_minimal,
    )


def parse_story_hypothesis(text: str, names: tuple[str, ...] | None = None) -> Hypothesis:
    """Read the hypothesis of a story.

    Args:
        text: the sentence; white space around it is ignored.
        names: the variables it may speak of; any of the bank if None.

    Raises:
        ParseError: no frame fits, a quantity is unknown, or the two are one.

    >>> parse_story_hypothesis("Hours of sleep have a direct effect on body weight.").first
    'hours of sleep'
    """
    sentence = text.strip()
    claim, (first, second), _ = _read_two(sentence, _hypotheses())
    pair = first.name, second.name
    positions(pair, names or pair, sentence)
    return Hypothesis(claim, *pair)


def _read_opening(setting: str, closed: str) -> tuple[str, ...]:
    """Read the names, and see that the sentences before the pairs count them rightly."""
    domain, opened = _read(setting, _settings())
    _, limited = _read(closed, _closed())
    quantities = [_known(phrase, quantities_inside(), setting) for phrase in enumerated(opened["names"], AND)]
    for quantity in quantities:
        if quantity not in domain.quantities:
            raise ParseError(setting, f"stories of {domain.name} do not tell of {quantity.phrase!r}")
    names = tuple(quantity.name for quantity in quantities)
    for number, sentence in ((opened["n"], setting), (limited["n"], closed)):
        check_variables(names, str(NUMBERS.index(number)) if number in NUMBERS else number, sentence)
    return names


def _read_pair(sentence: str, names: tuple[str, ...]) -> tuple[_Pair, PairKind, tuple[tuple[int, ...], ...]]:
    """Read a sentence about two variables: their places, how they are related, and given which sets independent."""
    kind, pair, listed = _read_two(sentence, _pairs())
    first, second = sorted(positions(tuple(quantity.name for quantity in pair), names, sentence))
    if listed == EVERY_SET:
        return (first, second), kind, _every_set([k for k in range(len(names)) if k not in (first, second)], sentence)
    sets = sorted(_read_set(one, sentence, names, (first, second)) for one in _cut_into_sets(listed))
    if len(set(sets)) < len(sets):
        raise ParseError(sentence, "one of the sets is mentioned twice")
    return (first, second), kind, tuple(sets)


def _every_set(others: Sequence[int], sentence: str) -> tuple[tuple[int, ...], ...]:
    """List every set of the other quantities but the empty one, in the order of premises."""
    if len(others) < 2:
        raise ParseError(sentence, "there are not several other quantities")
    return tuple(sorted(given for size in range(1, len(others) + 1) for given in combinations(others, size)))


def _cut_into_sets(listed: str | None) -> Sequence[str]:
    if listed is None:
        return ()
    several = listed.removeprefix(SEVERAL_SETS)
    return several.split(SET_BREAK) if several != listed else (listed,)


def _read_set(listed: str, sentence: str, names: tuple[str, ...], pair: _Pair) -> tuple[int, ...]:
    members = [_known(phrase, quantities_inside(), sentence).name for phrase in enumerated(listed, AND)]
    places = positions((*(names[k] for k in pair), *members), names, sentence)
    return tuple(sorted(places[2:]))


def _read_two(sentence: str, frames: _Frames[_Meaning]) -> tuple[_Meaning, tuple[Quantity, Quantity], str | None]:
    """Read a sentence about two quantities: what it means, the two, and the sets if there are some."""
    (meaning, is_plural), found = _read(sentence, frames)
    if "First" in found:
        first = _known(found["First"], quantities_at_the_beginning(), sentence)
        if is_plural is not None and is_plural != first.is_plural:
            raise ParseError(sentence, f"the verb does not agree with {first.opening!r}")
    else:
        first = _known(found["first"], quantities_inside(), sentence)
    return meaning, (first, _known(found["second"], quantities_inside(), sentence)), found.get("sets")


def _read(sentence: str, templates: Sequence[Template[_Meaning]]) -> tuple[_Meaning, dict[str, str]]:
    """Find the frame that a sentence fits; there are too many to list those that were expected."""
    try:
        return read(sentence, templates)
    except ParseError:
        raise ParseError(sentence, "a story has no such sentence here") from None


def _known(phrase: str, bank: Mapping[str, Quantity], sentence: str) -> Quantity:
    try:
        return bank[phrase]
    except KeyError:
        raise ParseError(sentence, f"{phrase!r} is no quantity that stories tell of") from None


@cache
def _settings() -> tuple[Template[Domain], ...]:
    return tuple(compiled(setting, domain) for domain in domains() for setting in domain.settings)


@cache
def _closed() -> tuple[Template[None], ...]:
    return tuple(compiled(sentence, None) for sentence in CLOSED)


@cache
def _listings() -> tuple[Template[bool], ...]:
    return tuple(compiled(sentence, is_minimal) for is_minimal, frames in LISTINGS.items() for sentence in frames)


@cache
def _pairs() -> _Frames[PairKind]:
    return _both_numbers(PAIRS)


@cache
def _hypotheses() -> _Frames[Claim]:
    return _both_numbers(HYPOTHESES)


def _both_numbers(table: Mapping[_Meaning, Sequence[str]]) -> _Frames[_Meaning]:
    """Compile every frame, with its verbs in either number if it has some that agree."""
    templates = []
    for meaning, frames in table.items():
        for frame in frames:
            singular, plural = agreeing(frame, is_plural=False), agreeing(frame, is_plural=True)
            if singular == plural:
                templates.append(_compiled(frame, meaning, None))
            else:
                templates += [_compiled(singular, meaning, False), _compiled(plural, meaning, True)]
    return tuple(templates)


def _compiled(frame: str, meaning: _Meaning, is_plural: bool | None) -> Template[tuple[_Meaning, bool | None]]:
    return compiled(frame, (meaning, is_plural))
