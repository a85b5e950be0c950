"""Which quantity plays which variable: at random, or so that common sense is always right, or always wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from corr2cause import streams
from corr2cause.dataset.options import StoryMode, StoryOptions
from corr2cause.graphs.discovery import discover
from corr2cause.text.facts import Premise
from corr2cause.text.stories.bank import Domain, nonce_domain, real_domains
from corr2cause.text.stories.telling import DRAWS, Story


def cast(premise: Premise, text: str, options: StoryOptions) -> Story | None:
    """Choose a domain, a quantity for each variable, and the frames of the sentences.

    Frames depend on seed and text alone, so that stories of different modes differ in their quantities only.

    Args:
        premise: the facts.
        text: what they were read from; with the seed, it decides all that is drawn.
        options: mode and seed.

    Returns:
        The story, or None if the mode cannot tell this class: `congruent` and `anti` need an entailed direct cause,
        and quantities of one domain among which common sense knows just these causes (or just their reversals).
    """
    frames = streams.words(options.seed, "story frames", text, rows=range(1), columns=DRAWS)[0]
    for domain in _domains(text, options):
        order = _shuffled(
            options.seed, "story quantities", options.mode, domain.name, text, length=len(domain.quantities)
        )
        places = _cast_from(domain, order, premise, options.mode)
        if places is not None:
            return Story(domain, tuple(domain.quantities[place] for place in places), frames)
    return None


def _domains(text: str, options: StoryOptions) -> Iterator[Domain]:
    """Yield the domains that may be told of, in random order."""
    if options.mode is StoryMode.NONCE:
        yield nonce_domain()
        return
    found = real_domains()
    for place in _shuffled(options.seed, "story domains", options.mode, text, length=len(found)):
        yield found[place]


def _shuffled(seed: int, *purpose: str, length: int) -> list[int]:
    drawn: list[int] = streams.permutations(seed, *purpose, rows=range(1), length=length)[0].tolist()
    return drawn


def _cast_from(domain: Domain, order: Sequence[int], premise: Premise, mode: StoryMode) -> Sequence[int] | None:
    n = len(premise.names)
    if mode in (StoryMode.NONCE, StoryMode.EVERYDAY):
        return order[:n]
    into = discover(n, [(one.first, one.second, one.given) for one in premise.independences]).directed
    if not any(into):
        return None
    return find_cast(_transposed(into) if mode is StoryMode.CONGRUENT else into, domain.effects, order)


def find_cast(arrows: Sequence[int], effects: Sequence[int], order: Sequence[int]) -> tuple[int, ...] | None:
    """Choose a quantity for each variable so that the causes among them are just the given arrows.

    An induced subgraph is sought, by backtracking: variables with many arrows first, quantities in the given order.
    Whether the rest can be chosen depends on what fits the variables that are left alone, so that none is tried twice.

    Args:
        arrows: for each of n variables, the mask of those it has an arrow to.
        effects: for each of m quantities, the mask of its effects.
        order: the places of the quantities, in the order of preference.

    Returns:
        The place of the quantity of each variable, or None if there is no such choice.  Milliseconds for n = 6, a
        quarter of a second for n = 12, where few arrows leave much to try.
    """
    n, everything = len(arrows), (1 << len(effects)) - 1
    causes = _transposed(effects)
    into = _transposed(arrows)
    unrelated = [everything & ~(effects[q] | causes[q] | 1 << q) for q in range(len(effects))]
    turns = _most_connected_first([a | b for a, b in zip(arrows, into, strict=True)])

    def beside(variable: int, later: int) -> Sequence[int]:
        """Return what fits a variable for each quantity that plays one before it."""
        if arrows[variable] >> later & 1:
            return effects
        return causes if into[variable] >> later & 1 else unrelated

    narrowing = [[beside(variable, later) for later in turns[turn + 1 :]] for turn, variable in enumerate(turns)]

    @cache
    def fill(fitting: tuple[int, ...]) -> tuple[int, ...] | None:
        """Choose for the variables that are left, given what fits each of them."""
        if not fitting:
            return ()
        for quantity in order:
            if fitting[0] >> quantity & 1:
                masks = zip(fitting[1:], narrowing[-len(fitting)], strict=True)
                left = tuple(mask & allowed[quantity] for mask, allowed in masks)
                if all(left) and (chosen := fill(left)) is not None:
                    return (quantity, *chosen)
        return None

    found = fill((everything,) * n)
    return None if found is None else tuple(quantity for _, quantity in sorted(zip(turns, found, strict=True)))


def _transposed(masks: Sequence[int]) -> list[int]:
    return [sum(1 << u for u, mask in enumerate(masks) if mask >> v & 1) for v in range(len(masks))]


def _most_connected_first(neighbours: Sequence[int]) -> list[int]:
    """Order variables so that each has as many arrows as can be to those before it."""
    turns: list[int] = []
    chosen = 0
    while len(turns) < len(neighbours):
        left = [v for v in range(len(neighbours)) if v not in turns]
        turns.append(max(left, key=lambda v: ((neighbours[v] & chosen).bit_count(), neighbours[v].bit_count(), -v)))
        chosen |= 1 << turns[-1]
    return turns
